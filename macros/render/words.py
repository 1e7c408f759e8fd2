"""The words of a design page: sections of its body and items of its front matter, checked against the chain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from macros.sizing import SizingError
from macros.sizing.units import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_HEADING = re.compile(r"^### +(.+?) *$", re.MULTILINE)

AFTER_STEPS = ("Takeaway", "What binds", "The bill in full")


class Words:
    """Front matter of one page. Every miss names the page and the key; texts may hold macros."""

    def __init__(self, page: str, meta: Mapping[str, Any], fill: Callable[[str], str]) -> None:
        self._page = page
        self._meta = meta
        self._fill = fill

    def text(self, *keys: str) -> Markup:
        """Return the text under nested keys, with its macros filled in."""
        value: Any = self._meta
        for depth, key in enumerate(keys):
            if not isinstance(value, dict) or key not in value:
                near = nearest(key, [str(k) for k in value] if isinstance(value, dict) else [])
                missing = ".".join(keys[: depth + 1])
                raise SizingError(f"{self._page}: front matter has no `{missing}`{near}\n  fix: add it with its text")
            value = value[key]
        if not isinstance(value, str) or not value.strip():
            raise SizingError(f"{self._page}: front matter `{'.'.join(keys)}` is {value!r}; expected a text")
        # Authors' texts are HTML already; numbers in them come from macros that escape what they show.
        return Markup(self._fill(value.strip()))

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
            raise SizingError(f"{self._page}: front matter `{part}` has {' and '.join(told)}")


def sections(page: str, body: str, titles: Sequence[str]) -> dict[str, str]:
    """Split a body at its third-level headings, which must be exactly `titles`, in that order."""
    found = _HEADING.split(body)
    if found[0].strip():
        raise SizingError(f"{page}: text before the first heading of the answer: {found[0].strip()[:60]!r}")
    names = found[1::2]
    if names != list(titles):
        raise SizingError(
            f"{page}: the answer's headings are {', '.join(names) or 'missing'}; expected {', '.join(titles)}"
        )
    return {name: text.strip() for name, text in zip(names, found[2::2], strict=True)}
