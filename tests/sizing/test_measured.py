"""A measured value stands in for a computed one, and both are visible everywhere."""

import pytest

from macros.sizing import SizingError, ledger, record, replay
from macros.sizing.explain import derivation
from macros.sizing.export import program

from . import everything
from .author import measured
from .everything import MEASURED

COMPUTED = record("everything", everything.chain, everything.KNOWN)
CHAIN = record("everything", everything.chain, everything.KNOWN, MEASURED)


def test_both_values_are_kept() -> None:
    step = CHAIN.steps["answer"]
    assert (step.value, step.computed) == (0.25, 1 / 7)
    assert step.measured == MEASURED["answer"]
    assert COMPUTED.steps["answer"].value == COMPUTED.steps["answer"].computed == 1 / 7


def test_later_steps_use_the_measured_one() -> None:
    assert CHAIN.value("wait") == 0.25 * 2 + 0.25 * 0.125**5
    assert COMPUTED.value("wait") == pytest.approx(2 / 7, rel=1e-4)


def test_a_replay_uses_it_whatever_the_inputs_are() -> None:
    values = replay(everything.chain, everything.KNOWN, {"one.speed": 14.0}, MEASURED)
    assert (values["answer"], values["wait"]) == (0.25, CHAIN.value("wait"))


def test_the_text_is_how_it_would_be_computed() -> None:
    assert CHAIN.steps["answer"].text == COMPUTED.steps["answer"].text == "1 ÷ 7 requests/s/replica"
    assert (str(CHAIN.show("answer")), str(CHAIN.show("answer", CHAIN.steps["answer"].computed))) == (
        "250 ms",
        "143 ms",
    )


def test_the_derivation_shows_both() -> None:
    assert derivation(CHAIN, "answer").splitlines()[:4] == [
        "Answer [answer] = 250 ms",
        "  measured with stopwatch, 2026-11-30, 1 × H100 (data.yml:9)",
        "  computed: 143 ms",
        "  = 1 ÷ 7 requests/s/replica",
    ]


def test_the_export_shows_both() -> None:
    exported = program(CHAIN)
    answer = next(step for step in exported["steps"] if step["id"] == "answer")
    first = len(exported["inputs"])
    assert exported["constants"][answer["at"] - first] == 0.25
    assert answer["computed"] >= first + len(exported["constants"])
    others = [step for step in exported["steps"] if step["id"] != "answer"]
    assert all(step["at"] == step["computed"] for step in others)


def test_the_ledger_shows_both() -> None:
    line = next(line for line in ledger.write(CHAIN).splitlines() if line.startswith("step answer "))
    assert line == (
        "step answer = 250.0 ms | 250 ms measured (stopwatch, 2026-11-30, 1 × H100), computed 143 ms | "
        "1 ÷ 7 requests/s/replica"
    )


def test_nothing_is_behind_a_measured_value() -> None:
    assert list(CHAIN.ancestors("wait")) == ["answer", "share"]
    assert list(COMPUTED.ancestors("wait")) == ["answer", "share", "one.speed"]
    assert list(CHAIN.ancestors("answer")) == ["one.speed"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"answr": measured("250 ms")},
            "everything: the measured value at data.yml:9 is of no step: `answr` (did you mean `answer`?)\n"
            "  at tests/sizing/everything.py:{line}\n  fix: name one of the chain's steps",
        ),
        (
            {"wait_target": measured("250 ms")},
            "everything: the measured value at data.yml:9 is of no step: `wait_target`\n"
            "  at tests/sizing/everything.py:{line}\n  fix: name one of the chain's steps",
        ),
    ],
)
def test_a_measured_value_of_no_step(values, message: str) -> None:
    with pytest.raises(SizingError) as error:
        record("everything", everything.chain, everything.KNOWN, values)
    assert str(error.value) == message.format(line=everything.chain.__code__.co_firstlineno)


def test_a_measured_value_in_another_unit() -> None:
    with pytest.raises(SizingError) as error:
        record("everything", everything.chain, everything.KNOWN, {"answer": measured("250 GPU")})
    first, at, fix = str(error.value).splitlines()
    assert first == "everything.answer: the measured value at data.yml:9 is in GPU"
    assert at.startswith("  at tests/sizing/everything.py:")
    assert fix == "  fix: give it in a unit of s"
