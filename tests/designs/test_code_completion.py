"""Design code completion: check numbers, what binds, follow-ups, quiz, the queue, and the chain in plain arithmetic."""

import random
from collections import deque
from heapq import heapify, heappop, heappush, heapreplace
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
        ("achieved_gpus", "1,572 GPUs"),
        ("drafted_batch", "12 sequences/replica"),
        ("drafted_gpus", "376 GPUs"),
        ("drafted_time", "199 ms"),
        ("cost_per_1000", "$0.025 per 1,000 requests"),
        ("line_cost", "$0.132"),
        ("gpus_with_room", "1,192 GPUs"),
        ("developer_cost", "$3.48 per user-month"),
        ("host_tier", "128 TB"),
        ("longest_timeout", "105 s"),
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
        "prefill_time",
        "kv_per_request",
        "decode_step",
        "decode_time",
        "server_time",
        "deadline_batch",
        "prefill_gpus",
        "decode_gpus",
        "gpus",
        "achieved_gpus",
        "drafted_batch",
        "drafted_gpus",
        "cost_per_1000",
        "warm_held",
    ]
    assert chain.headline == "gpus"


def test_what_binds_is_the_ceiling_that_demands_most(program: Program, chain: Chain) -> None:
    demanded = {word: chain.value(step) for word, step in chain.ceilings.items()}
    assert demanded == {"latency": 549, "compute": 208, "bandwidth": 132, "capacity": 43}
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
    "one-gpu-affinity": 0.22935249,
    "half-context": 501,
    "throughput-batch": 331,
    "one-line": 51,
    "weights-8-bit": 425,
    "smaller-model": 267,
    "longer-pause": 416.80896e12,
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


@pytest.mark.parametrize(("servers", "tail"), [(5, 3.0), (2, 3.5), (1, 3.8)])
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


def test_what_the_cards_say_beside_their_answers(program: Program, chain: Chain) -> None:
    fp8 = program.values_with(change_map(card(program, "weights-8-bit").changes))
    # First the halved weights, then the larger batch: the second saving is about half of the first.
    first, second = chain.value("gpus") - fp8["gpus"], fp8["gpus"] - fp8["gpus_by_latency"]
    assert (first, second) == (124, 70)
    assert fp8["deadline_batch"] > 2 * chain.value("deadline_batch")
    half = program.values_with(change_map(card(program, "half-context").changes))
    fleets = ("achieved_gpus", "drafted_gpus", "gpus_by_latency")
    fall = sorted(1 - half[id] / chain.value(id) for id in fleets)
    assert fall[0] == pytest.approx(0.25, abs=0.02)
    assert fall[-1] == pytest.approx(0.57, abs=0.02)
    assert all(half[id] > 2 * chain.value(id) for id in ("deadline_batch", "achieved_batch", "drafted_batch"))
    # A tenth of the pauses is nearly all of the mean.
    pause = program.recorded_with(change_map(card(program, "longer-pause").changes))
    tenth = (1 - pause.value("warm_share")) * pause.value("timeout")
    assert tenth > 0.9 * pause.value("keep_time")
    hit, miss = chain.value("prefill_time") + chain.value("attention_time"), chain.value("cold_first_token")
    assert miss / hit == pytest.approx(18, abs=0.5)


def rounds(dice: random.Random, tokens: int, drafts: int, chance: float) -> int:
    """How many rounds of drafting and checking a suggestion takes by chance."""
    needed = 0
    while tokens > 0:
        needed, tokens, kept = needed + 1, tokens - 1, 0
        while kept < drafts and dice.random() < chance:
            kept += 1
        tokens -= kept
    return needed


def test_bad_luck_alone_takes_the_rounds_of_the_slow_acceptance(chain: Chain) -> None:
    dice = random.Random(2026)
    tokens, drafts, chance = 25, int(chain.value("draft_tokens")), chain.value("draft_acceptance")
    simulated = sorted(rounds(dice, tokens, drafts, chance) for _ in range(20_000))
    assert round(sum(simulated) / len(simulated)) == 12
    assert simulated[int(0.95 * len(simulated))] == 15
    slow = chain.value("slow_acceptance")
    # Code that drafts at that chance throughout is late about every second time.
    worse = [rounds(dice, tokens, drafts, slow) for _ in range(20_000)]
    assert sum(each > 15 for each in worse) / len(worse) == pytest.approx(0.5, abs=0.05)
    assert tokens / sum(slow**power for power in range(drafts + 1)) == pytest.approx(15, abs=0.5)


@pytest.mark.parametrize(("drafted", "about"), [(True, 0.163), (False, 0.18)])
def test_waiting_for_a_slot_and_the_steps_in_a_simulated_node(chain: Chain, drafted: bool, about: float) -> None:
    """What the reason for the slot load says: with drafts a node is in time at p95, without them the bound is not."""
    gpus = int(chain.value("gpus_per_node") - chain.value("prefill_per_node")) if drafted else 4
    slots = int(chain.value("drafted_batch" if drafted else "batch"))
    drafts, chance = (int(chain.value("draft_tokens")), chain.value("draft_acceptance")) if drafted else (0, 0.0)
    speed = chain.value("achieved_bandwidth") if drafted else chain.value("gpu.bandwidth")
    weights, kv = chain.value("model_weights"), chain.value("kv_per_request")
    longer = 1 + chain.value("draft_cost") * drafts
    per_round = sum(chance**power for power in range(drafts + 1))
    full = 25 / per_round * longer * (weights + slots * kv) / speed
    rate = chain.value("slot_load") * gpus * slots / full
    dice = random.Random(1)
    arrivals, now = [], 0.0
    for _ in range(20_000):
        now += dice.expovariate(rate)
        arrivals.append(now)
    waiting: deque[float] = deque()
    busy: list[tuple[float, int]] = []
    running: list[list[tuple[float, int]]] = [[] for _ in range(gpus)]
    idle, taken, coming = set(range(gpus)), [], 0

    def step(gpu: int, at: float) -> None:
        while waiting and len(running[gpu]) < slots:
            running[gpu].append((waiting.popleft(), rounds(dice, 25, drafts, chance)))
        if running[gpu]:
            heappush(busy, (at + longer * (weights + len(running[gpu]) * kv) / speed, gpu))
            idle.discard(gpu)
        else:
            idle.add(gpu)

    while coming < len(arrivals) or busy:
        if coming < len(arrivals) and (not busy or arrivals[coming] <= busy[0][0]):
            waiting.append(arrivals[coming])
            if idle:
                step(min(idle), arrivals[coming])
            coming += 1
            continue
        at, gpu = heappop(busy)
        taken += [at - since for since, left in running[gpu] if left == 1]
        running[gpu] = [(since, left - 1) for since, left in running[gpu] if left > 1]
        step(gpu, at)
    late = sorted(taken)[int(0.95 * len(taken))]
    assert late == pytest.approx(about, rel=0.02)
    assert (late <= chain.value("time_for_steps")) is drafted


def test_a_context_is_kept_as_long_as_its_pauses_say(chain: Chain) -> None:
    """Pauses of the two lengths that the page names: their mean is the peak's, and what is kept is the table's."""
    dice = random.Random(2026)
    timeout, pause, long = (chain.value(id) for id in ("timeout", "typing_pause", "long_pause"))
    pauses = [
        min(timeout, dice.expovariate(1 / pause)) if dice.random() < chain.value("warm_share") else long
        for _ in range(100_000)
    ]
    assert sum(pauses) / len(pauses) == pytest.approx(
        chain.value("daily_users") / chain.value("peak_requests"), rel=0.02
    )
    kept = [min(timeout, each) for each in pauses]
    assert sum(kept) / len(kept) == pytest.approx(chain.value("keep_time"), rel=0.02)


def test_a_short_pass_waits_for_the_weights(program: Program, chain: Chain) -> None:
    fewest = program.replayed({"new_tokens": 50.0})
    assert fewest["prefill_time"] == pytest.approx(chain.value("weights_step"))


def test_no_number_outruns_the_limits_that_it_was_solved_under(chain: Chain) -> None:
    # Steps are read-bound up to the critical batch, drafts included.
    tokens = chain.value("drafted_batch") * (chain.value("draft_tokens") + 1)
    assert tokens < chain.value("critical_batch")
    # The split of a serving node leaves less than a tenth of its GPUs idle.
    used = chain.value("warm_gpus_with_room") + chain.value("decode_gpus_with_room")
    assert 0.9 < used / (chain.value("serving_nodes") * chain.value("gpus_per_node")) <= 1
    # Chunked prefill saves the second reading of the weights, and a shared GPU still misses the deadline.
    stall = chain.value("shared_stall") - (chain.value("batch") - 1) * chain.value("weights_step")
    moved = chain.value("handoff_time") + chain.value("fetch_time")
    assert chain.value("server_time") - moved + stall > chain.value("deadline")
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
    deadline, front, load, servers, tail, link = 0.2, 0.005, 0.6, 5, 3, 370e9

    weights, per_token = 2 * parameters, 2 * layers * kv_heads * head_dim * 2
    kv, warm_context = per_token * (context + out), per_token * context
    peak = users * triggers * share / 3600
    cold, warm = 2 * parameters * context / rate, 2 * parameters * new / rate
    look_back = 4 * layers * query_heads * head_dim * new * (context - new + new / 2) / rate
    queue = tail * (warm + look_back) * load / (2 * servers * (1 - load))
    handoff, fetch = warm_context / link, per_token * (context - new) / link
    step = (weights + batch * kv) / bandwidth
    steps = out * step
    before = front + queue + fetch + warm + look_back + handoff
    server, left = before + steps, deadline - before
    deadline_batch = floor((left / out * bandwidth - weights) / kv)
    decode = steps / batch
    prefill_gpus, decode_gpus = ceil(peak * warm), ceil(peak * decode)
    gpus = prefill_gpus + decode_gpus
    achieved = 0.8 * bandwidth
    slow_batch = floor((left / out * achieved - weights) / kv)
    slow_step = (weights + slow_batch * kv) / achieved
    speedup = (1 + 0.6 + 0.6**2 + 0.6**3) / (1 + 3 * 0.05)
    slow_speedup = (1 + 0.4 + 0.4**2 + 0.4**3) / (1 + 3 * 0.05)
    drafted_batch = floor((left * slow_speedup / out * achieved - weights) / kv)
    drafted_step = (weights + drafted_batch * kv) / achieved
    slow_steps, drafted = out * drafted_step / slow_speedup, out * drafted_step / speedup / drafted_batch
    cost = (warm + drafted) / 3.6 * price
    fit = floor((usable * memory - weights) / kv)
    full, full_pass = ((weights + fit * each) / bandwidth for each in (kv, per_token * (context - new)))
    cold_first = cold + 2 * layers * query_heads * head_dim * context**2 / rate
    warm_roomy, decode_roomy = ceil(peak * (warm + look_back) / load), ceil(peak * drafted / 0.8)
    lane = ceil(peak * 0.1 * cold_first / 0.8)
    serving = max(ceil(warm_roomy / 5), ceil(decode_roomy / 3))
    nodes = serving + ceil(lane / 8)
    roomy = nodes * 8
    spare, tier = (fit * 5 + (fit - drafted_batch) * 3) * serving * warm_context, serving * 8 * 200e9
    kept = 0.9 * 2 + 0.1 * 12
    accepted = out * 0.7 * 0.4 * 0.27
    all_day = roomy * price * 24 / (users * triggers) * 1000

    derived = {
        "model_weights": weights / 1e9,
        "kv_per_token": 131_072,
        "cached_tokens": 5700,
        "cold_gpu_seconds": cold * 1e3,
        "warm_gpu_seconds": warm * 1e3,
        "attention_gpu_seconds": look_back * 1e3,
        "warm_context": warm_context / 1e6,
        "achieved_bandwidth": achieved / 1e12,
        "queue_servers": servers,
        "attention_time": look_back * 1e3,
        "queue_wait": queue * 1e3,
        "fetch_time": fetch * 1e3,
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
        "achieved_time": (server - steps + steps / 0.8) * 1e3,
        "achieved_batch": slow_batch,
        "achieved_step": slow_step * 1e3,
        "achieved_gpus": ceil(peak * (warm + out * slow_step / slow_batch)),
        "cold_first_token": cold_first * 1e3,
        "cold_tokens": (deadline - (front + queue + slow_steps)) * rate / (2 * parameters),
        "shared_stall": (batch - 1) * (warm + look_back) * 1e3,
        # A whole number as it is, so a float may lie on either side of it.
        "cold_prefill_gpus": round(peak * cold),
        "warm_gpus_with_room": warm_roomy,
        "decode_gpus_with_room": decode_roomy,
        "lane_gpus": lane,
        "serving_nodes": serving,
        "lane_sent": peak * 0.1 * warm_context / ceil(lane / 8) / 1e9,
        "nodes": nodes,
        "gpus_with_room": roomy,
        "sequences_that_fit": fit,
        "keep_time": kept,
        "warm_held": peak * kept * warm_context / 1e12,
        "spare_memory": spare / 1e12,
        "host_tier": tier / 1e12,
        "context_room": (spare + tier) / 1e12,
        "longest_timeout": ((spare + tier) / warm_context / peak - 0.9 * 2) / 0.1,
        "long_pause": (users / peak - 0.9 * 2) / 0.1,
        "host_load": warm_context / 50e9 * 1e3,
        "cancelled_gpus": ceil(peak * drafted * (1 - 0.3 * 0.5) / 0.8),
        "accepted_tokens": accepted,
        "line_cost": cost / 1000 / accepted * 10_000,
        "average_cost_per_1000": all_day,
        "average_line_cost": all_day / 1000 / accepted * 10_000,
        "developer_cost": roomy * price * 730 / users,
        "sequence_price": out * kv / bandwidth * 1e3,
        "critical_batch": peak_flops / bandwidth,
        "weights_step": weights / bandwidth * 1e3,
        "deadline_step": (weights + deadline_batch * kv) / bandwidth * 1e3,
        "gpus_by_latency": ceil(peak * (warm + out * (weights + deadline_batch * kv) / bandwidth / deadline_batch)),
        "full_step": full * 1e3,
        "full_pass": full_pass * 1e3,
        "gpus_by_bandwidth": ceil(peak * (out * full + full_pass) / fit),
        "gpus_by_capacity": ceil(peak * (warm + steps) / fit),
        "gpus_by_compute": prefill_gpus + ceil(2 * parameters * peak * out / peak_flops),
        "gpus_to_keep": ceil(peak * (kept + warm + steps) / fit),
        "speedup": speedup,
        "slow_speedup": slow_speedup,
        "drafted_batch": drafted_batch,
        "drafted_step": drafted_step * 1e3,
        "drafted_time": (before + slow_steps) * 1e3,
        "drafted_gpu_seconds": drafted * 1e3,
        "drafted_gpus": ceil(peak * (warm + drafted)),
    }
    shown = {id: step.unit.from_base(step.value) for id, step in chain.steps.items()}
    assert shown == pytest.approx(derived, rel=1e-12)
