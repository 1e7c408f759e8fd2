"""Chains: what a recording holds, that it is frozen, and what is refused."""

import dataclasses

import pytest

from macros.sizing import Builder, SizingError, record, replay
from macros.sizing.errors import computing
from macros.sizing.units import parse_unit

from . import everything
from .author import KNOWN, chain_of, given, inputs, refusal, small
from .everything import MEASURED

EVERYTHING = record("everything", everything.chain, everything.KNOWN, MEASURED)

USERS = "users = numbers.step('all_users', 'All users', 'user').of(given.users * 2)"


def test_what_a_recording_holds() -> None:
    assert EVERYTHING.id == "everything"
    assert EVERYTHING.headline == "fleet"
    assert list(EVERYTHING.inputs) == ["users", "rate", "share", "window", "one.speed", "drafted", "wait_target"]
    assert [(step.id, step.part, step.text, str(step.shown)) for step in EVERYTHING.steps.values()] == [
        ("load", "numbers", "rate × users ÷ window", "33.3 requests/s"),
        ("busiest", "numbers", "max(load × share, load − load × share)", "29.17 requests/s"),
        ("fleet", "numbers", "⌈busiest ÷ 7 requests/s/replica⌉ + 2 replicas", "7 replicas"),
        ("kept", "numbers", "min(fleet, ⌊fleet × (1 − share)⌋)", "6 replicas"),
        ("spread", "numbers", "√(load² + (load × share)²)", "33.6 requests/s"),
        ("answer", "numbers", "1 ÷ 7 requests/s/replica", "250 ms"),
        ("wait", "bill", "answer × 2 + answer × share⁵", "500 ms"),
        ("odds", "bill", "share³", "0.195 %"),
        ("left", "bill", "(fleet − kept at night) × odds", "0.00195 replicas"),
        ("slack", "bill", "load ÷ spread", "0.992"),
        ("kept_up", "bill", "1 + share + … + share^drafted", "1.14"),
        ("missed", "bill", "1 − (1 − share)^drafted ÷ kept up", "55.1 %"),
        ("busy", "bill", "window ÷ 3 min", "50 %"),
        ("later", "bill", "3 min − window", "90 s"),
    ]
    assert [(c.id, c.label, c.left, c.right, c.holds) for c in EVERYTHING.constraints.values()] == [
        ("kept-runs", "What is kept runs", "kept", "fleet", True),
        ("waits", "The wait meets its target", "wait", "wait_target", True),
    ]


def test_what_a_step_is_called() -> None:
    step = small("c.headline(numbers.step('all_users', 'All Users', 'user', short='everybody').of(given.users))").steps[
        "all_users"
    ]
    other = small("c.headline(numbers.step('all_users', 'All Users', 'user').of(given.users))").steps["all_users"]
    assert (step.label, step.short, other.short) == ("All Users", "everybody", "all Users")


def test_a_chain_tells_of_inputs_and_steps_alike() -> None:
    assert (EVERYTHING.value("users"), EVERYTHING.value("fleet")) == (1000, 7)
    assert (EVERYTHING.label("users"), EVERYTHING.label("fleet")) == ("Users", "Fleet")
    assert (str(EVERYTHING.show("users")), str(EVERYTHING.show("fleet"))) == ("1,000 users", "7 replicas")
    assert (str(EVERYTHING.show("users", 1)), str(EVERYTHING.show("fleet", 1))) == ("1 user", "1 replica")
    for ask in (EVERYTHING.value, EVERYTHING.label, EVERYTHING.show):
        with pytest.raises(KeyError, match="zebra"):
            ask("zebra")


def test_what_is_behind_a_step() -> None:
    assert EVERYTHING.steps["busiest"].inputs == ("load", "share")
    assert list(EVERYTHING.ancestors("busiest")) == ["load", "share", "rate", "users", "window"]
    assert list(EVERYTHING.ancestors("load")) == ["rate", "users", "window"]


def test_a_frozen_chain_cannot_be_changed() -> None:
    kept: list[Builder] = []
    chain = small("kept.append(c)", USERS, "c.headline(users)", kept=kept)
    step = chain.steps["all_users"]
    for frozen, field in ((chain, "headline"), (step, "value"), (chain.inputs["users"], "value")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(frozen, field, 1)
    for mapping in (chain.inputs, chain.steps, chain.constraints, chain.ceilings):
        with pytest.raises(TypeError, match="does not support item assignment"):
            mapping["more"] = step  # type: ignore[index]
    with computing("too late"):
        late = kept[0].part("numbers").step("late", "Late", "user").of(step.quantity)
        kept[0].ceiling("late", late)
        kept[0].require("late", "Late", late, at_most=late)
    assert (list(chain.steps), len(chain.ceilings), len(chain.constraints)) == (["all_users"], 0, 0)


def test_facts_and_shared_assumptions_need_not_be_used() -> None:
    known = inputs(given("users", "5 user"), given("gpu.memory", "80 GB/GPU"), given("price", "4 USD/GPU/hour"))
    known["price"] = dataclasses.replace(known["price"], part="shared")
    chain = record("small", chain_of("c.headline(numbers.step('all', 'All', 'user').of(given.users))"), known)
    assert list(chain.inputs) == ["users"]


def test_a_step_in_the_middle_of_another_one_s_formula() -> None:
    chain = small(
        "outer = numbers.step('outer', 'Outer', 'user')",
        "inner = numbers.step('inner', 'Inner', 'user').of(given.users * 2)",
        "c.headline(outer.of(inner * 3))",
    )
    assert [(step.id, step.value) for step in chain.steps.values()] == [("inner", 2000), ("outer", 6000)]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [USERS, USERS],
            "small.all_users: `all_users` is already the id of a step or an input\n  at author.py:4\n"
            "  fix: give the step another id",
        ),
        (
            ["numbers.step('users', 'All', 'user').of(given.users)"],
            "small.users: `users` is already the id of a step or an input\n  at author.py:3\n"
            "  fix: give the step another id",
        ),
        (
            ["numbers.step('All users', 'All', 'user').of(given.users)"],
            "small.All users: `All users` is not an id\n  at author.py:3\n"
            "  fix: write lower-case words joined by _, such as `peak_requests`",
        ),
        (
            ["numbers.step('all', 'All', 'users').of(given.users)"],
            "unknown unit `users` (did you mean `user`?)",
        ),
        (
            ["numbers.step('all', 'All', 'request').of(given.users)"],
            "small.all: the step is declared in request but its formula gives users (1,000 user)\n  at author.py:3\n"
            "  fix: declare a unit of user, or mend the formula",
        ),
        (
            ["numbers.step('all', 'All', '').of(given.users)"],
            "small.all: the step is declared in no unit but its formula gives users (1,000 user)\n  at author.py:3\n"
            "  fix: declare a unit of user, or mend the formula",
        ),
        (
            [USERS],
            "small: the chain has no headline\n  at author.py:1\n"
            "  fix: call headline(step) with the step that is asked for",
        ),
        (
            [USERS, "c.headline(users)", "c.headline(users)"],
            "small: the headline is `all_users` already\n  at author.py:5\n  fix: call headline(step) once",
        ),
        (
            ["c.headline(given.users)"],
            "small: the headline `users` is an input\n  at author.py:3\n  fix: name the step that is asked for",
        ),
        (
            ["c.headline(given.users * 2)"],
            "small: headline is not a named number\n  at author.py:3\n  fix: make it a step first, or pass an input",
        ),
        (
            ["c.headline('users')", "given.users"],
            "small: headline is not a named number\n  at author.py:3\n  fix: make it a step first, or pass an input",
        ),
        (
            [USERS, "c.ceiling('compute', users + users)"],
            "small: ceiling compute is not a named number\n  at author.py:4\n"
            "  fix: make it a step first, or pass an input",
        ),
        (
            [USERS, "c.headline(users)", "numbers.step('later', 'Later', 'user')"],
            "small: the step `later` is announced but not defined\n  at author.py:1\n  fix: call `.of(expression)`",
        ),
        (
            [USERS, "c.require('fits', 'Fits', users, at_most=given.window)"],
            "small: constraint fits compares different units\n  left:  all users (2,000 user)\n"
            "  right: window (90 s)\n  at author.py:4\n  fix: compare two steps or inputs of one unit",
        ),
        (
            [USERS, "c.require('fits', 'Fits', users, at_most=given.users * 3)"],
            "small: constraint fits: right is not a named number\n  at author.py:4\n"
            "  fix: make it a step first, or pass an input",
        ),
        (
            [USERS, "c.require('fits', 'Fits', 5, at_most=users)"],
            "small: constraint fits: left is not a named number\n  at author.py:4\n"
            "  fix: make it a step first, or pass an input",
        ),
        (
            [USERS, *["c.require('fits', 'Fits', users, at_most=users)"] * 2],
            "small: `fits` is already the id of a constraint\n  at author.py:5\n  fix: give the constraint another id",
        ),
    ],
)
def test_a_refused_chain(lines: list[str], message: str) -> None:
    assert refusal(*lines) == message


def test_an_input_that_is_not_used() -> None:
    with pytest.raises(SizingError) as error:
        record("small", chain_of(USERS, "c.headline(users)"), inputs(KNOWN["users"], KNOWN["window"]))
    assert str(error.value) == (
        "small: the chain does not use `window` (data.yml:6)\n  at author.py:1\n"
        "  fix: use it in a step, or take it out of the chain's block in data/assumptions.yml"
    )


def test_a_violated_constraint_is_noted() -> None:
    lines = [USERS, "c.headline(users)", "c.require('fits', 'It fits', users, at_most=given.users)"]
    constraint = small(*lines).constraints["fits"]
    assert (constraint.left, constraint.right, constraint.holds) == ("all_users", "users", False)


def test_a_constraint_forgives_what_rounding_forgives() -> None:
    lines = [
        "third = numbers.step('third', 'Third', 'user').of(given.users * (0.1 + 0.2))",
        "c.headline(third)",
        "c.require('fits', 'It fits', third, at_most=numbers.step('other', 'Other', 'user').of(given.users * 0.3))",
    ]
    chain = small(*lines)
    assert chain.value("third") > chain.value("other")
    assert chain.constraints["fits"].holds


def test_a_replay_gives_the_recorded_values() -> None:
    values = replay(everything.chain, everything.KNOWN, {}, MEASURED)
    assert values == {id: step.value for id, step in EVERYTHING.steps.items()}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"window": 0.0}, "load has no number: its divisor is zero\n  fix: give the inputs behind it other values"),
        ({"users": 1e308}, "load has no number: it is inf\n  fix: give the inputs behind it other values"),
        ({"one.speed": 1e-308}, "fleet has no number: it is inf\n  fix: give the inputs behind it other values"),
    ],
)
def test_a_replay_that_leaves_a_step_without_a_number(changes: dict[str, float], message: str) -> None:
    with pytest.raises(SizingError) as error:
        replay(everything.chain, everything.KNOWN, changes, MEASURED)
    assert str(error.value) == message


def test_a_mistake_during_a_replay_names_the_step() -> None:
    function = chain_of(
        "c.headline(numbers.step('total', 'Total', 'user').of(sqrt(power(given.users, 2) - given.users * given.users)))"
    )
    known = inputs(KNOWN["users"])
    assert replay(function, known, {}) == {"total": 0}
    function = chain_of("c.headline(numbers.step('total', 'Total', 'user').of(sqrt(given.users - given.none)))")
    with pytest.raises(SizingError) as error:
        replay(function, inputs(KNOWN["users"], KNOWN["none"]), {"none": 2000.0})
    assert str(error.value) == (
        "total has no number: the square root of a negative value, -1000.0\n"
        "  fix: give the inputs behind it other values"
    )


def test_the_unit_of_a_step_is_the_one_it_is_shown_in() -> None:
    assert EVERYTHING.steps["answer"].unit == parse_unit("ms")
