"""What moves a headline over its assumptions' ranges."""

from collections.abc import Mapping

import pytest

from macros.sizing import SizingError, record, replay
from macros.sizing.sensitivity import broken_constraints, swings

from . import everything
from .author import chain_of, given, inputs
from .everything import MEASURED

CHAIN = record("everything", everything.chain, everything.KNOWN, MEASURED)


def again(values: Mapping[str, float]) -> dict[str, float]:
    return replay(everything.chain, everything.KNOWN, values, MEASURED)


def test_the_widest_comes_first_and_what_has_no_range_is_left_out() -> None:
    # 500 and 4,000 users make 14.6 and 116.7 requests/s at 87.5 %: 3 and 17 replicas and two spare ones.
    # A share of 5 % and of 25 % leaves 31.7 and 25 requests/s: 5 and 4 replicas and two spare ones.
    assert [(swing.input, swing.at_low, swing.at_high, swing.width) for swing in swings(CHAIN, again)] == [
        ("users", 5, 19, 14),
        ("share", 7, 6, 1),
    ]


def test_constraints_that_an_end_breaks_are_named_once() -> None:
    known = everything.KNOWN | inputs(given("share", "12.5 %", low="0 %", high="100 %", because="all there is"))
    chain = record("everything", everything.chain, known, MEASURED)
    # Target 900 ms; 250 ms × 2 + 250 ms × 1 is within it, so only a tighter target breaks.
    assert [swing.broken for swing in swings(chain, again)] == [(), ()]
    known |= inputs(given("wait_target", "600 ms", low="100 ms", high="200 ms", because="a wish"))
    chain = record("everything", everything.chain, known, MEASURED)
    assert {swing.input: swing.broken for swing in swings(chain, again)} == {
        "users": (),
        "share": ("waits",),
        "wait_target": ("waits",),
    }


def test_broken_constraints_of_changed_inputs() -> None:
    assert broken_constraints(CHAIN, again({}), {}) == []
    assert broken_constraints(CHAIN, again({}), {"wait_target": 0.4}) == ["waits"]
    assert broken_constraints(CHAIN, again({}) | {"kept": 8.0}, {"wait_target": 0.4}) == ["kept-runs", "waits"]


def test_an_end_at_which_a_step_has_no_number_names_the_input() -> None:
    function = chain_of("c.headline(numbers.step('rate', 'Rate', 'user/s').of(given.users / given.window))")
    known = inputs(given("users", "5 user"), given("window", "90 s", low="0 s", high="99 s", because="a guess"))
    with pytest.raises(SizingError) as error:
        swings(record("small", function, known), lambda values: replay(function, known, values))
    assert str(error.value) == (
        "small: `window` (data.yml:6) at 0 s, an end of its range\n"
        "  rate has no number: its divisor is zero\n"
        "  fix: give the inputs behind it other values"
    )
