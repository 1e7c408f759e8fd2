"""Architecture diagrams: a text source (`docs/designs/NAME.diagram.yml`) and its drawing, an SVG beside it.

Drawing is pure Python and gives the same bytes on every machine, so whether a drawing is current is checked
by drawing again: no renderer to install, no recorded version, no hash.
"""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

from macros.diagrams.layout import lay_out
from macros.diagrams.source import DiagramError, parse
from macros.diagrams.svg import draw
from macros.sizing.errors import relative

__all__ = ["DiagramError", "drawing_of", "render", "sources", "stale", "write", "write_all"]

DOCS = Path(__file__).parent.parent.parent / "docs"
SUFFIX = ".diagram.yml"
MEND = "python -m macros diagram"


def sources(folder: Path) -> list[Path]:
    """Return the diagram sources below `folder`, in the order of their names."""
    return sorted(folder.rglob(f"*{SUFFIX}"))


def drawing_of(source: Path) -> Path:
    """Return where the drawing of a source is kept: `chatgpt.diagram.yml` → `chatgpt.svg`, beside it."""
    return source.with_name(f"{_name(source)}.svg")


def render(source: Path) -> str:
    """Draw a source as an SVG element for a page: one element a line, no blank line, ids begin with its name.

    Raises DiagramError with file, line, what was found and what to write instead.
    """
    return draw(lay_out(parse(source, _name(source))))


def write_all(designs: list[str]) -> list[Path]:
    """Draw the sources of the named designs, or of all if none is named, and return the files written.

    Raises DiagramError like `render`, and for a design that has no source.
    """
    known = {_name(source): source for source in sources(DOCS)}
    for design in designs:
        if design not in known:
            raise DiagramError(f"no diagram source for '{design}'\n  expected: one of {', '.join(known)}")
    return [write(known[design]) for design in designs or known]


def write(source: Path) -> Path:
    """Draw a source into the file beside it and return that file. Raises DiagramError like `render`."""
    target = drawing_of(source)
    target.write_text(render(source), encoding="utf-8", newline="\n")
    return target


def stale(source: Path) -> str | None:
    """Return what is wrong with a source's drawing and the command that mends it, or None if it is current.

    Raises DiagramError like `render` when the source itself cannot be drawn.
    """
    target = drawing_of(source)
    expected = render(source)
    if not target.is_file():
        return f"{relative(target)}: not found\n  expected: the drawing of {source.name}\n  fix: {MEND}"
    # Bytes, not text: a checkout that turned the line ends into \r\n would publish a different drawing.
    found = target.read_bytes().decode("utf-8", errors="replace")
    if found == expected:
        return None
    line, old, new = _first_difference(found, expected)
    return (
        f"{relative(target)}:{line}: differs from what {source.name} draws\n"
        f"  found: {old}\n  expected: {new}\n"
        f"  fix: {MEND} (the drawing is made from the source; edit that one)"
    )


def _name(source: Path) -> str:
    if not source.name.endswith(SUFFIX):
        raise DiagramError(f"{relative(source)}: found a name that ends in '{source.suffix}', expected NAME{SUFFIX}")
    return source.name.removesuffix(SUFFIX)


def _first_difference(found: str, expected: str) -> tuple[int, str, str]:
    old, new = found.splitlines(keepends=True), expected.splitlines(keepends=True)
    line = next(i for i, (was, is_now) in enumerate(zip_longest(old, new)) if was != is_now)
    shown = [repr(lines[line]) if line < len(lines) else "the end of the file" for lines in (old, new)]
    return line + 1, shown[0], shown[1]
