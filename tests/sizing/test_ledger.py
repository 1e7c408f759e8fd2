"""The ledger: what it says of a chain, and what it tells of a change and its causes."""

from dataclasses import replace

import pytest

from macros.sizing import Chain, Input, SizingError, ledger, record
from macros.sizing.ledger import Cause, Difference

from . import everything
from .author import chain_of, given, inputs, measured
from .everything import MEASURED

EVERYTHING = record("everything", everything.chain, everything.KNOWN, MEASURED)

KNOWN = inputs(given("users", "1_000 user"), given("rate", "3 request/user"), given("window", "90 s"))
LOAD = "load = numbers.step('load', 'Load', 'request/s').of(given.users * given.rate / given.window)"
DAILY = "daily = numbers.step('daily', 'Daily', 'request').of(load * Constant(1, 'day'))"
LINES = (LOAD, DAILY, "c.headline(daily)")


def made(*lines: str, known: dict[str, Input] = KNOWN, values=None) -> Chain:
    return record("small", chain_of(*lines), known, values or {})


def with_input(id: str, amount: str, **about: str) -> dict[str, Input]:
    return KNOWN | inputs(given(id, amount, **about))


CHAIN = made(*LINES)
ACCEPTED = ledger.entries(CHAIN)

WRITTEN = """\
# Every number of small, as accepted. `make accept` writes this file; nothing in CI ever does.
# kind id = full value in the shown unit | as shown | how it is computed
input users = 1000.0 user | 1,000 users
input rate = 3.0 request/user | 3 requests/user
input window = 90.0 s | 90 s
step load = 33.333333333333336 request/s | 33.3 requests/s | users × rate ÷ window
step daily = 2880000.0 request | 2,880,000 requests | load × 1 day
must fits: load ≤ load
headline daily
"""


def test_what_it_says() -> None:
    assert ledger.write(made(*LINES, "c.require('fits', 'Fits', load, at_most=load)")) == WRITTEN


@pytest.mark.parametrize("chain", [EVERYTHING, CHAIN], ids=lambda chain: chain.id)
def test_it_reads_what_it_writes(chain: Chain) -> None:
    read = ledger.read(ledger.write(chain), "a ledger")
    assert read == ledger.entries(chain)
    assert list(read) == [*chain.inputs, *chain.steps]
    assert ledger.compare(read, chain) == []


def test_a_tool_may_be_a_pipe_of_commands() -> None:
    chain = made(*LINES, values={"load": replace(measured("50 request/s"), tool="replay | count")})
    assert ledger.compare(ledger.read(ledger.write(chain), "a ledger"), chain) == []


@pytest.mark.parametrize(
    "line",
    [
        "<<<<<<< HEAD",
        "step load",
        "step load = many request/s | 33.3 requests/s | users × rate ÷ window",
        "number load = 33.3 request/s | 33.3 requests/s | users × rate ÷ window",
        "step load = 33.3 request/s",
        " step load = 33.3 request/s | 33.3 requests/s | users × rate ÷ window",
    ],
)
def test_a_line_that_is_not_one(line: str) -> None:
    with pytest.raises(SizingError) as error:
        ledger.read(WRITTEN + line + "\n", "ledgers/small.txt")
    assert str(error.value) == f"ledgers/small.txt:10: not a line of a ledger: {line!r}\n  fix: run `make accept`"


USERS_DOUBLED = Cause("users", "users 1,000 users → 2,000 users (data.yml:5)")


@pytest.mark.parametrize(
    ("chain", "differences"),
    [
        pytest.param(
            made(*LINES, known=with_input("users", "2_000 user")),
            [
                Difference("changed", "input", "users", "1,000 users", "2,000 users", "× 2", (USERS_DOUBLED,)),
                Difference("changed", "step", "load", "33.3 requests/s", "66.7 requests/s", "× 2", (USERS_DOUBLED,)),
                Difference(
                    "changed", "step", "daily", "2,880,000 requests", "5,760,000 requests", "× 2", (USERS_DOUBLED,)
                ),
            ],
            id="an input changed",
        ),
        pytest.param(
            made(*LINES, known=with_input("users", "2_000 user") | inputs(given("window", "180 s"))),
            [
                Difference("changed", "input", "users", "1,000 users", "2,000 users", "× 2", (USERS_DOUBLED,)),
                Difference(
                    "changed",
                    "input",
                    "window",
                    "90 s",
                    "180 s",
                    "× 2",
                    (Cause("window", "window 90 s → 180 s (data.yml:6)"),),
                ),
            ],
            id="two inputs changed that cancel out",
        ),
        pytest.param(
            made(*LINES, known=with_input("users", "1_000.0001 user")),
            [
                Difference(
                    "changed",
                    kind,
                    id,
                    before,
                    after,
                    "× 1.0000001",
                    (Cause("users", "users 1000.0 user → 1000.0001 user (data.yml:5)"),),
                )
                for kind, id, before, after in [
                    ("input", "users", "1000.0 user", "1000.0001 user"),
                    ("step", "load", "33.33333 requests/s", "33.33334 requests/s"),
                    ("step", "daily", "2880000.0 request", "2880000.2879999997 request"),
                ]
            ],
            id="below the shown digits",
        ),
        pytest.param(
            made(LOAD.replace("given.users * given.rate", "given.rate * given.users"), *LINES[1:]),
            [
                Difference(
                    "changed",
                    "step",
                    "load",
                    "33.3 requests/s",
                    "33.3 requests/s",
                    "",
                    (
                        Cause(
                            "the formula of load",
                            "the formula of load: users × rate ÷ window → rate × users ÷ window",
                        ),
                    ),
                )
            ],
            id="the formula only",
        ),
        pytest.param(
            made(LOAD, DAILY.replace("load *", "2 * load *"), "c.headline(daily)"),
            [
                Difference(
                    "changed",
                    "step",
                    "daily",
                    "2,880,000 requests",
                    "5,760,000 requests",
                    "× 2",
                    (Cause("the formula of daily", "the formula of daily: load × 1 day → 2 × load × 1 day"),),
                )
            ],
            id="formula and value",
        ),
        pytest.param(
            made(LOAD.replace("'request/s')", "'request/s', digits=5)"), *LINES[1:]),
            [
                Difference(
                    "changed",
                    "step",
                    "load",
                    "33.3 requests/s",
                    "33.333 requests/s",
                    "",
                    (Cause("how load is shown", "how load is shown"),),
                )
            ],
            id="the digits",
        ),
        pytest.param(
            made(LOAD.replace("'request/s')", "'request/hour')"), *LINES[1:]),
            [
                Difference(
                    "changed",
                    "step",
                    "load",
                    "33.3 requests/s",
                    "120,000 requests/h",
                    "",
                    (Cause("how load is shown", "how load is shown"),),
                )
            ],
            id="the unit",
        ),
        pytest.param(
            made(LOAD, DAILY, "numbers.step('half', 'Half', 'request').of(daily / 2)", "c.headline(daily)"),
            [Difference("added", "step", "half", "", "1,440,000 requests", "", ())],
            id="a step added",
        ),
        pytest.param(
            made(LOAD, "c.headline(load)"),
            [Difference("removed", "step", "daily", "2,880,000 requests", "", "", ())],
            id="a step removed",
        ),
        pytest.param(
            made(LOAD, DAILY.replace("'daily'", "'a_day'"), "c.headline(daily)"),
            [Difference("renamed", "step", "a_day", "daily", "a_day", "", ())],
            id="a step renamed",
        ),
        pytest.param(
            made(
                LOAD.replace("'load', 'Load'", "'rush', 'Rush'").replace("'request/s')", "'request/s', short='load')"),
                *LINES[1:],
                known=KNOWN,
            ),
            [Difference("renamed", "step", "rush", "load", "rush", "", ())],
            id="a step renamed under its old short name",
        ),
        pytest.param(
            made(LOAD, DAILY.replace("'daily'", "'one'"), DAILY.replace("'daily'", "'two'"), "c.headline(daily)"),
            [
                Difference("renamed", "step", "one", "daily", "one", "", ()),
                Difference("added", "step", "two", "", "2,880,000 requests", "", ()),
            ],
            id="one of two new steps is the old one",
        ),
        pytest.param(
            made(
                LOAD.replace("given.users", "given.people"),
                *LINES[1:],
                known={id: KNOWN[id] for id in ("rate", "window")}
                | inputs(given("people", "1_000 user", text="users")),
            ),
            [Difference("renamed", "input", "people", "users", "people", "", ())],
            id="an input renamed",
        ),
        pytest.param(
            made(
                LOAD.replace("given.users", "given.people"),
                *LINES[1:],
                known={"rate": KNOWN["rate"]}
                | inputs(given("people", "1_000 user", text="users"), given("window", "45 s")),
            ),
            [
                Difference("renamed", "input", "people", "users", "people", "", ()),
                *(
                    Difference(
                        "changed",
                        kind,
                        id,
                        before,
                        after,
                        ratio,
                        (Cause("window", "window 90 s → 45 s (data.yml:6)"),),
                    )
                    for kind, id, before, after, ratio in [
                        ("input", "window", "90 s", "45 s", "× 0.5"),
                        ("step", "load", "33.3 requests/s", "66.7 requests/s", "× 2"),
                        ("step", "daily", "2,880,000 requests", "5,760,000 requests", "× 2"),
                    ]
                ),
            ],
            id="an input renamed, which is no cause, and another changed",
        ),
        pytest.param(
            made(
                LOAD.replace("given.users", "given.people"),
                *LINES[1:],
                known={id: KNOWN[id] for id in ("rate", "window")} | inputs(given("people", "500 user")),
            ),
            [
                Difference("added", "input", "people", "", "500 users", "", ()),
                *(
                    Difference(
                        "changed",
                        "step",
                        id,
                        before,
                        after,
                        "× 0.5",
                        (
                            Cause(
                                "the formula of load",
                                "the formula of load: users × rate ÷ window → people × rate ÷ window",
                            ),
                            Cause("people", "people new, 500 users (data.yml:6)"),
                        ),
                    )
                    for id, before, after in [
                        ("load", "33.3 requests/s", "16.7 requests/s"),
                        ("daily", "2,880,000 requests", "1,440,000 requests"),
                    ]
                ),
                Difference("removed", "input", "users", "1,000 users", "", "", ()),
            ],
            id="another input in an old one's place",
        ),
    ],
)
def test_a_change(chain: Chain, differences: list[Difference]) -> None:
    assert ledger.compare(ACCEPTED, chain) == differences


def test_a_fact_that_changes_is_the_cause_and_not_the_formula_that_shows_it() -> None:
    def of(speed: str, formula: str = "load / given.one.speed") -> Chain:
        known = KNOWN | inputs(given("one.speed", f"{speed} request/s/replica", text=f"{speed} req/s", kind="fact"))
        return made(LOAD, f"c.headline(numbers.step('fleet', 'Fleet', 'replica').of(ceil({formula})))", known=known)

    speed = Cause("one.speed", "one.speed 7 requests/s/replica → 3.5 requests/s/replica (data.yml:9)")
    accepted = ledger.entries(of("7"))
    assert ledger.compare(accepted, of("3.5")) == [
        Difference(
            "changed", "input", "one.speed", "7 requests/s/replica", "3.5 requests/s/replica", "× 0.5", (speed,)
        ),
        Difference("changed", "step", "fleet", "5 replicas", "10 replicas", "× 2", (speed,)),
    ]
    fleet = ledger.compare(accepted, of("3.5", "load / (2 * given.one.speed)"))[1]
    assert [cause.name for cause in fleet.causes] == ["the formula of fleet", "one.speed"]
    # Rounded up, 33.3 ÷ 7 and 33.3 ÷ 6.9 are the same five; the text shows the other number.
    same = ledger.compare(accepted, of("6.9"))[1]
    assert (same.before, same.after, [cause.name for cause in same.causes]) == (
        "5 replicas",
        "5 replicas",
        ["one.speed"],
    )


LOAD_50 = measured("50 request/s")
MEASURED_CAUSE = Cause("the measured value of load", "the measured value of load (data.yml:9)")
TOLD = "measured (stopwatch, 2026-11-30, 1 × H100), computed"


@pytest.mark.parametrize(
    ("before", "after", "differences"),
    [
        pytest.param(
            {},
            {"load": LOAD_50},
            [
                ("load", "33.3 requests/s", f"50 requests/s {TOLD} 33.3 requests/s", "× 1.5", (MEASURED_CAUSE,)),
                ("daily", "2,880,000 requests", "4,320,000 requests", "× 1.5", (MEASURED_CAUSE,)),
            ],
            id="measured",
        ),
        pytest.param(
            {"load": LOAD_50},
            {"load": replace(LOAD_50, value=25.0)},
            [
                (
                    "load",
                    f"50 requests/s {TOLD} 33.3 requests/s",
                    f"25 requests/s {TOLD} 33.3 requests/s",
                    "× 0.5",
                    (MEASURED_CAUSE,),
                ),
                ("daily", "4,320,000 requests", "2,160,000 requests", "× 0.5", (MEASURED_CAUSE,)),
            ],
            id="measured again",
        ),
        pytest.param(
            {"load": LOAD_50},
            {"load": replace(LOAD_50, tool="a better watch")},
            [
                (
                    "load",
                    f"50 requests/s {TOLD} 33.3 requests/s",
                    "50 requests/s measured (a better watch, 2026-11-30, 1 × H100), computed 33.3 requests/s",
                    "",
                    (MEASURED_CAUSE,),
                ),
            ],
            id="measured with another tool",
        ),
        pytest.param(
            {"load": LOAD_50},
            {},
            [
                (
                    "load",
                    f"50 requests/s {TOLD} 33.3 requests/s",
                    "33.3 requests/s",
                    "× 0.6667",
                    (Cause("the measured value of load", "the measured value of load, which is gone"),),
                ),
                (
                    "daily",
                    "4,320,000 requests",
                    "2,880,000 requests",
                    "× 0.6667",
                    (Cause("the measured value of load", "the measured value of load, which is gone"),),
                ),
            ],
            id="no longer measured",
        ),
    ],
)
def test_a_change_of_a_measurement(before, after, differences) -> None:
    accepted = ledger.entries(made(*LINES, values=before))
    assert ledger.compare(accepted, made(*LINES, values=after)) == [
        Difference("changed", "step", *difference) for difference in differences
    ]


def test_an_input_changed_behind_a_measured_value() -> None:
    values = {"load": LOAD_50}
    accepted = ledger.entries(made(*LINES, values=values))
    changed = made(*LINES, known=with_input("users", "2_000 user"), values=values)
    # The computed value beside the measured one follows; what is computed from the measured one does not.
    assert ledger.compare(accepted, changed) == [
        Difference("changed", "input", "users", "1,000 users", "2,000 users", "× 2", (USERS_DOUBLED,)),
        Difference(
            "changed",
            "step",
            "load",
            f"50 requests/s {TOLD} 33.3 requests/s",
            f"50 requests/s {TOLD} 66.7 requests/s",
            "",
            (USERS_DOUBLED,),
        ),
    ]


def test_a_number_that_was_zero_has_no_ratio() -> None:
    accepted = ledger.entries(made(*LINES, known=with_input("users", "0 user")))
    assert {difference.ratio for difference in ledger.compare(accepted, CHAIN)} == {""}


def test_a_change_of_the_last_digit_is_seen() -> None:
    known = KNOWN | {"users": replace(KNOWN["users"], value=1000.0000000000001)}
    users = ledger.compare(ACCEPTED, made(*LINES, known=known))[0]
    assert (users.before, users.after) == ("1000.0 user", "1000.0000000000001 user")
    assert users.ratio.startswith("× 1.000000000000000")
