"""Design ChatGPT: the check numbers, what binds, the follow-ups, the quiz, and the whole chain in plain arithmetic."""

from math import ceil, floor

import pytest

from macros.assumptions import load
from macros.chains import Program, change_map, programs
from macros.sizing import Chain
from macros.sizing.sensitivity import broken_constraints


@pytest.fixture(scope="module")
def program() -> Program:
    return programs(load())["designs"]["chatgpt"]


@pytest.fixture(scope="module")
def chain(program: Program) -> Chain:
    return program.chain


@pytest.mark.parametrize(
    ("id", "shown"),
    [
        ("peak_requests", "3,333 requests/s"),
        ("kv_per_request", "623 MB/request"),
        ("sequences_that_fit", "350 sequences/replica"),
        ("decode_step", "11.17 ms"),
        ("tokens_per_replica", "11,458 tokens/s/replica"),
        ("tokens_needed", "1,333,333 tokens/s"),
        ("replicas", "117 replicas"),
        ("gpus", "468 GPUs"),
        ("cost_per_1000", "$0.155 per 1,000 requests"),
        ("equal_hit_share", "73.3 %"),
    ],
)
def test_a_check_number_as_it_is_shown(chain: Chain, id: str, shown: str) -> None:
    assert str(chain.show(id)) == shown


def test_the_main_table_has_seven_assumptions_and_nine_computed_rows_in_this_order(chain: Chain) -> None:
    assert [given.id for given in chain.inputs.values() if given.kind == "assumption" and given.part == "numbers"] == [
        "daily_users",
        "requests_per_user",
        "peak_share",
        "input_tokens",
        "output_tokens",
        "gpus_per_replica",
        "batch",
    ]
    assert [step.id for step in chain.steps.values() if step.part == "numbers"] == [
        "peak_requests",
        "kv_per_request",
        "sequences_that_fit",
        "decode_step",
        "tokens_per_replica",
        "tokens_needed",
        "replicas",
        "gpus",
        "cost_per_1000",
    ]
    assert chain.headline == "replicas"


@pytest.mark.parametrize(("id", "exactly"), [("sequences_that_fit", 350), ("replicas", 117), ("gpus", 468)])
def test_an_exact_check_number(chain: Chain, id: str, exactly: int) -> None:
    assert chain.value(id) == exactly


@pytest.mark.parametrize(
    ("id", "about"),
    [
        ("prefill_gpu_seconds", 0.525),
        ("prefill_gpus", 1750),
        ("prefill_gpus_cached", 350),
        ("equal_hit_share", 73.3),
        ("prefill_cost_per_1000", 0.583),
        ("total_cost_per_1000", 0.738),
        ("average_cost_per_1000", 0.562),
        ("total_average_cost_per_1000", 2.66),
        # With the 350 that fit: 21.5 ms and 82 by the simple form; past the critical batch the arithmetic counts.
        ("full_memory_step", 21.5),
        ("full_memory_replicas", 82),
        ("full_step", 22.45),
        ("full_replicas", 86),
    ],
)
def test_a_check_number_within_a_percent(chain: Chain, id: str, about: float) -> None:
    assert chain.steps[id].unit.from_base(chain.value(id)) == pytest.approx(about, rel=0.01)


def test_what_fills_the_memory_is_past_the_critical_batch(chain: Chain) -> None:
    assert chain.value("batch") < chain.value("critical_batch") < chain.value("sequences_that_fit")
    assert chain.value("memory_step") == pytest.approx(chain.value("decode_step"), rel=1e-12)
    assert chain.value("full_memory_step") < chain.value("full_step")
    assert (chain.value("full_memory_replicas"), chain.value("full_replicas")) == (82, 86)


def test_what_binds_is_the_ceiling_that_demands_most(program: Program, chain: Chain) -> None:
    demanded = {word: chain.value(step) for word, step in chain.ceilings.items()}
    assert demanded == {"bandwidth": 466, "capacity": 171, "compute": 95}
    assert max(demanded, key=lambda word: demanded[word]) == program.data.binds == "bandwidth"


FOLLOW_UPS = {
    "kv-heads": 43,
    "kv-heads-batch-cut": 658,
    "context": 166,
    "reasoning": 843,
    "weights-16-bit": 171,
    "newer-gpu": 82,
    "peak": 233,
    "exact-count": 349,
}


def test_the_answers_of_the_follow_ups(program: Program) -> None:
    answers = {card.id: program.values_with(change_map(card.changes))[card.asks] for card in program.data.follow_ups}
    assert answers == FOLLOW_UPS


def test_a_follow_up_that_violates_a_constraint(program: Program, chain: Chain) -> None:
    violated = {}
    for card in program.data.follow_ups:
        changed = program.recorded_with(change_map(card.changes))
        noted = [constraint.id for constraint in changed.constraints.values() if not constraint.holds]
        inputs = {id: given.value for id, given in changed.inputs.items()}
        assert noted == broken_constraints(chain, program.values_with(change_map(card.changes)), inputs)
        if noted:
            violated[card.id] = noted
    assert violated == {"kv-heads": ["batch-fits", "per-token"]}


def test_a_slip_of_the_quiz_is_far_enough_from_the_right_answer(program: Program, chain: Chain) -> None:
    questions = program.data.quiz
    assert len(questions) >= 5
    for question in questions:
        right = chain.value(question.asks)
        answers = [right]
        for slip in question.slips:
            if slip.reads:
                assert chain.steps[slip.reads].unit.dimension == chain.steps[question.asks].unit.dimension
                wrong = chain.value(slip.reads)
            else:
                wrong = program.values_with(change_map(slip.changes))[question.asks]
            assert abs(wrong / right - 1) >= 0.1, f"{question.id}: {slip.id} gives {wrong:g}, near to {right:g}"
            answers.append(wrong)
        # Whoever makes two of the slips must be able to tell them apart as well.
        shown = [str(chain.show(question.asks, answer)) for answer in answers]
        assert len(set(shown)) == len(shown), question.id


def test_the_whole_chain_in_plain_arithmetic(chain: Chain) -> None:
    users, requests, share, tokens_in, tokens_out, tp, batch = 10e6, 8, 0.15, 1500, 400, 4, 128
    memory, bandwidth, peak_flops = 80e9, 3.35e12, 1979e12
    parameters, weights, layers, kv_heads, head_dim, kv_width = 70e9, 70e9, 80, 8, 128, 2
    price, prefill_flops, usable, hits, planned = 4, 400e12, 0.9, 0.8, 0.7

    peak = users * requests * share / 3600
    kv = 2 * layers * kv_heads * head_dim * kv_width * (tokens_in + tokens_out)
    fit = floor((usable * tp * memory - weights) / kv)
    caches = batch * kv / (tp * bandwidth)
    reading, arithmetic = weights / (tp * bandwidth), 2 * parameters * batch / (tp * peak_flops)
    step = caches + max(reading, arithmetic)
    per_replica = batch / step
    needed = peak * tokens_out
    replicas = ceil(needed / per_replica)
    gpus = replicas * tp
    cost = tp * tokens_out / per_replica * 1000 / 3600 * price
    prefill = 2 * parameters * tokens_in / prefill_flops
    prefill_gpus, prefill_gpus_cached = round(peak * prefill), round(peak * prefill * (1 - hits))
    prefill_cost = prefill * 1000 / 3600 * price
    day = price * 24 / (users * requests) * 1000
    full_memory = (weights + fit * kv) / (tp * bandwidth)
    full = fit * kv / (tp * bandwidth) + max(reading, 2 * parameters * fit / (tp * peak_flops))

    derived = {
        "model_weights": weights / 1e9,
        "kv_per_token": 327_680,
        "peak_requests": peak,
        "kv_per_request": kv / 1e6,
        "sequences_that_fit": fit,
        "decode_step": step * 1000,
        "tokens_per_replica": per_replica,
        "tokens_needed": needed,
        "replicas": replicas,
        "gpus": gpus,
        "cost_per_1000": cost,
        "prefill_gpu_seconds": prefill,
        "prefill_gpus": prefill_gpus,
        "prefill_gpus_cached": prefill_gpus_cached,
        "equal_hit_share": 100 * (1 - gpus / prefill_gpus),
        "kept_seconds": (fit - batch) * replicas / peak,
        "both_gpus": gpus + prefill_gpus,
        "both_gpus_cached": gpus + prefill_gpus_cached,
        "prefill_cost_per_1000": prefill_cost,
        "total_cost_per_1000": cost + prefill_cost,
        "average_cost_per_1000": gpus * day,
        "total_average_cost_per_1000": (gpus + prefill_gpus) * day,
        "cached_average_cost_per_1000": (gpus + prefill_gpus_cached) * day,
        "first_token": prefill / tp * 1000,
        "decode_time": tokens_out * step,
        "peak_load": 100 * needed / (replicas * per_replica),
        "replicas_with_room": ceil(needed / planned / per_replica),
        "cache_step": caches * 1000,
        "weights_step": reading * 1000,
        "compute_step": arithmetic * 1000,
        "memory_step": (caches + reading) * 1000,
        "critical_batch": peak_flops / (2 * bandwidth),
        "in_flight": peak * tokens_out * step,
        "gpus_by_bandwidth": ceil(needed / (batch / (caches + reading)) * tp),
        "gpus_by_capacity": ceil(peak * tokens_out * step / fit * tp),
        "gpus_by_compute": ceil(2 * parameters * needed / peak_flops),
        "full_memory_step": full_memory * 1000,
        "full_memory_replicas": ceil(needed / (fit / full_memory)),
        "full_step": full * 1000,
        "full_replicas": ceil(needed / (fit / full)),
    }
    shown = {id: step.unit.from_base(step.value) for id, step in chain.steps.items()}
    assert shown == pytest.approx(derived, rel=1e-12)
