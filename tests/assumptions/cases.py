"""A sound data file, and edits of it as small as those of a hand."""

import re
from pathlib import Path

HERE = Path(__file__).parent
FILE = "data/assumptions.yml"
BASE = (HERE / "base.yml").read_text(encoding="utf-8")

_EDIT = re.compile(r"((?:^-.*\n)+)((?:^\+.*\n)*)", re.MULTILINE)


def edited(edit: str) -> str:
    """Return the sound file with each block of `-` lines replaced by the `+` lines below it."""
    assert _EDIT.sub("", edit) == "", f"not an edit: {edit!r}"
    text = BASE
    for old, new in _EDIT.findall(edit):
        text = replaced(text, _lines(old), _lines(new))
    return text


def replaced(text: str, old: str, new: str) -> str:
    """Return a text with whole lines replaced, which must stand there exactly once."""
    assert f"\n{text}".count(f"\n{old}") == 1, f"expected once: {old!r}"
    return f"\n{text}".replace(f"\n{old}", f"\n{new}")[1:]


def _lines(block: str) -> str:
    return re.sub(r"^.", "", block, flags=re.MULTILINE)
