"""Design enterprise RAG: the check numbers, what binds, the follow-ups, the quiz, and the chain in plain arithmetic."""

from math import ceil, floor, sqrt

import pytest

from macros.assumptions import load
from macros.chains import Program, change_map, programs
from macros.sizing import Chain
from macros.sizing.sensitivity import broken_constraints


@pytest.fixture(scope="module")
def program() -> Program:
    return programs(load())["designs"]["enterprise-rag"]


@pytest.fixture(scope="module")
def chain(program: Program) -> Chain:
    return program.chain


@pytest.mark.parametrize(
    ("id", "about"),
    [
        # A billion vectors of 1,024 numbers: fp32, int8, 64-byte codes, and links with M = 32.
        ("vectors_fp32", 4.10),
        ("vectors_memory", 1.02),
        ("vectors_pq", 0.064),
        ("links_memory", 0.256),
        ("peak_questions", 22.2),
    ],
)
def test_a_check_number_within_a_percent(chain: Chain, id: str, about: float) -> None:
    assert chain.steps[id].unit.from_base(chain.value(id)) == pytest.approx(about, rel=0.01)


def test_prefill_takes_66_gpus_and_67_whole_ones_for_8500_tokens(chain: Chain) -> None:
    assert chain.value("prompt_tokens") == 8500
    assert chain.value("peak_questions") * chain.value("prefill_gpu_seconds") == pytest.approx(66.1, rel=0.01)
    assert chain.value("prefill_gpus") == 67


@pytest.mark.parametrize(
    ("id", "shown"),
    [
        ("chunks", "1,000,000,000 vectors"),
        ("index_copy", "1.43 TB"),
        ("nodes_per_copy", "8 nodes/replica"),
        ("nodes", "16 nodes"),
        ("survivors", "1 vector/request"),
        ("to_fetch", "11,776 vectors/request"),
        ("scan_time", "12.8 ms"),
        ("scan_load", "28.4 %"),
        ("first_token", "1,066 ms"),
        ("last_token", "5.94 s"),
        ("prefill_fleet", "104 GPUs"),
        ("total_cost", "$564 per hour"),
    ],
)
def test_a_number_as_it_is_shown(chain: Chain, id: str, shown: str) -> None:
    assert str(chain.show(id)) == shown


def test_the_main_table_leads_from_staff_and_documents_to_servers_and_what_a_search_may_cost(chain: Chain) -> None:
    assert [given.id for given in chain.inputs.values() if given.kind == "assumption" and given.part == "numbers"] == [
        "staff",
        "questions_per_user",
        "peak_share",
        "documents",
        "chunks_per_document",
        "dimension",
        "vector_bytes",
        "links",
        "node_memory",
        "copies",
        "permitted_share",
        "candidates",
    ]
    assert [step.id for step in chain.steps.values() if step.part == "numbers"] == [
        "peak_questions",
        "chunks",
        "vectors_memory",
        "links_memory",
        "index_copy",
        "nodes_per_copy",
        "nodes",
        "survivors",
        "to_fetch",
        "permitted_chunks",
        "scan_time",
        "scan_load",
        "prefill_gpus",
        "first_token",
        "revocation_time",
    ]
    assert chain.headline == "nodes"


def test_what_binds_is_the_ceiling_that_demands_most(program: Program, chain: Chain) -> None:
    demanded = {word: chain.value(step) for word, step in chain.ceilings.items()}
    assert demanded == {"capacity": 15, "bandwidth": 7, "compute": 3}
    assert max(demanded, key=lambda word: demanded[word]) == program.data.binds == "capacity"


def test_short_codes_are_a_sixteenth_of_the_vectors_and_a_quarter_of_the_index(program: Program, chain: Chain) -> None:
    assert chain.value("vectors_memory") / chain.value("vectors_pq") == 16
    assert 3 < chain.value("index_copy") / chain.value("index_pq") < 4
    # The low end of the range is that code, spread over the numbers of a vector.
    low = program.values_with(change_map(program.data.follow_ups[0].changes))
    assert low["index_copy"] == chain.value("index_pq")
    # Links are most of the two short representations.
    for id in ("binary", "pq"):
        assert chain.value("links_memory") > chain.value(f"vectors_{id}")


def test_the_ranges_of_the_filter_stand_in_the_order_that_the_text_gives_them(chain: Chain) -> None:
    assert chain.value("equal_share") < chain.value("permitted_share") < chain.value("widest_share")
    assert chain.value("permitted_share") < chain.inputs["scan_cutoff"].value
    assert chain.value("fetch_beyond") < chain.value("to_fetch")


def test_the_walk_is_the_cheapest_and_the_longest_scan_leaves_time(chain: Chain) -> None:
    assert chain.value("walked") < chain.value("compared") < chain.value("permitted_chunks") / 70
    assert chain.value("cutoff_scan") - chain.value("scan_time") < chain.value("left_for_waiting") / 10
    # Lucene would stay in the graph: it gives up once it has visited more than are permitted.
    assert chain.value("walked") < chain.value("permitted_chunks")


def test_the_priced_fleet_keeps_up_with_attention_counted_and_the_busy_gpus_alone_would_not(chain: Chain) -> None:
    assert chain.value("prefill_gpus") < chain.value("prefill_busy")
    for busy, fleet in (("prefill_busy", "prefill_fleet"), ("check_busy", "check_gpus")):
        assert chain.value(busy) / chain.value(fleet) <= chain.value("planned_load")
    assert chain.value("prefill_fleet") % chain.value("gpus_per_replica") == 0
    assert chain.value("rerank_gpus") % chain.value("rerank_width") == 0
    # "Nearly half of prefill again", for checks by the large model.
    assert 0.4 < chain.value("check_gpus_llm") / chain.value("prefill_fleet") < 0.5
    # Even the tail of the wait, a few times the mean, fits into what the target leaves.
    assert 4 * chain.value("prefill_wait") < chain.value("left_for_waiting")


def test_the_index_is_a_small_part_of_the_bill_and_fewer_chunks_save_more_than_it_costs(
    program: Program, chain: Chain
) -> None:
    assert chain.value("index_share") < 0.1 < 0.8 < chain.value("llm_share")
    fewer = program.replayed({"prompt_chunks": 10.0})
    assert chain.value("llm_cost") - fewer["llm_cost"] > chain.value("index_cost")


FOLLOW_UPS = {
    "short-codes": 0.3696e12,
    "more-staff": 64 / 75,
    "narrow-reader": 1_178_576.2,
    "half-dimension": 10,
    "wide-prompt": 0.08 + 0.0128 + 0.110116864 + 0.06 + 7.175 * (1 + 20_500 * 80 * 64 * 128 / 70e9) / 4,
    "takeover": 520,
}


def test_the_answers_of_the_follow_ups(program: Program) -> None:
    answers = {card.id: program.values_with(change_map(card.changes))[card.asks] for card in program.data.follow_ups}
    assert answers == pytest.approx(FOLLOW_UPS, rel=1e-6)


def test_more_staff_needs_no_more_servers(program: Program, chain: Chain) -> None:
    card = next(card for card in program.data.follow_ups if card.id == "more-staff")
    assert program.values_with(change_map(card.changes))["nodes"] == chain.value("nodes") == 16


def test_short_codes_are_scanned_at_the_pace_of_the_arithmetic(program: Program) -> None:
    card = next(card for card in program.data.follow_ups if card.id == "short-codes")
    # Two servers hold a copy: 640 MB would be read in 3.2 ms, but a thousand multiply-adds a vector take longer.
    assert program.values_with(change_map(card.changes))["scan_time"] == pytest.approx(0.02048)


def test_the_follow_ups_that_violate_a_constraint(program: Program, chain: Chain) -> None:
    violated = {}
    for card in program.data.follow_ups:
        changed = program.recorded_with(change_map(card.changes))
        noted = [constraint.id for constraint in changed.constraints.values() if not constraint.holds]
        inputs = {id: given.value for id, given in changed.inputs.items()}
        assert noted == broken_constraints(chain, program.values_with(change_map(card.changes)), inputs)
        if noted:
            violated[card.id] = noted
    assert violated == {
        "more-staff": ["one-copy"],
        "wide-prompt": ["first-token", "batch-fits"],
        "takeover": ["revocation"],
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


def test_the_whole_chain_in_plain_arithmetic(chain: Chain) -> None:
    staff, questions, share = 20_000, 20, 0.2
    documents, per_document, dimension, width, m, link, ids, overhead = 50e6, 20, 1024, 1, 32, 4, 16, 1.1
    memory, usable_part, copies, bandwidth, server_flops = 256e9, 0.75, 2, 100e9, 500e9
    permitted_part, wanted, followed, planned = 0.01, 100, 12, 0.7
    in_prompt, chunk_tokens, other_tokens, tokens_out = 20, 400, 500, 400
    parameters, small, prefill_flops, small_flops = 70e9, 595_776_512 - 155_309_056, 400e12, 200e12
    tp, batch, layers, kv_heads, query_heads, head_dim, kv_width = 4, 32, 80, 8, 64, 128, 2
    hbm, gpu_bandwidth, peak_flops, usable_gpu = 80e9, 3.35e12, 1979e12, 0.9
    pair, claims, rerank_width = 400 + 100, 8, 2
    price, server_price, target, cutoff, kept, working_days = 4, 2, 2.0, 0.05, 10, 21.7

    def fetch(part: float) -> float:
        """The root of n × part − 1.645 × √(n × part × (1 − part)) = wanted."""
        spread = 1.645 * sqrt(1 - part)
        return ((spread + sqrt(spread**2 + 4 * wanted)) / 2) ** 2 / part

    def copy_of(vector: float) -> float:
        return overhead * chunks * (vector + ids + 2 * m * link)

    peak = staff * questions * share / 3600
    chunks = documents * per_document
    usable = memory * usable_part
    per_copy = ceil(copy_of(dimension * width) / usable)
    nodes = per_copy * copies
    permitted = chunks * permitted_part
    scan = max(
        permitted * dimension * width / (per_copy * bandwidth), permitted * dimension * 2 / (per_copy * server_flops)
    )
    load = peak * scan
    widest = planned / load * permitted_part
    flat = overhead * chunks * (dimension * width + ids)

    prompt = in_prompt * chunk_tokens + other_tokens
    prefill = 2 * parameters * prompt / prefill_flops
    prefill_gpus = ceil(peak * prefill)
    attention = 2 * layers * query_heads * head_dim * prompt**2
    whole = prefill + attention / prefill_flops
    prefill_replicas = ceil(peak * whole / planned / tp)
    prefill_load = peak * whole / (prefill_replicas * tp)
    kv = 2 * layers * kv_heads * head_dim * kv_width * (prompt + tokens_out)
    fit = floor((usable_gpu * tp * hbm - parameters) / kv)
    step = batch * kv / (tp * gpu_bandwidth) + max(
        parameters / (tp * gpu_bandwidth), 2 * parameters * batch / (tp * peak_flops)
    )
    decode_gpus = tp * ceil(peak * tokens_out / planned / (batch / step))
    rerank = 2 * small * wanted * pair / small_flops
    rerank_gpus = rerank_width * ceil(peak * rerank / planned / rerank_width)
    check = peak * 2 * small * claims * pair / small_flops
    check_gpus = ceil(check / planned)
    first = 0.08 + scan + rerank / rerank_width + 0.06 + whole / tp
    embed_hours = 2 * small * chunks * chunk_tokens / small_flops / 3600
    llm_cost, small_cost, index_cost = (
        (prefill_replicas * tp + decode_gpus) * price,
        (rerank_gpus + check_gpus) * price,
        nodes * server_price,
    )
    total = llm_cost + small_cost + index_cost

    derived = {
        "peak_questions": peak,
        "chunks": chunks,
        "vectors_memory": chunks * dimension * width / 1e12,
        "links_memory": chunks * 2 * m * link / 1e12,
        "index_copy": copy_of(dimension * width) / 1e12,
        "usable_per_node": usable / 1e9,
        "nodes_per_copy": per_copy,
        "nodes": nodes,
        "survivors": wanted * permitted_part,
        "to_fetch": fetch(permitted_part),
        "permitted_chunks": permitted,
        "scan_time": scan * 1000,
        "scan_load": 100 * load,
        "nodes_by_capacity": ceil(copy_of(dimension * width) * copies / usable),
        "nodes_by_bandwidth": ceil(peak * permitted * dimension * width / bandwidth / planned * copies),
        "nodes_by_compute": ceil(peak * permitted * dimension * 2 / server_flops / planned * copies),
        "nothing_left": 100 * (1 - permitted_part) ** wanted,
        "fetch_on_average": wanted / permitted_part,
        "compared": fetch(permitted_part) * followed,
        "walked": wanted / permitted_part * followed,
        "scan_per_walk": permitted / (wanted / permitted_part * followed),
        "walked_bytes": wanted / permitted_part * followed * dimension * width / 1e9,
        "scanned_bytes": permitted * dimension * width / 1e9,
        "equal_share": 100 * sqrt(followed * wanted / chunks),
        "widest_share": 100 * widest,
        "cutoff_scan": scan * cutoff / permitted_part * 1000,
        "fetch_beyond": fetch(cutoff),
        "scan_by_department": permitted * dimension * width / bandwidth * 1000,
        "server_percentile": 100 * (1 - 0.05 / per_copy),
        "permission_set": documents / 8 / 1e6,
        "vectors_fp32": chunks * dimension * 4 / 1e12,
        "index_fp32": copy_of(dimension * 4) / 1e12,
        "nodes_fp32": ceil(copy_of(dimension * 4) / usable) * copies,
        "vectors_binary": chunks * dimension / 8 / 1e12,
        "index_binary": copy_of(dimension / 8) / 1e12,
        "nodes_binary": ceil(copy_of(dimension / 8) / usable) * copies,
        "vectors_pq": chunks * 64 / 1e12,
        "index_pq": copy_of(64) / 1e12,
        "nodes_pq": ceil(copy_of(64) / usable) * copies,
        "index_flat": flat / 1e12,
        "nodes_flat": ceil(flat / usable) * copies,
        "index_pq_flat": overhead * chunks * (64 + ids) / 1e12,
        "nodes_pq_flat": ceil(overhead * chunks * (64 + ids) / usable) * copies,
        "nodes_by_disk": ceil(peak * permitted * dimension * width / 5e9 / planned * copies),
        "disk_reads": peak * fetch(permitted_part),
        "prompt_tokens": prompt,
        "prefill_gpu_seconds": prefill,
        "prefill_gpus": prefill_gpus,
        "attention_share": 100 * attention / (2 * parameters * prompt),
        "prefill_busy": peak * whole,
        "prefill_replicas": prefill_replicas,
        "prefill_fleet": prefill_replicas * tp,
        "model_weights": 70,
        "kv_per_request": kv / 1e9,
        "sequences_that_fit": fit,
        "decode_step": step * 1000,
        "tokens_needed": peak * tokens_out,
        "decode_gpus": decode_gpus,
        "handoff": kv / (prompt + tokens_out) * prompt / 1e9,
        "llm_gpus": prefill_replicas * tp + decode_gpus,
        "multiplied": small / 1e9,
        "pair_length": pair,
        "rerank_gpu_seconds": rerank,
        "rerank_gpus": rerank_gpus,
        "check_busy": check,
        "check_gpus": check_gpus,
        "check_gpus_llm": tp * ceil(peak * 2 * parameters * claims * pair / prefill_flops / planned / tp),
        "rerank_time": rerank / rerank_width * 1000,
        "prefill_time": whole / tp * 1000,
        "first_token": first * 1000,
        "left_for_waiting": (target - first) * 1000,
        "prefill_wait": whole / tp * prefill_load / (2 * prefill_replicas * (1 - prefill_load)) * 1000,
        "writing_time": tokens_out * step,
        "last_token": first + tokens_out * step,
        "embed_time": embed_hours,
        "embed_cost": embed_hours * price,
        "embed_time_daily": embed_hours * 0.01,
        "revocation_time": 10 + 20_000 / 1000 + kept,
        "group_time": 10 + kept,
        "revocation_time_per_chunk": 10 + 20_000 * per_document / 1000 + kept,
        "llm_cost": llm_cost,
        "small_cost": small_cost,
        "index_cost": index_cost,
        "total_cost": total,
        "llm_share": 100 * llm_cost / total,
        "index_share": 100 * index_cost / total,
        "cost_per_1000": total / (peak * 3600) * 1000,
        "average_cost_per_1000": total * 730 / (staff * questions * working_days) * 1000,
        "cost_per_person": total * 730 / staff,
    }
    shown = {id: step.unit.from_base(step.value) for id, step in chain.steps.items()}
    assert shown == pytest.approx(derived, rel=1e-12)
