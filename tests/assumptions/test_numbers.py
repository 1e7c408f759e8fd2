"""Whatever stands in a value's place loads as the number of a second, simple reading, or is refused."""

import re
from decimal import Decimal
from fractions import Fraction

import jsonschema_rs
from hypothesis import example, given
from hypothesis import strategies as st

from macros.assumptions import DataError, parse, schema
from tests.assumptions.cases import BASE, replaced

VALIDATOR = jsonschema_rs.validator_for(schema()["definitions"]["assumption"])
PLACE = "        value: 15 %\n"
# An id that does not end in `_share` leaves the unit free; the follow-ups change something else.
OPEN = replaced(BASE, "      peak_share:\n", "      anything:\n").replace("peak_share: 4 %", "users: 4 user")

SIZES = {
    "%": Fraction(1, 100),
    "user": Fraction(1),
    "token": Fraction(1),
    "GPU": Fraction(1),
    "byte": Fraction(1),
    "GB": Fraction(10**9),
    "GiB": Fraction(2**30),
    "ms": Fraction(1, 1000),
    "hour": Fraction(3600),
    "USD": Fraction(1),
    "TFLOP": Fraction(10**12),
}
NUMBER = re.compile(r"\+?[0-9][0-9_]*(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)


def second_reading(text: str) -> Fraction:
    """Read a number and a unit from the source text, without YAML, pint or our own parser."""
    text = re.sub(r" +#.*", "", text).strip(" ").strip("\"'")
    number, unit = text.split(" ")
    assert NUMBER.fullmatch(number)
    above, *below = unit.split("/")
    size = SIZES[above]
    for name in below:
        size /= SIZES[name]
    return Fraction(Decimal(number.replace("_", ""))) * size


DIGITS = st.text("0123456789", min_size=1, max_size=12)
NUMBERS = st.one_of(
    st.integers().map(str),
    st.integers(0).map("{:_}".format),
    st.integers(0).map("{:,}".format),
    st.floats().map(repr),
    st.decimals().map(str),
    st.builds("{}.{}".format, DIGITS, DIGITS),
    st.builds("{}{}{}{}".format, DIGITS, st.sampled_from("eE"), st.sampled_from(["", "+", "-"]), DIGITS),
    st.builds("{}:{}".format, DIGITS, DIGITS),
    st.sampled_from(
        ["no", "on", "~", "", ".nan", ".inf", "-.inf", "0o17", "017", "0x1F", "0b11", "true", "y", "\uff11"]
    ),
)
UNITS = st.lists(st.sampled_from(sorted(SIZES)), max_size=3).map("/".join)
WRITTEN = st.one_of(
    st.builds("{}{}{}".format, NUMBERS, st.sampled_from([" ", "", "  ", "\u00a0", "_"]), UNITS),
    st.builds('"{} {}"'.format, NUMBERS, UNITS),
    st.builds("{} {}  # {}".format, NUMBERS, UNITS, NUMBERS),
    st.text("0123456789_.,:eE+-~%'\"!&*#<>{}[]|@` /xoanifybGB", max_size=16),
)


@given(WRITTEN)
@example("1e9")
@example("1:30")
@example("1_000")
@example("695e0514 GB")
@example("1e999999999 GB")
@example("9" * 5000)
@example("9" * 5000 + " GB")
@example("0b_")
def test_another_number_is_never_read(written: str) -> None:
    text = replaced(OPEN, PLACE, f"        value: {written}\n")
    try:
        loaded = parse(text.encode())
    except DataError:
        return
    amount = loaded.designs["chat"].own["anything"].amount
    assert amount.number * amount.unit.size == second_reading(written)


@given(st.builds("{} {}".format, st.integers(1, 10**12).map("{:_}".format), st.sampled_from(sorted(SIZES))))
def test_a_plain_quantity_is_read(written: str) -> None:
    amount = parse(replaced(OPEN, PLACE, f"        value: {written}\n").encode()).designs["chat"].own["anything"].amount
    assert amount.number * amount.unit.size == second_reading(written)


@given(WRITTEN)
def test_editors_mark_no_quantity_that_loads(written: str) -> None:
    try:
        parse(replaced(OPEN, PLACE, f"        value: {written}\n").encode())
    except DataError:
        return
    value = re.sub(r" +#.*", "", written).strip(" ").strip("\"'")
    VALIDATOR.validate({"label": "a", "short": "a", "value": value})


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Damage a sound file in a few places, as a slip of the hand or a bad merge does."""
    text = BASE
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 30))
        text = text[:start] + draw(st.one_of(st.just(""), WRITTEN, st.just(text[start:end] * 2))) + text[end:]
    return text


@given(damaged())
def test_a_damaged_file_is_refused_in_words(text: str) -> None:
    try:
        parse(text.encode())
    except DataError as error:
        count, *lines = str(error).split("\n")
        assert re.fullmatch(rf"data/assumptions.yml: {len(lines)} mistakes?", count)
        for line in lines:
            assert re.fullmatch(r"data/assumptions.yml:\d+:\d+: .*found .+; expected .+; .+", line)
