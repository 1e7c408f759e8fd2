"""A chain that uses every operation and has a measured step, for the tests of its replays and of its export."""

from macros.sizing import (
    Builder,
    Constant,
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

from .author import given, inputs, measured

_SPARE = Constant(2, "replica")
_AT_ONCE = implied("request/replica")
_SHIFT = Constant(3, "min")

KNOWN = inputs(
    given("users", "1_000 user", low="500 user", high="4_000 user", because="a small town, a large one"),
    given("rate", "3 request/user"),
    given("share", "12.5 %", low="5 %", high="25 %", because="a flat day, a steep one"),
    given("window", "90 s"),
    given(
        "one.speed", "7 request/s/replica", text="7 requests/s/replica", kind="fact", source="a book", read="2026-11-30"
    ),
    given("drafted", "5 token"),
    given("wait_target", "900 ms", kind="target"),
)
MEASURED = {"answer": measured("250 ms")}


def chain(c: Builder) -> None:
    """All operations, most of them twice."""
    given, one = c.given, c.given.one
    numbers, bill = c.part("numbers"), c.part("bill")

    load = numbers.step("load", "Load", "request/s").of(given.rate * given.users / given.window)
    busiest = numbers.step("busiest", "Busiest", "request/s", digits=4).of(
        maximum(load * given.share, load - load * given.share)
    )
    fleet = numbers.step("fleet", "Fleet", "replica").of(ceil(busiest / one.speed) + _SPARE)
    kept = numbers.step("kept", "Kept at night", "replica").of(minimum(fleet, floor(fleet * (1 - given.share))))
    spread = numbers.step("spread", "Spread", "request/s").of(sqrt(power(load, 2) + power(load * given.share, 2)))
    answer = numbers.step("answer", "Answer", "ms").of(_AT_ONCE / one.speed)
    c.headline(fleet)

    wait = bill.step("wait", "Wait", "ms").of(answer * 2 + answer * power(given.share, 5))
    odds = bill.step("odds", "Odds", "%").of(power(given.share, 3))
    bill.step("left", "Left", "replica").of((fleet - kept) * odds)
    bill.step("slack", "Slack", "").of(load / spread)
    kept_up = bill.step("kept_up", "Kept up", "").of(geometric_sum(given.share, given.drafted))
    bill.step("missed", "Missed", "%").of(1 - power(1 - given.share, given.drafted) / kept_up)
    bill.step("busy", "Busy", "%").of(no_more_than(given.window / _SHIFT, 1))
    bill.step("later", "Later", "s").of(not_negative(_SHIFT - given.window))
    c.require("kept-runs", "What is kept runs", kept, at_most=fleet)
    c.require("waits", "The wait meets its target", wait, at_most=given.wait_target)
