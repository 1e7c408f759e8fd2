"""Reads a diagram's source: boxes in a grid of one or two columns, their groups, and arrows of three kinds.

    title: what the drawing is, in one line
    about: what it shows, for readers who do not see it
    grid: |
      client   log
      gateway  .
    groups:
      Serving:
        gateway: API gateway | auth, rate limits
    arrows:
      data:
        - client -> gateway
        - prefill -> decode: KV cache transfer

The grid is as in CSS `grid-template-areas`: one name a cell, `.` for none. A box is `title | note`. Arrows
can be chained, point both ways (`<->`) and, between neighbours in a column, carry a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import yaml

from macros.sizing.errors import SizingError, relative

KINDS = ("data", "control", "feedback")
_KEYS = ("title", "about", "grid", "groups", "arrows")
# Where each name of the grid stands: row, column, line of the file.
_Cells = dict[str, tuple[int, int, int]]
_ID = re.compile(r"[a-z][a-z0-9_-]*")


class DiagramError(SizingError):
    """A diagram source that cannot be drawn. The text says file, line, what was found and what to write."""


@dataclass(frozen=True)
class Box:
    """A box, and where it stands: row and column count from zero at the top left."""

    id: str
    title: str
    note: str
    row: int
    column: int
    line: int


@dataclass(frozen=True)
class Group:
    """Boxes of one column that follow each other and share a heading."""

    name: str
    column: int
    first_row: int
    last_row: int
    line: int


@dataclass(frozen=True)
class Arrow:
    """An arrow from one box to another, or both ways; `label` is empty when there is none."""

    kind: str
    start: Box
    end: Box
    both: bool
    label: str
    line: int


@dataclass(frozen=True)
class Diagram:
    """A checked source: every name is known, every box has its cell, nothing shown contains a number."""

    path: Path
    name: str
    title: str
    about: str
    rows: int
    columns: int
    boxes: tuple[Box, ...]
    groups: tuple[Group, ...]
    arrows: tuple[Arrow, ...]

    def fault(self, line: int, found: str, expected: str) -> DiagramError:
        """Build the error for a mistake on a line of the source."""
        return _fault(self.path, line, found, expected)


def parse(path: Path, name: str) -> Diagram:
    """Read and check the source of the diagram `name`. Raises DiagramError at the first mistake."""
    return _Reader(path).read(name)


def _fault(path: Path, line: int, found: str, expected: str) -> DiagramError:
    return DiagramError(f"{relative(path)}:{line}: found {found}\n  expected: {expected}")


class _Reader:
    """Walks the YAML nodes rather than loaded values: nodes know their lines, and `no` or `1e9` stay text."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, name: str) -> Diagram:
        top = self.top()
        cells, rows, columns = self.cells(top["grid"])
        boxes: dict[str, Box] = {}
        groups: list[Group] = []
        for heading, members in self.pairs(top["groups"], "group headings, each with its boxes"):
            pairs = self.pairs(members, "boxes (`id: title | note`)")
            groups.append(self.group(heading, [self.box(key, value, cells, boxes) for key, value in pairs]))
        for cell, (_, _, line) in cells.items():
            if cell not in boxes:
                raise self.fault(line, f"'{cell}' in no group", f"`{cell}: title | note` under one of the groups")
        self.check_apart(groups)
        return Diagram(
            path=self.path,
            name=name,
            title=self.shown(top["title"]),
            about=self.shown(top["about"]),
            rows=rows,
            columns=columns,
            boxes=tuple(boxes.values()),
            groups=tuple(groups),
            arrows=tuple(self.arrows(top["arrows"], boxes)),
        )

    def fault(self, line: int, found: str, expected: str) -> DiagramError:
        return _fault(self.path, line, found, expected)

    def top(self) -> dict[str, yaml.Node]:
        try:
            root = yaml.compose(self.path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
        except (UnicodeDecodeError, yaml.YAMLError) as error:
            mark = getattr(error, "problem_mark", None)
            reason = getattr(error, "problem", None) or getattr(error, "reason", "")
            raise self.fault(
                mark.line + 1 if mark else 1, f"a file that is not YAML: {reason}", "YAML in UTF-8"
            ) from error
        if root is None:
            raise self.fault(1, "an empty file", f"the keys {', '.join(_KEYS)}")
        found: dict[str, yaml.Node] = {}
        for key, value in self.pairs(root, f"the keys {', '.join(_KEYS)}"):
            if key.value not in _KEYS:
                raise self.fault(_line(key), f"the key '{key.value}'", _nearest(key.value, _KEYS))
            found[key.value] = value
        for wanted in _KEYS:
            if wanted not in found:
                raise self.fault(1, f"no key '{wanted}'", f"the keys {', '.join(_KEYS)}")
        return found

    def pairs(self, node: yaml.Node, what: str) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode) or not node.value:
            raise self.fault(_line(node), _kind(node), what)
        seen: dict[str, int] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise self.fault(_line(key), _kind(key), "a word before the colon")
            if key.value in seen:
                raise self.fault(_line(key), f"'{key.value}' again", f"it once (it is on line {seen[key.value]})")
            seen[key.value] = _line(key)
            yield key, value

    def text(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode) or not node.value.strip():
            raise self.fault(_line(node), _kind(node), "text")
        return str(node.value)

    def shown(self, node: yaml.Node) -> str:
        """Return text that readers see, on one line. Numbers are refused: they belong to the data file."""
        text = " ".join(self.text(node).split())
        if any(char.isnumeric() for char in text):
            raise self.fault(_line(node), f"a number in '{text}'", "words only: numbers come from data/assumptions.yml")
        return text

    def cells(self, node: yaml.Node) -> tuple[_Cells, int, int]:
        cells: _Cells = {}
        rows = [row.split() for row in self.text(node).splitlines()]
        if getattr(node, "style", None) != "|":
            raise self.fault(_line(node), "a grid that YAML folds into one line", "`grid: |` and the rows below it")
        for row, names in enumerate(rows):
            # The block's text begins on the line below its `|`.
            line = _line(node) + 1 + row
            if len(names) not in (1, 2) or len(names) != len(rows[0]):
                raise self.fault(line, f"{len(names)} cells in a row of the grid", "one or two, as many in every row")
            for column, cell in enumerate(names):
                if cell == ".":
                    continue
                if not _ID.fullmatch(cell):
                    raise self.fault(line, f"'{cell}' in the grid", "a lower-case word, or . for an empty cell")
                if cell in cells:
                    raise self.fault(line, f"'{cell}' again", f"it once in the grid (it is on line {cells[cell][2]})")
                cells[cell] = (row, column, line)
        return cells, len(rows), len(rows[0])

    def box(self, key: yaml.ScalarNode, value: yaml.Node, cells: _Cells, boxes: dict[str, Box]) -> Box:
        if key.value not in cells:
            raise self.fault(_line(key), f"the box '{key.value}', which has no cell", _nearest(key.value, cells))
        if key.value in boxes:
            raise self.fault(_line(key), f"'{key.value}' again", f"it once (it is on line {boxes[key.value].line})")
        title, bar, note = (part.strip() for part in self.shown(value).partition("|"))
        if not title or (bar and not note):
            raise self.fault(_line(value), f"'{self.text(value)}'", "`title | note`, or the title alone")
        row, column, _ = cells[key.value]
        boxes[key.value] = Box(key.value, title, note, row, column, _line(key))
        return boxes[key.value]

    def group(self, heading: yaml.ScalarNode, own: list[Box]) -> Group:
        if len({box.column for box in own}) > 1:
            found = f"the group '{heading.value}' in both columns"
            raise self.fault(_line(heading), found, "its boxes in one column of the grid")
        rows = [box.row for box in own]
        return Group(self.shown(heading), own[0].column, min(rows), max(rows), _line(heading))

    def check_apart(self, groups: list[Group]) -> None:
        for group in groups:
            for other in groups:
                shared = other.column == group.column and group.first_row <= other.first_row <= group.last_row
                if other is not group and shared:
                    raise self.fault(
                        other.line,
                        f"the group '{other.name}' among the boxes of '{group.name}'",
                        "the boxes of a group next to each other in the grid",
                    )

    def arrows(self, node: yaml.Node, boxes: dict[str, Box]) -> Iterator[Arrow]:
        seen: dict[frozenset[str], int] = {}
        for kind, items in self.pairs(node, f"arrows by kind: {', '.join(KINDS)}"):
            if kind.value not in KINDS:
                raise self.fault(_line(kind), f"the kind of arrow '{kind.value}'", _nearest(kind.value, KINDS))
            if not isinstance(items, yaml.SequenceNode):
                raise self.fault(_line(items), _kind(items), "a list of arrows (`- a -> b`)")
            for item in items.value:
                for arrow in self.chain(kind.value, item, boxes):
                    ends = frozenset((arrow.start.id, arrow.end.id))
                    if ends in seen:
                        raise self.fault(
                            arrow.line,
                            f"a second arrow between '{arrow.start.id}' and '{arrow.end.id}'",
                            f"one (line {seen[ends]} has it); `<->` points both ways",
                        )
                    seen[ends] = arrow.line
                    yield arrow

    def chain(self, kind: str, item: yaml.Node, boxes: dict[str, Box]) -> Iterator[Arrow]:
        line, label = _line(item), ""
        if isinstance(item, yaml.MappingNode):
            (key, value), *rest = self.pairs(item, "`a -> b: label`")
            if rest:
                raise self.fault(line, "two arrows in one item", "a dash before each arrow")
            item, label = key, self.shown(value)
        names = re.split(r"\s+(<?->)\s+", self.text(item).strip())
        if len(names) < 3:
            raise self.fault(line, f"'{self.text(item)}'", "`a -> b`, `a -> b -> c` or `a <-> b`")
        if label and len(names) > 3:
            raise self.fault(line, f"the label '{label}' on several arrows", "`a -> b: label`, one arrow")
        for name in names[::2]:
            if name not in boxes:
                raise self.fault(line, f"'{name}', which is no box", _nearest(name, boxes))
        for start, way, end in zip(names[:-2:2], names[1::2], names[2::2], strict=True):
            if start == end:
                raise self.fault(line, f"an arrow from '{start}' to itself", "two different boxes")
            yield Arrow(kind, boxes[start], boxes[end], way == "<->", label, line)


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _kind(node: yaml.Node) -> str:
    if isinstance(node, yaml.MappingNode):
        return "an empty mapping" if not node.value else "a mapping"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    return f"'{node.value}'" if str(node.value).strip() else "nothing"


def _nearest(word: str, known: Iterable[str]) -> str:
    names = list(known)
    close = get_close_matches(word, names, 1)
    return f"'{close[0]}'" if close else f"one of {', '.join(names)}"
