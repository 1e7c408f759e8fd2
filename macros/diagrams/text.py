"""How wide text is when the reader's font is unknown: as in DejaVu Sans, the widest of the usual ones."""

from __future__ import annotations

# Widths in em by class of letter; everything else counts as a capital.
_WIDTHS = (
    ("ijl.,:;'|! ", 0.32),
    ("frtI()-/", 0.42),
    ("csz", 0.55),
    ("abdeghknopquvxy", 0.635),
    ("mwMW", 1.0),
)
_EM = {char: width for chars, width in _WIDTHS for char in chars}
_CAPITAL = 0.75
_BOLD = 1.12


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return an upper estimate of the width of `text` at font size `size`, in the unit of `size`."""
    return sum(_EM.get(char, _CAPITAL) for char in text) * size * (_BOLD if bold else 1)


def wrap(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """Break `text` at spaces into lines of at most `room`; a word that is wider has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
