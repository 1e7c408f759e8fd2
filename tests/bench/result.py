"""What a measurement hands back: lines of a table, some of them with a goal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One measured number in `unit`.

    A goal is the largest value that is good enough, or the smallest where it says so; None for a part of a whole.
    """

    name: str
    value: float
    unit: str
    goal: float | None = None
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the goal is met; a line without one has nothing to miss."""
        if self.goal is None:
            return True
        return self.value >= self.goal if self.at_least else self.value <= self.goal

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """The line as cells of the table: name, measured, goal, verdict."""
        measured = _with_unit(self.value, self.unit)
        if self.goal is None:
            return f"  {self.name}", measured, "", ""
        sign = "≥" if self.at_least else "≤"
        return self.name, measured, f"{sign} {_with_unit(self.goal, self.unit)}", "met" if self.met else "MISSED"


class Void(Exception):
    """A comparison that says nothing, because its two sides are not alike. The text says where they differ."""


def table(lines: list[Line]) -> str:
    """Write lines as a table with aligned columns."""
    rows = [("", "median", "goal", "verdict"), *(line.cells for line in lines)]
    name, measured, goal, _ = (max(len(row[column]) for row in rows) for column in range(4))
    return "\n".join(f"{a:{name}}  {b:>{measured}}  {c:>{goal}}  {d}".rstrip() for a, b, c, d in rows)


def _with_unit(value: float, unit: str) -> str:
    return f"{value:.3f} {unit}" if unit == "s" else f"{value:.2f} {unit}"
