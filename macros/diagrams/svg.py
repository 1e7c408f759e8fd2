"""Writes a layout as SVG that takes colour and type from the page it is put into.

No <style>: it would reach the whole page. No <marker>: it is found by its id, and pages may be put together;
arrowheads are plain paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from xml.sax.saxutils import escape

from macros.diagrams.layout import NOTE_SIZE, TITLE_SIZE, WIDTH, Layout, Line, Point, Rect, Text
from macros.diagrams.source import KINDS

_DASHES = {"data": "", "control": ' stroke-dasharray="1.5 3"', "feedback": ' stroke-dasharray="5 3"'}
_CORNER = 5
_HEAD_LENGTH, _HEAD_HALF = 6, 3


def draw(layout: Layout) -> str:
    """Return the drawing as one `<svg>` element, one element a line, ending with a newline."""
    return "\n".join(_lines(layout)) + "\n"


def _lines(layout: Layout) -> Iterator[str]:
    name = layout.diagram.name
    title, desc = f"{name}-diagram-title", f"{name}-diagram-desc"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {layout.height}" role="img"'
        f' aria-labelledby="{title} {desc}" fill="currentColor"'
        # In rem, so that its type stays in proportion to the page's; the page may set another width.
        f' style="display:block;width:100%;max-width:var(--gdr-diagram-width,21rem);height:auto">'
    )
    yield f'<title id="{title}">{escape(layout.diagram.title)}</title>'
    yield f'<desc id="{desc}">{escape(layout.diagram.about)}</desc>'
    yield from _group('fill-opacity="0.045"', (_rect(band, 6) for band in layout.bands))
    yield from _group('fill="none" stroke="currentColor" stroke-opacity="0.4"', (_rect(box, 4) for box in layout.boxes))
    yield '<g fill="none" stroke="currentColor" stroke-width="1.25">'
    for kind in KINDS:
        ways = "".join(_way(line) for line in layout.lines if line.kind == kind)
        if ways:
            yield f'<path{_DASHES[kind]} d="{ways}"/>'
    yield "</g>"
    heads = "".join(head for line in layout.lines for head in _heads(line))
    if heads:
        yield f'<path d="{heads}"/>'
    yield from _group(f'font-size="{NOTE_SIZE}" fill-opacity="0.7"', map(_text, layout.headings))
    yield from _group(f'font-size="{TITLE_SIZE}" font-weight="600"', map(_text, layout.titles))
    yield from _group(f'font-size="{NOTE_SIZE}" fill-opacity="0.8"', map(_text, layout.notes))
    yield "</svg>"


def _group(attributes: str, elements: Iterable[str]) -> Iterator[str]:
    yield f"<g {attributes}>"
    yield from elements
    yield "</g>"


def _rect(rect: Rect, radius: int) -> str:
    return f'<rect x="{rect.x}" y="{rect.y}" width="{rect.width}" height="{rect.height}" rx="{radius}"/>'


def _text(text: Text) -> str:
    anchor = ' text-anchor="middle"' if text.centred else ""
    return f'<text x="{text.x}" y="{text.y}"{anchor}>{escape(text.text)}</text>'


def _way(line: Line) -> str:
    """Write a line as a path that stops inside its arrowheads and turns in small arcs."""
    points = list(line.points)
    if line.head_at_start:
        points[0] = _towards(points[0], points[1], _HEAD_LENGTH - 1)
    if line.head_at_end:
        points[-1] = _towards(points[-1], points[-2], _HEAD_LENGTH - 1)
    path = f"M{points[0][0]} {points[0][1]}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        start, end = _towards(corner, before, _CORNER), _towards(corner, after, _CORNER)
        path += f"L{start[0]} {start[1]}Q{corner[0]} {corner[1]} {end[0]} {end[1]}"
    return f"{path}L{points[-1][0]} {points[-1][1]}"


def _heads(line: Line) -> Iterator[str]:
    ends = list(pairwise(line.points))
    if line.head_at_start:
        yield _head(line.points[0], ends[0][1])
    if line.head_at_end:
        yield _head(line.points[-1], ends[-1][0])


def _head(tip: Point, behind: Point) -> str:
    x, y = _towards(tip, behind, _HEAD_LENGTH)
    across, down = (_HEAD_HALF, 0) if x == tip[0] else (0, _HEAD_HALF)
    return f"M{tip[0]} {tip[1]}L{x - across} {y - down}L{x + across} {y + down}Z"


def _towards(start: Point, goal: Point, distance: int) -> Point:
    """Return the point `distance` from `start` towards `goal`, which lies straight across, up or down."""
    (x, y), (to_x, to_y) = start, goal
    return x + distance * ((to_x > x) - (to_x < x)), y + distance * ((to_y > y) - (to_y < y))
