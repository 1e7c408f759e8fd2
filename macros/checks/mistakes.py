"""Mistakes in pages: collected over the whole site and told all at once."""

from __future__ import annotations

from macros.sizing import SizingError


class PageError(SizingError):
    """A mistake with a place of its own in a page, apart from the macro that met it; line 0 is the whole file."""

    def __init__(self, page: str, line: int, text: str) -> None:
        super().__init__(f"{_place(page, line)}: {text}")
        self.page, self.line, self.text = page, line, text


class Mistakes:
    """All mistakes found so far in the pages of one build."""

    def __init__(self) -> None:
        # A dictionary drops what two macros meet alike: same place, same words.
        self._found: dict[tuple[str, int, str], None] = {}

    def add(self, page: str, line: int, text: str) -> None:
        """Note one mistake; lines count from 1 with the front matter, 0 is the whole file."""
        self._found.setdefault((page, line, text))

    @property
    def pages(self) -> set[str]:
        """The pages that have a mistake so far."""
        return {page for page, _, _ in self._found}

    def told(self) -> str:
        """Return a line that counts the mistakes, then each with its page and line; nothing where there are none."""
        if not self._found:
            return ""
        count = f"{_many(len(self._found), 'mistake')} in {_many(len(self.pages), 'page')}, nothing is published"
        return "\n".join([count, *(f"{_place(page, line)}: {text}" for page, line, text in sorted(self._found))])


def _place(page: str, line: int) -> str:
    return f"{page}:{line}" if line else page


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
