"""Quantities that compute eagerly and record how they were made.

A formula is written once and runs on floats in base units or on recorded quantities. The operations are closed:
`+ - * /`, `minimum`, `maximum`, `no_more_than`, `ceil`, `floor`, `sqrt`, `power` and `geometric_sum`, because exactly
these give the same float in Python and in the browser. Anything else would freeze a number into the program that a
reader may change, so it fails on the author's line with what to use instead.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

from .display import number_text, show_in_base, show_number
from .errors import fault, no_result
from .expression import expression_text
from .rounding import at_most, ceil_count, floor_count
from .units import COUNTED, DIMENSIONLESS, Dimension, Unit, dimension_text, is_count, parse_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

# Constants are exact: a formula shows as many of their digits as a float is sure of.
_EXACT = 15

_CHOICES = "use minimum(a, b), maximum(a, b) or a constraint of the chain"
_POWERS = (
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

    __slots__ = ("args", "dimension", "formula", "op", "origin", "value")

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
        raise fault(f"** on {describe(self)} is not recorded", fix=f"use {_POWERS}")

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


def minimum(left: N | Constant, right: N) -> N:
    """Return the smaller of two values of the same dimension, recorded when they are."""
    if isinstance(left, Quantity) or isinstance(right, Quantity):
        return _extreme("min", recorded(left), recorded(right))
    return _extreme_float("min", left, right)


def maximum(left: N | Constant, right: N) -> N:
    """Return the larger of two values of the same dimension, recorded when they are."""
    if isinstance(left, Quantity) or isinstance(right, Quantity):
        return _extreme("max", recorded(left), recorded(right))
    return _extreme_float("max", left, right)


def ceil(x: N) -> N:
    """Round a count up to whole pieces, with the tolerance of `rounding`. Raises SizingError for other quantities."""
    return _rounded("ceil", x) if isinstance(x, Quantity) else ceil_count(x)


def floor(x: N) -> N:
    """Round a count down to whole pieces, with the tolerance of `rounding`. Raises SizingError for other quantities."""
    return _rounded("floor", x) if isinstance(x, Quantity) else floor_count(x)


def sqrt(x: N) -> N:
    """Return the square root, recorded when x is. Raises SizingError below zero."""
    value = x.value if isinstance(x, Quantity) else x
    if value < 0:
        raise no_result(f"the square root of a negative value, {_told(x)}", fix="check the order of the subtraction")
    if not isinstance(x, Quantity):
        return math.sqrt(x)
    return Quantity(math.sqrt(x.value), x.dimension ** Fraction(1, 2), "sqrt", (x,))


def power(x: N, exponent: N | float) -> N:
    """Return x to a whole power that is not negative, recorded when either is.

    The exponent is a number of the formula's text, or a count that readers can change; then x has no unit, which the
    power could not keep. Raises SizingError for any other exponent.
    """
    times = _whole(exponent, "a power with the exponent")
    if not isinstance(x, Quantity) and not isinstance(exponent, Quantity):
        return integer_power(x, times)
    base, counted = recorded(x), recorded(exponent)
    if counted.op != "constant":
        _without_unit(base, "a power with a recorded exponent of")
    dimension = base.dimension**times if times else DIMENSIONLESS
    return _checked(Quantity(integer_power(base.value, times), dimension, "pow", (base, counted)))


def geometric_sum(x: N, last: N | float) -> N:
    """Return 1 + x + … + x^last, recorded when either is; at x = 1 it is last + 1 like any other value.

    x has no unit; `last` is whole and not negative. Raises SizingError for others.
    """
    # In floats, as the browser adds them: beyond 2^53 they differ from whole numbers.
    terms = int(float(_whole(last, "a sum up to the power")) + 1)
    if not isinstance(x, Quantity) and not isinstance(last, Quantity):
        return sum_of_powers(x, terms)
    base = _without_unit(recorded(x), "a sum of powers of")
    return _checked(Quantity(sum_of_powers(base.value, terms), DIMENSIONLESS, "geom", (base, recorded(last))))


def no_more_than(x: N, most: float) -> N:
    """Return a share or a ratio, and refuse it above `most`: more than the whole is a mistake and no result.

    Raises SizingError; a what-if has no number there.
    """
    if not at_most(x.value if isinstance(x, Quantity) else x, most):
        raise no_result(
            f"{_told(x)} is more than {number_text(most)}",
            fix="check that both sides of the quotient count the same thing in the same units",
        )
    if not isinstance(x, Quantity):
        return x
    limit = recorded(most)
    if x.dimension != limit.dimension:
        _mismatch("compare", x, limit)
    return Quantity(x.value, x.dimension, "upto", (x, limit))


def integer_power(base: float, exponent: int) -> float:
    """Return base to a whole power by squaring, the same multiplications in the same order as the browser."""
    result, square = 1.0, base
    while exponent:
        if exponent & 1:
            result *= square
        square *= square
        exponent >>= 1
    return result


def sum_of_powers(base: float, terms: int) -> float:
    """Return 1 + base + base² + … of so many terms by doubling, in the same order as the browser.

    With + and × alone: the closed form (1 − xⁿ) ÷ (1 − x) has no value at x = 1.
    """
    result, reached, block, square = 0.0, 1.0, 1.0, base
    while terms:
        if terms & 1:
            result += reached * block
            reached *= square
        block += square * block
        square *= square
        terms >>= 1
    return result


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


def _told(x: Quantity | float) -> str:
    return describe(x) if isinstance(x, Quantity) else repr(x)


def _whole(count: Quantity | float, what: str) -> int:
    """Return a count as an int. Raises SizingError for one that is not whole, is negative or is not a count."""
    value = count.value if isinstance(count, Quantity) else count
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0 or value != math.floor(value):
        raise no_result(f"{what} {_told(count)} is not recorded", fix=f"use {_POWERS}")
    if isinstance(count, Quantity) and not is_count(count.dimension):
        raise fault(f"{what} {describe(count)} is not recorded", fix=f"count it in {', '.join(sorted(COUNTED))}")
    return int(value)


def _without_unit(x: Quantity, what: str) -> Quantity:
    if x.dimension != DIMENSIONLESS:
        raise fault(
            f"{what} {describe(x)} has no unit of its own",
            fix="divide by a quantity of the same unit first, or write a whole number as exponent",
        )
    return x


def _sum(op: str, left: Quantity, right: Quantity) -> Quantity:
    if left.dimension != right.dimension:
        _mismatch("add" if op == "+" else "subtract", left, right)
    value = left.value + right.value if op == "+" else left.value - right.value
    return _checked(Quantity(value, left.dimension, op, (left, right)))


def _product(left: Quantity, right: Quantity) -> Quantity:
    return _checked(Quantity(left.value * right.value, _times(left.dimension, right.dimension), "*", (left, right)))


def _quotient(left: Quantity, right: Quantity) -> Quantity:
    if right.value == 0:
        raise fault(
            f"{describe(left)} divided by zero",
            f"the divisor is {describe(right)}",
            fix="find the input that is zero, or give it a range that leaves zero out",
        )
    return _checked(Quantity(left.value / right.value, _over(left.dimension, right.dimension), "/", (left, right)))


def _extreme(op: str, left: Quantity, right: Quantity) -> Quantity:
    if left.dimension != right.dimension:
        _mismatch("compare", left, right)
    value = _extreme_float(op, left.value, right.value)
    return Quantity(value, left.dimension, op, (left, right))


def _extreme_float(op: str, left: float | Constant, right: float) -> float:
    # Of two equal values the left one: the browser's evaluator decides the same way, also between 0 and −0.
    left = left.quantity.value if isinstance(left, Constant) else left
    return right if (right > left if op == "max" else right < left) else left


def _rounded(op: str, x: Quantity) -> Quantity:
    if not is_count(x.dimension):
        raise fault(
            f"{op} of {describe(x)}: {dimension_text(x.dimension)} does not come in whole pieces",
            fix=f"round counts only ({', '.join(sorted(COUNTED))}); the step's digits round what is shown",
        )
    return Quantity((ceil_count if op == "ceil" else floor_count)(x.value), x.dimension, op, (x,))


def _checked(q: Quantity) -> Quantity:
    if not math.isfinite(q.value):
        left, *rest = q.args
        raise fault(
            f"{q.op} of {describe(left)}{' and ' + describe(rest[0]) if rest else ''} is not a finite number",
            fix="check the size of both inputs in the data file",
        )
    return q


def _mismatch(verb: str, left: Quantity, right: Quantity) -> NoReturn:
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
    product: Dimension = left * right
    return product


@cache
def _over(left: Dimension, right: Dimension) -> Dimension:
    quotient: Dimension = left / right
    return quotient
