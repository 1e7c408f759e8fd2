"""Every formula gives the same float on floats and on recorded quantities."""

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros import formulas
from macros.sizing import FORMULAS, Formula, Quantity
from macros.sizing.quantity import input_quantity
from macros.sizing.rounding import TOLERANCE
from tests.cases import bits

FIELD = {name: formula for name, formula in FORMULAS.items() if name in formulas.__all__}


def values_of(formula: Formula) -> st.SearchStrategy[dict[str, float]]:
    """Values in base units for all arguments, shares up to their largest, and no divisor that is zero."""
    return st.fixed_dictionaries(
        {
            a.name: st.floats(0.001, a.most) if a.most < 1e9 else st.floats(1e-6, 1e15, allow_subnormal=False)
            for a in formula.arguments
        }
    )


@pytest.mark.parametrize("name", FIELD)
@given(data=st.data())
def test_floats_equal_recorded_bit_by_bit(name: str, data: st.DataObject) -> None:
    formula = FIELD[name]
    values = data.draw(values_of(formula))
    function: Any = getattr(formulas, name)
    recorded = function(**{a.name: input_quantity(a.name, values[a.name], a.unit, a.short) for a in formula.arguments})
    plain = function(**values)
    assert isinstance(recorded, Quantity)
    assert isinstance(plain, float)
    assert bits(plain) == bits(recorded.value)
    assert recorded.dimension == formula.unit.dimension


@pytest.mark.parametrize("name", FIELD)
def test_positions_and_names_of_arguments_agree(name: str) -> None:
    formula = FIELD[name]
    function: Any = getattr(formulas, name)
    assert list(inspect.signature(function).parameters) == [a.name for a in formula.arguments]
    values = {a.name: 0.25 + 0.125 * position for position, a in enumerate(formula.arguments)}
    assert function(*values.values()) == function(**values)


def test_the_tolerance_is_a_billionth() -> None:
    assert TOLERANCE == 1e-9
