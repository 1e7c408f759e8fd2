"""Where everything in a diagram stands, in whole units of a drawing that is as wide as a phone's text column.

Neighbours in a column or a row are joined straight. Every other arrow runs through a gutter: the outer one
when it joins boxes of one column, else the middle one. Arrows of one kind from one box share their way.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from macros.diagrams.source import Arrow, Box, Diagram
from macros.diagrams.text import width, wrap

# The narrowest text column is 328 px, so one unit is 0.98 px there and note text 11.2 px.
WIDTH = 336
TITLE_SIZE = 12.5
NOTE_SIZE = 11.5

LEFT_SHARE = 0.54  # of the room for two columns: the left one carries the main path and longer notes
PAD_X, PAD_Y = 9, 7  # between a box and its text
TITLE_STEP, NOTE_STEP = 15, 14  # from one line of text to the next
BAND = 6  # how far a group's band reaches beyond its boxes
HEADING = 18  # height of a group's heading
GAP, LABEL_GAP = 20, 40  # between rows; with the label of an arrow in it
TRACK = 8  # between arrows in one gutter
MIDDLE = 24  # the middle gutter with one track: a corner and a head fit on either side
DOWN_SHARE = 0.6  # where in a column its arrows run down: right of the middle, clear of the headings
CLEAR = 6  # between such an arrow and a heading
MOST_TITLE_LINES, MOST_NOTE_LINES = 2, 3
SAMPLE, BETWEEN = 24, 14  # in the legend: length of a line, and space between its entries
LEGEND = {"data": "data path", "control": "control", "feedback": "feedback loop"}

Point = tuple[int, int]


@dataclass(frozen=True)
class Rect:
    """A rectangle by its left top corner."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Text:
    """A line of text: where its baseline begins, or its middle when `centred`."""

    x: int
    y: int
    text: str
    centred: bool = False


@dataclass(frozen=True)
class Line:
    """A line through points at right angles, drawn as its kind of arrow, and which ends have a head."""

    kind: str
    points: tuple[Point, ...]
    head_at_start: bool = False
    head_at_end: bool = True


@dataclass(frozen=True)
class Layout:
    """Everything to draw."""

    diagram: Diagram
    height: int
    bands: tuple[Rect, ...]
    boxes: tuple[Rect, ...]
    lines: tuple[Line, ...]
    headings: tuple[Text, ...]
    titles: tuple[Text, ...]
    notes: tuple[Text, ...]


@dataclass(frozen=True)
class _Net:
    """Arrows that share a way through a gutter: same kind, same start."""

    gutter: str
    arrows: tuple[Arrow, ...]

    @property
    def start(self) -> Box:
        return self.arrows[0].start

    @property
    def rows(self) -> tuple[int, int]:
        rows = [box.row for arrow in self.arrows for box in (arrow.start, arrow.end)]
        return min(rows), max(rows)


def lay_out(diagram: Diagram) -> Layout:
    """Place a diagram's parts. Raises DiagramError for text that does not fit or a label without a place."""
    return _Layouter(diagram).layout()


class _Layouter:
    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram
        self.cells = {(box.column, box.row): box for box in diagram.boxes}
        self.straight = [arrow for arrow in diagram.arrows if self.is_straight(arrow)]
        self.nets = self.group_nets()
        self.tracks = self.assign_tracks()
        self.x, self.column_width = self.columns()
        self.text = {box.id: self.wrapped(box) for box in diagram.boxes}
        self.rects = self.rectangles()

    def layout(self) -> Layout:
        headings, bands = self.groups()
        titles, notes = self.box_texts()
        lines, labels = self.straight_lines()
        lines += self.net_lines()
        bottom = max(band.y + band.height for band in bands)
        kinds = list(dict.fromkeys(line.kind for line in lines))
        samples, words, height = self.legend(kinds, bottom + HEADING)
        return Layout(
            diagram=self.diagram,
            height=height,
            bands=tuple(bands),
            boxes=tuple(self.rects[box.id] for box in self.diagram.boxes),
            lines=tuple(lines + samples),
            headings=tuple(headings),
            titles=tuple(titles),
            notes=tuple(notes + labels + words),
        )

    # Ways

    def is_straight(self, arrow: Arrow) -> bool:
        a, b = arrow.start, arrow.end
        between = range(min(a.row, b.row) + 1, max(a.row, b.row))
        straight_down = a.column == b.column and not any((a.column, row) in self.cells for row in between)
        if arrow.label and not straight_down:
            raise self.diagram.fault(
                arrow.line,
                f"the label '{arrow.label}' on an arrow that does not join neighbours in a column",
                "the words in the note of one of its boxes",
            )
        return straight_down or a.row == b.row

    def group_nets(self) -> list[_Net]:
        nets: dict[tuple[str, str, str, str], list[Arrow]] = {}
        for arrow in self.diagram.arrows:
            if arrow in self.straight:
                continue
            same = arrow.start.column == arrow.end.column
            gutter = ("left", "right")[arrow.start.column] if same else "middle"
            # An arrow with two heads keeps its own way: shared, its heads would say too much.
            alone = arrow.end.id if arrow.both else ""
            nets.setdefault((gutter, arrow.kind, arrow.start.id, alone), []).append(arrow)
        return [_Net(key[0], tuple(arrows)) for key, arrows in nets.items()]

    def assign_tracks(self) -> dict[_Net, int]:
        """Give every net the first track of its gutter that is free in all its rows, shortest nets first."""
        tracks: dict[_Net, int] = {}
        for net in sorted(self.nets, key=lambda net: (net.rows[1] - net.rows[0], net.rows[0])):
            taken = {
                track
                for other, track in tracks.items()
                if other.gutter == net.gutter and other.rows[0] <= net.rows[1] and net.rows[0] <= other.rows[1]
            }
            tracks[net] = next(track for track in range(len(self.nets)) if track not in taken)
        return tracks

    # Columns, rows, boxes

    def gutter_tracks(self, gutter: str) -> int:
        return max((track + 1 for net, track in self.tracks.items() if net.gutter == gutter), default=0)

    def columns(self) -> tuple[list[int], list[int]]:
        left, right = (BAND + TRACK * self.gutter_tracks(side) + 1 for side in ("left", "right"))
        if self.diagram.columns == 1:
            return [left], [WIDTH - left - right]
        middle = MIDDLE + TRACK * max(0, self.gutter_tracks("middle") - 1)
        room = WIDTH - left - middle - right
        first = round(room * LEFT_SHARE)
        return [left, left + first + middle], [first, room - first]

    def wrapped(self, box: Box) -> tuple[list[str], list[str]]:
        room = self.column_width[box.column] - 2 * PAD_X
        titles = wrap(box.title, TITLE_SIZE, room, bold=True)
        notes = wrap(box.note, NOTE_SIZE, room)
        for lines, size, bold in ((titles, TITLE_SIZE, True), (notes, NOTE_SIZE, False)):
            for line in lines:
                if width(line, size, bold=bold) > room:
                    raise self.diagram.fault(box.line, f"'{line}', wider than its box", "shorter words")
        if len(titles) > MOST_TITLE_LINES or len(notes) > MOST_NOTE_LINES:
            raise self.diagram.fault(
                box.line,
                f"{len(titles)} lines of title and {len(notes)} of note in the box '{box.id}'",
                f"at most {MOST_TITLE_LINES} and {MOST_NOTE_LINES}",
            )
        return titles, notes

    def rectangles(self) -> dict[str, Rect]:
        """Stack the rows; the boxes of one row are equally high, so that arrows between them are straight."""
        rects: dict[str, Rect] = {}
        y = 0
        for row in range(self.diagram.rows):
            y += self.gap_above(row)
            boxes = [box for box in self.diagram.boxes if box.row == row]
            height = max((2 * PAD_Y + self.text_height(box) for box in boxes), default=0)
            for box in boxes:
                rects[box.id] = Rect(self.x[box.column], y, self.column_width[box.column], height)
            y += height
        return rects

    def gap_above(self, row: int) -> int:
        heading = any(group.first_row == row for group in self.diagram.groups)
        if row == 0:
            return HEADING + BAND if heading else BAND
        labelled = any(arrow.label and max(arrow.start.row, arrow.end.row) == row for arrow in self.straight)
        if heading:
            return (LABEL_GAP if labelled else 2 * BAND) + BAND + HEADING
        return LABEL_GAP if labelled else GAP

    def text_height(self, box: Box) -> int:
        titles, notes = self.text[box.id]
        return TITLE_STEP * len(titles) + NOTE_STEP * len(notes)

    def box_texts(self) -> tuple[list[Text], list[Text]]:
        titles: list[Text] = []
        notes: list[Text] = []
        for box in self.diagram.boxes:
            rect = self.rects[box.id]
            y = rect.y + (rect.height - self.text_height(box)) // 2 - 3
            own_titles, own_notes = self.text[box.id]
            for line in own_titles:
                y += TITLE_STEP
                titles.append(Text(rect.x + PAD_X, y, line))
            for line in own_notes:
                y += NOTE_STEP
                notes.append(Text(rect.x + PAD_X, y, line))
        return titles, notes

    def groups(self) -> tuple[list[Text], list[Rect]]:
        headings: list[Text] = []
        bands: list[Rect] = []
        for group in self.diagram.groups:
            first = self.rects[self.cells[group.column, group.first_row].id]
            last = self.rects[self.cells[group.column, group.last_row].id]
            top = first.y - HEADING - BAND
            bands.append(Rect(first.x - BAND, top, first.width + 2 * BAND, last.y + last.height + BAND - top))
            headings.append(Text(first.x, first.y - BAND - 2, group.name))
            crossed = any(
                group.column == arrow.start.column == arrow.end.column
                and max(arrow.start.row, arrow.end.row) == group.first_row
                for arrow in self.straight
            )
            room = self.down_x(first) - first.x - CLEAR if crossed else first.width
            if width(group.name, NOTE_SIZE) > room:
                place = "its place beside the arrow" if crossed else "its column"
                found = f"the heading '{group.name}', wider than {place}"
                raise self.diagram.fault(group.line, found, "shorter words")
        return headings, bands

    # Lines

    def straight_lines(self) -> tuple[list[Line], list[Text]]:
        lines: list[Line] = []
        labels: list[Text] = []
        for arrow in self.straight:
            a, b = self.rects[arrow.start.id], self.rects[arrow.end.id]
            if arrow.start.row == arrow.end.row:
                y = a.y + a.height // 2
                ends = ((a.x + a.width, y), (b.x, y)) if a.x < b.x else ((a.x, y), (b.x + b.width, y))
                lines.append(Line(arrow.kind, ends, arrow.both))
                continue
            x = self.down_x(a)
            start, end = (a.y + a.height, b.y) if a.y < b.y else (a.y, b.y + b.height)
            if not arrow.label:
                lines.append(Line(arrow.kind, ((x, start), (x, end)), arrow.both))
                continue
            if width(arrow.label, NOTE_SIZE) > a.width:
                raise self.diagram.fault(
                    arrow.line, f"the label '{arrow.label}', wider than its column", "shorter words"
                )
            # Below the upper box, not halfway: a heading may stand above the lower one.
            middle, half = min(start, end) + LABEL_GAP // 2, NOTE_STEP // 2
            before, after = (middle - half, middle + half) if start < end else (middle + half, middle - half)
            lines.append(Line(arrow.kind, ((x, start), (x, before)), arrow.both, head_at_end=False))
            lines.append(Line(arrow.kind, ((x, after), (x, end))))
            # Over its arrow, or as near to that as the column allows.
            centre = min(x, a.x + a.width - round(width(arrow.label, NOTE_SIZE) / 2))
            labels.append(Text(centre, middle + 4, arrow.label, centred=True))
        return lines, labels

    @staticmethod
    def down_x(rect: Rect) -> int:
        return rect.x + round(rect.width * DOWN_SHARE)

    def net_lines(self) -> list[Line]:
        lines: list[Line] = []
        for net in self.nets:
            track = self.track_x(net)
            for arrow in net.arrows:
                start, end = self.port(net, net.start), self.port(net, arrow.end)
                points = (start, (track, start[1]), (track, end[1]), end)
                lines.append(Line(arrow.kind, points, arrow.both))
        return lines

    def track_x(self, net: _Net) -> int:
        track = self.tracks[net]
        if net.gutter == "left":
            return self.x[0] - BAND - TRACK * (track + 1) + 1
        last = self.x[-1] + self.column_width[-1]
        if net.gutter == "right":
            return last + BAND + TRACK * (track + 1) - 1
        middle = (self.x[0] + self.column_width[0] + self.x[1]) // 2
        return middle + TRACK * track - TRACK * (self.gutter_tracks("middle") - 1) // 2

    def port(self, net: _Net, box: Box) -> Point:
        """Return where a net meets a box: ways up in its upper half, ways down in its lower half."""
        rect, side, up = self.rects[box.id], self.side(net, box), self.goes_up(net, box)
        same = [other for other in self.nets if self.meets(other, box) and self.side(other, box) == side]
        x = rect.x if side == "left" else rect.x + rect.width
        half = [other for other in same if self.goes_up(other, box) == up]
        # The nearest track turns off first, so that ways from one box do not cross each other.
        half.sort(key=lambda other: abs(self.track_x(other) - x), reverse=not up)
        place = (half.index(net) + 1) / (len(half) + 1) / 2
        y = rect.y + round(rect.height * (place if up else 0.5 + place))
        return x, y

    @staticmethod
    def meets(net: _Net, box: Box) -> bool:
        return box == net.start or any(arrow.end == box for arrow in net.arrows)

    @staticmethod
    def goes_up(net: _Net, box: Box) -> bool:
        far = net.arrows[0].end if box == net.start else net.start
        return far.row < box.row

    @staticmethod
    def side(net: _Net, box: Box) -> str:
        if net.gutter == "middle":
            return "right" if box.column == 0 else "left"
        return net.gutter

    # Legend

    def legend(self, kinds: list[str], y: int) -> tuple[list[Line], list[Text], int]:
        """Name the kinds of line that occur; a single kind needs no legend."""
        if len(kinds) < 2:
            return [], [], y - HEADING + 1
        samples: list[Line] = []
        words: list[Text] = []
        widths = [SAMPLE + 6 + ceil(width(LEGEND[kind], NOTE_SIZE)) for kind in kinds]
        # In line with the boxes, unless so many arrows run on their left that the words would not fit.
        x = min(self.x[0], WIDTH - sum(widths) - BETWEEN * (len(kinds) - 1))
        for kind, used in zip(kinds, widths, strict=True):
            samples.append(Line(kind, ((x, y), (x + SAMPLE, y))))
            words.append(Text(x + SAMPLE + 6, y + 4, LEGEND[kind]))
            x += used + BETWEEN
        return samples, words, y + 12
