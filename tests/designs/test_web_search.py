"""Design web search: the check numbers, what binds, the follow-ups, the quiz, and the chain in plain arithmetic."""

from math import ceil, floor

import pytest

from macros.assumptions import load
from macros.chains import Program, change_map, programs
from macros.sizing import Chain
from macros.sizing.sensitivity import broken_constraints


@pytest.fixture(scope="module")
def program() -> Program:
    return programs(load())["designs"]["web-search"]


@pytest.fixture(scope="module")
def chain(program: Program) -> Chain:
    return program.chain


@pytest.mark.parametrize(
    ("id", "about"),
    [
        ("embed_flops", 1.2),  # 1.2e21: 2 × 0.6e9 × 1e12
        ("embed_time", 1667),
        ("embed_cost", 6667),
        ("inserts", 11_574),
    ],
)
def test_a_check_number_within_a_percent(chain: Chain, id: str, about: float) -> None:
    assert chain.steps[id].unit.from_base(chain.value(id)) == pytest.approx(about, rel=0.01)


def test_seventy_gpus_embed_every_page_in_a_day(chain: Chain) -> None:
    assert chain.value("gpus") == 70
    assert chain.headline == "gpus"


@pytest.mark.parametrize(
    ("id", "shown"),
    [
        ("embed_flops", "1.2 ZFLOP"),
        ("gpus", "70 GPUs"),
        ("index_copy", "1.43 TB"),
        ("inserts_per_node", "1,837 vectors/s/node"),
        ("nodes_both", "32 nodes"),
        ("migration_cost", "$15,563"),
        ("cost_per_1000", "$2.75 per 1,000 requests"),
        ("stale_answers", "18.3 %"),
        ("room_lasts", "3.87 days"),
        ("memory_lasts", "21.8 days"),
        ("bound_up_to", "2,782 tokens/page"),
        ("average_cost_per_1000", "$5.51 per 1,000 requests"),
        ("pages_share_busy", "1.07 %"),
        ("pages_cost", "$37.56 per hour"),
        ("first_token", "774 ms"),
    ],
)
def test_a_number_as_it_is_shown(chain: Chain, id: str, shown: str) -> None:
    assert str(chain.show(id)) == shown


def test_the_main_table_leads_from_pages_to_gpus_then_to_the_migration_and_a_query(chain: Chain) -> None:
    assert [given.id for given in chain.inputs.values() if given.kind == "assumption" and given.part == "numbers"] == [
        "pages",
        "tokens_per_page",
        "changed_share",
        "deadline",
        "vectors_per_page",
        "queries",
        "candidates",
        "prompt_pages",
        "passage_tokens",
        "small_flops",
    ]
    assert [step.id for step in chain.steps.values() if step.part == "numbers"] == [
        "embed_flops",
        "embed_time",
        "gpus",
        "embed_cost",
        "gpus_with_room",
        "inserts",
        "index_copy",
        "nodes_per_copy",
        "inserts_per_node",
        "nodes_both",
        "migration_cost",
        "rerank_gpus",
        "prefill_gpus",
        "cost_per_1000",
        "first_token",
    ]


def test_what_binds_is_the_ceiling_that_demands_most(program: Program, chain: Chain) -> None:
    demanded = {word: chain.value(step) for word, step in chain.ceilings.items()}
    assert demanded == {"compute": 70, "bandwidth": 10, "capacity": 2}
    assert max(demanded, key=lambda word: demanded[word]) == program.data.binds == "compute"
    # Compute would bind at the dense peak as well.
    assert chain.value("gpus_at_peak") == 15 > demanded["bandwidth"]


def test_what_the_inputs_count_of_the_embedder_follows_from_its_config(chain: Chain) -> None:
    """Qwen3-Embedding-0.6B: hidden 1,024, 16 query and 8 KV heads of 128, inner layer 3,072, vocabulary 151,669."""
    hidden, queries, keys_values, inner = 1024, 16 * 128, 2 * 8 * 128, 3072
    assert chain.value("embedder.table") == 151_669 * hidden
    projections = hidden * (queries + keys_values) + queries * hidden + 3 * hidden * inner
    norms = 2 * hidden + 2 * 128
    assert chain.value("multiplied") == 28 * (projections + norms) + hidden
    kernels = {
        "norm, with the residual": (2 * hidden, 2 * hidden),
        "queries, keys and values": (hidden, queries + keys_values),
        "their norm and rotation": (queries + keys_values // 2, queries + keys_values // 2),
        "attention": (queries + keys_values, queries),
        "output projection": (queries, hidden),
        "second norm, with the residual": (2 * hidden, 2 * hidden),
        "up and gate": (hidden, 2 * inner),
        "activation": (2 * inner, inner),
        "down": (inner, hidden),
    }
    assert len(kernels) == 9
    assert chain.value("moved_values") == sum(read + written for read, written in kernels.values())
    assert chain.value("live_values") == hidden + 2 * inner + inner


def test_the_simple_count_is_the_larger_up_to_the_stated_length_and_not_beyond(program: Program, chain: Chain) -> None:
    assert chain.value("weights_flops") + chain.value("attention_flops") < chain.value("embed_flops")
    limit = chain.value("bound_up_to")
    after = program.replayed({"tokens_per_page": limit})
    assert after["weights_flops"] + after["attention_flops"] == pytest.approx(after["embed_flops"], rel=1e-12)
    longer = program.replayed({"tokens_per_page": 1.01 * limit})
    assert longer["weights_flops"] + longer["attention_flops"] > longer["embed_flops"]


def test_of_unequal_pages_the_length_that_counts_is_that_of_the_average_tokens_page(chain: Chain) -> None:
    """As many pages of one length as of another: parameters go by tokens, attention by the squares of the lengths."""
    limit, short = chain.value("bound_up_to"), 1000
    # The long page for which the mean length, weighted by tokens, is the limit.
    long = (limit + (limit**2 + 4 * limit * short - 4 * short**2) ** 0.5) / 2
    assert (long**2 + short**2) / (long + short) == pytest.approx(limit, rel=1e-12)
    counted = 2 * chain.value("multiplied") * (long + short) + 2 * 28 * 16 * 128 * (long**2 + short**2)
    assert counted == pytest.approx(2 * chain.value("embedder.nominal") * (long + short), rel=1e-12)
    assert (long + short) / 2 < limit


def test_what_the_text_says_in_words(program: Program, chain: Chain) -> None:
    value = chain.value
    assert value("insert_margin") == pytest.approx(1 - 1837.384 / 2000, rel=1e-5)
    assert value("vectors_per_node") > 100 * 1e6  # the measured shard's
    # Hits and room cancel, and the idle GPUs of a mean hour would embed.
    assert value("load_without_hits") == pytest.approx(1, abs=0.01)
    busy = value("mean_query_cost") / value("query_cost") * value("query_gpus")
    assert value("rented_gpus") - busy > value("gpus_with_room")
    # With one copy left: nearly all virtual cores, and with hits still more than the real ones. Two copies need fewer.
    assert 0.9 < value("searches_alone") / value("searches_per_node") < 1
    assert value("searches_at_once") < value("real_cores") < value("searches_with_hits")
    assert 0.7 < value("second_index_cost") / value("embed_rent") < 0.8
    assert value("embedder.table") / value("embedder.parameters") == pytest.approx(1 / 4, abs=0.02)
    assert value("small_flops") / value("by_turns") == pytest.approx(1 / 3, abs=0.01)
    # One merge cannot hold a whole shard.
    assert value("merge_room") < value("node_memory") - value("merge_room")
    refresh = chain.steps["refresh_time"]
    assert refresh.unit.from_base(refresh.value) / 24 < 2
    # A tighter deadline within its range is more than the index takes.
    assert program.replayed({"deadline": 12.0 * 3600})["inserts_per_node"] > value("insert_rate")
    assert program.replayed({"deadline": 12.0 * 3600})["embed_rent"] == value("embed_rent")
    # Fewer pages in the prompt save more than fewer candidates, each at the low end of its range.
    ends = {"candidates": 50.0, "prompt_pages": 5.0}
    assert ends == {id: chain.inputs[id].low for id in ends}
    fewer = {id: program.replayed({id: low})["cost_per_1000"] for id, low in ends.items()}
    assert fewer["prompt_pages"] < fewer["candidates"] < value("cost_per_1000")


def test_an_index_here_is_as_large_as_the_one_that_enterprise_rag_derives(chain: Chain) -> None:
    other = programs(load())["designs"]["enterprise-rag"].chain
    for id in ("index_copy", "nodes_per_copy"):
        assert chain.value(id) == other.value(id)


FOLLOW_UPS = {
    "one-night": (1e9 / (0.8 * 8 * 3600) + 2e7 / 86_400) / 8,
    "short-codes": (1e9 / (0.8 * 86_400) + 2e7 / 86_400) / 2,
    "two-passages": 60,
    "long-pages": 833,
    "larger-embedder": 145_358.22,
    "small-writer": 0.7219585,
    "faster-web": 1 - 0.9**10,
    "more-candidates": 1.31375,
}


def test_the_answers_of_the_follow_ups(program: Program) -> None:
    answers = {}
    for card in program.data.follow_ups:
        step = program.chain.steps[card.asks]
        value = program.values_with(change_map(card.changes))[card.asks]
        answers[card.id] = step.unit.from_base(value) if card.id == "small-writer" else value
    assert answers == pytest.approx(FOLLOW_UPS, rel=1e-6)


def test_the_follow_ups_that_violate_a_constraint(program: Program, chain: Chain) -> None:
    violated = {}
    for card in program.data.follow_ups:
        changed = program.recorded_with(change_map(card.changes))
        noted = [constraint.id for constraint in changed.constraints.values() if not constraint.holds]
        inputs = {id: given.value for id, given in changed.inputs.items()}
        assert noted == broken_constraints(chain, program.values_with(change_map(card.changes)), inputs)
        if noted:
            violated[card.id] = noted
    assert violated == {"one-night": ["inserts"], "short-codes": ["inserts"], "more-candidates": ["first-token"]}


def test_what_the_lessons_of_the_follow_ups_say(program: Program, chain: Chain) -> None:
    after = {card.id: program.values_with(change_map(card.changes)) for card in program.data.follow_ups}
    # The same GPU time in a third of it; not a GPU more for twice the vectors.
    assert after["one-night"]["embed_cost"] == chain.value("embed_cost")
    assert after["one-night"]["gpus"] == 209
    assert after["two-passages"]["gpus"] == 70
    # Each server's share stays about as it was, and within what it sustains.
    shares = after["two-passages"]["inserts_per_node"] / chain.value("inserts_per_node")
    assert 1 < shares < chain.value("insert_rate") / chain.value("inserts_per_node")
    # Attention passes the parameters; the simple count says 556 where 833 are needed.
    assert after["long-pages"]["attention_flops"] > after["long-pages"]["weights_flops"]
    assert after["long-pages"]["gpus"] == 556
    # Nine times the price, most of it embedding, and fifteen hours of the queries' fleet.
    larger = after["larger-embedder"]
    assert larger["migration_cost"] / chain.value("migration_cost") == pytest.approx(9, rel=0.05)
    assert larger["second_index_cost"] < larger["embed_rent"] / 4
    assert larger["migration_in_queries"] / 3600 == pytest.approx(15, abs=0.5)
    # The dead of a faster web fill the servers' room in less than a day.
    assert after["faster-web"]["room_lasts"] < 86_400 < after["faster-web"]["memory_lasts"]
    assert after["faster-web"]["stale_when_fresh"] == pytest.approx(1 - (1 - 0.1 * 7 / 2) ** 10, rel=1e-12)
    assert after["faster-web"]["stale_when_fresh"] > 0.98
    # With a small writer the re-ranker is the larger part.
    small = after["small-writer"]
    assert small["rerank_gpus"] > small["prefill_gpus"] + small["decode_gpus"]
    assert small["first_token"] + 3 * small["prefill_time"] < chain.value("first_token_target")
    assert chain.value("cost_per_1000") / small["cost_per_1000"] == pytest.approx(4, abs=0.25)


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


def test_the_whole_chain_in_plain_arithmetic(chain: Chain) -> None:
    pages, page_tokens, share, hours, queries = 1e9, 1000, 0.02, 24, 1000
    candidates, in_prompt, passage, pair, others, out = 100, 10, 500, 600, 300, 300
    small, small_exact, table, rate, bf16_peak = 0.6e9, 595_776_512, 155_309_056, 200e12, 989e12
    layers, query_heads, head_dim, moved_values, live_values, embed_batch = 28, 16, 128, 49_152, 10_240, 64
    hbm, bandwidth, usable = 80e9, 3.35e12, 0.9
    parameters, prefill_flops, fp8_peak, tp, batch = 70e9, 400e12, 1979e12, 4, 64
    price, server_price, side_days, hits, mean_load, planned = 4, 2, 7, 0.3, 0.5, 0.7

    tokens = pages * page_tokens
    flops = 2 * small * tokens
    gpu_hours = flops / rate / 3600
    inserts = pages / (hours * 3600)
    copy = 1.1 * pages * (1024 + 16 + 2 * 32 * 4)
    per_copy = ceil(copy / (0.75 * 256e9))
    nodes = per_copy * 2
    live_hours = hours + side_days * 24
    refresh = gpu_hours * share
    second = nodes * server_price * live_hours
    twice = refresh * live_hours / 24 * price
    with_room = ceil(gpu_hours / (hours * 0.8))
    migration = with_room * hours * price + second + twice
    per_node = (inserts / 0.8 + pages * share / 86_400) / per_copy
    each, planned_memory, memory = copy / per_copy, 0.75 * 256e9, 256e9
    visits = pages / (7 * 86_400)
    weights_flops = 2 * (small_exact - table) * tokens
    attention = 2 * layers * query_heads * head_dim * page_tokens**2 * pages
    moved = layers * moved_values * 2 + 2 * small / (embed_batch * page_tokens)
    batch_time = 2 * small * embed_batch * page_tokens / rate
    pages_that_fit = floor((usable * hbm - 2 * small) / (live_values * 2 * page_tokens))

    rerank = 2 * 0.6e9 * candidates * pair / rate
    prompt = in_prompt * passage + others
    prefill = 2 * parameters * prompt / prefill_flops
    kv = 2 * 80 * 8 * 128 * 2 * (prompt + out)
    step = batch * kv / (tp * bandwidth) + max(parameters / (tp * bandwidth), 2 * parameters * batch / (tp * fp8_peak))
    per_replica = batch / step
    decode_gpus = tp * ceil(queries * out / per_replica)
    rerank_gpus, prefill_gpus = ceil(queries * rerank), ceil(queries * prefill)
    query_gpus = rerank_gpus + prefill_gpus + decode_gpus
    costs = [gpu_seconds / 3.6 * price for gpu_seconds in (rerank, prefill, tp * out / per_replica)]
    hourly, pages_hourly = query_gpus * price, nodes * server_price + refresh / 24 * price
    rented, mean_hour = ceil(query_gpus * (1 - hits) / planned), hourly * (1 - hits) * mean_load
    kv_of_prompt = 2 * 80 * 8 * 128 * 2 * prompt
    first = 0.06 + 0.03 + 0.04 + rerank / 2 + prefill / tp

    derived = {
        "embed_flops": flops / 1e21,
        "embed_time": gpu_hours,
        "gpus": ceil(gpu_hours / hours),
        "embed_cost": gpu_hours * price,
        "inserts": inserts,
        "index_copy": copy / 1e12,
        "nodes_per_copy": per_copy,
        "inserts_per_node": per_node,
        "embed_rent": with_room * hours * price,
        "vectors_per_node": pages / per_copy,
        "insert_margin": 100 * (1 - per_node / 2000),
        "searches_alone": queries * 0.03,
        "searches_at_once": queries * 0.03 / 2,
        "searches_with_hits": queries * 0.03 * (1 - hits),
        "nodes": nodes,
        "nodes_both": 2 * nodes,
        "changed_pages": pages * share,
        "refresh_time": refresh,
        "both_live": live_hours,
        "second_index_cost": second,
        "twice_cost": twice,
        "migration_cost": migration,
        "gpus_with_room": with_room,
        "visits": visits,
        "found_share": 100 * share * 7,
        "crawl_traffic": visits * 100e3 / 1e6,
        "stale_share": 100 * share * 7 / 2,
        "seen_in_a_day": 100 / 14,
        "stale_when_fresh": 100 * (1 - (1 - share * 7 / 2) ** in_prompt),
        "merge_room": (memory - each) / 1e9,
        "real_cores": 16,
        "multiply_time": 2 * small / bf16_peak * 1e6,
        "move_time": moved / bandwidth * 1e6,
        "change_inserts": pages * share / 86_400,
        "room_used": 100 * each / planned_memory,
        "room_lasts": (planned_memory - each) / (each * share),
        "memory_lasts": (memory - each) / (each * share),
        "multiplied": (small_exact - table) / 1e9,
        "weights_flops": weights_flops / 1e21,
        "attention_flops": attention / 1e21,
        "gpus_with_attention": ceil((weights_flops + attention) / rate / 3600 / hours),
        "bound_up_to": (small - small_exact + table) / (layers * query_heads * head_dim),
        "embedder_weights": 2 * small / 1e9,
        "moved_bytes": moved / 1e6,
        "batch_tokens": embed_batch * page_tokens,
        "batch_time": batch_time * 1000,
        "in_flight": inserts * batch_time,
        "pages_that_fit": pages_that_fit,
        "gpus_by_compute": ceil(gpu_hours / hours),
        "gpus_by_bandwidth": ceil(tokens * moved / bandwidth / 3600 / hours),
        "gpus_by_capacity": ceil(inserts * batch_time / pages_that_fit),
        "embedder_rate": rate / (2 * small),
        "gpus_at_peak": ceil(flops / bf16_peak / 3600 / hours),
        "by_turns": 2 * small / (2 * small / bf16_peak + moved / bandwidth) / 1e12,
        "text_read": tokens * 4 / (hours * 3600) / 1e6,
        "nodes_rolling": nodes + 2,
        "rolling_time": pages / 2000 / 3600,
        "pair_length": pair,
        "rerank_gpu_seconds": rerank,
        "rerank_gpus": rerank_gpus,
        "pages_reread": tokens / (queries * candidates * pair) / 3600,
        "prompt_tokens": prompt,
        "prefill_gpu_seconds": prefill,
        "prefill_gpus": prefill_gpus,
        "model_weights": 70,
        "kv_per_request": kv / 1e9,
        "sequences_that_fit": floor((usable * tp * hbm - parameters) / kv),
        "decode_step": step * 1000,
        "tokens_per_replica": per_replica,
        "tokens_needed": queries * out,
        "decode_gpus": decode_gpus,
        "query_gpus": query_gpus,
        "rerank_cost_per_1000": costs[0],
        "prefill_cost_per_1000": costs[1],
        "decode_cost_per_1000": costs[2],
        "cost_per_1000": sum(costs),
        "cached_cost_per_1000": sum(costs) * (1 - hits),
        "handoff": kv_of_prompt / 1e9,
        "average_cost_per_1000": rented * price / (queries * mean_load * 3600) * 1000,
        "query_cost": hourly,
        "mean_query_cost": mean_hour,
        "rented_gpus": rented,
        "load_without_hits": 100 * query_gpus / rented,
        "query_rent": rented * price,
        "pages_cost": pages_hourly,
        "pages_share": 100 * pages_hourly / (pages_hourly + rented * price),
        "pages_share_busy": 100 * pages_hourly / (pages_hourly + mean_hour),
        "embed_in_queries": gpu_hours * price / hourly * 60,
        "embed_in_mean_queries": gpu_hours * price / mean_hour * 60,
        "migration_in_queries": migration / (rented * price) * 60,
        "stale_answers": 100 * (1 - (1 - share) ** in_prompt),
        "rerank_time": rerank / 2 * 1000,
        "prefill_time": prefill / tp * 1000,
        "first_token": first * 1000,
        "left_for_waiting": (1.2 - first) * 1000,
    }
    shown = {id: step.unit.from_base(step.value) for id, step in chain.steps.items()}
    assert shown == pytest.approx(derived, rel=1e-12)
