"""Design a coding agent: check numbers, what binds, sums turn by turn, follow-ups, quiz, all in plain arithmetic."""

import random
from math import ceil, floor, sqrt

import pytest

from macros.assumptions import load
from macros.assumptions.model import FollowUp
from macros.chains import Program, change_map, programs
from macros.sizing import Chain
from macros.sizing.sensitivity import broken_constraints


@pytest.fixture(scope="module")
def program() -> Program:
    return programs(load())["designs"]["coding-agent"]


@pytest.fixture(scope="module")
def chain(program: Program) -> Chain:
    return program.chain


@pytest.mark.parametrize(
    ("id", "about", "tolerance"),
    [
        ("session_tokens", 1_880_000, 0.01),
        ("new_tokens", 70_400, 0.01),
        ("weights_gpus", 2_742, 0.01),
        ("warm_weights_gpus", 103, 0.01),
        ("gpus", 4_240, 0.03),
        ("warm_gpus", 185, 0.03),
        ("sessions_at_once", 5_000, 0.01),
        ("mean_prompt", 47_000, 0.01),
        ("kv_per_session", 15.4, 0.01),
        ("held", 77, 0.01),
        ("held_gpus", 1_413, 0.01),
    ],
)
def test_a_check_number(chain: Chain, id: str, about: float, tolerance: float) -> None:
    assert chain.steps[id].unit.from_base(chain.value(id)) == pytest.approx(about, rel=tolerance)


@pytest.mark.parametrize(
    ("id", "shown"),
    [
        ("gpus", "4,240 GPUs"),
        ("warm_gpus", "184 GPUs"),
        ("held_gpus", "1,413 GPUs"),
        ("break_even", "83.8 s"),
        ("prefill_pool", "224 GPUs"),
        ("decode_pool", "569 GPUs"),
        ("tiered_gpus", "793 GPUs"),
        ("gpus_with_room", "1,337 GPUs"),
        ("daily_cost", "$1.28"),
        ("slow_share", "4.75 %"),
        ("cold_cost", "$1.24"),
        ("solved_cost", "$0.499"),
    ],
)
def test_a_number_of_the_page_as_it_is_shown(chain: Chain, id: str, shown: str) -> None:
    assert str(chain.show(id)) == shown


def test_the_main_table_leads_from_reading_again_to_keeping(chain: Chain) -> None:
    assert [given.id for given in chain.inputs.values() if given.kind == "assumption" and given.part == "numbers"] == [
        "sessions",
        "session_time",
        "turns",
        "first_context",
        "growth",
        "output_tokens",
        "peak_share",
        "gpus_per_replica",
    ]
    assert [step.id for step in chain.steps.values() if step.part == "numbers"] == [
        "peak_sessions",
        "session_tokens",
        "mean_prompt",
        "weights_work",
        "attention_work",
        "gpus",
        "new_tokens",
        "warm_gpus",
        "sessions_at_once",
        "kv_per_session",
        "held",
        "held_gpus",
        "break_even",
        "tiered_gpus",
    ]
    assert chain.headline == "gpus"


def test_what_binds_is_the_ceiling_that_demands_most(program: Program, chain: Chain) -> None:
    demanded = {word: chain.value(step) for word, step in chain.ceilings.items()}
    assert demanded == {"compute": 4249, "capacity": 688, "bandwidth": 406}
    assert max(demanded, key=lambda word: demanded[word]) == program.data.binds == "compute"
    # With every prefix kept capacity takes over, and with a host tier decode is the larger half, as the page says.
    assert chain.value("held_gpus") > chain.value("decode_gpus") > chain.value("warm_by_compute")
    assert chain.value("decode_gpus") > chain.value("missed_gpus")


def test_a_lost_cache_costs_a_prefill_of_what_it_held_and_nothing_more(chain: Chain) -> None:
    """The new tokens are read either way, so the break-even wait takes nothing off for them."""

    def read(new: float, cached: float) -> float:
        return (2 * 70e9 * new + 4 * 80 * 64 * 128 * new * (cached + new / 2)) / 400e12

    lost, kept = read(1600 + 47_000, 0), read(1600, 47_000)
    assert chain.value("again") == pytest.approx(lost - kept, rel=1e-12)


def test_the_pools_and_the_slow_turns_turn_by_turn(chain: Chain) -> None:
    pool = riding = slow = 0.0
    for turn in range(40):
        prompt, new = 8000 + 2000 * turn, 1600
        cold = (2 * 70e9 * prompt + 2 * 80 * 64 * 128 * prompt**2) / 400e12
        warm = (2 * 70e9 * new + 4 * 80 * 64 * 128 * new * (prompt - new / 2)) / 400e12
        missed = 1.0 if turn == 0 else 0.05
        pool += missed * cold
        riding += (1 - missed) * warm
        slow += missed / 40 if cold / 4 > 1 else 0
    peak = 100_000 * 0.15 / 3600
    assert chain.value("prefill_pool") == ceil(peak * pool)
    assert chain.value("riding_gpus") == pytest.approx(peak * riding, rel=1e-12)
    assert chain.value("slow_share") == pytest.approx(slow, rel=1e-12)
    # Both pools are the prefill at the warm share and decode; each rounds up once.
    assert chain.value("tiered_gpus") - chain.value("missed_gpus") - chain.value("decode_gpus") in (0, 1)
    # A longer prompt by one token would miss the target, a shorter one would not.
    quick = chain.value("quick_prompt")
    assert (2 * 70e9 * quick + 2 * 80 * 64 * 128 * quick**2) / 400e12 / 4 == pytest.approx(1, rel=1e-12)


def test_the_window_ends_a_loop_and_compaction_keeps_its_turns_average(chain: Chain) -> None:
    turns = int(chain.value("turns_in_window"))
    assert 8000 + 2000 * (turns - 1) + 400 <= 131_072 < 8000 + 2000 * turns + 400
    # From the summary up to the usual last prompt and over again: as long as a mean turn, within a twentieth.
    prompts = list(range(8000 + 4000, 86_000 + 1, 2000))
    assert chain.value("loop_prompt") == sum(prompts) / len(prompts)
    assert chain.value("loop_prompt") / chain.value("mean_prompt") == pytest.approx(1, abs=0.05)
    # What writing the summaries adds to a loop's output stays out of the fleet: a few percent of decode.
    loops, summaries = chain.value("loop_bill"), 4000 / len(prompts) / 400
    assert loops * summaries < 0.05


def test_the_reason_for_the_warm_share() -> None:
    """Hit rates of the replayed sessions, and the best rate that their amplification of 18.9 at a minute implies."""
    best = 1 - (1 - 0.854) / 18.9
    assert best == pytest.approx(0.992, abs=0.0005)
    assert [round(100 * hit / best) for hit in (0.854, 0.943, 0.986)] == [86, 95, 99]


def test_the_sums_turn_by_turn(chain: Chain) -> None:
    """The closed forms against a loop over the forty turns."""
    weights = attention = new_weights = new_attention = 0.0
    prompts = []
    for turn in range(40):
        prompt = 8000 + 2000 * turn
        prompts.append(prompt)
        weights += 2 * 70e9 * prompt
        attention += 4 * 80 * 64 * 128 * prompt * prompt / 2
        new = 1600 if turn else 8000
        new_weights += 2 * 70e9 * new
        new_attention += 4 * 80 * 64 * 128 * new * (prompt - new + new / 2)
    assert chain.value("session_tokens") == sum(prompts)
    assert chain.value("last_prompt") == prompts[-1]
    assert chain.value("weights_work") == pytest.approx(weights / 400e12, rel=1e-12)
    assert chain.value("attention_work") == pytest.approx(attention / 400e12, rel=1e-12)
    assert chain.value("warm_work") == pytest.approx((new_weights + new_attention) / 400e12, rel=1e-12)
    # Half of the turns, then a summary behind the first context, then the other half.
    compacted = prompts[:20] + [prompt + 4000 for prompt in prompts[:20]]
    assert chain.value("compacted_mean") == pytest.approx(sum(compacted) / 40, rel=1e-12)


def test_dropping_at_the_break_even_wait_costs_at_most_twice_the_best(chain: Chain) -> None:
    share = chain.value("kv_per_session") / chain.value("room_per_gpu")
    prefill, keep_for = chain.value("again"), chain.value("break_even")
    assert share * keep_for == pytest.approx(prefill, rel=1e-12)
    for wait in (0.1, 1.0, 17.6, keep_for, 100.0, 3600.0):
        paid = share * wait if wait <= keep_for else share * keep_for + prefill
        assert paid <= 2 * min(share * wait, prefill) * (1 + 1e-12)


def test_holding_costs_as_much_as_reading_again_where_the_slow_session_is(program: Program, chain: Chain) -> None:
    after = program.values_with(change_map(card(program, "slow-tests").changes))
    assert after["held_gpus"] == pytest.approx(chain.value("gpus"), rel=0.001)
    assert after["gpus"] == chain.value("gpus")


def test_the_equal_warm_share_makes_both_fleets_equal(program: Program, chain: Chain) -> None:
    share = chain.value("equal_warm_share")
    after = program.replayed({"warm_share": share})
    assert after["missed_gpus"] == pytest.approx(share * chain.value("held_gpus"), abs=2)
    assert after["missed_gpus"] == pytest.approx(1_096, abs=1)


def test_the_reason_for_the_planned_load(chain: Chain) -> None:
    """Two standard deviations of what a replica's sessions hold, at random stages, take a quarter of the room."""
    per_token, room = chain.value("kv_per_token"), 4 * chain.value("room_per_gpu")
    spread = per_token * 2000 * sqrt((40**2 - 1) / 12)
    assert 2 * sqrt(chain.value("sequences_that_fit")) * spread / room == pytest.approx(0.26, abs=0.01)
    dice = random.Random(2026)
    held = sorted(sum(per_token * (8000 + 2000 * dice.randrange(40)) for _ in range(14)) for _ in range(20_000))
    assert (held[int(0.977 * len(held))] - 14 * chain.value("kv_per_session")) / room == pytest.approx(0.26, abs=0.02)


FOLLOW_UPS = {
    "longer-session": 10_523,
    "slow-tests": 4_239,
    "newer-gpu": 704,
    "more-tools": 1_654,
    "clock-in-prompt": 4_646,
    "fp8-cache": 167.65456,
    "no-cap": 2_616,
}


def card(program: Program, id: str) -> FollowUp:
    return next(card for card in program.data.follow_ups if card.id == id)


def test_the_answers_of_the_follow_ups(program: Program) -> None:
    answers = {card.id: program.values_with(change_map(card.changes))[card.asks] for card in program.data.follow_ups}
    assert answers == pytest.approx(FOLLOW_UPS, rel=1e-5)


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
        "slow-tests": ["tier-holds"],
        "more-tools": ["first-token-tail"],
        "clock-in-prompt": ["first-token-tail"],
        "no-cap": ["window"],
    }


def test_what_the_lessons_say_of_other_numbers(program: Program, chain: Chain) -> None:
    longer = program.values_with(change_map(card(program, "longer-session").changes))
    assert longer["gpus"] / chain.value("gpus") == pytest.approx(2.5, rel=0.02)
    newer = program.values_with(change_map(card(program, "newer-gpu").changes))
    assert newer["gpus"] == chain.value("gpus")
    assert newer["room_per_gpu"] / chain.value("room_per_gpu") == pytest.approx(2, rel=0.01)
    # Quiz: misses are more than half of a real fleet's prefill, attention over a third, and nearly half of a warm one.
    assert chain.value("missed_gpus") > 2 * chain.value("warm_gpus")
    assert chain.value("attention_share") > 1 / 3
    assert 0.4 < chain.value("look_back_share") < 0.5


def test_a_slip_of_the_quiz_is_far_enough_from_the_right_answer(program: Program, chain: Chain) -> None:
    questions = program.data.quiz
    assert len(questions) >= 6
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


def test_the_whole_chain_in_plain_arithmetic(chain: Chain) -> None:
    sessions, share, minutes, turns, first, growth, out = 100_000, 0.15, 20, 40, 8000, 2000, 400
    tp, memory, bandwidth, peak_flops, rate, usable, price = 4, 80e9, 3.35e12, 1979e12, 400e12, 0.9, 4
    parameters, layers, query_heads, kv_heads, head_dim = 70e9, 80, 64, 8, 128
    warm_share, host_memory, host_link, planned, summary = 0.95, 200e9, 50e9, 0.7, 4000

    per_token = 2 * layers * kv_heads * head_dim * 2
    room = (usable * tp * memory - parameters) / tp
    new = growth - out
    peak = sessions * share / 3600
    prompts = [first + growth * turn for turn in range(turns)]
    tokens, mean, last = sum(prompts), sum(prompts) / turns, prompts[-1]
    pair = 4 * layers * query_heads * head_dim
    weights_work, attention_work = 2 * parameters * tokens / rate, pair / 2 * sum(p * p for p in prompts) / rate
    cold = weights_work + attention_work
    new_tokens = first + (turns - 1) * new
    new_work = 2 * parameters * new_tokens / rate
    look_back = pair * (first * first / 2 + sum(new * (p - new + new / 2) for p in prompts[1:])) / rate
    warm = new_work + look_back
    gpus, warm_gpus = ceil(peak * cold), ceil(peak * warm)
    at_once, kv = peak * minutes * 60, per_token * mean
    held = at_once * kv
    held_gpus = ceil(held / room)
    again = (2 * parameters * mean + pair / 2 * mean**2) / rate
    break_even = again * room / kv
    missed = ceil(peak * (warm + (1 - warm_share) * (cold - warm)))

    fit = floor((usable * tp * memory - parameters) / kv)
    step = (parameters + fit * kv) / (tp * bandwidth)
    decode_time = out * step
    peak_turns = peak * turns
    decode_gpus = ceil(peak_turns * tp * decode_time / fit)
    cold_first = again / tp
    warm_first = (2 * parameters * new + pair * new * (mean - new / 2)) / rate / tp
    turn_time = minutes * 60 / turns
    first_work = (2 * parameters * first + pair / 2 * first**2) / rate
    riding = peak * warm_share * (warm - first_work)
    prefill_pool = ceil(peak * (first_work + (1 - warm_share) * (cold - first_work)))
    decode_pool = ceil(decode_gpus + riding)
    pieces = warm_first / (50e-3 - step)
    reading, writing = pieces * 50e-3, out * step * decode_pool / decode_gpus
    wait = turn_time - reading - writing
    alike, by_weights = parameters / (layers * query_heads * head_dim), tp * rate / (2 * parameters)
    quick = (sqrt(alike**2 + 4 * alike * by_weights) - alike) / 2
    tiered = prefill_pool + decode_pool
    host = decode_pool * host_memory

    compacted = sum(prompts[:20] + [p + summary for p in prompts[:20]]) / turns
    compacted_kv = per_token * compacted
    compacted_fit = floor((usable * tp * memory - parameters) / compacted_kv)
    compacted_step = (parameters + compacted_fit * compacted_kv) / (tp * bandwidth)

    cost = tiered * price / 3600 / peak
    looped = 1 + 0.02 * (400 / turns - 1)
    roomy = ceil(tiered * looped / planned)
    written = turns * out * 10e-6
    in_flight = peak_turns * (cold_first + decode_time)
    decode_compute = ceil((2 * parameters + pair * mean) * peak_turns * out / peak_flops)

    derived = {
        "model_weights": parameters / 1e9,
        "kv_per_token": 327_680,
        "room_per_gpu": room / 1e9,
        "new_per_turn": new,
        "peak_sessions": peak,
        "session_tokens": tokens,
        "mean_prompt": mean,
        "weights_work": weights_work,
        "attention_work": attention_work,
        "gpus": gpus,
        "new_tokens": new_tokens,
        "new_work": new_work,
        "look_back": look_back,
        "warm_gpus": warm_gpus,
        "sessions_at_once": at_once,
        "kv_per_session": kv / 1e9,
        "held": held / 1e12,
        "held_gpus": held_gpus,
        "again": again,
        "cache_share": kv / room,
        "break_even": break_even,
        "cold_work": cold,
        "warm_work": warm,
        "weights_gpus": ceil(peak * weights_work),
        "warm_weights_gpus": ceil(peak * new_work),
        "attention_share": 100 * attention_work / cold,
        "look_back_share": 100 * look_back / warm,
        "equal_length": parameters / (layers * query_heads * head_dim),
        "best_hit_share": 100 * (1 - new_tokens / tokens),
        "in_per_out": mean / out,
        "equal_warm_share": 100 * gpus / (held_gpus + gpus - warm_gpus),
        "missed_gpus": missed,
        "hit_share": 100 * warm_share * (1 - new_tokens / tokens),
        "scattered_gpus": ceil(peak * (cold - tp / held_gpus * (cold - warm))),
        "sequences_that_fit": fit,
        "decode_step": step * 1e3,
        "decode_time": decode_time,
        "peak_turns": peak_turns,
        "decode_gpus": decode_gpus,
        "cold_first_token": cold_first,
        "mean_cached": mean - new,
        "warm_first_token": warm_first,
        "first_work": first_work,
        "riding_gpus": riding,
        "prefill_pool": prefill_pool,
        "decode_pool": decode_pool,
        "shared_step": step * decode_pool / decode_gpus * 1e3,
        "pieces": pieces,
        "spread_first_token": reading,
        "loaded_first_token": reading + kv / tp / host_link,
        "writing_time": writing,
        "in_hand": peak_turns * (reading + writing),
        "places": decode_pool / tp * fit,
        "quick_prompt": quick,
        "quick_turns": floor((quick - first) / growth) + 1,
        "slow_share": 100 * (1 - warm_share) * (turns - 2) / turns,
        "turn_time": turn_time,
        "wait": wait,
        "idle_share": 100 * wait / turn_time,
        "last_prompt": last,
        "longest": last + out,
        "break_even_first": first_work * room / (per_token * first),
        "break_even_weights": 2 * parameters / rate * room / per_token,
        "break_even_last": (2 * parameters + pair / 2 * last) / rate * room / per_token,
        "tiered_gpus": tiered,
        "held_busy": warm_gpus + decode_gpus,
        "host_tier": host / 1e12,
        "host_least": held / decode_pool / 1e9,
        "host_load": kv / tp / host_link * 1e3,
        "link_load": 100 * peak_turns * kv / (decode_pool * host_link),
        "move_time": kv / 50e9,
        "kept_after": (host - held) / (peak * per_token * (last + out)) / 60,
        "compacted_mean": compacted,
        "compacted_kv": compacted_kv / 1e9,
        "compacted_held_gpus": ceil(at_once * compacted_kv / room),
        "compacted_fit": compacted_fit,
        "compacted_step": compacted_step * 1e3,
        "compacted_decode_gpus": ceil(peak_turns * tp * (out + summary / turns) * compacted_step / compacted_fit),
        "summary_time": summary * compacted_step,
        "cold_cost": (gpus + decode_gpus) * price / 3600 / peak,
        "held_cost": held_gpus * price / 3600 / peak,
        "tiered_cost": cost,
        "gpus_with_room": roomy,
        "daily_cost": roomy * price * 24 / sessions,
        "api_cost": new_tokens * 2e-6 + (tokens - new_tokens) * 0.2e-6 + written,
        "api_cold_cost": tokens * 2e-6 + written,
        "loop_factor": 100 * looped,
        "turns_in_window": floor((131_072 - first - out) / growth) + 1,
        "loop_prompt": (first + summary + last) / 2,
        "loop_bill": 100 * 0.02 * 400 / turns / looped,
        "solved_cost": cost * looped / 0.5,
        "capped_cost": cost * (1 + 0.02 * (60 / turns - 1)) / 0.5,
        "tokens_needed": peak_turns * out,
        "memory_step": step * 1e3,
        "in_flight": in_flight,
        "decode_compute": decode_compute,
        "gpus_by_compute": gpus + decode_compute,
        "gpus_by_capacity": ceil(in_flight / fit * tp),
        "gpus_by_bandwidth": ceil(peak_turns * out * step / fit * tp),
        "warm_by_compute": warm_gpus + decode_compute,
        "tested": floor((tp * (usable * memory - 4e9) - 70_553_706_496) / (per_token * (mean + out))),
    }
    shown = {id: step.unit.from_base(step.value) for id, step in chain.steps.items()}
    assert shown == pytest.approx(derived, rel=1e-12)
