"""The operations that are not signs: extremes, whole pieces, roots, whole powers and their sums.

Each runs on floats and on recorded quantities, and gives the same float here and in the browser.
"""

from __future__ import annotations

import math
from fractions import Fraction

from .display import number_text
from .errors import fault, no_result
from .quantity import POWERS, Constant, N, Quantity, checked, describe, mismatch, recorded
from .rounding import at_most, ceil_count, floor_count
from .units import COUNTED, DIMENSIONLESS, differ, dimension_text, is_count


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
    return checked(Quantity(integer_power(base.value, times), dimension, "pow", (base, counted)))


def geometric_sum(x: N, last: N | float) -> N:
    """Return 1 + x + … + x^last, recorded when either is; at x = 1 it is last + 1 like any other value.

    x has no unit; `last` is whole and not negative. Raises SizingError for others.
    """
    # In floats, as the browser adds them: beyond 2^53 they differ from whole numbers.
    terms = int(float(_whole(last, "a sum up to the power")) + 1)
    if not isinstance(x, Quantity) and not isinstance(last, Quantity):
        return sum_of_powers(x, terms)
    base = _without_unit(recorded(x), "a sum of powers of")
    return checked(Quantity(sum_of_powers(base.value, terms), DIMENSIONLESS, "geom", (base, recorded(last))))


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
    if differ(x.dimension, limit.dimension):
        mismatch("compare", x, limit)
    return Quantity(x.value, x.dimension, "upto", (x, limit))


def not_negative(x: N) -> N:
    """Return x, and refuse it below zero. Raises SizingError; a what-if has no number there."""
    if (x.value if isinstance(x, Quantity) else x) < 0:
        raise no_result(f"{_told(x)} is below zero", fix="check the order of the subtraction")
    return Quantity(x.value, x.dimension, "nonneg", (x,)) if isinstance(x, Quantity) else x


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


def _told(x: Quantity | float) -> str:
    return describe(x) if isinstance(x, Quantity) else repr(x)


def _whole(count: Quantity | float, what: str) -> int:
    """Return a count as an int. Raises SizingError for one that is not whole, is negative or is not a count."""
    value = count.value if isinstance(count, Quantity) else count
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0 or value != math.floor(value):
        raise no_result(f"{what} {_told(count)} is not recorded", fix=f"use {POWERS}")
    if isinstance(count, Quantity) and not is_count(count.dimension):
        raise fault(f"{what} {describe(count)} is not recorded", fix=f"count it in {', '.join(sorted(COUNTED))}")
    return int(value)


def _without_unit(x: Quantity, what: str) -> Quantity:
    if differ(x.dimension, DIMENSIONLESS):
        raise fault(
            f"{what} {describe(x)} has no unit of its own",
            fix="divide by a quantity of the same unit first, or write a whole number as exponent",
        )
    return x


def _extreme(op: str, left: Quantity, right: Quantity) -> Quantity:
    if differ(left.dimension, right.dimension):
        mismatch("compare", left, right)
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
