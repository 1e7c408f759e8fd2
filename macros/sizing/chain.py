"""A chain: the named steps that lead from input numbers to a headline, recorded once and then frozen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .display import DIGITS, Shown, show
from .errors import computing, fault, now_computing, place_of
from .expression import expression_text
from .inputs import Input, Names, recording
from .quantity import Origin, Quantity, describe
from .rounding import at_most as is_at_most
from .units import Unit, differ, dimension_text, nearest, parse_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_ID = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Measured:
    """A measured value, in base units, that stands in for a computed step."""

    value: float
    unit: Unit
    tool: str
    date: str
    hardware: str
    place: str = ""


@dataclass(frozen=True)
class Step:
    """One named number. `value` is the measured value where there is one; `computed` is always the formula's."""

    id: str
    label: str
    short: str
    unit: Unit
    digits: int
    part: str
    value: float
    computed: float
    quantity: Quantity
    expression: Quantity
    measured: Measured | None

    @cached_property
    def text(self) -> str:
        """How it is computed, one level deep."""
        return expression_text(self.expression)

    @cached_property
    def shown(self) -> Shown:
        """The value as a page shows it."""
        return show(self.value, self.unit, self.digits)

    @cached_property
    def line(self) -> str:
        """The step in one line of a derivation: label, id, value."""
        return f"{self.label} [{self.id}] = {self.shown}"

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Ids of the inputs and steps that the formula names, in the order of their first use."""
        return tuple(
            dict.fromkeys(leaf.origin.id for leaf in leaves(self.expression) if leaf.origin and leaf.origin.id)
        )


class Constraint(NamedTuple):
    """One thing that must hold: `left` is at most `right`. Both are ids of a step or an input."""

    id: str
    label: str
    left: str
    right: str
    holds: bool


@dataclass(frozen=True)
class Chain:
    """A frozen recording: inputs, steps, constraints, and which step is the headline."""

    id: str
    inputs: Mapping[str, Input]
    steps: Mapping[str, Step]
    constraints: Mapping[str, Constraint]
    ceilings: Mapping[str, str]
    headline: str

    def value(self, id: str) -> float:
        """Return the value of a step or an input in base units. Raises KeyError."""
        return self.steps[id].value if id in self.steps else self.inputs[id].value

    def show(self, id: str, value: float | None = None) -> Shown:
        """Show a step or an input in its own unit, at its own value or at another one in base units."""
        if id in self.steps:
            step = self.steps[id]
            return step.shown if value is None else show(value, step.unit, step.digits)
        given = self.inputs[id]
        return given.shown if value is None else show(value, given.unit, given.digits)

    def label(self, id: str) -> str:
        """Return the label of a step or an input."""
        return self.steps[id].label if id in self.steps else self.inputs[id].label

    def short(self, id: str) -> str:
        """Return the short name of a step or an input."""
        return self.steps[id].short if id in self.steps else self.inputs[id].short

    def ancestors(self, id: str) -> dict[str, None]:
        """Return the ids of all inputs and steps behind a step, nearest first; nothing is behind a measured value."""
        found: dict[str, None] = {}
        queue = list(self.steps[id].inputs)
        while queue:
            next_id = queue.pop(0)
            if next_id not in found:
                found[next_id] = None
                step = self.steps.get(next_id)
                queue += step.inputs if step is not None and step.measured is None else ()
        return found


class Builder:
    """What a chain's function gets: its inputs as `given`, and the calls that name steps."""

    given: Names

    def part(self, name: str) -> Part:
        """Return a part of the page's tables (`numbers`, `bill`, …) to which steps are added."""
        return Part(self, name)

    def headline(self, step: Any) -> None:
        """Name the step that the design is asked for."""
        raise NotImplementedError

    def ceiling(self, word: str, step: Any) -> None:
        """Name the step that says what one ceiling alone would demand (`bandwidth`, `compute`, `capacity`)."""
        raise NotImplementedError

    def require(self, id: str, label: str, left: Any, *, at_most: Any) -> None:
        """State a constraint between two steps or inputs; the label says it in words."""
        raise NotImplementedError

    def announce(self, part: str, id: str, label: str, unit: str, short: str, digits: int) -> Pending:
        """Note which step is being computed, for messages; see `Part.step`."""
        raise NotImplementedError


class Part(NamedTuple):
    """One table of the page, to which steps are added in order."""

    builder: Builder
    name: str

    def step(self, id: str, label: str, unit: str, *, short: str = "", digits: int = DIGITS) -> Pending:
        """Announce a step: its id, label, the unit it is shown in, its short name in later formulas.

        `.of(expression)` defines it. Announcing comes first so that a mistake inside the expression names the step.
        """
        return self.builder.announce(self.name, id, label, unit, short, digits)


class Pending(Protocol):
    """A step that is announced but not yet defined."""

    def of(self, expression: Any) -> Any:
        """Define the step as an expression of inputs and earlier steps; return it for later formulas."""


class _ToRecord(NamedTuple):
    """A step that the recorder is to add."""

    recorder: _Recorder
    part: str
    id: str
    label: str
    unit: str
    short: str
    digits: int

    def of(self, expression: Any) -> Quantity:
        return self.recorder.define(self, expression)


class _Recorder(Builder):
    """Records quantities: the one run from which all views are made."""

    def __init__(self, id: str, known: Mapping[str, Input], measured: Mapping[str, Measured]) -> None:
        self.id = id
        self.known = known
        self.measured = measured
        self.used: dict[str, Quantity] = {}
        self.given = recording(known, self.used)
        self.steps: dict[str, Step] = {}
        self.constraints: dict[str, Constraint] = {}
        self.ceilings: dict[str, str] = {}
        self.headline_id = ""
        self.announced: list[str] = []

    def announce(self, part: str, id: str, label: str, unit: str, short: str, digits: int) -> Pending:
        self.announced.append(id)
        now_computing(f"{self.id}.{id}")
        if not _ID.fullmatch(id):
            raise fault(f"`{id}` is not an id", fix="write lower-case words joined by _, such as `peak_requests`")
        return _ToRecord(self, part, id, label, unit, short or label[0].lower() + label[1:], digits)

    def define(self, pending: _ToRecord, expression: Any) -> Quantity:
        """Add a step and return it for later formulas."""
        if not isinstance(expression, Quantity):
            raise fault(f"the step is {expression!r}, not a quantity", fix="build it from inputs and earlier steps")
        if pending.id in self.steps or pending.id in self.known:
            raise fault(f"`{pending.id}` is already the id of a step or an input", fix="give the step another id")
        unit = parse_unit(pending.unit)
        if differ(unit.dimension, expression.dimension):
            raise fault(
                f"the step is declared in {unit.text or 'no unit'} but its formula gives {describe(expression)}",
                fix=f"declare a unit of {dimension_text(expression.dimension)}, or mend the formula",
            )
        measured = self.measured.get(pending.id)
        if measured is not None and measured.unit.dimension != unit.dimension:
            raise fault(
                f"the measured value at {measured.place} is in {measured.unit.text}",
                fix=f"give it in a unit of {dimension_text(unit.dimension)}",
            )
        value = expression.value if measured is None else measured.value
        quantity = Quantity(
            value,
            unit.dimension,
            "step" if measured is None else "measured",
            (expression,),
            Origin("step", pending.id, pending.short),
        )
        self.steps[pending.id] = Step(
            pending.id,
            pending.label,
            pending.short,
            unit,
            pending.digits,
            pending.part,
            value,
            expression.value,
            quantity,
            expression,
            measured,
        )
        self.announced.remove(pending.id)
        # The step in whose formula this one was defined, if any, goes on.
        now_computing(".".join([self.id, *self.announced[-1:]]))
        return quantity

    def headline(self, step: Any) -> None:
        id = self._named(step, "headline")
        if id not in self.steps:
            raise fault(f"the headline `{id}` is an input", fix="name the step that is asked for")
        if self.headline_id:
            raise fault(f"the headline is `{self.headline_id}` already", fix="call headline(step) once")
        self.headline_id = id

    def ceiling(self, word: str, step: Any) -> None:
        self.ceilings[word] = self._named(step, f"ceiling {word}")

    def require(self, id: str, label: str, left: Any, *, at_most: Any) -> None:
        if id in self.constraints:
            raise fault(f"`{id}` is already the id of a constraint", fix="give the constraint another id")
        left_id, right_id = self._named(left, f"constraint {id}: left"), self._named(at_most, f"constraint {id}: right")
        if left.dimension != at_most.dimension:
            raise fault(
                f"constraint {id} compares different units",
                f"left:  {describe(left)}",
                f"right: {describe(at_most)}",
                fix="compare two steps or inputs of one unit",
            )
        holds = is_at_most(left.value, at_most.value)
        self.constraints[id] = Constraint(id, label, left_id, right_id, holds)

    def frozen(self, at: str) -> Chain:
        """Return the chain, checked as a whole; `at` is where its function stands."""
        if self.announced:
            raise fault(
                f"the step `{self.announced[0]}` is announced but not defined", fix="call `.of(expression)`", at=at
            )
        if not self.headline_id:
            raise fault("the chain has no headline", fix="call headline(step) with the step that is asked for", at=at)
        unused = [i for i in self.known.values() if i.id not in self.used and "." not in i.id and i.part != "shared"]
        if unused:
            raise fault(
                f"the chain does not use `{unused[0].id}` ({unused[0].place})",
                fix="use it in a step, or take it out of the chain's block in data/assumptions.yml",
                at=at,
            )
        for id, measured in self.measured.items():
            if id not in self.steps:
                raise fault(
                    f"the measured value at {measured.place} is of no step: `{id}`{nearest(id, list(self.steps))}",
                    fix="name one of the chain's steps",
                    at=at,
                )
        inputs = {id: self.known[id] for id in self.known if id in self.used}
        return Chain(
            self.id,
            MappingProxyType(inputs),
            # Copies: whoever kept the builder cannot add to a frozen chain.
            MappingProxyType(dict(self.steps)),
            MappingProxyType(dict(self.constraints)),
            MappingProxyType(dict(self.ceilings)),
            self.headline_id,
        )

    def _named(self, quantity: Any, what: str) -> str:
        if not isinstance(quantity, Quantity) or quantity.origin is None or not quantity.origin.id:
            raise fault(f"{what} is not a named number", fix="make it a step first, or pass an input")
        return quantity.origin.id


def record(
    id: str,
    function: Callable[[Builder], None],
    known: Mapping[str, Input],
    measured: Mapping[str, Measured] = MappingProxyType({}),
) -> Chain:
    """Run a chain's function on recorded quantities and freeze what it named. Raises SizingError."""
    with computing(id):
        recorder = _Recorder(id, known, measured)
        function(recorder)
        now_computing(id)
        return recorder.frozen(place_of(function))


def leaves(expression: Quantity) -> Iterator[Quantity]:
    """Yield the inputs, constants and steps that an expression is made of, left to right."""
    if expression.origin is not None:
        yield expression
        return
    for arg in expression.args:
        yield from leaves(arg)
