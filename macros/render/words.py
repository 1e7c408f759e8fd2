"""The words of a design page: sections of its body and items of its front matter, checked against the chain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from macros.checks.mistakes import PageError
from macros.sizing import SizingError
from macros.sizing.units import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Keys = tuple[str, ...]

_HEADING = re.compile(r"^### +(.+?) *$", re.MULTILINE)

AFTER_STEPS = ("Takeaway", "What binds", "The bill in full")


class Words:
    """Front matter of one page; texts may hold macros. A miss is told with its line and key.

    A text that is missing is noted, so that the others are still checked; an id raises PageError.
    """

    def __init__(
        self,
        page: str,
        meta: Mapping[str, Any],
        line: Callable[[Keys], int],
        fill: Callable[[str, Keys], str],
        note: Callable[[int, str], None],
    ) -> None:
        self._page = page
        self._meta = meta
        self._line = line
        self._fill = fill
        self._note = note

    def text(self, *keys: str) -> Markup:
        """Return the text under nested keys, with its macros filled in."""
        value: Any = self._meta
        for depth, key in enumerate(keys):
            if not isinstance(value, dict) or key not in value:
                near = nearest(key, [str(k) for k in value] if isinstance(value, dict) else [])
                missing = ".".join(keys[: depth + 1])
                return self._missing(keys, f"front matter has no `{missing}`{near}\n  fix: add it with its text")
            value = value[key]
        if not isinstance(value, str) or not value.strip():
            found = "empty" if value is None or value == "" else f"`{value}`, which YAML reads as a {_kind(value)}"
            return self._missing(keys, f"`{'.'.join(keys)}` is {found}\n  fix: write a text, in quotes if need be")
        # Authors' texts are HTML already; numbers in them come from macros that escape what they show.
        return Markup(self._fill(value.strip(), keys))

    def optional(self, key: str) -> Markup:
        """Return the text under a key, or nothing where the page does not have it."""
        return self.text(key) if key in self._meta else Markup("")

    def keys(self, *keys: str) -> list[str]:
        """Return the ids under nested keys, in the author's order; none where the part does not exist."""
        value: Any = self._meta
        for key in keys:
            value = value.get(key, {}) if isinstance(value, dict) else {}
        return [str(key) for key in value] if isinstance(value, dict) else []

    def match(self, part: str, expected: Sequence[str], where: str) -> None:
        """Check that a part has words for exactly the ids that the data file lists for it."""
        found = self.keys(*part.split("."))
        missing, extra = [i for i in expected if i not in found], [i for i in found if i not in expected]
        if missing or extra:
            told = [f"no words for {', '.join(missing)}"] if missing else []
            told += [f"words for {', '.join(extra)}, which {where} does not list"] if extra else []
            fix = f"write words for {', '.join(expected)}, no more and no less"
            told_at = self._line(tuple(part.split(".")))
            raise PageError(self._page, told_at, f"`{part}` has {' and '.join(told)}\n  fix: {fix}")

    def _missing(self, keys: Keys, told: str) -> Markup:
        self._note(self._line(keys), told)
        return Markup("?")


def _kind(value: object) -> str:
    return {"dict": "mapping", "list": "list", "bool": "truth value"}.get(type(value).__name__, type(value).__name__)


def sections(body: str, titles: Sequence[str]) -> dict[str, str]:
    """Split a body at its third-level headings, which must be exactly `titles`, in that order."""
    found = _HEADING.split(body)
    if found[0].strip():
        raise SizingError(
            f"text stands before its first heading: “{re.sub('<[^>]*>', '', found[0]).strip()[:60]}”\n"
            f"  fix: move it below ### {titles[0]}"
        )
    names = found[1::2]
    if names != list(titles):
        raise SizingError(
            f"its headings are {', '.join(names) or 'missing'}; expected {', '.join(titles)}\n"
            f"  fix: {_heading_fix(names, titles)}"
        )
    return {name: text.strip() for name, text in zip(names, found[2::2], strict=True)}


def _heading_fix(found: Sequence[str], expected: Sequence[str]) -> str:
    if missing := [title for title in expected if title not in found]:
        return f"add {', '.join(f'### {title}' for title in missing)}"
    if extra := [title for title in found if title not in expected]:
        return f"remove {', '.join(f'### {title}' for title in extra)}"
    return "write each of them once, in that order"
