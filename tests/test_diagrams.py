"""Diagram sources, their drawings, and the messages of mistakes in them."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros.diagrams import DOCS, DiagramError, drawing_of, render, sources, stale, write, write_all
from macros.diagrams.layout import NOTE_SIZE, WIDTH, Layout, Rect, lay_out
from macros.diagrams.source import KINDS, Arrow, Box, Diagram, Group, parse
from macros.diagrams.text import width

SOURCES = sources(DOCS)
NARROWEST_COLUMN = 328  # px: a phone of 360 px less the page's margins
SVG = "{http://www.w3.org/2000/svg}"

SMALL = """\
title: A small service
about: A client asks a server, which keeps what it is told.
grid: |
  client  .
  server  store
groups:
  Front:
    client: Client | asks
  Back:
    server: Server
  State:
    store: Store | keeps
arrows:
  data:
    - client -> server: asks
    - server <-> store
"""


def written(folder: Path, text: str) -> Path:
    source = folder / "small.diagram.yml"
    source.write_text(text, encoding="utf-8")
    return source


# The drawings of this site


def test_sources_are_found():
    assert DOCS / "designs" / "chatgpt.diagram.yml" in SOURCES


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_drawing_is_current(source):
    assert stale(source) is None


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_drawing_keeps_to_what_a_page_can_take(source):
    svg = drawing_of(source).read_text(encoding="utf-8")
    root = ElementTree.fromstring(svg)
    name = source.name.removesuffix(".diagram.yml")

    assert len(svg.encode()) < 10_000
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "g", "rect", "path", "text"}
    paints = {element.get(key) for element in root.iter() for key in ("fill", "stroke")}
    assert paints <= {None, "none", "currentColor"}
    assert not re.search(r"href|url\(|font-family|#|\bon\w+=", svg)
    assert root.get("role") == "img"
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert ids == [f"{name}-diagram-title", f"{name}-diagram-desc"]
    assert (root.get("aria-labelledby") or "").split() == ids
    assert not any(char.isnumeric() for char in "".join(root.itertext()))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_smallest_text_is_legible_on_a_phone(source):
    root = ElementTree.fromstring(render(source))
    units = float((root.get("viewBox") or "").split()[2])
    sizes = [float(size) for element in root.iter() if (size := element.get("font-size"))]
    assert sizes
    assert min(sizes) * NARROWEST_COLUMN / units >= 11


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_markdown_leaves_a_drawing_as_it_is(source):
    figure = f"<figure>\n{render(source)}</figure>"
    page = markdown.markdown(f"Before\n\n{figure}\n\nAfter", extensions=["attr_list", "md_in_html"])
    assert page == f"<p>Before</p>\n{figure}\n\n<p>After</p>"


# Whether a drawing is current


def test_a_written_drawing_is_current(tmp_path):
    source = written(tmp_path, SMALL)
    assert write(source) == tmp_path / "small.svg"
    assert stale(source) is None


def test_a_missing_drawing(tmp_path):
    source = written(tmp_path, SMALL)
    assert stale(source) == (
        f"{tmp_path}/small.svg: not found\n"
        "  expected: the drawing of small.diagram.yml\n"
        "  fix: python -m macros diagram"
    )


@pytest.mark.parametrize(
    ("change", "line", "found", "expected"),
    [
        pytest.param(
            lambda svg: svg.replace(">Server<", ">Servant<"),
            25,
            r"""'<text x="16" y="157">Servant</text>\n'""",
            r"""'<text x="16" y="157">Server</text>\n'""",
            id="edited by hand",
        ),
        pytest.param(lambda svg: svg.removesuffix("</svg>\n"), 33, "the end of the file", r"'</svg>\n'", id="cut off"),
        pytest.param(lambda svg: svg + "\n", 34, r"'\n'", "the end of the file", id="longer"),
        pytest.param(
            lambda svg: svg.replace("</svg>\n", "</svg>\r\n"),
            33,
            r"'</svg>\r\n'",
            r"'</svg>\n'",
            id="line ends",
        ),
    ],
)
def test_a_drawing_that_differs(tmp_path, change, line, found, expected):
    source = written(tmp_path, SMALL)
    drawing = write(source)
    drawing.write_bytes(change(drawing.read_text(encoding="utf-8")).encode())
    assert stale(source) == (
        f"{drawing}:{line}: differs from what small.diagram.yml draws\n"
        f"  found: {found}\n"
        f"  expected: {expected}\n"
        "  fix: python -m macros diagram (the drawing is made from the source; edit that one)"
    )


def test_a_changed_source_makes_its_drawing_stale(tmp_path):
    source = written(tmp_path, SMALL)
    write(source)
    written(tmp_path, SMALL.replace("Server", "Servers"))
    assert 'expected: \'<text x="16" y="157">Servers</text>\\n\'' in (stale(source) or "")


def test_drawings_are_written_by_the_name_of_their_design(tmp_path, monkeypatch):
    monkeypatch.setattr("macros.diagrams.DOCS", tmp_path)
    written(tmp_path, SMALL)
    assert write_all([]) == write_all(["small"]) == [tmp_path / "small.svg"]
    with pytest.raises(DiagramError, match=r"^no diagram source for 'smal'\n  expected: one of small$"):
        write_all(["smal"])


# Mistakes in a source

WORDS = "words only: numbers come from data/assumptions.yml"
ROWS = "one or two, as many in every row"
YAML = "YAML in UTF-8"
LONG = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"

MISTAKES = [
    ("title: A small service\n", "", 1, "no key 'title'", "the keys title, about, grid, groups, arrows"),
    ("title:", "titel:", 1, "the key 'titel'", "'title'"),
    ("title: A small service", "title:", 1, "nothing", "text"),
    ("title: A small service", "title: [A]", 1, "a list", "text"),
    ("A small", "A 1st", 1, "a number in 'A 1st service'", WORDS),
    ("  Front:", "  Tier ²:", 7, "a number in 'Tier ²'", WORDS),
    ("about: A", "about: : A", 2, "a file that is not YAML: mapping values are not allowed here", YAML),
    ("grid: |\n  client  .\n  server  store\n", "grid: client\n", 3,
     "a grid that YAML folds into one line", "`grid: |` and the rows below it"),
    ("  client  .\n", "  client\n", 5, "2 cells in a row of the grid", ROWS),
    ("  client  .\n", "  client  a b\n", 4, "3 cells in a row of the grid", ROWS),
    ("  client  .", "  client  Cell", 4, "'Cell' in the grid", "a lower-case word, or . for an empty cell"),
    ("  client  .", "  client  store", 5, "'store' again", "it once in the grid (it is on line 4)"),
    ("  client  .", "  client  cache", 4, "'cache' in no group",
     "`cache: title | note` under one of the groups"),
    ("    server: S", "    serve: S", 10, "the box 'serve', which has no cell", "'server'"),
    ("    store: S", "    server: S", 12, "'server' again", "it once (it is on line 10)"),
    ("  Back:", "  Front:", 9, "'Front' again", "it once (it is on line 7)"),
    ("Client | asks", "Client |", 8, "'Client |'", "`title | note`, or the title alone"),
    ("    store: Store | keeps", "    store: {}", 12, "an empty mapping", "text"),
    ("  State:\n", "", 9, "the group 'Back' in both columns", "its boxes in one column of the grid"),
    ("  data:", "  dta:", 14, "the kind of arrow 'dta'", "'data'"),
    ("    - client -> server: asks\n    - server <-> store\n", "    client -> server\n", 15,
     "'client -> server'", "a list of arrows (`- a -> b`)"),
    ("client -> server: asks", "client server", 15, "'client server'",
     "`a -> b`, `a -> b -> c` or `a <-> b`"),
    ("client -> server:", "client -> sever:", 15, "'sever', which is no box", "'server'"),
    ("client -> server:", "client -> client:", 15, "an arrow from 'client' to itself", "two different boxes"),
    ("server <-> store", "server -> client", 16, "a second arrow between 'server' and 'client'",
     "one (line 15 has it); `<->` points both ways"),
    ("client -> server: asks", "client -> server -> store: asks", 15, "the label 'asks' on several arrows",
     "`a -> b: label`, one arrow"),
    ("server <-> store", "server <-> store: asks", 16,
     "the label 'asks' on an arrow that does not join neighbours in a column",
     "the words in the note of one of its boxes"),
    (": asks", f": {LONG}", 15, f"the label '{LONG}', wider than its column", "shorter words"),
    ("| keeps", f"| {LONG}", 12, "1 lines of title and 5 of note in the box 'store'", "at most 2 and 3"),
    ("| keeps", f"| {LONG.replace(' ', '-')}", 12,
     f"'{LONG.replace(' ', '-')}', wider than its box", "shorter words"),
    ("  State:", f"  {LONG}:", 11, f"the heading '{LONG}', wider than its column", "shorter words"),
    ("  Back:", "  Back of the house:", 9,
     "the heading 'Back of the house', wider than its place beside the arrow", "shorter words"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "found", "expected"), MISTAKES)
def test_a_mistake_is_named_with_its_line(tmp_path, old, new, line, found, expected):
    assert old in SMALL
    source = written(tmp_path, SMALL.replace(old, new, 1))
    with pytest.raises(DiagramError) as error:
        render(source)
    assert str(error.value) == f"{source}:{line}: found {found}\n  expected: {expected}"


def test_a_group_is_in_one_piece(tmp_path):
    text = SMALL.replace("  server  store\n", "  server  store\n  phone  .\n")
    source = written(tmp_path, text.replace("| asks\n", "| asks\n    phone: Phone\n"))
    with pytest.raises(DiagramError) as error:
        render(source)
    assert str(error.value) == (
        f"{source}:11: found the group 'Back' among the boxes of 'Front'\n"
        "  expected: the boxes of a group next to each other in the grid"
    )


@pytest.mark.parametrize(
    ("content", "found", "expected"),
    [
        (b"", "an empty file", "the keys title, about, grid, groups, arrows"),
        (b"a", "'a'", "the keys title, about, grid, groups, arrows"),
        (b"\xff", "a file that is not YAML: invalid start byte", YAML),
        (b"a\x00", "a file that is not YAML: special characters are not allowed", YAML),
    ],
)
def test_a_file_that_is_no_source(tmp_path, content, found, expected):
    source = tmp_path / "small.diagram.yml"
    source.write_bytes(content)
    with pytest.raises(DiagramError) as error:
        render(source)
    assert str(error.value) == f"{source}:1: found {found}\n  expected: {expected}"


def test_a_source_has_a_name_of_its_kind(tmp_path):
    with pytest.raises(DiagramError) as error:
        render(tmp_path / "small.yml")
    assert str(error.value) == (f"{tmp_path}/small.yml: found a name that ends in '.yml', expected NAME.diagram.yml")


def test_words_that_yaml_reads_as_values_stay_words(tmp_path):
    source = written(tmp_path, SMALL.replace("client", "no").replace("Client", "Yes"))
    assert ">Yes<" in render(source)


def test_text_of_a_source_cannot_become_markup(tmp_path):
    source = written(tmp_path, SMALL.replace("Store | keeps", "<b> & co | </text>"))
    texts = [element.text for element in ElementTree.fromstring(render(source)).iter(f"{SVG}text")]
    assert "<b> & co" in texts
    assert "</text>" in texts


# Where things stand


def test_one_kind_of_arrow_needs_no_legend_and_two_have_one(tmp_path):
    assert "data path" not in render(written(tmp_path, SMALL))
    two = render(written(tmp_path, SMALL + "  feedback:\n    - store -> client\n"))
    assert ">data path<" in two
    assert ">feedback loop<" in two
    assert ">control<" not in two


def test_ways_that_leave_a_box_together_do_not_cross(tmp_path):
    text = SMALL.replace("client  .\n  server  store\n", "client\n  server\n  cache\n  store\n")
    text = text.replace("server: Server\n", "server: Server\n    cache: Cache\n")
    text = text.replace("- server <-> store", "- store -> client\n  control:\n    - store -> server")
    layout = lay_out(parse(written(tmp_path, text), "small"))
    far, near = (line.points for line in layout.lines if len(line.points) == 4)
    assert far[1][0] < near[1][0]
    assert far[0][1] > near[0][1]


# Widths in em as Chromium measured them in DejaVu Sans.
MEASURED = [
    ("prefix-aware, session", False, 10.61),
    ("bandwidth-bound,", False, 9.10),
    ("GPU memory,", False, 6.92),
    ("Illicit filler till full", False, 8.28),
    ("WWW mmm", False, 6.21),
    ("Re-ranker (cross-encoder)", False, 12.98),
    ("continuous batching", True, 11.52),
    ("metrics, traces,", True, 8.84),
    ("auth, rate limits,", True, 9.50),
    ("Barge-in & endpointing", True, 13.17),
]


@pytest.mark.parametrize(("text", "bold", "measured"), MEASURED)
def test_estimated_width_is_a_little_more_than_the_measured(text, bold, measured):
    assert measured <= width(text, 1, bold=bold) <= 1.12 * measured


@st.composite
def diagrams(draw):
    """Any grid of up to six rows with any arrows between its boxes."""
    columns = draw(st.integers(1, 2))
    cells = [(row, column) for row in range(draw(st.integers(2, 6))) for column in range(columns)]
    taken = draw(st.lists(st.sampled_from(cells), min_size=2, unique=True))
    words = st.lists(st.sampled_from(["KV", "queue", "cache", "a"]), max_size=4).map(" ".join)
    boxes = [Box(f"{row}-{column}", "Box", draw(words), row, column, line=1) for row, column in sorted(taken)]
    pairs = draw(st.lists(st.sampled_from(list(combinations(boxes, 2))), unique=True, max_size=8))
    arrows = [
        Arrow(draw(st.sampled_from(KINDS)), start, end, draw(st.booleans()), "", line=1)
        for start, end in map(draw, map(st.permutations, pairs))
    ]
    groups = [Group("Group", box.column, box.row, box.row, line=1) for box in boxes]
    rows = max(row for row, _ in cells) + 1
    return Diagram(Path("any"), "any", "Any", "Any.", rows, columns, tuple(boxes), tuple(groups), tuple(arrows))


@given(diagrams())
def test_any_diagram_is_drawn_within_its_frame_and_no_line_crosses_a_box(diagram):
    layout = lay_out(diagram)
    for one, other in combinations(layout.boxes, 2):
        assert not overlap(one, other)
    for line in layout.lines:
        assert all(0 < x < WIDTH and 0 < y < layout.height for x, y in line.points)
        for start, end in pairwise(line.points):
            assert start[0] == end[0] or start[1] == end[1]
            assert not any(overlap(box, span(start, end)) for box in layout.boxes)
    for text in layout.notes:
        assert text.x + width(text.text, NOTE_SIZE) <= WIDTH


@given(diagrams())
def test_every_arrow_runs_from_edge_to_edge(diagram):
    layout = lay_out(diagram)
    lines = [line for line in layout.lines if line.points[0][1] < max(box.y + box.height for box in layout.boxes)]
    assert len(lines) == len(diagram.arrows)
    ends = {(edges(layout, line.points[0]), edges(layout, line.points[-1])) for line in lines}
    assert ends == {(arrow.start.id, arrow.end.id) for arrow in diagram.arrows}


@given(diagrams())
def test_lines_in_a_gutter_lie_apart_unless_they_begin_together(diagram):
    gutter = [line for line in lay_out(diagram).lines if len(line.points) == 4]
    for one, other in combinations(gutter, 2):
        if one.points[0] == other.points[0] and one.kind == other.kind:
            continue
        (x, top), (_, bottom) = sorted(one.points[1:3])
        (other_x, other_top), (_, other_bottom) = sorted(other.points[1:3])
        assert x != other_x or bottom < other_top or other_bottom < top


def overlap(one: Rect, other: Rect) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def span(start, end) -> Rect:
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return Rect(left, top, max(right - left, 1), max(bottom - top, 1))


def edges(layout: Layout, point) -> str:
    """Name the box on whose edge a point lies."""
    x, y = point
    (name,) = (
        box.id
        for box, rect in zip(layout.diagram.boxes, layout.boxes, strict=True)
        if (x in (rect.x, rect.x + rect.width) and rect.y <= y <= rect.y + rect.height)
        or (y in (rect.y, rect.y + rect.height) and rect.x <= x <= rect.x + rect.width)
    )
    return name
