"""Whole pieces. The browser rounds the same table in `tests/browser/test_parity.py`."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros.sizing.rounding import at_most, ceil_count, floor_count
from tests.cases import ROUNDING, bits


@pytest.mark.parametrize("case", ROUNDING, ids=lambda case: repr(case["value"]))
def test_whole_pieces(case) -> None:
    value = float(case["value"])
    assert bits(ceil_count(value)) == bits(float(case["ceil"]))
    assert bits(floor_count(value)) == bits(float(case["floor"]))


def test_a_quotient_that_should_be_whole() -> None:
    assert math.ceil(0.1 * 3 / 0.1) == 4
    assert ceil_count(0.1 * 3 / 0.1) == 3


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_what_is_no_number_stays_so(value: float) -> None:
    assert bits(ceil_count(value)) == bits(floor_count(value)) == bits(value)


@given(st.one_of(st.integers(-(2**53), 2**53), st.floats(2.0**53, 1e300).map(int)))
def test_a_whole_number_is_itself(count: int) -> None:
    assert ceil_count(float(count)) == floor_count(float(count)) == float(count)


@given(st.integers(1, 2**40), st.sampled_from([math.inf, -math.inf]))
def test_noise_in_the_last_digits_is_forgiven(count: int, to: float) -> None:
    noisy = math.nextafter(math.nextafter(float(count), to), to)
    assert noisy != count
    assert ceil_count(noisy) == floor_count(noisy) == count
    assert ceil_count(-noisy) == floor_count(-noisy) == -count


@given(st.floats(-1e15, 1e15))
def test_never_more_than_a_piece_away(value: float) -> None:
    assert floor_count(value) <= ceil_count(value)
    assert -0.125 <= ceil_count(value) - value <= 1
    assert -0.125 <= value - floor_count(value) <= 1


@pytest.mark.parametrize(
    ("left", "right", "holds"),
    [
        (1, 1, True),
        (0, 0, True),
        (1, 2, True),
        (2, 1, False),
        (0.1 * 3, 0.3, True),
        (1 + 0.9e-9, 1, True),
        (1 + 1.1e-9, 1, False),
        (-1, -1, True),
        (-1 + 0.9e-9, -1, True),
        (1e-300, 0, False),
    ],
)
def test_at_most(left: float, right: float, holds: bool) -> None:
    assert at_most(left, right) is holds
