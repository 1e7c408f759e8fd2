"""Design code completion: check numbers, what binds, follow-ups, quiz, the queue, and the chain in plain arithmetic."""

import random
from heapq import heapify, heapreplace
from math import ceil, floor

import pytest

from macros.assumptions import load
from macros.assumptions.model import Amount, FollowUp
from macros.chains import Program, change_map, programs
from macros.sizing import Chain
from macros.sizing.sensitivity import broken_constraints


@pytest.fixture(scope="module")
def program() -> Program:
    return programs(load())["designs"]["code-completion"]


@pytest.fixture(scope="module")
def chain(program: Program) -> Chain:
    return program.chain


@pytest.mark.parametrize(
    ("id", "about", "tolerance"),
    [
        ("cold_prefill", 241, 0.01),
        ("cold_first_token", 265, 0.03),
        ("cold_prefill_gpus", 4015, 0.01),
        ("prefill_gpus", 201, 0.01),
        ("model_time", 179, 0.02),
        ("decode_gpus", 348, 0.02),
        ("warm_context", 786, 0.01),
        ("warm_held", 39, 0.01),
    ],
)
def test_a_check_number(chain: Chain, id: str, about: float, tolerance: float) -> None:
    assert chain.steps[id].unit.from_base(chain.value(id)) == pytest.approx(about, rel=tolerance)


def test_a_batch_for_throughput_needs_130_gpus_and_takes_496_ms(program: Program) -> None:
    after = program.values_with(change_map(card(program, "throughput-batch").changes))
    assert after["decode_gpus"] == 130
    # The steps alone; prefill and the other stages come on top.
    assert after["decode_time"] == pytest.approx(0.496, rel=0.02)


@pytest.mark.parametrize(
    ("id", "shown"),
    [
        ("peak_requests", "16,667 requests/s"),
        ("prefill_time", "12 ms"),
        ("decode_step", "6.68 ms"),
        ("server_time", "197 ms"),
        ("deadline_batch", "8 sequences/replica"),
        ("gpus", "549 GPUs"),
        ("cost_per_1000", "$0.0366 per 1,000 requests"),
        ("line_cost", "$0.0774"),
    ],
)
def test_a_number_of_the_page_as_it_is_shown(chain: Chain, id: str, shown: str) -> None:
    assert str(chain.show(id)) == shown


def test_the_main_table_leads_to_the_headline_and_does_not_give_the_batch_away(chain: Chain) -> None:
    assert [given.id for given in chain.inputs.values() if given.kind == "assumption" and given.part == "numbers"] == [
        "daily_users",
        "requests_per_user",
        "peak_share",
        "input_tokens",
        "new_tokens",
        "output_tokens",
        "gpus_per_replica",
    ]
    assert [step.id for step in chain.steps.values() if step.part == "numbers"] == [
        "peak_requests",
        "cold_prefill",
        "prefill_time",
        "kv_per_request",
        "decode_step",
        "decode_time",
        "model_time",
        "server_time",
        "deadline_batch",
        "prefill_gpus",
        "decode_gpus",
        "gpus",
        "cost_per_1000",
        "warm_held",
    ]
    assert chain.headline == "gpus"


def test_what_binds_is_the_ceiling_that_demands_most(program: Program, chain: Chain) -> None:
    demanded = {word: chain.value(step) for word, step in chain.ceilings.items()}
    assert demanded == {"latency": 549, "compute": 208, "bandwidth": 127, "capacity": 43}
    assert max(demanded, key=lambda word: demanded[word]) == program.data.binds == "latency"
    # With every warm context in GPU memory it would be capacity, as the page says.
    assert chain.value("gpus_to_keep") > demanded["latency"]


def test_the_deadline_allows_the_batch_and_no_more(program: Program, chain: Chain) -> None:
    assert chain.value("batch") == chain.value("deadline_batch") < chain.value("sequences_that_fit")
    for batch, holds in ((8, True), (9, False)):
        after = program.replayed({"batch": float(batch)})
        assert (after["server_time"] <= chain.value("deadline")) is holds
        assert after["server_time"] - chain.value("server_time") == pytest.approx(
            (batch - 8) * chain.value("sequence_price"), abs=1e-12
        )


FOLLOW_UPS = {
    "suffix-last": 1553,
    "one-gpu-affinity": 0.2207453,
    "half-context": 501,
    "throughput-batch": 331,
    "one-line": 52,
    "weights-8-bit": 425,
    "smaller-model": 267,
    "longer-pause": 131.072e12,
}


def card(program: Program, id: str) -> FollowUp:
    return next(card for card in program.data.follow_ups if card.id == id)


def test_the_answers_of_the_follow_ups(program: Program) -> None:
    answers = {card.id: program.values_with(change_map(card.changes))[card.asks] for card in program.data.follow_ups}
    assert answers == pytest.approx(FOLLOW_UPS, rel=1e-6)


def test_follow_ups_that_violate_a_constraint(program: Program, chain: Chain) -> None:
    violated = {}
    for follow_up in program.data.follow_ups:
        changes = change_map(follow_up.changes)
        changed = program.recorded_with(changes)
        noted = [constraint.id for constraint in changed.constraints.values() if not constraint.holds]
        inputs = {id: given.value for id, given in changed.inputs.items()}
        assert noted == broken_constraints(chain, program.values_with(changes), inputs)
        if noted:
            violated[follow_up.id] = noted
    assert violated == {
        "suffix-last": ["deadline"],
        "one-gpu-affinity": ["deadline"],
        "throughput-batch": ["deadline"],
        "longer-pause": ["tier-holds"],
    }


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
        shown = [str(chain.show(question.asks, answer)) for answer in answers]
        assert len(set(shown)) == len(shown), question.id


@pytest.mark.parametrize(("servers", "tail"), [(4, 3.1), (1, 3.8)])
def test_the_tail_of_the_queue_against_a_simulated_one(chain: Chain, servers: int, tail: float) -> None:
    """What the reason for the tail says: p95 of a simulated queue, as a multiple of the formula's mean."""
    service = chain.value("attention_time") + chain.value("prefill_time")
    load = chain.value("queue_load")
    dice = random.Random(2026)
    free = [0.0] * servers
    heapify(free)
    now, waits = 0.0, []
    for _ in range(200_000):
        now += dice.expovariate(servers * load / service)
        start = max(now, free[0])
        waits.append(start - now)
        heapreplace(free, start + service)
    mean = service * load / (2 * servers * (1 - load))
    assert sorted(waits)[int(0.95 * len(waits))] == pytest.approx(tail * mean, rel=0.05)
    assert sum(waits) / len(waits) <= mean * 1.05


def test_no_number_outruns_the_limits_that_it_was_solved_under(chain: Chain) -> None:
    # Steps are read-bound up to the critical batch, drafts included.
    tokens = chain.value("drafted_batch") * (chain.value("draft_tokens") + 1)
    assert tokens < chain.value("critical_batch")
    # Half of a node for each phase suits the fleet with room to within a tenth.
    work = chain.value("warm_gpu_seconds") + chain.value("attention_gpu_seconds")
    prefill, decode = work / chain.value("queue_load"), chain.value("decode_gpu_seconds") / chain.value("slot_load")
    assert prefill == pytest.approx(decode, rel=0.1)
    # Chunked prefill saves the second reading of the weights, and a shared GPU still misses the deadline.
    stall = chain.value("shared_stall") - chain.value("batch") * chain.value("weights_step")
    assert chain.value("server_time") - chain.value("handoff_time") + stall > chain.value("deadline")
    # A context that is loaded before the prefill, and not beside it, does as well.
    assert chain.value("server_time") + chain.value("host_load") > chain.value("deadline")


def test_the_model_of_the_card_has_the_parameters_that_its_shape_gives(program: Program) -> None:
    """Llama 3.2 3B: hidden 3,072, 24 query and 8 KV heads of 128, MLP 8,192, 28 layers, tied vocabulary of 128,256."""
    layer = 3072 * 128 * (2 * 24 + 2 * 8) + 3 * 3072 * 8192 + 2 * 3072
    nominal = change_map(card(program, "smaller-model").changes)["model.nominal"]
    assert isinstance(nominal, Amount)
    assert nominal.base == pytest.approx(28 * layer + 128_256 * 3072 + 3072, rel=1e-3)


def test_the_whole_chain_in_plain_arithmetic(chain: Chain) -> None:
    users, triggers, share, context, new, out, batch = 1e6, 400, 0.15, 6000, 300, 25, 8
    memory, bandwidth, peak_flops, rate, usable, price = 80e9, 3.35e12, 989e12, 400e12, 0.9, 4
    parameters, layers, query_heads, kv_heads, head_dim = 8.03e9, 32, 32, 8, 128
    deadline, front, load, servers, tail, link = 0.2, 0.005, 0.6, 4, 3, 370e9

    weights, per_token = 2 * parameters, 2 * layers * kv_heads * head_dim * 2
    kv, warm_context = per_token * (context + out), per_token * context
    peak = users * triggers * share / 3600
    cold, warm = 2 * parameters * context / rate, 2 * parameters * new / rate
    look_back = 4 * layers * query_heads * head_dim * new * (context - new + new / 2) / rate
    queue = tail * (warm + look_back) * load / (2 * servers * (1 - load))
    handoff = warm_context / link
    step = (weights + batch * kv) / bandwidth
    steps = out * step
    before = front + queue + warm + look_back + handoff
    server, left = before + steps, deadline - before
    deadline_batch = floor((left / out * bandwidth - weights) / kv)
    decode = steps / batch
    prefill_gpus, decode_gpus = ceil(peak * warm), ceil(peak * decode)
    gpus = prefill_gpus + decode_gpus
    cost = (warm + decode) / 3.6 * price
    fit = floor((usable * memory - weights) / kv)
    full = (weights + fit * kv) / bandwidth
    roomy = ceil(peak * (warm + look_back) / load) + ceil(peak * decode / 0.8)
    accepted = out * 0.7 * 0.27
    all_day = roomy * price * 24 / (users * triggers) * 1000
    speedup = (1 + 0.6 + 0.6**2 + 0.6**3) / (1 + 3 * 0.05)
    achieved = server - steps + steps / 0.8
    drafted_batch = floor((left * speedup / out * bandwidth - weights) / kv)
    drafted_step = (weights + drafted_batch * kv) / bandwidth

    derived = {
        "model_weights": weights / 1e9,
        "kv_per_token": 131_072,
        "cached_tokens": 5700,
        "cold_gpu_seconds": cold * 1e3,
        "warm_gpu_seconds": warm * 1e3,
        "attention_gpu_seconds": look_back * 1e3,
        "warm_context": warm_context / 1e6,
        "attention_time": look_back * 1e3,
        "queue_wait": queue * 1e3,
        "handoff_time": handoff * 1e3,
        "peak_requests": peak,
        "cold_prefill": cold * 1e3,
        "prefill_time": warm * 1e3,
        "kv_per_request": kv / 1e6,
        "decode_step": step * 1e3,
        "decode_time": steps * 1e3,
        "model_time": (warm + steps) * 1e3,
        "server_time": server * 1e3,
        "time_for_steps": left * 1e3,
        "deadline_batch": deadline_batch,
        "decode_gpu_seconds": decode * 1e3,
        "prefill_gpus": prefill_gpus,
        "decode_gpus": decode_gpus,
        "gpus": gpus,
        "cost_per_1000": cost,
        "editor_time": (0.075 + 0.04 + server) * 1e3,
        "achieved_time": achieved * 1e3,
        "cold_first_token": (cold + 2 * layers * query_heads * head_dim * context**2 / rate) * 1e3,
        "cold_tokens": (deadline - (server - warm - look_back)) * rate / (2 * parameters),
        "shared_stall": batch * warm * 1e3,
        # A whole number as it is, so a float may lie on either side of it.
        "cold_prefill_gpus": round(peak * cold),
        "missed_prefill_gpus": ceil(peak * (0.9 * warm + 0.1 * cold)),
        "sequences_that_fit": fit,
        "warm_held": peak * 3 * warm_context / 1e12,
        "kept_in_gpus": ((fit - batch) * decode_gpus + fit * prefill_gpus) / peak,
        "host_tier": gpus * 200e9 / 1e12,
        "host_load": warm_context / 50e9 * 1e3,
        "gpus_with_room": roomy,
        "nodes": ceil(roomy / 8),
        "cancelled_gpus": ceil(peak * decode * (1 - 0.3 * 0.5)),
        "accepted_tokens": accepted,
        "line_cost": cost / 1000 / accepted * 10_000,
        "average_cost_per_1000": all_day,
        "average_line_cost": all_day / 1000 / accepted * 10_000,
        "developer_cost": roomy * price * 730 / users,
        "sequence_price": out * kv / bandwidth * 1e3,
        "critical_batch": peak_flops / bandwidth,
        "weights_step": weights / bandwidth * 1e3,
        "tokens_needed": peak * out,
        "deadline_step": (weights + deadline_batch * kv) / bandwidth * 1e3,
        "gpus_by_latency": ceil(peak * (warm + out * (weights + deadline_batch * kv) / bandwidth / deadline_batch)),
        "full_step": full * 1e3,
        "gpus_by_bandwidth": ceil(peak * out / (fit / full)),
        "gpus_by_capacity": ceil(peak * (warm + steps) / fit),
        "gpus_by_compute": prefill_gpus + ceil(2 * parameters * peak * out / peak_flops),
        "gpus_to_keep": ceil(peak * 3 / fit),
        "speedup": speedup,
        "drafted_time": steps / speedup * 1e3,
        "drafted_achieved_time": (before + steps / speedup / 0.8) * 1e3,
        "drafted_batch": drafted_batch,
        "drafted_step": drafted_step * 1e3,
        "drafted_gpus": ceil(peak * (warm + out * drafted_step / speedup / drafted_batch)),
    }
    shown = {id: step.unit.from_base(step.value) for id, step in chain.steps.items()}
    assert shown == pytest.approx(derived, rel=1e-12)
