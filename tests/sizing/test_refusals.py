"""What would freeze a number, or is no number, fails on the author's line and says what to use instead."""

import math

import pytest

from macros.sizing import SizingError, geometric_sum, no_more_than, not_negative, power, record, replay, sqrt

from .author import KNOWN, chain_of, refusal

USERS = "users (1,000 user)"
FROZEN = "would freeze a number that readers can change"
CHOICES = "use minimum(a, b), maximum(a, b) or a constraint of the chain"
POWERS = (
    "use power(x, n) with a whole n that is not negative, sqrt(x), or 1 / power(x, n); other powers and logarithms are "
    "not the same float in every browser"
)
COUNTED = (
    "GPU, block, document, expert, head, image, layer, link, node, page, parameter, pass, replica, request, run, step, "
    "token, user, value, vector"
)


@pytest.mark.parametrize(
    ("expression", "what", "fix"),
    [
        ("given.users if given.users else 0", f"a condition on {USERS}", CHOICES),
        ("not given.users", f"a condition on {USERS}", CHOICES),
        ("given.users and given.rate", f"a condition on {USERS}", CHOICES),
        ("given.users > 5", f"a comparison with {USERS}", CHOICES),
        ("given.users >= 5", f"a comparison with {USERS}", CHOICES),
        ("given.users < given.none", f"a comparison with {USERS}", CHOICES),
        ("given.users <= 5", f"a comparison with {USERS}", CHOICES),
        ("5 < given.users", f"a comparison with {USERS}", CHOICES),
        ("given.users == 5", f"a comparison with {USERS}", CHOICES),
        ("given.users != 5", f"a comparison with {USERS}", CHOICES),
        ("given.users in [5]", f"a comparison with {USERS}", CHOICES),
        ("min(given.users, given.none)", "a comparison with none (0 user)", CHOICES),
        ("max(given.users, given.none)", "a comparison with none (0 user)", CHOICES),
        ("sorted([given.users, given.none])", "a comparison with none (0 user)", CHOICES),
        (
            "float(given.users)",
            f"float() of {USERS}",
            "keep the quantity; a step shows it, and the views read its value",
        ),
        (
            "math.log(given.users)",
            f"float() of {USERS}",
            "keep the quantity; a step shows it, and the views read its value",
        ),
        ("int(given.users)", f"int() of {USERS}", "use floor(x) or ceil(x)"),
        ("list(range(given.users))", f"range() or an index from {USERS}", "write the sum over it in closed form"),
        ("[1, 2][given.users]", f"range() or an index from {USERS}", "write the sum over it in closed form"),
        (
            "round(given.users)",
            f"round() of {USERS}",
            "use floor(x) or ceil(x); the step's unit and digits round what is shown",
        ),
        (
            "round(given.users, 2)",
            f"round() of {USERS}",
            "use floor(x) or ceil(x); the step's unit and digits round what is shown",
        ),
        (
            "math.ceil(given.users)",
            f"math.ceil() of {USERS}",
            "use ceil(x) of macros.sizing, which has the stated tolerance",
        ),
        (
            "math.floor(given.users)",
            f"math.floor() of {USERS}",
            "use floor(x) of macros.sizing, which has the stated tolerance",
        ),
        ("math.trunc(given.users)", f"trunc() of {USERS}", "use floor(x) or ceil(x)"),
        ("abs(given.users)", f"abs() of {USERS}", "write maximum(x, 0 - x)"),
        ("-given.users", f"a minus sign before {USERS}", "write the subtraction in full"),
        ("given.users % 2", f"a remainder with {USERS}", "use floor(a / b) and a subtraction"),
        ("5 % given.users", f"a remainder with {USERS}", "use floor(a / b) and a subtraction"),
        ("divmod(given.users, 2)", f"a remainder with {USERS}", "use floor(a / b) and a subtraction"),
        ("divmod(5, given.users)", f"a remainder with {USERS}", "use floor(a / b) and a subtraction"),
        ("given.users // 2", f"// with {USERS}", "use floor(a / b)"),
        ("5 // given.users", f"// with {USERS}", "use floor(a / b)"),
        ("2 ** given.users", f"a power with the exponent {USERS}", "write it with a whole number as exponent"),
        ("[x for x in given.users]", f"a loop over {USERS}", "write the sum over it in closed form"),
        ("5 in given.users", f"a loop over {USERS}", "write the sum over it in closed form"),
        (
            "sum(x for x in (given.users, given.none))",
            f"sum() over {USERS}",
            "write the terms with +, or the sum over them in closed form",
        ),
        (
            "f'{given.users}'",
            f"a text with {USERS}",
            "name the step; pages and commands show its value themselves",
        ),
        (
            "f'{given.users:.2f}'",
            f"a text with {USERS}",
            "name the step; pages and commands show its value themselves",
        ),
    ],
)
def test_a_use_that_would_freeze_a_number(expression: str, what: str, fix: str) -> None:
    assert refusal(f"numbers.step('total', 'Total', 'user').of({expression})", math=math) == (
        f"small.total: {what} {FROZEN}\n  at author.py:3\n  fix: {fix}"
    )


@pytest.mark.parametrize(
    ("expression", "found", "fix"),
    [
        (
            "given.users + given.rate",
            "cannot add quantities of different units\n  left:  users (1,000 user)\n  right: rate (3 request/user)",
            "multiply the right one by a quantity in user^2/request, or check which of the two was meant",
        ),
        (
            "given.users - 1",
            "cannot subtract quantities of different units\n  left:  users (1,000 user)\n  right: 1, a plain number",
            "multiply the right one by a quantity in user, or check which of the two was meant",
        ),
        (
            "1 - given.users",
            "cannot subtract quantities of different units\n  left:  1, a plain number\n  right: users (1,000 user)",
            "multiply the right one by a quantity in 1/user, or check which of the two was meant",
        ),
        (
            "maximum(given.users, given.window)",
            "cannot compare quantities of different units\n  left:  users (1,000 user)\n  right: window (90 s)",
            "multiply the right one by a quantity in user/s, or check which of the two was meant",
        ),
        (
            "given.users / given.none",
            "users (1,000 user) divided by zero\n  the divisor is none (0 user)",
            "find the input that is zero, or give it a range that leaves zero out",
        ),
        (
            "given.users / (given.users - given.users)",
            "users (1,000 user) divided by zero\n  the divisor is users − users (0 user)",
            "find the input that is zero, or give it a range that leaves zero out",
        ),
        (
            "sqrt(given.none - given.users)",
            "the square root of a negative value, none − users (−1,000 user)",
            "check the order of the subtraction",
        ),
        (
            "given.users * 1e200 * 1e200",
            "* of users × 1e200 (1e203 user) and 1e200, a plain number is not a finite number",
            "check the size of both inputs in the data file",
        ),
        (
            "power(given.users, 200)",
            "pow of users (1,000 user) and 200, a plain number is not a finite number",
            "check the size of both inputs in the data file",
        ),
        (
            "ceil(given.window)",
            "ceil of window (90 s): s does not come in whole pieces",
            f"round counts only ({COUNTED}); the step's digits round what is shown",
        ),
        (
            "floor(given.users / given.window)",
            "floor of users ÷ window (11.11 user/s): user/s does not come in whole pieces",
            f"round counts only ({COUNTED}); the step's digits round what is shown",
        ),
        ("given.users ** 2", "** on users (1,000 user) is not recorded", POWERS),
        ("given.users ** 0.5", "** on users (1,000 user) is not recorded", POWERS),
        ("power(given.users, 0.5)", "a power with the exponent 0.5 is not recorded", POWERS),
        ("power(given.users, -1)", "a power with the exponent -1 is not recorded", POWERS),
        ("power(given.users, True)", "a power with the exponent True is not recorded", POWERS),
        (
            "power(given.share, given.users / 3)",
            "a power with the exponent users ÷ 3 (333.3 user) is not recorded",
            POWERS,
        ),
        (
            "power(given.share, given.none - given.users)",
            "a power with the exponent none − users (−1,000 user) is not recorded",
            POWERS,
        ),
        (
            "power(given.share, given.window)",
            "a power with the exponent window (90 s) is not recorded",
            f"count it in {COUNTED}",
        ),
        (
            "power(given.window, given.users)",
            "a power with a recorded exponent of window (90 s) has no unit of its own",
            "divide by a quantity of the same unit first, or write a whole number as exponent",
        ),
        ("geometric_sum(given.share, 1.5)", "a sum up to the power 1.5 is not recorded", POWERS),
        (
            "geometric_sum(given.share, given.users / 3)",
            "a sum up to the power users ÷ 3 (333.3 user) is not recorded",
            POWERS,
        ),
        (
            "geometric_sum(given.users, 3)",
            "a sum of powers of users (1,000 user) has no unit of its own",
            "divide by a quantity of the same unit first, or write a whole number as exponent",
        ),
        (
            "geometric_sum(given.users / given.users * 3, given.users)",
            "geom of users ÷ users × 3 (3, a plain number) and users (1,000 user) is not a finite number",
            "check the size of both inputs in the data file",
        ),
        (
            "no_more_than(given.users / given.users * 1.5, 1)",
            "users ÷ users × 1.5 (1.5, a plain number) is more than 1",
            "check that both sides of the quotient count the same thing in the same units",
        ),
        (
            "no_more_than(given.users, 1e9)",
            "cannot compare quantities of different units\n  left:  users (1,000 user)\n"
            "  right: 1,000,000,000, a plain number",
            "multiply the right one by a quantity in user, or check which of the two was meant",
        ),
        (
            "given.users * '2'",
            "'2' is not a number or a quantity",
            "pass a quantity of the chain or a plain number",
        ),
        (
            "given.users * True",
            "True is not a number or a quantity",
            "pass a quantity of the chain or a plain number",
        ),
        (
            "given.users + None",
            "None is not a number or a quantity",
            "pass a quantity of the chain or a plain number",
        ),
        (
            "given.user",
            "no input `user` (did you mean `users`?)",
            "add it to the chain's block, to `shared:` or to the entry that it uses in data/assumptions.yml",
        ),
        (
            "given.zebra",
            "no input `zebra`",
            "add it to the chain's block, to `shared:` or to the entry that it uses in data/assumptions.yml",
        ),
        ("1000", "the step is 1000, not a quantity", "build it from inputs and earlier steps"),
        ("None", "the step is None, not a quantity", "build it from inputs and earlier steps"),
        (
            "given.rate",
            "the step is declared in user but its formula gives rate (3 request/user)",
            "declare a unit of request/user, or mend the formula",
        ),
    ],
)
def test_what_is_no_number(expression: str, found: str, fix: str) -> None:
    lines = ["given.users", f"numbers.step('total', 'Total', 'user').of({expression})"]
    assert refusal(*lines) == f"small.total: {found}\n  at author.py:4\n  fix: {fix}"


def test_the_spelling_of_an_entry_s_fact() -> None:
    with pytest.raises(SizingError) as error:
        record("small", chain_of("given.gpu.memry"), {"gpu.memory": KNOWN["memory"]})
    assert str(error.value) == (
        "small: no input `gpu.memry` (did you mean `gpu.memory`?)\n  at author.py:3\n  fix: add it to the chain's "
        "block, to `shared:` or to the entry that it uses in data/assumptions.yml"
    )


@pytest.mark.parametrize("x", [-1.0, -1e-300])
def test_a_float_below_zero_has_no_square_root(x: float) -> None:
    with pytest.raises(SizingError) as error:
        sqrt(x)
    assert str(error.value).startswith(f"outside a chain: the square root of a negative value, {x!r}\n")


@pytest.mark.parametrize(
    ("call", "found"),
    [
        (lambda: power(2.0, -1), "a power with the exponent -1 is not recorded"),
        (lambda: power(2.0, 2.5), "a power with the exponent 2.5 is not recorded"),
        (lambda: power(2.0, math.nan), "a power with the exponent nan is not recorded"),
        (lambda: geometric_sum(2.0, math.inf), "a sum up to the power inf is not recorded"),
        (lambda: geometric_sum(2.0, -1.0), "a sum up to the power -1.0 is not recorded"),
        (lambda: no_more_than(1.1, 1), "1.1 is more than 1"),
        (lambda: not_negative(-0.5), "-0.5 is below zero"),
    ],
)
def test_a_float_is_as_refused_as_a_recorded_one(call, found: str) -> None:
    with pytest.raises(SizingError) as error:
        call()
    assert str(error.value).startswith(f"outside a chain: {found}\n")


@pytest.mark.parametrize(
    ("expression", "change", "why"),
    [
        ("power(given.share, given.users)", {"users": 2.5}, "a power with the exponent 2.5 is not recorded"),
        ("geometric_sum(given.share, given.users)", {"users": 2.5}, "a sum up to the power 2.5 is not recorded"),
        ("no_more_than(given.share, 1)", {"share": 1.5}, "1.5 is more than 1"),
        ("not_negative(given.share - 0.05)", {"share": 0.0}, "-0.05 is below zero"),
        ("1 / given.share", {"share": 0.0}, "its divisor is zero"),
        (
            "sqrt(given.share - 0.05)",
            {"share": 0.0},
            "the square root of a negative value, -0.05",
        ),
    ],
)
def test_a_what_if_without_a_result_names_the_step(expression: str, change: dict[str, float], why: str) -> None:
    function = chain_of("given.users", f"c.headline(numbers.step('total', 'Total', '').of({expression}))")
    known = {id: KNOWN[id] for id in ("users", "share")}
    record("small", function, known)
    with pytest.raises(SizingError) as error:
        replay(function, known, change)
    assert str(error.value) == f"total has no number: {why}\n  fix: give the inputs behind it other values"


def test_what_is_computed_between_two_steps_is_told_by_the_one_before() -> None:
    function = chain_of(
        "given.users",
        "first = numbers.step('first', 'First', '').of(given.share * 1)",
        "between = 1 / given.share",
        "c.headline(numbers.step('total', 'Total', '').of(first * between))",
    )
    known = {id: KNOWN[id] for id in ("users", "share")}
    with pytest.raises(SizingError) as error:
        replay(function, known, {"share": 0.0})
    assert str(error.value).startswith("what follows first has no number: its divisor is zero\n")
