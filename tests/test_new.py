"""`python -m macros new`: a thirteenth design is added, built, tested and removed; a part that is missing is named."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from macros import new
from macros.assumptions import load
from tests.conftest import PROJECT, build

NAME = "support-desk"
PARTS = [
    "data/assumptions.yml",
    "macros/designs/support_desk.py",
    "docs/designs/support-desk.md",
    "docs/designs/support-desk.diagram.yml",
    "tests/ledgers/designs/support-desk.txt",
    "docs/designs/support-desk.svg",
]
DATA, MODULE, PAGE, SOURCE, LEDGER, DRAWING = PARTS
BLOCK = re.compile(rf"^  {NAME}:\n(?:    .*\n)+", re.MULTILINE)
IGNORED = shutil.ignore_patterns("__pycache__")


# A run within a run of all tests, on one processor.
ONE_PROCESS = ["pytest", "--numprocesses=0", "-p", "no:cacheprovider"]


def run(project: Path, *arguments: str) -> tuple[int, str]:
    """Run a module of Python in a project; return the exit code and what was printed."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.returncode, done.stdout


def snapshot(project: Path) -> dict[str, bytes]:
    """Every file of a project but those that its tools make."""
    made = {"__pycache__", ".cache", ".hypothesis"}
    files = (path for path in project.rglob("*") if path.is_file() and not made & set(path.parts))
    return {path.relative_to(project).as_posix(): path.read_bytes() for path in files}


@contextmanager
def without(path: Path) -> Iterator[None]:
    """Take a file away for a while."""
    kept = path.read_bytes()
    path.unlink()
    yield
    path.write_bytes(kept)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project as it is."""
    folder = tmp_path_factory.mktemp("project") / "as it is"
    for part in ("data", "docs", "macros", "overrides", "tests"):
        shutil.copytree(PROJECT / part, folder / part, ignore=IGNORED)
    for part in ("mkdocs.yml", "pyproject.toml"):
        shutil.copy(PROJECT / part, folder)
    return folder


@pytest.fixture(scope="module")
def after(before: Path) -> Path:
    """A copy of the project with one more design."""
    folder = before.with_name("with one more")
    shutil.copytree(before, folder, ignore=IGNORED)
    code, told = run(folder, "macros", "new", NAME)
    assert (code, told.splitlines()[: len(PARTS)]) == (0, [f"wrote {part}" for part in PARTS])
    return folder


# ---------------------------------------------------------------- added, built, removed
def test_it_writes_its_parts_and_touches_nothing_else(before: Path, after: Path) -> None:
    old, now = snapshot(before), snapshot(after)
    changed = {file for file in old.keys() | now.keys() if old.get(file) != now.get(file)}
    assert changed == set(PARTS)
    assert BLOCK.sub("", now[DATA].decode()).encode() == old[DATA]


def test_its_order_is_the_next_free_one(after: Path) -> None:
    orders = [data.order for data in load().designs.values()]
    block = BLOCK.search((after / DATA).read_text(encoding="utf-8"))
    assert block
    assert f"    order: {max(orders) + 1}\n" in block[0]


def test_its_numbers_are_accepted_and_its_words_are_its_own(after: Path) -> None:
    assert run(after, "macros", "check") == (0, "every number is as accepted\n")
    for part in PARTS[1:]:
        text = (after / part).read_text(encoding="utf-8")
        assert "$" not in re.sub(r"\$\d", "", text), part
        assert "upport desk" in text or NAME in text


def test_it_builds_and_passes_the_tests_of_every_page(after: Path) -> None:
    # The other designs are tested where they stand. The tests of pages read a strict build, and fail without one.
    tests = ["tests/pages", "tests/test_accepted.py", "tests/test_chains.py", "tests/test_diagrams.py"]
    others = " or ".join(load().designs)
    code, told = run(after, *ONE_PROCESS, "-v", "-k", f"{NAME} or not ({others})", *tests)
    assert code == 0, told
    for test in ("test_five_groups_in_order", "test_quiz", "test_follow_ups", "test_csv_holds_the_same_rows"):
        assert re.search(rf"::{test}\[{NAME}\] PASSED", told)
    assert re.search(rf"::test_no_page_types_a_quantity\[{PAGE}\] PASSED", told)


def test_what_it_writes_is_in_the_project_s_style(after: Path) -> None:
    assert run(after, "ruff", "check", "--no-cache", MODULE)[0] == 0
    assert run(after, "ruff", "format", "--no-cache", "--check", MODULE)[0] == 0


def test_removed_it_leaves_nothing_behind(before: Path, after: Path, tmp_path: Path) -> None:
    folder = tmp_path / "removed"
    shutil.copytree(after, folder, ignore=IGNORED)
    for part in PARTS[1:]:
        (folder / part).unlink()
    data = folder / DATA
    data.write_text(BLOCK.sub("", data.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    assert snapshot(folder) == snapshot(before)
    assert run(folder, "macros", "check") == (0, "every number is as accepted\n")


# ---------------------------------------------------------------- refused
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Support_Desk", "found the name `Support_Desk`; expected lower-case words joined by -; write `support-desk`"),
        (
            "support--desk",
            "found the name `support--desk`; expected lower-case words joined by -; write `support-desk`",
        ),
        ("-", "found the name `-`; expected lower-case words joined by -; begin with a letter a to z"),
        ("3d", "found the name `3d`; expected lower-case words joined by -; begin with a letter a to z"),
        ("../up", "found the name `../up`; expected lower-case words joined by -; write `up`"),
        ("", "found the name ``; expected lower-case words joined by -; begin with a letter a to z"),
        ("chatgpt", "the name is taken by `designs: chatgpt:` (data/assumptions.yml:N); expected a name of its own"),
        ("model", "the name is taken by a use of `chatgpt` (data/assumptions.yml:N); expected a name of its own"),
    ],
)
def test_a_name_that_is_malformed_or_taken(before: Path, name: str, message: str) -> None:
    old = snapshot(before)
    code, told = run(before, "macros", "new", "--", name)
    assert (code, re.sub(r"\.yml:\d+", ".yml:N", told)) == (2, f"new {name}: {message}\n")
    assert snapshot(before) == old


def test_a_file_in_its_place_is_never_overwritten(before: Path) -> None:
    page = before / PAGE
    page.write_text("Mine.\n", encoding="utf-8")
    old = snapshot(before)
    code, told = run(before, "macros", "new", NAME)
    page.unlink()
    assert (code, told) == (
        2,
        f"new {NAME}: found {PAGE} already; expected no part of it: remove or rename that\n",
    )
    assert snapshot(before) == {file: content for file, content in old.items() if file != PAGE}


# ---------------------------------------------------------------- a missing part
def test_without_its_block(after: Path) -> None:
    data = after / DATA
    text = data.read_text(encoding="utf-8")
    data.write_text(BLOCK.sub("", text), encoding="utf-8")
    code, told = run(after, "macros", "check")
    data.write_text(text, encoding="utf-8")
    assert (code, told) == (2, f"{MODULE} has no block\n  fix: add `designs: {NAME}:` to {DATA}\n")


def test_without_its_module(after: Path) -> None:
    with without(after / MODULE):
        code, told = run(after, "macros", "check")
    assert code == 2
    assert told.endswith(f"`designs: {NAME}:` has no module\n  fix: write {MODULE} with `chain(c)`\n")


def test_without_its_ledger(after: Path) -> None:
    with without(after / LEDGER):
        code, told = run(after, "macros", "check")
    assert code == 1
    assert told.startswith(f"{LEDGER}: no ledger yet, so none of the ")


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (PAGE, f"{PAGE} does not exist"),
        (DRAWING, f"fix: write {SOURCE} and run `python -m macros diagram {NAME}`"),
    ],
)
def test_without_its_page_or_drawing(after: Path, tmp_path: Path, part: str, message: str) -> None:
    with without(after / part):
        code, told = build(after, tmp_path / "site")
    assert code != 0
    assert message in told


def test_without_its_diagram_s_source(after: Path) -> None:
    with without(after / SOURCE):
        code, told = run(after, *ONE_PROCESS, "-q", f"tests/test_new.py::{EVERY_PART}[{NAME}]")
    assert code == 1
    assert f"write the diagram's source of {NAME}: {SOURCE}" in told


EVERY_PART = "test_every_part_of_a_design_is_there"


@pytest.mark.parametrize("id", load().designs)
def test_every_part_of_a_design_is_there(id: str) -> None:
    missing = {what: path.relative_to(PROJECT) for what, path in new.parts(id).items() if not path.is_file()}
    assert not missing, "\n".join(f"write the {what} of {id}: {path}" for what, path in missing.items())


# ---------------------------------------------------------------- words that are left to replace
NO_WORDS = "test_no_design_still_has_words_that_are_there_to_be_replaced"


def test_no_design_still_has_words_that_are_there_to_be_replaced() -> None:
    files = [
        PROJECT / DATA,
        *(PROJECT / "docs" / "designs").glob("*.md"),
        *(PROJECT / "docs" / "designs").glob("*.yml"),
    ]
    left = [
        f"{path.relative_to(PROJECT)}:{number}: {line.strip()}"
        for path in sorted(files)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if new.INSTRUCTION.search(line)
    ]
    assert not left, "write your own words in place of:\n" + "\n".join(left)


def test_words_that_are_left_are_listed_with_their_lines(after: Path) -> None:
    code, told = run(after, *ONE_PROCESS, "-q", f"tests/test_new.py::{NO_WORDS}")
    assert code == 1
    assert f"{PAGE}:3: description: Say here in one sentence" in told
    for part in (DATA, PAGE, SOURCE):
        assert re.search(rf"{re.escape(part)}:\d+: .*say here", told, re.IGNORECASE)
