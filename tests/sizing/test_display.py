"""How numbers and units are shown. The browser shows the same table in `tests/browser/test_parity.py`."""

import decimal
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros.sizing.display import number_text, show, show_in_base, show_number
from macros.sizing.units import parse_quantity, parse_unit
from tests.cases import DISPLAY

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("case", DISPLAY, ids=lambda case: f"{case['value']} in {case['digits']}")
def test_number(case) -> None:
    assert number_text(case["value"], case["digits"]) == case["text"]


def test_the_table_holds_what_it_is_for() -> None:
    assert len(DISPLAY) >= 60
    ties = [case for case in DISPLAY if str(Decimal(case["value"]).normalize()).endswith("5")]
    assert len(ties) >= 20


@given(FINITE, st.integers(3, 15))
def test_a_shown_number_is_within_half_of_its_last_digit(value: float, digits: int) -> None:
    shown = Decimal(number_text(value, digits).replace("−", "-").replace(",", ""))
    exact = Decimal(value)
    with decimal.localcontext(prec=800):
        allowed = Decimal(5).scaleb(exact.adjusted() - digits) if value else Decimal(0)
        assert abs(shown - exact) <= (max(allowed, Decimal("0.5")) if 1000 <= abs(shown) <= 10**15 else allowed)


@given(FINITE, st.integers(1, 15))
def test_the_sign_is_all_that_a_negative_number_adds(value: float, digits: int) -> None:
    assert number_text(-abs(value), digits) == ("−" if value else "") + number_text(abs(value), digits)


def test_a_surrounding_decimal_context_changes_nothing() -> None:
    with decimal.localcontext(prec=2, rounding=decimal.ROUND_DOWN):
        assert number_text(123456.5) == "123,457"
        assert number_text(1.235e15) == "1.24e15"
        assert number_text(11.175, 4) == "11.18"


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        ("10_000_000 user", "10,000,000 users"),
        ("1 user", "1 user"),
        ("0 user", "0 users"),
        ("8 request/user", "8 requests/user"),
        ("1 request/user", "1 request/user"),
        ("117 replica", "117 replicas"),
        ("1 GPU", "1 GPU"),
        ("468 GPU", "468 GPUs"),
        ("4 GPU/replica", "4 GPUs/replica"),
        ("350 sequence/replica", "350 sequences/replica"),
        ("80 GB/GPU", "80 GB/GPU"),
        ("80 GiB/GPU", "80 GiB/GPU"),
        ("3.35 TB/s/GPU", "3.35 TB/s/GPU"),
        ("1_979 TFLOP/s/GPU", "1,979 TFLOP/s/GPU"),
        ("2 byte/value", "2 bytes/value"),
        ("0.525 GPU*s/request", "0.525 GPU·s/request"),
        ("3 user*request", "3 user·requests"),
        ("2 1/token", "2 /token"),
        ("24 hour", "24 h"),
        ("45 min", "45 min"),
        ("45 minute", "45 min"),
        ("11.17 ms", "11.2 ms"),
        ("15 %", "15 %"),
        ("15 percent", "15 %"),
        ("70 Bparam", "70B"),
        ("8.03 Bparam", "8.03B"),
        ("70_553_706_496 parameter", "70,553,706,496 parameters"),
        ("4 USD/GPU/hour", "$4 per GPU-hour"),
        ("2 USD/hour", "$2 per hour"),
        ("0.155 USD/krequest", "$0.155 per 1,000 requests"),
        ("5 USD", "$5"),
        ("0.45 USD/Mtoken", "$0.45 per million tokens"),
        ("23_360 USD/month", "$23,360 per month"),
        ("4.5 bit/parameter", "4.5 bits/parameter"),
        ("14 day/run", "14 days/run"),
        ("1 day", "1 day"),
        ("29_167 GPU*hour/run", "29,167 GPU·h/run"),
        ("2 pass/step", "2 passes/step"),
        ("1 pass/step", "1 pass/step"),
        ("28 step/image", "28 steps/image"),
        ("256 expert", "256 experts"),
        ("1 node", "1 node"),
        ("1_952 block", "1,952 blocks"),
        ("114 GMAC", "114 GMAC"),
    ],
)
def test_unit(amount: str, shown: str) -> None:
    number, unit = parse_quantity(amount)
    assert show_number(float(number), unit) == shown
    assert str(show(unit.to_base(number), unit)) == shown


def test_a_number_without_a_unit() -> None:
    assert str(show(0.25, parse_unit(""))) == "0.25"


def test_the_parts_of_a_shown_number_can_be_set_apart() -> None:
    shown = show(0.000155, parse_unit("USD/krequest"))
    assert (shown.before, shown.number, shown.space, shown.unit) == ("$", "0.155", "", " per 1,000 requests")


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(622_592_000, "MB/request", "622,592,000 byte/request"), (0.15, "%", "0.15, a plain number")],
)
def test_messages_show_base_units(value: float, unit: str, text: str) -> None:
    assert show_in_base(value, parse_unit(unit).dimension) == text
