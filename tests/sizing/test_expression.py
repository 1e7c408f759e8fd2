"""How a number is computed, as text: the author's order, the fewest brackets, never another meaning."""

import math
import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros.sizing import (
    Quantity,
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
from macros.sizing.expression import expression_text
from macros.sizing.quantity import input_quantity, recorded
from macros.sizing.units import parse_unit

PLAIN = parse_unit("")


def named(name: str, value: float) -> Quantity:
    return input_quantity(name, value, PLAIN, name)


A, B, C, D = named("a", 7), named("b", 5), named("c", 3), named("d", 2)
TOKENS, UNSAID = named("input tokens", 4), implied("")
TIMES, OFTEN = named("n", 3), named("draft tokens", 2)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (A + B + C, "a + b + c"),
        (A + (B + C), "a + b + c"),
        (A + (B - C), "a + b − c"),
        (A - B - C, "a − b − c"),
        (A - (B - C), "a − (b − c)"),
        (A - (B + C), "a − (b + c)"),
        ((A - B) + C, "a − b + c"),
        (C + B + A, "c + b + a"),
        (A * B * C, "a × b × c"),
        (A * (B * C), "a × b × c"),
        (A * (B / C), "a × b ÷ c"),
        (A / B / C, "a ÷ b ÷ c"),
        (A / (B * C), "a ÷ (b × c)"),
        (A / (B / C), "a ÷ (b ÷ c)"),
        ((A / B) * C, "a ÷ b × c"),
        (A * B + C, "a × b + c"),
        (A + B * C, "a + b × c"),
        ((A + B) * C, "(a + b) × c"),
        (A * (B + C), "a × (b + c)"),
        (A * (B - C) / D, "a × (b − c) ÷ d"),
        (A / (B - C), "a ÷ (b − c)"),
        (A - B * C, "a − b × c"),
        (A - B / C, "a − b ÷ c"),
        (1 - A / B, "1 − a ÷ b"),
        ((1 - A) * B, "(1 − a) × b"),
        (ceil((A + B) / C), "⌈(a + b) ÷ c⌉"),
        (floor(A - B) * C, "⌊a − b⌋ × c"),
        (ceil(floor(A)), "⌈⌊a⌋⌉"),
        (maximum(A - B, C) * D, "max(a − b, c) × d"),
        (A - minimum(B, C - D), "a − min(b, c − d)"),
        (sqrt(A - B) / C, "√(a − b) ÷ c"),
        (power(A, 2), "a²"),
        (power(A + B, 2), "(a + b)²"),
        (power(A * B, 10), "(a × b)¹⁰"),
        (power(power(A, 2), 3), "(a²)³"),
        (power(TOKENS, 2) * A, "(input tokens)² × a"),
        (power(ceil(TOKENS), 2), "⌈input tokens⌉²"),
        (A / power(B, 2), "a ÷ b²"),
        (power(A, TIMES), "a^n"),
        (power(A, OFTEN), "a^(draft tokens)"),
        (power(TOKENS, OFTEN), "(input tokens)^(draft tokens)"),
        (power(1 - A / B, TIMES), "(1 − a ÷ b)^n"),
        (power(A, TIMES - D) * B, "a^(n − d) × b"),
        (power(power(A, TIMES), 2), "(a^n)²"),
        (power(A, ceil(TIMES)), "a^⌈n⌉"),
        (geometric_sum(A, TIMES), "1 + a + … + a^n"),
        (geometric_sum(A, 4), "1 + a + … + a⁴"),
        (geometric_sum(TOKENS, OFTEN), "1 + input tokens + … + (input tokens)^(draft tokens)"),
        (geometric_sum(A / B, TIMES), "1 + (a ÷ b) + … + (a ÷ b)^n"),
        (geometric_sum(A, TIMES) + B, "1 + a + … + a^n + b"),
        (B - geometric_sum(A, TIMES), "b − (1 + a + … + a^n)"),
        (geometric_sum(A, TIMES) / B, "(1 + a + … + a^n) ÷ b"),
        (geometric_sum(A, TIMES) * UNSAID, "1 + a + … + a^n"),
        (no_more_than(A / B, 2) * C, "a ÷ b × c"),
        (C / no_more_than(A / B, 2), "c ÷ (a ÷ b)"),
        (C * not_negative(A + B), "c × (a + b)"),
        (1000 * A / 3600, "1,000 × a ÷ 3,600"),
        (A * UNSAID / B, "a ÷ b"),
        (A / (UNSAID * B), "a ÷ b"),
        (A / (B * UNSAID * C), "a ÷ (b × c)"),
        (UNSAID * (A + B) * C, "(a + b) × c"),
        (A - (B - C) * UNSAID, "a − (b − c)"),
        (UNSAID / A, "1 ÷ a"),
        (A * (UNSAID / B), "a × 1 ÷ b"),
        (A - UNSAID, "a − 1"),
        (maximum(UNSAID, A * UNSAID), "max(1, a)"),
    ],
)
def test_text(expression: Quantity, text: str) -> None:
    assert expression_text(expression) == text


# The operations by name. Two of them stand for functions that fractions do not have: whoever reads a text as
# another tree gets another number, whatever the function is.
OPERATIONS: dict[str, Callable[..., Fraction]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "min": min,
    "max": max,
    "ceil": lambda x: Fraction(math.ceil(x)),
    "floor": lambda x: Fraction(math.floor(x)),
    "sqrt": lambda x: x * x + 1,
    "pow": lambda x, n: x ** int(n),
    "geom": lambda x, n: x * x * 3 + n * 5,
    "upto": lambda x, _: x,
    "nonneg": lambda x: x,
}
NAMES = {"a": Fraction(7), "b": Fraction(5), "c": Fraction(3), "d": Fraction(1, 2), "input tokens": Fraction(11)}
# Whole and small, as exponents are.
COUNTS = {"n": Fraction(2), "draft tokens": Fraction(3)}


def leaf(name: str) -> Quantity:
    return named(name, float((NAMES | COUNTS)[name]))


LEAVES = st.one_of(st.sampled_from(sorted(NAMES)).map(leaf), st.just(UNSAID.quantity))


def grown(trees: st.SearchStrategy[Quantity]) -> st.SearchStrategy[Quantity]:
    # Built by hand: eager evaluation would refuse a divisor that happens to be zero.
    def node(op: str, *args: Quantity) -> Quantity:
        return Quantity(0.0, PLAIN.dimension, op, args)

    pairs = st.builds(node, st.sampled_from(["+", "-", "*", "/", "min", "max"]), trees, trees)
    singles = st.builds(node, st.sampled_from(["ceil", "floor", "sqrt"]), trees)
    counts = st.sampled_from(sorted(COUNTS)).map(leaf)
    powers = st.builds(lambda x, n: node("pow", x, n), trees, st.one_of(st.integers(1, 3).map(recorded), counts))
    # Of a name only: a person reads `1 + a + … + a^n` by its ends, and this test by their being alike.
    sums = st.builds(lambda x, n: node("geom", x, n), st.sampled_from(sorted(NAMES)).map(leaf), counts)
    bounded = st.builds(lambda x: node("nonneg", node("upto", x, recorded(1))), trees)
    return st.one_of(pairs, pairs, pairs, singles, powers, sums, bounded)


TREES = st.recursive(LEAVES, grown, max_leaves=12)


def exactly(tree: Quantity) -> Fraction:
    """The value of a tree in fractions. Raises ZeroDivisionError."""
    if tree.origin is not None:
        return (NAMES | COUNTS)[tree.origin.id] if tree.origin.id else Fraction(tree.origin.text or 1)
    return OPERATIONS[tree.op](*(exactly(arg) for arg in tree.args))


def read_again(text: str) -> Fraction:
    """The value of a text, by Python's own rules of precedence. Raises ZeroDivisionError."""
    # What the dots leave out, less the one that stands before them, so that a missing bracket still shows.
    ends = r"1 \+ ([a-z ]+) \+ … \+ (?:\1|\(\1\))\^(\(draft tokens\)|n)"
    text = re.sub(ends, r"1 + (geom(\1, \2) − 1)", text)
    for sign, python in {
        "×": "*",
        "÷": "/",
        "−": "-",
        "⌈": "ceil(",
        "⌉": ")",
        "⌊": "floor(",
        "⌋": ")",
        "√": "sqrt",
        "input tokens": "tokens",
        "draft tokens": "drafts",
        "^": "**",
        "²": "**2",
        "³": "**3",
        "¹": "**1",
    }.items():
        text = text.replace(sign, python)
    # A 1 that is no exponent would be an int, and a quotient of two of them a float.
    text = re.sub(r"(?<!\*)1", "one", text)
    names = OPERATIONS | NAMES | {"tokens": NAMES["input tokens"], "one": Fraction(1), "n": 2, "drafts": 3}
    value: Fraction = eval(text, {}, names)
    return value


@given(TREES)
def test_the_text_read_again_gives_the_same_value(tree: Quantity) -> None:
    text = expression_text(tree)
    try:
        value = exactly(tree)
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            read_again(text)
        return
    assert read_again(text) == value
