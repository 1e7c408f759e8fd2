"""All chains of the site: their recordings and replays agree, and a missing or wrong part is told."""

import dataclasses
import sys
from types import SimpleNamespace

import pytest

from macros import chains
from macros.assumptions import load, parse
from macros.assumptions.load import DATA_FILE
from macros.assumptions.model import Amount
from macros.chains import GROUPS, Program, module_name, programs
from macros.sizing import SizingError
from macros.sizing.units import parse_quantity
from tests.cases import bits
from tests.conftest import PROJECT

ALL = [program for group in programs(load()).values() for program in group.values()]


@pytest.fixture(params=ALL, ids=[f"{program.data.group}/{program.id}" for program in ALL])
def program(request: pytest.FixtureRequest) -> Program:
    chosen: Program = request.param
    return chosen


def test_there_is_a_chain_in_each_group_that_has_data() -> None:
    assumptions = load()
    found = programs(assumptions)
    assert list(found) == list(GROUPS)
    assert {group: set(found[group]) for group in GROUPS} == {
        group: set(getattr(assumptions, group)) for group in GROUPS
    }
    assert "chatgpt" in found["designs"]


def test_a_replay_of_the_published_inputs_gives_the_recorded_values_bit_by_bit(program: Program) -> None:
    recorded = {id: bits(step.value) for id, step in program.chain.steps.items()}
    for inputs in ({}, {id: given.value for id, given in program.chain.inputs.items()}):
        assert {id: bits(value) for id, value in program.replayed(inputs).items()} == recorded


def test_a_recording_with_changed_inputs_equals_a_replay_with_them_bit_by_bit(program: Program) -> None:
    for id, given in program.chain.inputs.items():
        if given.low is None or given.high is None:
            continue
        for end in (given.low, given.high):
            amount = Amount(parse_quantity(f"{given.unit.from_base(end):.15f} {given.unit.text}")[0], given.unit)
            recorded = program.recorded_with({id: amount})
            assert {id: bits(step.value) for id, step in recorded.steps.items()} == {
                id: bits(value) for id, value in program.values_with({id: amount}).items()
            }


def test_every_input_moves_a_step_and_every_step_has_a_text_and_a_place(program: Program) -> None:
    chain = program.chain
    named = {id for step in chain.steps.values() for id in step.inputs}
    constrained = {side for c in chain.constraints.values() for side in (c.left, c.right)}
    assert set(chain.inputs) <= named | constrained
    for given in chain.inputs.values():
        assert given.place.startswith("data/assumptions.yml:")
    for step in chain.steps.values():
        assert step.text
        assert "  " not in step.text


def test_what_binds_is_a_word_of_the_ceilings_that_demands_most(program: Program) -> None:
    ceilings = {word: program.chain.value(step) for word, step in program.chain.ceilings.items()}
    if ceilings:
        assert max(ceilings, key=lambda word: ceilings[word]) == program.data.binds


def test_an_unknown_change() -> None:
    with pytest.raises(SizingError) as error:
        ALL[0].changed({"daily_user": Amount(*parse_quantity("5 user"))})
    assert str(error.value) == "chatgpt has no input `daily_user` (did you mean `daily_users`?)"


def test_a_changed_fact_shows_its_new_value_in_formulas() -> None:
    changed = ALL[0].recorded_with({"gpu.memory": Amount(*parse_quantity("80 GiB/GPU"))})
    assert "80 GiB/GPU" in changed.steps["sequences_that_fit"].text
    assert changed.value("sequences_that_fit") == 384


def test_a_module_without_a_block() -> None:
    with pytest.raises(SizingError) as error:
        programs(dataclasses.replace(load(), designs={}))
    assert str(error.value) == (
        "macros/designs/chatgpt.py has no block\n  fix: add `designs: chatgpt:` to data/assumptions.yml"
    )


def test_a_block_without_a_module() -> None:
    data = load().designs["chatgpt"]
    with pytest.raises(SizingError) as error:
        programs(dataclasses.replace(load(), path={"triangle": data._replace(id="triangle")}))
    assert str(error.value) == (
        f"{data.place}: `path: triangle:` has no module\n  fix: write macros/path/triangle.py with `chain(c)`"
    )


def test_a_module_is_named_like_its_chain_with_underscores(monkeypatch: pytest.MonkeyPatch) -> None:
    data = load().designs["chatgpt"]._replace(id="code-completion")
    assumptions = dataclasses.replace(load(), designs={"code-completion": data})
    monkeypatch.setattr(chains, "_modules", lambda group: ["code_completion"] if group == "designs" else [])
    monkeypatch.setitem(sys.modules, "macros.designs.code_completion", SimpleNamespace(chain=None))
    assert list(programs(assumptions)["designs"]) == ["code-completion"]
    monkeypatch.setattr(chains, "_modules", lambda group: [])
    with pytest.raises(
        SizingError,
        match=r"`designs: code-completion:` has no module\n  fix: write macros/designs/code_completion\.py ",
    ):
        programs(dataclasses.replace(assumptions))
    monkeypatch.setattr(chains, "_modules", lambda group: ["code_completion"] if group == "designs" else [])
    with pytest.raises(
        SizingError, match=r"code_completion\.py has no block\n  fix: add `designs: code-completion:` to data"
    ):
        programs(dataclasses.replace(assumptions, designs={}))


def test_the_learner_s_order_is_that_of_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    data = load().designs["chatgpt"]
    monkeypatch.setattr(chains, "_modules", lambda group: ["a", "b", "chatgpt"] if group == "designs" else [])
    for id in ("a", "b"):
        monkeypatch.setitem(sys.modules, f"macros.designs.{id}", SimpleNamespace(chain=None))
    blocks = {id: data._replace(id=id, order=order) for id, order in (("a", 3), ("chatgpt", 2), ("b", 1))}
    assert list(programs(dataclasses.replace(load(), designs=blocks))["designs"]) == ["b", "chatgpt", "a"]


def test_a_constraint_that_does_not_hold_fails_with_both_sides() -> None:
    program = programs(load())["designs"]["chatgpt"]
    own = program.data.own
    batch = own["batch"]._replace(amount=Amount(*parse_quantity("351 sequence/replica")))
    data = program.data._replace(own=own | {"batch": batch})
    with pytest.raises(SizingError) as error:
        _ = dataclasses.replace(program, data=data).chain
    chain = program.chain
    assert str(error.value) == (
        f"chatgpt ({data.place}): a constraint does not hold\n"
        f"  The batch fits in memory: {chain.label('batch')} is 351 sequences/replica, "
        f"but {chain.label('sequences_that_fit')} is 350 sequences/replica\n"
        "  fix: change the assumption in data/assumptions.yml, or the constraint in the chain's module"
    )


def test_a_gpu_without_the_peak_that_the_weights_run_in() -> None:
    program = programs(load())["designs"]["chatgpt"]
    gpu = program.data.uses["gpu"]
    facts = {id: fact for id, fact in gpu.facts.items() if id != "dense_fp8"}
    uses = program.data.uses | {"gpu": gpu._replace(facts=facts)}
    with pytest.raises(SizingError) as error:
        _ = dataclasses.replace(program, data=program.data._replace(uses=uses)).chain
    first, _at, fix = str(error.value).splitlines()
    assert first == (f"outside a chain: {gpu.name} ({gpu.place}) has no dense fp8 peak, which fp8 weights run in")
    assert fix == "  fix: choose another number format, or add `dense_fp8` with its source"


def test_a_measured_value_of_the_data_file_stands_in() -> None:
    text = DATA_FILE.read_text(encoding="utf-8")
    block = (
        "    measured:\n      decode_step:\n        value: 22 ms\n        tool: a stopwatch\n"
        "        date: 2026-11-30\n        hardware: 4 × H100\n    follow_ups:\n"
    )
    # The first design of the file.
    edited = text.replace("    follow_ups:\n", block, 1)
    chain = programs(parse(edited.encode()))["designs"]["chatgpt"].chain
    step = chain.steps["decode_step"]
    assert (step.value, str(step.shown), str(chain.show("decode_step", step.computed))) == (0.022, "22 ms", "11.17 ms")
    # 128 ÷ 22 ms = 5,818 tokens/s; 1,333,333 ÷ 5,818 = 229.2.
    assert chain.value("replicas") == 230


def test_every_module_of_a_group_is_a_chain() -> None:
    for group in GROUPS:
        modules = {path.stem for path in (PROJECT / "macros" / group).glob("*.py")} - {"__init__"}
        assert modules == {module_name(program.id) for program in ALL if program.data.group == group}
