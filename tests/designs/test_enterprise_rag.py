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
        ("first_token", "1,047 ms"),
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
    assert demanded == {"capacity": 15, "bandwidth": 3, "compute": 1}
    assert max(demanded, key=lambda word: demanded[word]) == program.data.binds == "capacity"
    # As the text says, a single copy would ask for more than the two others as well.
    assert chain.value("nodes_per_copy") > max(demanded["bandwidth"], demanded["compute"])


def test_short_codes_are_a_sixteenth_of_the_vectors_and_a_quarter_of_the_index(program: Program, chain: Chain) -> None:
    assert chain.value("vectors_memory") / chain.value("vectors_pq") == 16
    assert 3 < chain.value("index_copy") / chain.value("index_pq") < 4
    # The low end of the range is that code, spread over the numbers of a vector.
    low = program.values_with(change_map(program.data.follow_ups[0].changes))
    assert low["index_copy"] == chain.value("index_pq")
    # Links are most of the two short representations.
    for id in ("binary", "pq"):
        assert chain.value("links_memory") > chain.value(f"vectors_{id}")


def test_the_three_ranges_of_the_filter_stand_in_the_order_that_the_text_gives_them(chain: Chain) -> None:
    assert chain.value("equal_share") < chain.value("permitted_share") < chain.value("widest_share")
    assert chain.value("fetch_beyond") < chain.value("to_fetch")
    # "Dozens of times what a graph would read", and half of the questions with too few at the mean.
    assert 24 < chain.value("permitted_chunks") / chain.value("compared") < 100


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
    "wide-prompt": 2.09655,
    "takeover": 510,
}


def test_the_answers_of_the_follow_ups(program: Program) -> None:
    answers = {card.id: program.values_with(change_map(card.changes))[card.asks] for card in program.data.follow_ups}
    assert answers == pytest.approx(FOLLOW_UPS, rel=1e-6)


def test_more_staff_needs_no_more_servers(program: Program, chain: Chain) -> None:
    card = next(card for card in program.data.follow_ups if card.id == "more-staff")
    assert program.values_with(change_map(card.changes))["nodes"] == chain.value("nodes") == 16


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
    parameters, small, prefill_flops, small_flops = 70e9, 0.6e9, 400e12, 200e12
    tp, batch, layers, kv_heads, query_heads, head_dim, kv_width = 4, 32, 80, 8, 64, 128, 2
    hbm, gpu_bandwidth, peak_flops, usable_gpu = 80e9, 3.35e12, 1979e12, 0.9
    pair, claims, rerank_width = 400 + 100, 8, 2
    price, server_price, target = 4, 2, 2.0

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
    scan = permitted * dimension * width / (per_copy * bandwidth)
    load = peak * scan
    widest = planned / load * permitted_part
    flat = overhead * chunks * (dimension * width + ids)

    prompt = in_prompt * chunk_tokens + other_tokens
    prefill = 2 * parameters * prompt / prefill_flops
    prefill_gpus = ceil(peak * prefill)
    attention = 2 * layers * query_heads * head_dim * prompt**2
    kv = 2 * layers * kv_heads * head_dim * kv_width * (prompt + tokens_out)
    fit = floor((usable_gpu * tp * hbm - parameters) / kv)
    step = batch * kv / (tp * gpu_bandwidth) + max(
        parameters / (tp * gpu_bandwidth), 2 * parameters * batch / (tp * peak_flops)
    )
    decode_gpus = tp * ceil(peak * tokens_out / (batch / step))
    rerank = 2 * small * wanted * pair / small_flops
    rerank_gpus = ceil(peak * rerank)
    check_gpus = ceil(peak * 2 * small * claims * pair / small_flops)
    first = 0.08 + scan + rerank / rerank_width + 0.06 + prefill / tp
    embed_hours = 2 * small * chunks * chunk_tokens / small_flops / 3600
    llm_cost, small_cost, index_cost = (
        (prefill_gpus + decode_gpus) * price,
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
        "nodes_by_bandwidth": ceil(peak * permitted * dimension * width / bandwidth),
        "nodes_by_compute": ceil(peak * permitted * dimension * 2 / server_flops),
        "nothing_left": 100 * (1 - permitted_part) ** wanted,
        "fetch_on_average": wanted / permitted_part,
        "compared": fetch(permitted_part) * followed,
        "equal_share": 100 * sqrt(followed * wanted / chunks),
        "widest_share": 100 * widest,
        "widest_scan": planned / peak * 1000,
        "fetch_beyond": fetch(widest),
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
        "nodes_by_disk": ceil(peak * permitted * dimension * width / 5e9),
        "prompt_tokens": prompt,
        "prefill_gpu_seconds": prefill,
        "prefill_gpus": prefill_gpus,
        "attention_share": 100 * attention / (2 * parameters * prompt),
        "model_weights": 70,
        "kv_per_request": kv / 1e9,
        "sequences_that_fit": fit,
        "decode_step": step * 1000,
        "tokens_needed": peak * tokens_out,
        "decode_gpus": decode_gpus,
        "llm_gpus": prefill_gpus + decode_gpus,
        "pair_length": pair,
        "rerank_gpu_seconds": rerank,
        "rerank_gpus": rerank_gpus,
        "check_gpus": check_gpus,
        "check_gpus_llm": ceil(peak * 2 * parameters * claims * pair / prefill_flops),
        "rerank_time": rerank / rerank_width * 1000,
        "prefill_time": prefill / tp * 1000,
        "first_token": first * 1000,
        "left_for_waiting": (target - first) * 1000,
        "prefill_gpus_with_room": ceil(peak / planned * prefill),
        "embed_time": embed_hours,
        "embed_cost": embed_hours * price,
        "embed_time_daily": embed_hours * 0.01,
        "revocation_time": 10 + 20_000 / 1000,
        "revocation_time_per_chunk": 10 + 20_000 * per_document / 1000,
        "llm_cost": llm_cost,
        "small_cost": small_cost,
        "index_cost": index_cost,
        "total_cost": total,
        "llm_share": 100 * llm_cost / total,
        "index_share": 100 * index_cost / total,
        "cost_per_1000": total / (peak * 3600) * 1000,
        "average_cost_per_1000": total * 24 / (staff * questions) * 1000,
        "cost_per_person": total * 730 / staff,
    }
    shown = {id: step.unit.from_base(step.value) for id, step in chain.steps.items()}
    assert shown == pytest.approx(derived, rel=1e-12)
