"""Mistakes in the data file: collected over all phases, worded alike, told all at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from macros.sizing.errors import SizingError

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 60


class DataError(SizingError):
    """The data file has mistakes: a line that counts them, then one line each, sorted by position."""


class Position(NamedTuple):
    """A place in the text; lines and columns count from 1."""

    line: int
    column: int


@dataclass(slots=True)
class Mistakes:
    """All mistakes found so far in one file."""

    file: str
    # A dictionary drops what an alias would make us say twice: same place, same words.
    _found: dict[tuple[int, int, str], str] = field(default_factory=dict)

    def add(self, at: Position, path: str, found: str, expected: str, fix: str) -> None:
        """Note one mistake; `path` is the key path (`gpus.h100_sxm.memory`), or an empty text."""
        text = f"found {found}; expected {expected}; {fix}"
        self._found.setdefault((at.line, at.column, text), path)

    def check(self) -> None:
        """Raise DataError when there is any mistake."""
        if self._found:
            raise DataError("\n".join([self._count(), *self._lines()]))

    def stop(self, at: Position, path: str, found: str, expected: str, fix: str) -> NoReturn:
        """Raise DataError now: with this mistake, nothing after it can be judged."""
        self.add(at, path, found, expected, fix)
        raise DataError("\n".join([self._count(), *self._lines()]))

    def _count(self) -> str:
        return f"{self.file}: {len(self._found)} {'mistake' if len(self._found) == 1 else 'mistakes'}"

    def _lines(self) -> Iterable[str]:
        for (line, column, text), path in sorted(self._found.items()):
            yield f"{self.file}:{line}:{column}: {path}{': ' if path else ''}{text}"


def shown(text: str) -> str:
    """Quote a text of the file for a message: one line, invisible characters named, not too long."""
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1] + "…"
    return "`" + "".join(_visible(character) for character in text) + "`"


def either(words: Iterable[str]) -> str:
    """Join words as `a`, `b` or `c`."""
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + f" or {quoted[-1]}"


def _visible(character: str) -> str:
    if character == "\n":
        return "\\n"
    return character if character.isprintable() else f"<U+{ord(character):04X}>"
