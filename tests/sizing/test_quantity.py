"""Each operation: its value, its dimension, and how it is recorded."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros.sizing import (
    Constant,
    Quantity,
    SizingError,
    ceil,
    floor,
    geometric_sum,
    implied,
    maximum,
    minimum,
    no_more_than,
    not_negative,
    power,
    sqrt,
)
from macros.sizing.operations import integer_power, sum_of_powers
from macros.sizing.quantity import describe, input_quantity, recorded
from macros.sizing.units import dimension_text, parse_quantity, parse_unit
from tests.cases import bits


def q(amount: str, text: str = "q") -> Quantity:
    number, unit = parse_quantity(amount)
    return input_quantity(text, unit.to_base(number), unit, text)


A, B, C = q("6 request", "a"), q("4 request", "b"), q("2 s", "c")
SHARE, THRICE = q("50 %", "share"), q("3 token", "drafted tokens")
HOURS, ONE_EACH = Constant(2, "hour"), implied("request/s")


@pytest.mark.parametrize(
    ("result", "value", "dimension", "text"),
    [
        (A + B, 10, "request", "a + b"),
        (A - B, 2, "request", "a − b"),
        (B - A, -2, "request", "b − a"),
        (A * C, 12, "request*s", "a × c"),
        (A / C, 3, "request/s", "a ÷ c"),
        (A / B, 1.5, "a plain number", "a ÷ b"),
        (2 * A, 12, "request", "2 × a"),
        (A * 2, 12, "request", "a × 2"),
        (A / 2, 3, "request", "a ÷ 2"),
        (12 / C, 6, "1/s", "12 ÷ c"),
        (1 - A / B, -0.5, "a plain number", "1 − a ÷ b"),
        (1 + A / B, 2.5, "a plain number", "1 + a ÷ b"),
        (A / B + 1, 2.5, "a plain number", "a ÷ b + 1"),
        (A / B - 1, 0.5, "a plain number", "a ÷ b − 1"),
        (A * 0.0416667, 6 * 0.0416667, "request", "a × 0.0416667"),
        (minimum(A, B), 4, "request", "min(a, b)"),
        (maximum(A, B), 6, "request", "max(a, b)"),
        (maximum(Constant(2, ""), A / B), 2, "a plain number", "max(2, a ÷ b)"),
        (minimum(Constant(1, ""), A / B), 1, "a plain number", "min(1, a ÷ b)"),
        (ceil(A / B), 2, "a plain number", "⌈a ÷ b⌉"),
        (floor(A / 4), 1, "request", "⌊a ÷ 4⌋"),
        (sqrt(A * B), math.sqrt(24), "request", "√(a × b)"),
        (sqrt(C), math.sqrt(2), "s^1/2", "√(c)"),
        (power(C, 3), 8, "s^3", "c³"),
        (power(C, 1), 2, "s", "c¹"),
        (power(C, 12), 4096, "s^12", "c¹²"),
        (power(C, 2.0), 4, "s^2", "c²"),
        (power(A, 0), 1, "a plain number", "a⁰"),
        (power(SHARE, THRICE), 0.125, "a plain number", "share^(drafted tokens)"),
        (power(1 - SHARE, B), 0.0625, "a plain number", "(1 − share)^b"),
        (power(q("2 token") / q("1 token"), B), 16, "a plain number", "(q ÷ q)^b"),
        (power(SHARE, B - B), 1, "a plain number", "share^(b − b)"),
        (geometric_sum(SHARE, 2), 1.75, "a plain number", "1 + share + … + share²"),
        (geometric_sum(SHARE, THRICE), 1.875, "a plain number", "1 + share + … + share^(drafted tokens)"),
        (geometric_sum(A / A, B), 5, "a plain number", "1 + (a ÷ a) + … + (a ÷ a)^b"),
        (geometric_sum(recorded(1), B), 5, "a plain number", "1 + 1 + … + 1^b"),
        (geometric_sum(SHARE, 0), 1, "a plain number", "1 + share + … + share⁰"),
        (C / geometric_sum(SHARE, B), 2 / 1.9375, "s", "c ÷ (1 + share + … + share^b)"),
        (no_more_than(SHARE, 1), 0.5, "a plain number", "share"),
        (C * no_more_than(A / A + SHARE - SHARE, 1), 2, "s", "c × (a ÷ a + share − share)"),
        (sqrt(power(C, 2)) + C, 4, "s", "√(c²) + c"),
        (C + HOURS, 7202, "s", "c + 2 h"),
        (HOURS + C, 7202, "s", "2 h + c"),
        (C - HOURS, -7198, "s", "c − 2 h"),
        (HOURS - C, 7198, "s", "2 h − c"),
        (C * HOURS, 14400, "s^2", "c × 2 h"),
        (HOURS * C, 14400, "s^2", "2 h × c"),
        (C / HOURS, 2 / 7200, "a plain number", "c ÷ 2 h"),
        (HOURS / C, 3600, "a plain number", "2 h ÷ c"),
        (maximum(HOURS, C), 7200, "s", "max(2 h, c)"),
        (C * ONE_EACH, 2, "request", "c"),
        (ONE_EACH * C, 2, "request", "c"),
        (A / ONE_EACH, 6, "s", "a"),
        (ONE_EACH / A, 1 / 6, "1/s", "1 ÷ a"),
        (A + C * ONE_EACH, 8, "request", "a + c"),
        (A / C + ONE_EACH, 4, "request/s", "a ÷ c + 1"),
    ],
)
def test_operation(result: Quantity, value: float, dimension: str, text: str) -> None:
    assert bits(result.value) == bits(float(value))
    assert dimension_text(result.dimension) == dimension
    assert repr(result) == f"<{describe(result)}>"
    assert describe(result).startswith(f"{text} (")


@pytest.mark.parametrize(
    ("result", "op", "args"),
    [
        (A + B, "+", (A, B)),
        (A - B, "-", (A, B)),
        (A * B, "*", (A, B)),
        (A / B, "/", (A, B)),
        (minimum(A, B), "min", (A, B)),
        (maximum(A, B), "max", (A, B)),
        (ceil(A), "ceil", (A,)),
        (floor(A), "floor", (A,)),
        (sqrt(A), "sqrt", (A,)),
        (power(SHARE, THRICE), "pow", (SHARE, THRICE)),
        (geometric_sum(SHARE, THRICE), "geom", (SHARE, THRICE)),
        (not_negative(A), "nonneg", (A,)),
    ],
)
def test_recording(result: Quantity, op: str, args: tuple[Quantity, ...]) -> None:
    assert (result.op, result.origin) == (op, None)
    assert [id(arg) for arg in result.args] == [id(arg) for arg in args]


@pytest.mark.parametrize(
    ("result", "op", "first", "constant"),
    [
        (power(A, 5), "pow", A, 5),
        (geometric_sum(SHARE, 4), "geom", SHARE, 4),
        (no_more_than(SHARE, 2), "upto", SHARE, 2),
    ],
)
def test_a_number_of_the_text_is_recorded_as_a_constant(
    result: Quantity, op: str, first: Quantity, constant: float
) -> None:
    assert result.op == op
    assert result.args[0] is first
    assert (result.args[1].op, result.args[1].value) == ("constant", constant)


def test_of_two_equal_values_the_left_one_stays() -> None:
    for smaller_or_larger in (minimum, maximum):
        assert bits(smaller_or_larger(0.0, -0.0)) == bits(0.0)
        assert bits(smaller_or_larger(-0.0, 0.0)) == bits(-0.0)


@given(st.floats(-1e6, 1e6), st.integers(1, 20))
def test_a_power_is_repeated_multiplication(base: float, exponent: int) -> None:
    product = 1.0
    for _ in range(exponent):
        product *= base
    assert integer_power(base, exponent) == pytest.approx(product, rel=1e-14)
    if exponent <= 3:
        assert bits(integer_power(base, exponent)) == bits(product)


@given(st.floats(0, 4), st.integers(1, 60))
def test_a_sum_of_powers_is_the_terms_added_one_by_one(base: float, terms: int) -> None:
    added = sum(base**n for n in range(terms))
    assert sum_of_powers(base, terms) == pytest.approx(added, rel=1e-13)


@given(st.integers(1, 10**15))
def test_at_one_a_sum_of_powers_is_the_number_of_its_terms(terms: int) -> None:
    assert sum_of_powers(1.0, terms) == terms


@given(st.floats(0, 1, exclude_max=True), st.integers(1, 10**6))
def test_below_one_a_sum_of_powers_stays_below_its_limit(base: float, terms: int) -> None:
    assert 1 <= sum_of_powers(base, terms) <= 1 / (1 - base) * (1 + 1e-9)
    assert sum_of_powers(base, terms) <= terms


@given(st.floats(0, 10), st.integers(0, 40))
def test_recorded_exponents_give_the_same_float(base: float, exponent: int) -> None:
    x, n = input_quantity("x", base, parse_unit(""), "x"), input_quantity("n", exponent, parse_unit("token"), "n")
    for operation in (power, geometric_sum):
        plain = operation(base, float(exponent))
        assert bits(operation(x, n).value) == bits(operation(x, exponent).value) == bits(plain)


@given(st.floats(1e-100, 1e100), st.floats(1e-100, 1e100))
def test_floats_and_recorded_quantities_give_the_same_float(x: float, y: float) -> None:
    def both(x, y):
        sums = [x + y, x - y, 7 - x, minimum(x, y), maximum(x, y), ceil(x), floor(y)]
        return [*sums, x * y, x / y, 2 * x, x / 3, sqrt(x), power(x, 3)]

    recorded_ones = both(recorded(x), recorded(y))
    assert [bits(one.value) for one in recorded_ones] == [bits(one) for one in both(x, y)]


def test_constants_of_a_formula_join_floats_in_base_units() -> None:
    assert [HOURS * 2.0, 2.0 * HOURS, HOURS / 2.0, 3600.0 / HOURS] == [14400, 14400, 3600, 0.5]
    assert [HOURS + 1.0, 1.0 + HOURS, HOURS - 1.0, 1.0 - HOURS] == [7201, 7201, 7199, -7199]
    assert [maximum(HOURS, 1.0), minimum(HOURS, 1.0)] == [7200, 1]


def test_two_constants_do_not_join() -> None:
    with pytest.raises(SizingError) as error:
        HOURS * ONE_EACH  # type: ignore[type-var]
    assert str(error.value).splitlines()[::2] == [
        "outside a chain: two constants of a formula meet: 2 h (7,200 s) and 1 request/s",
        "  fix: begin with an argument of the formula, or write one constant for both",
    ]


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        (A, "a (6 request)"),
        (A * B, "a × b (24 request^2)"),
        (q("80 GB/GPU", "80 GB/GPU"), "80 GB/GPU (80,000,000,000 byte/GPU)"),
        (recorded(0.5), "0.5, a plain number"),
        (A / B, "a ÷ b (1.5, a plain number)"),
        (ONE_EACH.quantity, "1 request/s"),
        (Constant(2, "FLOP/parameter/token", shown="2").quantity, "2 FLOP/parameter/token"),
        (Constant(3600, "s").quantity, "3,600 s"),
    ],
)
def test_a_quantity_in_messages(quantity: Quantity, text: str) -> None:
    assert describe(quantity) == text
