"""What `data/assumptions.yml` holds, once it is read and checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

from macros.sizing.display import DIGITS
from macros.sizing.units import Unit

Kind = Literal["fact", "assumption", "target"]


class Place(NamedTuple):
    """Where something stands in the data file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Amount(NamedTuple):
    """A number in the unit that it was written with."""

    number: Fraction
    unit: Unit

    @property
    def base(self) -> float:
        """The amount in base units."""
        return self.unit.to_base(self.number)

    @property
    def digits(self) -> int:
        """How many significant digits it was written with, at least the display rule's three."""
        # Every number of the file is a finite decimal, so the quotient is exact long before 50 digits.
        written = Context(prec=50).divide(Decimal(self.number.numerator), Decimal(self.number.denominator))
        return max(DIGITS, len(written.normalize().as_tuple().digits))


class Given(NamedTuple):
    """One input number: a fact of a catalogue, a shared assumption, or a design's own."""

    id: str
    label: str
    short: str
    kind: Kind
    amount: Amount
    place: Place
    range: tuple[Amount, Amount] | None = None
    because: str = ""
    source: str = ""
    read: str = ""
    part: str = "numbers"
    # What a formula shows beside a fact's value: `80` and `layers`; None shows the unit.
    word: str | None = None


class Entry(NamedTuple):
    """One GPU, model or number format of a catalogue, with all its facts."""

    catalogue: str
    id: str
    name: str
    facts: dict[str, Given]
    source: str
    read: str
    place: Place
    # The number format whose dense peak applies, for entries of `dtypes`.
    arithmetic: str = ""


class Change(NamedTuple):
    """One input set to another amount, or one use set to another entry of its catalogue (`dtypes.bf16`)."""

    input: str
    to: Amount | Entry
    place: Place


class FollowUp(NamedTuple):
    """The interviewer changes something and asks for one step."""

    id: str
    changes: tuple[Change, ...]
    asks: str
    place: Place


class Slip(NamedTuple):
    """A tempting wrong answer: the asked step with inputs changed, or the value of another step."""

    id: str
    changes: tuple[Change, ...]
    reads: str | None
    place: Place


class Question(NamedTuple):
    """A quiz question: the step that it asks for, and the slips that make its wrong answers."""

    id: str
    asks: str
    slips: tuple[Slip, ...]
    place: Place


class Measurement(NamedTuple):
    """A measured value that stands in for a computed step."""

    step: str
    amount: Amount
    tool: str
    date: str
    hardware: str
    place: Place


class ChainData(NamedTuple):
    """The block of one chain: a design, a write-up of The Path, or the workbench."""

    group: str
    id: str
    order: int
    binds: str
    uses: dict[str, Entry]
    own: dict[str, Given]
    measured: dict[str, Measurement]
    follow_ups: tuple[FollowUp, ...]
    quiz: tuple[Question, ...]
    place: Place


class RoundStep(NamedTuple):
    """One of the five steps of a round."""

    id: str
    name: str
    minutes: Amount
    do: str
    place: Place


@dataclass(frozen=True, slots=True)
class Assumptions:
    """The whole data file."""

    steps: tuple[RoundStep, ...]
    catalogues: dict[str, dict[str, Entry]]
    shared: dict[str, Given]
    designs: dict[str, ChainData] = field(default_factory=dict)
    path: dict[str, ChainData] = field(default_factory=dict)
    workbench: dict[str, ChainData] = field(default_factory=dict)

    def chain_data(self, group: str, chain_id: str) -> ChainData:
        """Return one chain's block; `group` is `designs`, `path` or `workbench`. Raises KeyError."""
        return {"designs": self.designs, "path": self.path, "workbench": self.workbench}[group][chain_id]
