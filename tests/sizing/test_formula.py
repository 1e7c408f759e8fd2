"""Formulas: how they are registered, and what their arguments are refused for."""

import math
import re
from typing import Annotated

import pytest

from macros import formulas
from macros.sizing import FORMULAS, Constant, In, N, SizingError, ceil, formula, implied, power, record, replay
from macros.sizing.export import program
from macros.sizing.units import UnitError

from .author import KNOWN, chain_of, given, inputs, refusal, small
from .test_export import evaluated

EACH = implied("GPU/user")


@formula("GPU", "GPUs for users", source="a book")
def gpus_for(
    users: Annotated[N, In("user", "users")],
    share: Annotated[N, In("", "share", most=1)],
) -> N:
    """One GPU a user, for a share of them.

    Trap: none.
    """
    return ceil(users * (1 - share)) * EACH


@formula("", "odds of all", source="a book", most=0.25)
def odds_of_all(
    share: Annotated[N, In("", "share", most=1)],
    users: Annotated[N, In("user", "users", whole=True)],
) -> N:
    """Every one of them, each on its own.

    Trap: none.
    """
    return power(share, users)


# The numbers sheet lists the field's formulas only.
REGISTERED = FORMULAS.pop("gpus_for")
COUNTS = FORMULAS.pop("odds_of_all")


def test_what_is_registered() -> None:
    assert (REGISTERED.name, REGISTERED.group) == ("gpus_for", "test_formula")
    assert (REGISTERED.unit.text, REGISTERED.result) == ("GPU", "GPUs for users")
    assert (REGISTERED.source, REGISTERED.text) == ("a book", "⌈users × (1 − share)⌉")
    assert REGISTERED.documentation == "One GPU a user, for a share of them.\n\nTrap: none."
    assert [(a.name, a.unit.text, a.short, a.most) for a in REGISTERED.arguments] == [
        ("users", "user", "users", math.inf),
        ("share", "", "share", 1),
    ]


def test_it_runs_on_floats_and_on_recorded_quantities() -> None:
    assert gpus_for(1000.0, 0.125) == 875
    step = small(
        "c.headline(numbers.step('all', 'All', 'GPU').of(gpus_for(given.users, share=given.share)))", gpus_for=gpus_for
    ).steps["all"]
    assert (step.value, step.text) == (875, "⌈users × (1 − share)⌉")


@pytest.mark.parametrize(
    ("call", "found", "fix"),
    [
        (
            "f(given.window, given.share)",
            "formula gpus_for: argument users has the wrong unit\n  found:    window (90 s)\n  expected: user",
            "pass a quantity in user, or mend the unit in the data file",
        ),
        (
            "f(given.users, given.users)",
            "formula gpus_for: argument share has the wrong unit\n  found:    users (1,000 user)\n"
            "  expected: a plain number",
            "pass a quantity in no unit, or mend the unit in the data file",
        ),
        (
            "f(share=given.users, users=given.users)",
            "formula gpus_for: argument share has the wrong unit\n  found:    users (1,000 user)\n"
            "  expected: a plain number",
            "pass a quantity in no unit, or mend the unit in the data file",
        ),
        (
            "f(1000, given.share)",
            "formula gpus_for: argument users has the wrong unit\n  found:    1,000, a plain number\n  expected: user",
            "pass a quantity in user, or mend the unit in the data file",
        ),
        (
            "f(given.none - given.users, given.share)",
            "formula gpus_for: argument users is none − users (−1,000 user)",
            "it must be a finite number, not negative",
        ),
        (
            "f(given.users, given.share * 10)",
            "formula gpus_for: argument share is share × 10 (1.25, a plain number)",
            "it must be a finite number, not negative and at most 1",
        ),
        (
            "f(given.users, 2)",
            "formula gpus_for: argument share is 2, a plain number",
            "it must be a finite number, not negative and at most 1",
        ),
    ],
)
def test_a_refused_argument_names_formula_and_argument(call: str, found: str, fix: str) -> None:
    message = refusal(f"numbers.step('total', 'Total', 'GPU').of({call})", f=gpus_for)
    assert message == f"small.total: {found}\n  at author.py:3\n  fix: {fix}"


def test_a_count_in_a_power_is_whole() -> None:
    assert [argument.whole for argument in COUNTS.arguments] == [False, True]
    assert COUNTS.text == "share^users"
    assert odds_of_all(0.5, 3.0) == odds_of_all(users=3.0, share=0.5) == 0.125
    with pytest.raises(SizingError) as error:
        odds_of_all(0.5, 2.5)
    lines = str(error.value).splitlines()
    assert lines[0] == "outside a chain: formula odds_of_all: argument users is 2.5"
    assert lines[2] == "  fix: it must be a whole number; round it with ceil(x) or floor(x) first"
    message = refusal("numbers.step('total', 'Total', '').of(f(given.share, given.users / 3))", f=odds_of_all)
    assert message == (
        "small.total: formula odds_of_all: argument users is users ÷ 3 (333.3 user)\n  at author.py:3\n"
        "  fix: it must be a whole number; round it with ceil(x) or floor(x) first"
    )


def test_a_result_above_its_most_is_refused() -> None:
    with pytest.raises(SizingError) as error:
        odds_of_all(0.75, 1.0)
    assert str(error.value).startswith("outside a chain: 0.75 is more than 0.25\n")
    message = refusal(
        "numbers.step('total', 'Total', '').of(f(given.share * 4, given.users / given.users * One))",
        f=odds_of_all,
        One=Constant(1, "user"),
    )
    assert message == (
        "small.total: (share × 4)^(users ÷ users × 1 user) (0.5, a plain number) is more than 0.25\n  at author.py:3\n"
        "  fix: check that both sides of the quotient count the same thing in the same units"
    )
    step = small("c.headline(numbers.step('all', 'All', '%').of(f(given.share, given.users)))", f=odds_of_all).steps[
        "all"
    ]
    # It stays a result of the formula, and the bound is no part of its text.
    assert (step.text, step.expression.formula, step.expression.op) == ("share^users", "odds_of_all", "upto")


@pytest.mark.parametrize("value", [-1.0, math.inf, -math.inf, math.nan, 1.5])
def test_a_float_out_of_bounds(value: float) -> None:
    upper, where = (" and at most 1", (5.0, value)) if value == 1.5 else ("", (value, 0.5))
    with pytest.raises(SizingError) as error:
        gpus_for(*where)
    name = "share" if value == 1.5 else "users"
    lines = str(error.value).splitlines()
    assert lines[0] == f"outside a chain: formula gpus_for: argument {name} is {value!r}"
    assert lines[2] == f"  fix: it must be a finite number, not negative{upper}"


@pytest.mark.parametrize(
    ("call", "change", "why"),
    [
        ("f(given.users - given.none, given.share)", {"none": 2000.0}, "users is -1000.0"),
        ("f(given.users, given.share * 4)", {"share": 0.5}, "share is 2.0"),
        ("f(given.users, share=given.share * 4)", {"share": 0.5}, "share is 2.0"),
    ],
)
def test_a_what_if_beyond_an_argument_s_bounds_has_no_number(call: str, change: dict[str, float], why: str) -> None:
    function = chain_of(
        "given.none, given.users, given.share",
        f"c.headline(numbers.step('total', 'Total', 'GPU').of({call}))",
        f=gpus_for,
    )
    known = {id: KNOWN[id] for id in ("users", "none", "share")}
    chain = record("small", function, known)
    with pytest.raises(SizingError) as error:
        replay(function, known, change)
    assert str(error.value).startswith(f"total has no number: formula gpus_for: argument {why}\n")
    # The browser runs the recording.
    exported = program(chain)
    at = exported["steps"][0]["at"]
    assert math.isnan(evaluated(exported, change)[at])
    assert evaluated(exported, {})[at] == chain.steps["total"].value


def test_a_mistake_inside_a_formula_names_its_line_and_the_caller_s() -> None:
    message = refusal(
        "numbers.step('total', 'Total', 'token/s').of(f.tokens_per_replica(given.batch, given.window))",
        known=inputs(given("batch", "1 request/replica"), given("window", "0 s")),
        f=formulas,
    )
    assert re.sub(r"decode\.py:\d+", "decode.py:N", message) == (
        "small.total: batch (1 token/replica) divided by zero\n"
        "  the divisor is window (0 s)\n"
        "  at author.py:3 (in tokens_per_replica, macros/formulas/decode.py:N)\n"
        "  fix: find the input that is zero, or give it a range that leaves zero out"
    )


@pytest.mark.parametrize(
    ("args", "named"),
    [((), {}), ((1.0, 0.5, 3.0), {}), ((1.0,), {"part": 1.0}), ((), {"share": 0.5}), ((1.0,), {"users": 1.0})],
)
def test_a_call_that_does_not_fit_is_python_s_to_refuse(args: tuple[float, ...], named: dict[str, float]) -> None:
    with pytest.raises(TypeError, match=r"gpus_for\(\)"):
        gpus_for(*args, **named)


@pytest.mark.parametrize(
    ("unit", "body", "message"),
    [
        (
            "GPU",
            lambda users: users * 2,
            "outside a chain: formula made gives users × 2 (1 user)\n  fix: it is declared in GPU; check its terms or "
            "its declaration",
        ),
        (
            "",
            lambda users: users * 2,
            "outside a chain: formula made gives users × 2 (1 user)\n  fix: it is declared in no unit; check its terms "
            "or its declaration",
        ),
        (
            "user",
            lambda users: 5,
            "outside a chain: formula made gives 5, a plain number\n  fix: it is declared in user; check its terms or "
            "its declaration",
        ),
        (
            "user",
            lambda users: Constant(2, "hour"),
            "outside a chain: formula made gives 2 h (7,200 s)\n  fix: it is declared in user; check its terms or "
            "its declaration",
        ),
    ],
)
def test_a_formula_that_gives_another_unit_than_it_declares(unit: str, body, message: str) -> None:
    def made(users: Annotated[N, In("user", "users")]) -> N:
        result: N = body(users)
        return result

    with pytest.raises(SizingError) as error:
        formula(unit, "made", source="a book")(made)
    first, at, *rest = str(error.value).splitlines()
    assert "\n".join([first, *rest]) == message
    assert at.startswith("  at tests/sizing/test_formula.py:")


def test_an_argument_without_a_unit() -> None:
    def made(users: Annotated[N, In("user", "users")], share: N) -> N:
        return users * share

    with pytest.raises(SizingError) as error:
        formula("user", "made", source="a book")(made)
    assert str(error.value) == "formula made: argument share needs `Annotated[N, In(unit, short)]`"


def test_an_argument_with_an_unknown_unit() -> None:
    def made(users: Annotated[N, In("users", "users")]) -> N:
        return users

    with pytest.raises(UnitError, match="unknown unit `users`"):
        formula("user", "made", source="a book")(made)
