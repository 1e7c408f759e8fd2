"""Units: their sizes and dimensions, and what is refused."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros.sizing.units import (
    DIMENSIONLESS,
    UnitError,
    dimension_text,
    is_count,
    nearest,
    parse_number,
    parse_quantity,
    parse_unit,
)


@pytest.mark.parametrize(
    ("unit", "size", "dimension"),
    [
        ("", 1, "a plain number"),
        ("%", Fraction(1, 100), "a plain number"),
        ("byte", 1, "byte"),
        ("B", 1, "byte"),
        ("kB", 10**3, "byte"),
        ("MB", 10**6, "byte"),
        ("GB", 10**9, "byte"),
        ("TB", 10**12, "byte"),
        ("PB", 10**15, "byte"),
        ("EB", 10**18, "byte"),
        ("KiB", 2**10, "byte"),
        ("MiB", 2**20, "byte"),
        ("GiB", 2**30, "byte"),
        ("TiB", 2**40, "byte"),
        ("ns", Fraction(1, 10**9), "s"),
        ("µs", Fraction(1, 10**6), "s"),
        ("ms", Fraction(1, 1000), "s"),
        ("s", 1, "s"),
        ("second", 1, "s"),
        ("min", 60, "s"),
        ("hour", 3600, "s"),
        ("h", 3600, "s"),
        ("day", 86400, "s"),
        ("TFLOP/s/GPU", 10**12, "FLOP/GPU/s"),
        ("ZFLOP", 10**21, "FLOP"),
        ("TB/s/GPU", 10**12, "byte/GPU/s"),
        ("Bparam", 10**9, "parameter"),
        ("byte/parameter", 1, "byte/parameter"),
        ("head/layer", 1, "head/layer"),
        ("value/head", 1, "value/head"),
        ("request/user", 1, "request/user"),
        ("sequence/replica", 1, "request/replica"),
        ("ktoken/request", 1000, "token/request"),
        ("USD/GPU/hour", Fraction(1, 3600), "USD/GPU/s"),
        ("USD/krequest", Fraction(1, 1000), "USD/request"),
        ("1/token", 1, "1/token"),
        ("GPU*s/request", 1, "GPU*s/request"),
        ("GPU*hour/krequest", Fraction(36, 10), "GPU*s/request"),
        ("user*user", 1, "user^2"),
        ("byte/byte", 1, "a plain number"),
    ],
)
def test_unit(unit: str, size: Fraction, dimension: str) -> None:
    parsed = parse_unit(unit)
    assert (parsed.text, parsed.size, dimension_text(parsed.dimension)) == (unit, size, dimension)
    assert (parsed.dimension == DIMENSIONLESS) == (dimension == "a plain number")


def test_a_sequence_is_a_request() -> None:
    assert parse_unit("sequence").dimension == parse_unit("request").dimension


def test_a_gib_is_seven_percent_more_than_a_gb() -> None:
    assert parse_unit("GiB").size / parse_unit("GB").size == Fraction(1073741824, 10**9)


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ("gb", "unknown unit `gb` (did you mean `GB`?)"),
        ("GBit", "unknown unit `GBit` (did you mean `GB`?)"),
        ("TB/sec/GPU", "unknown unit `sec`"),
        ("users", "unknown unit `users` (did you mean `user`?)"),
        ("tokens/request", "unknown unit `tokens` (did you mean `token`?)"),
        ("gpu", "unknown unit `gpu` (did you mean `GPU`?)"),
        ("EUR", "unknown unit `EUR`"),
        ("tflop/s", "unknown unit `tflop` (did you mean `TFLOP`?)"),
        ("requests/s", "unknown unit `requests` (did you mean `request`?)"),
        ("GB /GPU", "`GB /GPU` is not a unit; write names joined by * and /, such as `TB/s/GPU`"),
        ("GB/GPU/", "`GB/GPU/` is not a unit; write names joined by * and /, such as `TB/s/GPU`"),
        ("GB^2", "`GB^2` is not a unit; write names joined by * and /, such as `TB/s/GPU`"),
        ("2", "`2` is not a unit; write names joined by * and /, such as `TB/s/GPU`"),
        (" ", "` ` is not a unit; write names joined by * and /, such as `TB/s/GPU`"),
    ],
)
def test_a_refused_unit(unit: str, message: str) -> None:
    with pytest.raises(UnitError) as error:
        parse_unit(unit)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("10_000_000 user", 1e7),
        ("3.35 TB/s/GPU", 3.35e12),
        ("15 %", 0.15),
        ("80 GB/GPU", 80e9),
        ("80 GiB/GPU", 85899345920.0),
        ("4 USD/GPU/hour", 4 / 3600),
        ("0.1 ms", 0.0001),
        ("2e7 user", 2e7),
        ("4.5 bit/parameter", 0.5625),
        ("1 MAC", 2.0),
        ("1 month", 2_628_000.0),
        ("12 month", 31_536_000.0),
        ("1 year", 31_536_000.0),
        ("1.5E+3 token", 1500.0),
        ("7e-2 s", 0.07),
        ("-1 user", -1.0),
        ("0 user", 0.0),
    ],
)
def test_a_quantity_in_base_units_is_rounded_once(text: str, base: float) -> None:
    number, unit = parse_quantity(text)
    assert unit.to_base(number) == base


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("80", "`80` has no unit; write a number, a space and a unit, such as `80 GB/GPU`"),
        ("80 ", "`80 ` has no unit; write a number, a space and a unit, such as `80 GB/GPU`"),
        ("80GB", "`80GB` is not a quantity; write a number, a space and a unit: `80 GB`"),
        ("user", "`user` is not a quantity; write a number, a space and a unit, such as `10_000_000 user`"),
        ("1,000 user", "`1,000 user` is not a quantity; write a number, a space and a unit; separate thousands by _"),
        ("1,5 user", "`1,5 user` is not a quantity; write a number, a space and a unit; the decimal mark is a point"),
        (
            "1_0 user",
            "`1_0 user` is not a quantity; write a number, a space and a unit, such as `10_000_000 user`",
        ),
        (
            "1e999 user",
            "`1e999 user` is not a quantity; write a number, a space and a unit, such as `10_000_000 user`",
        ),
        (
            "nan user",
            "`nan user` is not a quantity; write a number, a space and a unit, such as `10_000_000 user`",
        ),
        ("5 wombats", "unknown unit `wombats`"),
        ("1" + "0" * 330 + " user", "`1" + "0" * 330 + " user` is too large for a number"),
    ],
)
def test_a_refused_quantity(text: str, message: str) -> None:
    with pytest.raises(UnitError) as error:
        parse_quantity(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("10", 10),
        ("10_000", 10_000),
        ("2e7", 20_000_000),
        ("0.1", Fraction(1, 10)),
        ("-3", -3),
        ("10 user", None),
        ("1,000", None),
        ("1_00", None),
        ("0x10", None),
        ("inf", None),
        ("", None),
        (".5", None),
        ("5.", None),
    ],
)
def test_a_bare_number(text: str, number: Fraction | None) -> None:
    assert parse_number(text) == number


@given(
    st.floats(1e-290, 1e290),
    st.sampled_from(["", "%", "GB/GPU", "GiB", "ms", "USD/GPU/hour", "USD/krequest", "TFLOP/s/GPU", "Bparam"]),
)
def test_there_and_back_is_the_same_number_but_for_its_last_digits(value: float, text: str) -> None:
    unit = parse_unit(text)
    assert unit.to_base(Fraction(unit.from_base(value))) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("unit", "counted"),
    [
        ("GPU", True),
        ("request/replica", True),
        ("Bparam", True),
        ("vector/page", True),
        ("block/request", True),
        ("expert", True),
        ("step/image", True),
        ("GPU/node", True),
        ("bit", False),
        ("month", False),
        ("", True),
        ("request/s", False),
        ("GB", False),
        ("USD", False),
        ("FLOP", False),
    ],
)
def test_what_comes_in_whole_pieces(unit: str, counted: bool) -> None:
    assert is_count(parse_unit(unit).dimension) is counted


def test_nearest() -> None:
    assert nearest("daily_user", ["daily_users", "batch"]) == " (did you mean `daily_users`?)"
    assert nearest("zebra", ["daily_users", "batch"]) == ""
