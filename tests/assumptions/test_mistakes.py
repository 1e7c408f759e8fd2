"""Every mistake in the data file has a case: an edit of a sound file, and the exact message beside it."""

from pathlib import Path

import pytest

from macros.assumptions import DataError, parse
from tests.assumptions.cases import BASE, FILE, HERE, edited

EMPTY = (
    ":1:1: found an empty file; expected a mapping with the keys `steps`, `gpus`, `models`, `dtypes`, "
    "`shared`, `designs`, `path` and `workbench`; restore it from version control"
)
CASES = sorted((HERE / "mistakes").glob("*.diff"))


def message(source: bytes) -> str:
    with pytest.raises(DataError) as error:
        parse(source, FILE)
    return str(error.value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_mistake(case: Path) -> None:
    found = message(edited(case.read_text(encoding="utf-8")).encode()) + "\n"
    golden = case.with_suffix(".txt")
    if not golden.exists() or golden.read_text(encoding="utf-8") != found:
        # Nothing overwrites a golden text: whoever changes a message renames the new one.
        golden.with_suffix(".txt.new").write_text(found, encoding="utf-8", newline="\n")
    assert found == golden.read_text(encoding="utf-8")


def test_every_golden_text_has_its_case() -> None:
    assert [golden.stem for golden in sorted((HERE / "mistakes").glob("*.txt"))] == [c.stem for c in CASES]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            BASE.encode("utf-8-sig"),
            ":1:1: found a byte order mark (ef bb bf); expected UTF-8 without one; "
            "save the file as UTF-8, not as UTF-8 with BOM or UTF-16",
        ),
        (
            BASE.encode("utf-16"),
            ":1:1: found a byte order mark (ff fe); expected UTF-8 without one; "
            "save the file as UTF-8, not as UTF-8 with BOM or UTF-16",
        ),
        (
            BASE.replace("\n", "\r\n").encode(),
            ":1:7: found a carriage return; expected lines that end with LF alone; "
            "save the file with Unix line ends, not CRLF",
        ),
        (
            BASE.replace("    memory", "\tmemory").encode(),
            ":8:1: found a tab; expected spaces; replace tabs by spaces",
        ),
        (
            "a: 1\nb: caf\xe9\n".encode("latin-1"),
            ":2:7: found byte 0xe9 at offset 11; expected UTF-8; save the file as UTF-8",
        ),
        (
            b"a: \x00\n",
            ":1:4: found the control character `<U+0000>`; expected visible characters; remove it",
        ),
        (
            "a: b\u2028\n".encode(),
            ":1:5: found the control character `<U+2028>`; expected visible characters; remove it",
        ),
        (
            b"",
            EMPTY,
        ),
        (
            b"# only a comment\n",
            EMPTY,
        ),
        (
            b"- a\n- b\n",
            ":1:1: found a list of 2; expected a mapping (the data file); write its keys on the lines below, indented",
        ),
        (
            b"text\n",
            ":1:1: found `text`; expected a mapping (the data file); write its keys on the lines below, indented",
        ),
        (
            b"a: " + b"[" * 2000,
            ":1:1003: found text that is not YAML (exceeded maximum nesting depth); "
            "expected a YAML document; correct the text here or on the line above",
        ),
    ],
    ids=[
        "byte order mark",
        "UTF-16",
        "CRLF",
        "tab",
        "Latin-1",
        "NUL",
        "line separator",
        "empty",
        "comment",
        "list",
        "text",
        "brackets",
    ],
)
def test_file_as_a_whole(source: bytes, expected: str) -> None:
    assert message(source) == f"{FILE}: 1 mistake\n{FILE}{expected}"


@pytest.mark.parametrize("character", ["\t", "\r", "\x0b", "\x85", "\ufeff", "\u2029"])
def test_no_invisible_character_moves_a_position(character: str) -> None:
    assert message(BASE.replace("name: H100", f"name: H{character}100").encode()).startswith(
        f"{FILE}: 1 mistake\n{FILE}:7:12: found "
    )
