"""Every formula gives the same float on floats and on recorded quantities."""

import inspect
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros import formulas
from macros.sizing import FORMULAS, Formula, Quantity, SizingError
from macros.sizing.formula import Argument
from macros.sizing.quantity import input_quantity
from macros.sizing.rounding import TOLERANCE
from tests.cases import bits

# Where a page holds nothing or a run takes more than all hours, there is no result: these keep away from it.
PAGES = {"page": 8, "gpu_time": 8}
FIELD = {name: formula for name, formula in FORMULAS.items() if name in formulas.__all__}


def values_of(formula: Formula) -> st.SearchStrategy[dict[str, float]]:
    """Values in base units for all arguments: shares up to their largest, whole counts, no divisor that is zero."""

    def value_of(argument: Argument) -> st.SearchStrategy[float]:
        if argument.whole:
            return st.integers(0, 4096).map(float)
        if argument.most < 1e9:
            return st.floats(0.001, argument.most)
        return st.floats(1e-6, 1e15, allow_subnormal=False)

    return st.fixed_dictionaries({a.name: value_of(a) for a in formula.arguments})


def outcome(function: Any, values: dict[str, Any]) -> Any:
    """The result, or nothing where the formula has none for these values."""
    try:
        return function(**values)
    except (SizingError, ZeroDivisionError):
        return None


@pytest.mark.parametrize("name", FIELD)
@given(data=st.data())
def test_floats_equal_recorded_bit_by_bit(name: str, data: st.DataObject) -> None:
    formula = FIELD[name]
    values = data.draw(values_of(formula))
    function: Any = getattr(formulas, name)
    recorded = outcome(
        function, {a.name: input_quantity(a.name, values[a.name], a.unit, a.short) for a in formula.arguments}
    )
    plain = outcome(function, values)
    if recorded is None:
        # Where the recording refuses a result beyond all floats, the float is infinite, and a replay refuses it.
        assert plain is None or not math.isfinite(plain)
        return
    assert isinstance(recorded, Quantity)
    assert isinstance(plain, float)
    assert bits(plain) == bits(recorded.value)
    assert recorded.dimension == formula.unit.dimension


@pytest.mark.parametrize("name", FIELD)
def test_positions_and_names_of_arguments_agree(name: str) -> None:
    formula = FIELD[name]
    function: Any = getattr(formulas, name)
    assert list(inspect.signature(function).parameters) == [a.name for a in formula.arguments]
    # All unlike, the first the smallest, so that a share of the whole stays one.
    values = {
        a.name: 3.0 if a.whole else (0.25 + 0.125 * position) * PAGES.get(a.name, 1)
        for position, a in enumerate(formula.arguments)
    }
    assert function(*values.values()) == function(**values)


def test_the_tolerance_is_a_billionth() -> None:
    assert TOLERANCE == 1e-9
