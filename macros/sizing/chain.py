"""A chain: the named steps that lead from input numbers to a headline, recorded once and then frozen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .display import DIGITS, Shown, show
from .errors import SizingError, computing, fault, now_computing
from .expression import expression_text
from .inputs import Input, Names, recording, replaying
from .quantity import Origin, Quantity, describe
from .rounding import at_most as is_at_most
from .units import Unit, dimension_text, parse_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


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
    def inputs(self) -> tuple[str, ...]:
        """Ids of the inputs and steps that the formula names, in the order of their first use."""
        return tuple(
            dict.fromkeys(leaf.origin.id for leaf in leaves(self.expression) if leaf.origin and leaf.origin.id)
        )


@dataclass(frozen=True, slots=True)
class Constraint:
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
        value = self.value(id) if value is None else value
        if id in self.steps:
            return show(value, self.steps[id].unit, self.steps[id].digits)
        return show(value, self.inputs[id].unit)

    def label(self, id: str) -> str:
        """Return the label of a step or an input."""
        return self.steps[id].label if id in self.steps else self.inputs[id].label

    def short(self, id: str) -> str:
        """Return the short name of a step or an input."""
        return self.steps[id].short if id in self.steps else self.inputs[id].short

    def ancestors(self, id: str) -> dict[str, None]:
        """Return the ids of all inputs and steps behind a step, nearest first."""
        found: dict[str, None] = {}
        queue = list(self.steps[id].inputs)
        while queue:
            next_id = queue.pop(0)
            if next_id not in found:
                found[next_id] = None
                queue += self.steps[next_id].inputs if next_id in self.steps else ()
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

    def begin(self, id: str) -> None:
        """Note which step is being computed, for messages."""
        raise NotImplementedError

    def define(self, pending: Pending, expression: Any) -> Any:
        """Add a step and return its value for later formulas."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Part:
    """One table of the page, to which steps are added in order."""

    builder: Builder
    name: str

    def step(self, id: str, label: str, unit: str, *, short: str = "", digits: int = DIGITS) -> Pending:
        """Announce a step: its id, label, the unit it is shown in, its short name in later formulas.

        `.of(expression)` defines it. Announcing comes first so that a mistake inside the expression names the step.
        """
        self.builder.begin(id)
        return Pending(self.builder, self.name, id, label, unit, short or label[0].lower() + label[1:], digits)


@dataclass(frozen=True, slots=True)
class Pending:
    """A step that is announced but not yet defined."""

    builder: Builder
    part: str
    id: str
    label: str
    unit: str
    short: str
    digits: int

    def of(self, expression: Any) -> Any:
        """Define the step as an expression of inputs and earlier steps; return it for later formulas."""
        return self.builder.define(self, expression)


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

    def begin(self, id: str) -> None:
        now_computing(f"{self.id}.{id}")

    def define(self, pending: Pending, expression: Any) -> Quantity:
        if not isinstance(expression, Quantity):
            raise fault(f"the step is {expression!r}, not a quantity", fix="build it from inputs and earlier steps")
        if pending.id in self.steps or pending.id in self.known:
            raise fault(f"`{pending.id}` is already the id of a step or an input", fix="give the step another id")
        unit = parse_unit(pending.unit)
        if unit.dimension != expression.dimension:
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
        now_computing(self.id)
        return quantity

    def headline(self, step: Any) -> None:
        self.headline_id = self._named(step, "headline")

    def ceiling(self, word: str, step: Any) -> None:
        self.ceilings[word] = self._named(step, f"ceiling {word}")

    def require(self, id: str, label: str, left: Any, *, at_most: Any) -> None:
        left_id, right_id = self._named(left, id), self._named(at_most, id)
        if left.dimension != at_most.dimension:
            raise fault(
                f"constraint {id} compares different units",
                f"left:  {describe(left)}",
                f"right: {describe(at_most)}",
                fix="compare two steps or inputs of one unit",
            )
        holds = is_at_most(left.value, at_most.value)
        self.constraints[id] = Constraint(id, label, left_id, right_id, holds)

    def frozen(self) -> Chain:
        if not self.headline_id:
            raise fault("the chain has no headline", fix="call headline(step) with the step that is asked for")
        unused = [i for i in self.known.values() if i.id not in self.used and "." not in i.id and i.part != "shared"]
        if unused:
            raise fault(
                f"the chain does not use `{unused[0].id}` ({unused[0].place})",
                fix="use it in a step, or take it out of the chain's block in data/assumptions.yml",
            )
        unknown = [m for id, m in self.measured.items() if id not in self.steps]
        if unknown:
            raise fault(f"a measured value at {unknown[0].place} names no step", fix="name one of the chain's steps")
        inputs = {id: self.known[id] for id in self.known if id in self.used}
        return Chain(
            self.id,
            MappingProxyType(inputs),
            MappingProxyType(self.steps),
            MappingProxyType(self.constraints),
            MappingProxyType(self.ceilings),
            self.headline_id,
        )

    def _named(self, quantity: Any, what: str) -> str:
        if not isinstance(quantity, Quantity) or quantity.origin is None or not quantity.origin.id:
            raise fault(f"{what} is not a named number", fix="make it a step first, or pass an input")
        return quantity.origin.id


class _Replayer(Builder):
    """Runs the same function on floats in base units and keeps each step's value."""

    def __init__(
        self, known: Mapping[str, Input], values: Mapping[str, float], measured: Mapping[str, Measured]
    ) -> None:
        self.given = replaying(known, values)
        self.measured = measured
        self.values: dict[str, float] = {}
        self.step = ""

    def begin(self, id: str) -> None:
        self.step = id

    def headline(self, step: Any) -> None:
        pass

    def ceiling(self, word: str, step: Any) -> None:
        pass

    def require(self, id: str, label: str, left: Any, *, at_most: Any) -> None:
        pass

    def define(self, pending: Pending, expression: float) -> float:
        measured = self.measured.get(pending.id)
        value = expression if measured is None else measured.value
        if not math.isfinite(value):
            raise SizingError(f"{pending.id} is not a finite number")
        self.values[pending.id] = value
        return value


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
        return recorder.frozen()


def replay(
    function: Callable[[Builder], None],
    known: Mapping[str, Input],
    values: Mapping[str, float],
    measured: Mapping[str, Measured] = MappingProxyType({}),
) -> dict[str, float]:
    """Run a chain's function on floats with some inputs changed; return every step's value in base units.

    Raises SizingError naming the step that a change leaves without a number.
    """
    replayer = _Replayer(known, values, measured)
    try:
        function(replayer)
    except (ZeroDivisionError, OverflowError) as error:
        raise SizingError(
            f"{replayer.step} has no number: {error}\n  fix: change the inputs that make its divisor zero"
        ) from error
    return replayer.values


def leaves(expression: Quantity) -> Iterator[Quantity]:
    """Yield the inputs, constants and steps that an expression is made of, left to right."""
    if expression.origin is not None:
        yield expression
        return
    for arg in expression.args:
        yield from leaves(arg)
