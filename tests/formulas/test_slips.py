"""Every named slip is a wrong answer to a formula's question, and stands in a table of cases with its value."""

import inspect
import re

import pytest

from macros import formulas
from macros.formulas.slips import SLIPS, Slip
from tests.formulas import test_cases_a, test_cases_b

TOLD = {case.slip for case in [*test_cases_a.SLIPS, *test_cases_b.SLIPS]}


def test_each_slip_has_a_case_with_its_wrong_value() -> None:
    assert set(SLIPS) == TOLD


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS)
def test_it_says_what_is_wrong_about_a_public_formula(slip: Slip) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", slip.id)
    assert re.fullmatch(r"It [^.]+\.", slip.mistake)
    assert getattr(formulas, slip.formula.__name__) is slip.formula
    # It changes an argument or computes something else; what it changes is an argument of what it computes.
    assert slip.instead or slip.reading
    computed = slip.reading or slip.formula
    assert set(slip.instead) <= set(inspect.signature(computed).parameters)


def test_ids_are_unique() -> None:
    assert len(SLIPS) == len({slip.id for slip in SLIPS.values()}) >= 30
