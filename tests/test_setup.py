"""The set-up: complete locks without addresses, and the commands that the README names."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from tests.conftest import PROJECT

LOCKS = sorted(PROJECT.glob("requirements*.txt"))
PINNED = re.compile(r"(?P<name>[a-z0-9.-]+)==(?P<version>[^ ]+)( ; [^-]+)?( --hash=sha256:[0-9a-f]{64})+")


def pins(lock: Path) -> Iterator[re.Match[str]]:
    """What a lock file says, without its comments; fails on anything but pinned and hashed packages."""
    text = re.sub(r"^ *#.*\n", "", lock.read_text(), flags=re.MULTILINE)
    for line in re.sub(r" *\\\n *", " ", text).splitlines():
        pin = PINNED.fullmatch(line)
        assert pin, f"{lock.name}: expected name==version and sha256 hashes, found {line!r}"
        yield pin


def versions(lock: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pin in pins(lock):
        found.setdefault(pin["name"], set()).add(pin["version"])
    return found


def test_there_are_two_locks() -> None:
    assert [lock.name for lock in LOCKS] == ["requirements-test.txt", "requirements.txt"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_names_no_address(lock: Path) -> None:
    # No URL and no path does without a slash; no option but a hash is let through by `pins`.
    assert "/" not in lock.read_text()
    assert list(pins(lock))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_holds_what_its_source_asks_for(lock: Path) -> None:
    locked = versions(lock)
    lines = lock.with_suffix(".in").read_text().splitlines()
    for requirement in (Requirement(line) for line in lines if line and line[0] not in "#-"):
        assert all(requirement.specifier.contains(version) for version in locked[requirement.name.lower()])


def test_both_locks_hold_the_same_version_of_a_package() -> None:
    test, run = map(versions, LOCKS)
    both = test.keys() & run.keys()
    assert both
    assert {name: test[name] for name in both} == {name: run[name] for name in both}


def test_each_dependency_says_why_it_is_there() -> None:
    for lock in LOCKS:
        lines = lock.with_suffix(".in").read_text().splitlines()
        for before, line in pairwise(lines):
            assert not line or line.startswith("#") or before.startswith("# "), f"{line}: no reason above it"


def test_pyyaml_comes_with_libyaml() -> None:
    assert yaml.__with_libyaml__


def make_commands(text: str) -> set[str]:
    """Names of the make commands in the code of a Markdown text."""
    code = re.findall(r"^```.*?^```|`[^`\n]+`", text, flags=re.MULTILINE | re.DOTALL)
    return set(re.findall(r"\bmake ([a-z]+)", "\n".join(code)))


def test_ci_runs_the_test_command_of_the_readme() -> None:
    assert (PROJECT / ".ci/run").read_text().splitlines()[-1] == "make test"
    assert {"serve", "test"} <= make_commands((PROJECT / "README.md").read_text())


def test_each_make_command_of_the_readme_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(), flags=re.MULTILINE))
    assert make_commands((PROJECT / "README.md").read_text()) <= targets
