"""What `make` does on which machine: real make, stubs for Python, uv and the tools."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT

# What the recipes use besides make; nothing else is on PATH, so that an uv of this machine is not seen.
COMMANDS = ("find", "make", "rm", "sed", "touch")
# Writes down its call, makes an environment whose Python is itself, and fails on a call with $FAIL in it.
STUB = """#!/bin/sh
PATH=/usr/bin:/bin
echo "${0##*/} $*" >> calls
case "$*" in "-m venv "*) mkdir -p .venv/bin; cp "$0" .venv/bin/python ;; esac
case "$FAIL" in ?*) case "$*" in *"$FAIL"*) exit 1 ;; esac ;; esac
"""
INSTALL = "--quiet --require-hashes --only-binary :all: -r"
CHECK_VERSION = "python3 -c"
WITH_PIP = [
    CHECK_VERSION,
    "python3 -m venv .venv",
    f"python -m pip install --disable-pip-version-check {INSTALL} requirements.txt",
]
TESTS_WITH_PIP = [f"python -m pip install --disable-pip-version-check {INSTALL} requirements-test.txt"]
WITH_UV = [
    CHECK_VERSION,
    "python3 -m venv --without-pip .venv",
    f"uv pip install --python .venv/bin/python {INSTALL} requirements.txt",
]
TESTS_WITH_UV = [f"uv pip install --python .venv/bin/python {INSTALL} requirements-test.txt"]
BUILD = ["python -m mkdocs build --strict"]
SERVE = [
    'python -c import socket; socket.create_server(("localhost", 8000))',
    "python -m mkdocs serve --dev-addr localhost:8000",
]
CHECKS = [
    "python -m tests.browser.chromium",
    "python -m ruff check",
    "python -m ruff format --check",
    "python -m mypy",
    "python -m pytest",
]


class Clone:
    """A fresh clone, in a folder with a space in its name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "a clone"
        self.programs = folder / "programs"
        self.folder.mkdir()
        self.programs.mkdir()
        for name in ("Makefile", "requirements.txt", "requirements-test.txt"):
            shutil.copy(PROJECT / name, self.folder)
        for command in COMMANDS:
            (self.programs / command).symlink_to(shutil.which(command) or command)

    def add(self, program: str, text: str = STUB) -> None:
        path = self.programs / program
        path.write_text(text)
        path.chmod(0o755)

    def make(self, *arguments: str, fail: str = "") -> subprocess.CompletedProcess[str]:
        # A fresh environment: the variables of the make that runs these tests would reach this one.
        return subprocess.run(
            ["make", *arguments],
            cwd=self.folder,
            env={"PATH": str(self.programs), "FAIL": fail},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    def calls(self) -> list[str]:
        """Return the calls of the stubs since the last look, those of the version check without its code."""
        path = self.folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        known = (line for line in lines if line.startswith(("python", "uv")))
        return [CHECK_VERSION if line.startswith(CHECK_VERSION) else line for line in known]


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A clone on a machine with Python and make only."""
    clone = Clone(tmp_path)
    clone.add("python3")
    return clone


@pytest.mark.parametrize(
    ("target", "uv", "calls"),
    [
        pytest.param("site", False, [*WITH_PIP, *BUILD], id="site, pip"),
        pytest.param("site", True, [*WITH_UV, *BUILD], id="site, uv"),
        pytest.param("test", False, [*WITH_PIP, *TESTS_WITH_PIP, *CHECKS], id="test, pip"),
        pytest.param("test", True, [*WITH_UV, *TESTS_WITH_UV, *CHECKS], id="test, uv"),
        pytest.param("serve", False, [*WITH_PIP, *SERVE], id="serve, pip"),
        pytest.param("accept", False, [*WITH_PIP, "python -m macros accept"], id="accept, pip"),
    ],
)
def test_a_fresh_clone(clone: Clone, target: str, uv: bool, calls: list[str]) -> None:
    if uv:
        clone.add("uv")
    run = clone.make(target)
    assert run.returncode == 0, run.stderr
    assert clone.calls() == calls


def test_nothing_is_installed_twice(clone: Clone) -> None:
    clone.make("test")
    clone.calls()
    clone.make("site")
    assert clone.calls() == BUILD
    clone.make("test")
    assert clone.calls() == CHECKS


@pytest.mark.parametrize(
    ("lock", "site", "test"),
    [
        ("requirements.txt", [*WITH_PIP, *BUILD], [*TESTS_WITH_PIP, *CHECKS]),
        ("requirements-test.txt", BUILD, [*TESTS_WITH_PIP, *CHECKS]),
    ],
)
def test_a_changed_lock_is_installed(clone: Clone, lock: str, site: list[str], test: list[str]) -> None:
    clone.make("test")
    clone.calls()
    # As if all of that had been an hour ago.
    for path in (*clone.folder.glob("*.txt"), *clone.folder.glob(".venv/ready*")):
        os.utime(path, (path.stat().st_atime - 3600, path.stat().st_mtime - 3600))
    (clone.folder / lock).touch()
    for target, calls in (("site", site), ("test", test)):
        clone.make(target)
        assert clone.calls() == calls


def test_an_environment_whose_python_is_gone_is_made_anew(clone: Clone) -> None:
    clone.make("site")
    clone.calls()
    python = clone.folder / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    clone.make("site")
    assert clone.calls() == [*WITH_PIP, *BUILD]


def test_an_installation_that_failed_is_tried_again(clone: Clone) -> None:
    run = clone.make("site", fail="pip install")
    assert run.returncode != 0
    assert clone.calls() == WITH_PIP
    clone.make("site")
    assert clone.calls() == [*WITH_PIP, *BUILD]


@pytest.mark.parametrize(
    ("fail", "calls"),
    [
        ("ruff check", [call for call in CHECKS if call != "python -m ruff format --check"]),
        ("ruff format", CHECKS),
        ("mypy", CHECKS),
        ("pytest", CHECKS),
    ],
)
def test_each_check_runs_and_each_can_fail_the_run(clone: Clone, fail: str, calls: list[str]) -> None:
    run = clone.make("test", fail=fail)
    assert run.returncode != 0
    assert clone.calls() == [*WITH_PIP, *TESTS_WITH_PIP, *calls]


def test_without_a_browser_no_check_runs(clone: Clone) -> None:
    run = clone.make("test", fail="chromium")
    assert run.returncode != 0
    assert clone.calls() == [*WITH_PIP, *TESTS_WITH_PIP, CHECKS[0]]


@pytest.mark.parametrize("version", [(3, 10, 13), (2, 7, 18)])
def test_an_old_python_is_named_and_makes_nothing(clone: Clone, version: tuple[int, ...]) -> None:
    code = f"import sys; sys.version_info = ({', '.join(map(str, version))}, 'final', 0); exec(sys.argv[1])"
    clone.add("python3", f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$2"\n')
    run = clone.make("serve")
    assert run.returncode != 0
    assert run.stderr.splitlines()[0] == (
        f'Found Python {".".join(map(str, version))} as "python3"; expected 3.11 or newer: '
        "install one and name it: make PYTHON=python3.12 ..."
    )
    assert not (clone.folder / ".venv").exists()


def test_a_port_in_use_is_named(clone: Clone) -> None:
    run = clone.make("serve", "PORT=8123", fail="create_server")
    assert run.returncode != 0
    assert run.stderr.splitlines()[0] == ("Port 8123 of localhost is in use; expected a free one: make serve PORT=8001")
    assert "mkdocs serve" not in run.stdout


def test_a_missing_python_is_named(clone: Clone) -> None:
    run = clone.make("serve", "PYTHON=python3.99")
    assert run.returncode != 0
    assert run.stderr.splitlines()[0] == (
        'No Python found as "python3.99"; expected 3.11 or newer: install one and name it: make PYTHON=python3.12 ...'
    )


def test_another_python_is_used_if_named(clone: Clone) -> None:
    clone.add("other python")
    run = clone.make("site", f"PYTHON={clone.programs}/other python")
    assert run.returncode == 0, run.stderr
    assert (clone.folder / "calls").read_text().splitlines()[-1] == BUILD[0]


def test_compiling_the_locks_needs_uv(clone: Clone) -> None:
    run = clone.make("lock")
    assert run.returncode != 0
    assert run.stderr.splitlines()[0] == "No uv found; expected it on PATH to compile the locks: pip install uv"


def test_clean_removes_the_environment_and_keeps_the_rest(clone: Clone) -> None:
    before = sorted(clone.folder.iterdir())
    clone.make("site")
    clone.calls()
    run = clone.make("clean")
    assert run.returncode == 0, run.stderr
    assert sorted(clone.folder.iterdir()) == before


def test_help_names_each_command(clone: Clone) -> None:
    assert clone.make().stdout.splitlines()[:2] == [
        "make help - List these commands",
        "make serve - Build the site, serve it, reload it on every change, and print the address",
    ]
