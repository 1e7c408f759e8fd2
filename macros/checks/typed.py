"""Quantities that are typed in a page's prose instead of quoted from a chain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from macros.sizing.units import is_unit

if TYPE_CHECKING:
    from collections.abc import Iterator

# What a page may write that is no prose: each is blanked out before looking.
_NO_PROSE = re.compile(
    r"^(?P<fence>```+|~~~+).*?^(?P=fence)[^\n]*$"
    r"|(?P<tick>`+).+?(?P=tick)"
    r"|\[\[[=%#].*?[=%#]\]\]"
    # Addresses: of a link, of an image, of a tag, bare.
    r"|\]\([^)\s]*"
    r"|<[^>]*>"
    r"|https?://[^\s)>]+",
    re.DOTALL | re.MULTILINE,
)
# A number is no part of a name: not H100, p95, fp8, HTTP/2 or GPT-4.
_DIGITS = r"\d+(?:[,_.]\d+)*(?:[eE][+-]?\d+)?"
_NUMBER = rf"(?<![\w./])(?<![A-Za-z]-)(?<!\d,){_DIGITS}(?:\s?[-–]\s?{_DIGITS})?(?:[kKMBT](?=[\s-]))?"
_MAGNITUDE = r"(?:(?:[kMGT]|thousand|million|billion|trillion|bn)[\s-]+)?"
# A line may end in between, and a quotation's next line begins with a mark.
_GAP = r"(?:-|[^\S\n]*(?:\n[^\S\n]*>?[^\S\n]*)?)"
_WORD = r"(?:[A-Za-zµ]+|%)(?![A-Za-z])"
_QUANTITY = re.compile(
    rf"\$\s?{_DIGITS}(?:\s?[-–]\s?{_DIGITS})?"
    rf"|(?P<number>{_NUMBER}(?P<gap>{_GAP}){_MAGNITUDE})(?P<word>{_WORD})(?P<more>-?[A-Za-z-]*{_GAP}(?P<next>{_WORD}))?"
)
# One adjective may stand before what is counted (8 KV heads); these words are none.
_NO_ADJECTIVE = set(re.findall("[a-z]+", "a an and as at by for from in into is of on or per than that the to with"))
# A command, whose numbers come from macros where they are the design's.
_CODE_KEYS = re.compile(r"^load_test:.*(?:\n(?:[ \t].*)?$)*", re.MULTILINE)


def typed_quantities(text: str) -> Iterator[tuple[int, str]]:
    """Yield line number and text of each quantity that is typed in a page, front matter included."""
    prose = _NO_PROSE.sub(_blank, _without_code_keys(text))
    position = 0
    while found := _QUANTITY.search(prose, position):
        if typed := _typed(found):
            yield prose.count("\n", 0, found.start()) + 1, " ".join(re.sub(r"\n\s*>", " ", typed).split())
        position = found.start() + max(len(typed), 1)


def message(typed: str) -> str:
    """Say what to write in place of a typed quantity."""
    return (
        f'"{typed}" is typed\n'
        '  fix: give the number an id in data/assumptions.yml or in the chain, and quote it: [[= n("its_id") =]]'
    )


def _blank(match: re.Match[str]) -> str:
    """Keep the lines; nothing that follows may join what stood before."""
    return re.sub(r"[^\n]", "\0", match[0])


def _without_code_keys(text: str) -> str:
    """Blank the keys that hold code: from the key to the next line that is not indented."""
    end = text.find("\n---\n", 3) if text.startswith("---\n") else 0
    return _CODE_KEYS.sub(_blank, text[:end]) + text[end:] if end > 0 else text


def _typed(found: re.Match[str]) -> str:
    """Return what is typed, or nothing where the words after the number are no unit."""
    if found["word"] is None:
        return found[0]
    # 70B is the name of a model, 70 B is a number of bytes.
    if _is_unit(found["word"]) and not (found["word"] == "B" and not found["gap"]):
        return found["number"] + found["word"]
    if found["next"] and _is_unit(found["next"]) and found["gap"] and found["word"].lower() not in _NO_ADJECTIVE:
        return found[0]
    return ""


def _is_unit(word: str) -> bool:
    one = word.removesuffix("s")
    return any(is_unit(name) for name in {word, one, word.lower(), one.lower(), one.upper()} if name)
