"""Cases as they were published: a formula of the library, its arguments as quantities, and the answer."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from macros.formulas.slips import SLIPS
from macros.sizing import FORMULAS, Quantity
from macros.sizing.quantity import input_quantity
from macros.sizing.units import Unit, parse_number, parse_quantity, parse_unit
from tests.cases import bits

# The answer is a whole number or an exact product: the floats agree.
EXACT = "exact"
# The answer is rounded where it was printed: within half of its last digit.
PRINTED = "printed"


class Case(NamedTuple):
    """One question with its right answer; the tolerance is EXACT, PRINTED or a share of the answer."""

    id: str
    source: str
    formula: Callable[..., Any]
    given: dict[str, str]
    answer: str
    tolerance: str | float = EXACT


class Wrong(NamedTuple):
    """One slip with the answers to its question; `far` tells whether they are at least a tenth apart."""

    id: str
    source: str
    slip: str
    given: dict[str, str]
    right: str
    wrong: str
    tolerance: str | float = EXACT
    far: bool = True


def amount(text: str) -> tuple[float, Unit]:
    """The base-unit value of `2.89 GiB/GPU`, or of a plain number such as `1.56`, and its unit."""
    plain = parse_number(text)
    if plain is not None:
        return float(plain), parse_unit("")
    number, unit = parse_quantity(text)
    return unit.to_base(number), unit


def floats(given: dict[str, str]) -> dict[str, float]:
    """Arguments in base units."""
    return {name: amount(text)[0] for name, text in given.items()}


def quantities(given: dict[str, str]) -> dict[str, Quantity]:
    """Arguments as a page's chain passes them, with their units."""
    made = {name: amount(text) for name, text in given.items()}
    return {name: input_quantity(name, value, unit, name) for name, (value, unit) in made.items()}


def solved(formula: Callable[..., Any], given: dict[str, str], answer: str) -> float:
    """What a public formula gives, recorded with units and on floats alike; its unit is the answer's."""
    recorded = formula(**quantities(given))
    assert recorded.dimension == amount(answer)[1].dimension == FORMULAS[formula.__name__].unit.dimension
    plain = formula(**floats(given))
    assert bits(plain) == bits(recorded.value)
    return float(plain)


def agrees(value: float, answer: str, tolerance: str | float) -> bool:
    """Whether a value in base units is the answer as it was published."""
    expected, unit = amount(answer)
    if tolerance == EXACT:
        return value == expected
    if tolerance == PRINTED:
        number = answer.partition(" ")[0].replace("_", "")
        last = Decimal(1).scaleb(int(Decimal(number).as_tuple().exponent))
        return abs(value - expected) <= float(last * 51 / 100) * float(unit.size)
    return value == pytest.approx(expected, rel=float(tolerance))


def check_wrong(case: Wrong) -> None:
    """Both answers of a slip, as published, on floats and recorded."""
    slip = SLIPS[case.slip]
    right, wrong = slip.right_value(floats(case.given)), slip.wrong_value(floats(case.given))
    assert agrees(right, case.right, case.tolerance), right
    assert agrees(wrong, case.wrong, case.tolerance), wrong
    assert bits(slip.right_value(quantities(case.given)).value) == bits(right)
    assert bits(slip.wrong_value(quantities(case.given)).value) == bits(wrong)
    assert right != wrong
    if case.far:
        assert abs(wrong - right) >= 0.1 * right


def names(cases: Sequence[Case | Wrong]) -> list[str]:
    """The ids of a table's rows in the test report."""
    what = [case.slip if isinstance(case, Wrong) else case.formula.__name__ for case in cases]
    return [f"{row} {case.id} {about}" for row, (case, about) in enumerate(zip(cases, what, strict=True))]
