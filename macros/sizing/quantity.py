"""Quantities that compute eagerly and record how they were made.

A formula is written once and runs on floats in base units or on recorded quantities. The operations are closed:
`+ - * /`, `minimum`, `maximum`, `no_more_than`, `not_negative`, `ceil`, `floor`, `sqrt`, `power` and `geometric_sum`,
because exactly these give the same float in Python and in the browser. Anything else would freeze a number into the
program that a reader may change, so it fails on the author's line with what to use instead.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

from .display import number_text, show_in_base, show_number
from .errors import fault
from .expression import expression_text
from .units import DIMENSIONLESS, Dimension, Unit, differ, dimension_text, parse_unit, the_one

if TYPE_CHECKING:
    from collections.abc import Sequence

# Constants are exact: a formula shows as many of their digits as a float is sure of.
_EXACT = 15

_NEVER_BELOW_ZERO = {"nonneg", "sqrt"}

_CHOICES = "use minimum(a, b), maximum(a, b) or a constraint of the chain"
POWERS = (
    "power(x, n) with a whole n that is not negative, sqrt(x), or 1 / power(x, n); other powers and logarithms are "
    "not the same float in every browser"
)


class Origin(NamedTuple):
    """What a leaf of a recording is: an input, a constant of a formula, a step, or a measured value.

    `text` is what a formula shows for it; an empty text is left out of the formula with its × or ÷.
    """

    kind: str
    id: str
    text: str


class Quantity:
    """A value in base units with its dimension, the operation that made it and that operation's arguments."""

    __slots__ = ("args", "dimension", "formula", "op", "origin", "signed", "value")

    def __init__(
        self,
        value: float,
        dimension: Dimension,
        op: str,
        args: Sequence[Quantity] = (),
        origin: Origin | None = None,
    ) -> None:
        self.value = value
        self.dimension = dimension
        self.op = op
        self.args = tuple(args)
        self.origin = origin
        # Whether it could be negative with other inputs, none of which is, as far as the operations tell.
        some_or_all = all if op == "max" else any
        self.signed: bool = op == "-" or (op not in _NEVER_BELOW_ZERO and some_or_all(arg.signed for arg in self.args))
        # The formula that this is the result of, for the link to its derivation.
        self.formula = ""

    def __repr__(self) -> str:
        return f"<{describe(self)}>"

    # Both operands' dimensions must agree for + and −.
    def __add__(self, other: Quantity | float) -> Quantity:
        return _sum("+", self, recorded(other))

    def __radd__(self, other: float) -> Quantity:
        if other == 0:
            _refuse("sum() over", self, "write the terms with +, or the sum over them in closed form")
        return _sum("+", recorded(other), self)

    def __sub__(self, other: Quantity | float) -> Quantity:
        return _sum("-", self, recorded(other))

    def __rsub__(self, other: float) -> Quantity:
        return _sum("-", recorded(other), self)

    def __mul__(self, other: Quantity | float) -> Quantity:
        return _product(self, recorded(other))

    def __rmul__(self, other: float) -> Quantity:
        return _product(recorded(other), self)

    def __truediv__(self, other: Quantity | float) -> Quantity:
        return _quotient(self, recorded(other))

    def __rtruediv__(self, other: float) -> Quantity:
        return _quotient(recorded(other), self)

    def __pow__(self, exponent: object) -> NoReturn:
        # On floats ** is the C library's, whose last digit can differ from repeated multiplication.
        raise fault(f"** on {describe(self)} is not recorded", fix=f"use {POWERS}")

    def __bool__(self) -> NoReturn:
        _refuse("a condition on", self, _CHOICES)

    def _compare(self, other: object) -> NoReturn:
        _refuse("a comparison with", self, _CHOICES)

    __lt__ = __le__ = __gt__ = __ge__ = _compare

    def __eq__(self, other: object) -> NoReturn:
        _refuse("a comparison with", self, _CHOICES)

    __hash__ = object.__hash__

    def __float__(self) -> NoReturn:
        _refuse("float() of", self, "keep the quantity; a step shows it, and the views read its value")

    def __int__(self) -> NoReturn:
        _refuse("int() of", self, "use floor(x) or ceil(x)")

    def __index__(self) -> NoReturn:
        _refuse("range() or an index from", self, "write the sum over it in closed form")

    def __round__(self, digits: int | None = None) -> NoReturn:
        _refuse("round() of", self, "use floor(x) or ceil(x); the step's unit and digits round what is shown")

    def __ceil__(self) -> NoReturn:
        _refuse("math.ceil() of", self, "use ceil(x) of macros.sizing, which has the stated tolerance")

    def __floor__(self) -> NoReturn:
        _refuse("math.floor() of", self, "use floor(x) of macros.sizing, which has the stated tolerance")

    def __trunc__(self) -> NoReturn:
        _refuse("trunc() of", self, "use floor(x) or ceil(x)")

    def __abs__(self) -> NoReturn:
        _refuse("abs() of", self, "write maximum(x, 0 - x)")

    def __neg__(self) -> NoReturn:
        _refuse("a minus sign before", self, "write the subtraction in full")

    def __mod__(self, other: object) -> NoReturn:
        _refuse("a remainder with", self, "use floor(a / b) and a subtraction")

    __rmod__ = __divmod__ = __rdivmod__ = __mod__

    def __floordiv__(self, other: object) -> NoReturn:
        _refuse("// with", self, "use floor(a / b)")

    __rfloordiv__ = __floordiv__

    def __rpow__(self, other: object) -> NoReturn:
        _refuse("a power with the exponent", self, "write it with a whole number as exponent")

    def __iter__(self) -> NoReturn:
        _refuse("a loop over", self, "write the sum over it in closed form")

    def __format__(self, spec: str) -> NoReturn:
        _refuse("a text with", self, "name the step; pages and commands show its value themselves")


N = TypeVar("N", float, Quantity)


class Constant:
    """A number with a unit that belongs to a formula itself, such as the two in 2 × layers × KV heads.

    It joins whatever it meets: with a float it is a float in base units, with a recorded quantity it is recorded.
    """

    __slots__ = ("quantity",)

    def __init__(self, number: float, unit: str, shown: str | None = None) -> None:
        parsed = parse_unit(unit)
        value = number * parsed.size.numerator / parsed.size.denominator
        text = show_number(number, parsed, _EXACT) if shown is None else shown
        self.quantity = Quantity(value, parsed.dimension, "constant", origin=Origin("constant", "", text))

    def __mul__(self, other: N) -> N:
        return self._with(other) * other

    def __rmul__(self, other: N) -> N:
        return other * self._with(other)

    def __truediv__(self, other: N) -> N:
        return self._with(other) / other

    def __rtruediv__(self, other: N) -> N:
        return other / self._with(other)

    def __add__(self, other: N) -> N:
        return self._with(other) + other

    def __radd__(self, other: N) -> N:
        return other + self._with(other)

    def __sub__(self, other: N) -> N:
        return self._with(other) - other

    def __rsub__(self, other: N) -> N:
        return other - self._with(other)

    def _with(self, other: N) -> N:
        if isinstance(other, Constant):
            raise fault(
                f"two constants of a formula meet: {describe(self.quantity)} and {describe(other.quantity)}",
                fix="begin with an argument of the formula, or write one constant for both",
            )
        return self.quantity if isinstance(other, Quantity) else self.quantity.value


def implied(unit: str) -> Constant:
    """Return the one that a reader leaves unsaid, such as one token per sequence and step."""
    return Constant(1, unit, shown="")


def input_quantity(id: str, value: float, unit: Unit, text: str) -> Quantity:
    """Record an input number; `text` is what formulas show for it."""
    return Quantity(value, unit.dimension, "input", origin=Origin("input", id, text))


def recorded(x: Quantity | Constant | float) -> Quantity:
    """Return x itself, or a formula's constant or plain number as a recorded constant."""
    if isinstance(x, Quantity):
        return x
    if isinstance(x, Constant):
        return x.quantity
    if isinstance(x, bool) or not isinstance(x, int | float):
        raise fault(f"{x!r} is not a number or a quantity", fix="pass a quantity of the chain or a plain number")
    return Quantity(float(x), DIMENSIONLESS, "constant", origin=Origin("constant", "", number_text(x, _EXACT)))


def describe(q: Quantity) -> str:
    """Write a quantity for a message: what it is called or how it was made, its value and its unit."""
    shown = show_in_base(q.value, q.dimension)
    name = q.origin.text if q.origin else expression_text(q)
    return shown if not name or f"{shown},".startswith((f"{name} ", f"{name},")) else f"{name} ({shown})"


def _sum(op: str, left: Quantity, right: Quantity) -> Quantity:
    if differ(left.dimension, right.dimension):
        mismatch("add" if op == "+" else "subtract", left, right)
    value = left.value + right.value if op == "+" else left.value - right.value
    return checked(Quantity(value, left.dimension, op, (left, right)))


def _product(left: Quantity, right: Quantity) -> Quantity:
    return checked(Quantity(left.value * right.value, _times(left.dimension, right.dimension), "*", (left, right)))


def _quotient(left: Quantity, right: Quantity) -> Quantity:
    if right.value == 0:
        raise fault(
            f"{describe(left)} divided by zero",
            f"the divisor is {describe(right)}",
            fix="find the input that is zero, or give it a range that leaves zero out",
        )
    return checked(Quantity(left.value / right.value, _over(left.dimension, right.dimension), "/", (left, right)))


def checked(q: Quantity) -> Quantity:
    """Return a quantity just computed. Raises SizingError where it is not a finite number."""
    if not math.isfinite(q.value):
        left, *rest = q.args
        raise fault(
            f"{q.op} of {describe(left)}{' and ' + describe(rest[0]) if rest else ''} is not a finite number",
            fix="check the size of both inputs in the data file",
        )
    return q


def mismatch(verb: str, left: Quantity, right: Quantity) -> NoReturn:
    """Raise the error of two quantities whose units differ, with what would make them agree."""
    raise fault(
        f"cannot {verb} quantities of different units",
        f"left:  {describe(left)}",
        f"right: {describe(right)}",
        fix=f"multiply the right one by a quantity in {dimension_text(_over(left.dimension, right.dimension))}, "
        "or check which of the two was meant",
    )


def _refuse(what: str, q: Quantity, fix: str) -> NoReturn:
    raise fault(f"{what} {describe(q)} would freeze a number that readers can change", fix=fix)


@cache
def _times(left: Dimension, right: Dimension) -> Dimension:
    return the_one(left * right)


@cache
def _over(left: Dimension, right: Dimension) -> Dimension:
    return the_one(left / right)
