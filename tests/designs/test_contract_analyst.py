"""Contract analyst: check numbers, what binds, layouts, cards, quiz, and the whole chain in plain arithmetic."""

from math import ceil, floor

import pytest

from macros.assumptions import load
from macros.chains import Program, change_map, programs
from macros.sizing import Chain, SizingError
from macros.sizing.points import interval
from macros.sizing.sensitivity import broken_constraints


@pytest.fixture(scope="module")
def program() -> Program:
    return programs(load())["designs"]["contract-analyst"]


@pytest.fixture(scope="module")
def chain(program: Program) -> Chain:
    return program.chain


@pytest.mark.parametrize(
    ("id", "exactly"),
    [
        ("kv_per_token", 70_272),
        ("grouped_kv_per_token", 327_680),
        ("sessions_that_fit", 48),
        ("replicas", 42),
        ("gpus", 336),
        ("grouped_fit", 28),
        ("grouped_nodes", 72),
    ],
)
def test_an_exact_check_number(chain: Chain, id: str, exactly: int) -> None:
    assert chain.value(id) == exactly


@pytest.mark.parametrize(
    ("id", "about"), [("prefill_weight_flops", 7.4), ("prefill_attention_flops", 25.0), ("prefill_gpu_seconds", 81)]
)
def test_a_check_number_within_three_percent(chain: Chain, id: str, about: float) -> None:
    assert chain.steps[id].unit.from_base(chain.value(id)) == pytest.approx(about, rel=0.03)


# Ranks that attend for themselves, copies of a cache among a rank's GPUs: sessions in a node, nodes.
@pytest.mark.parametrize(
    ("ranks", "copies", "fit", "nodes"),
    [
        (1, 1, 48, 42),  # decode context parallelism
        (8, 1, 32, 63),  # data-parallel attention
        (1, 8, 6, 334),  # tensor parallelism alone
        # Between them: two or four ranks, each of which spreads its sessions over its own GPUs, or copies them.
        (2, 1, 46, 44),
        (4, 1, 44, 46),
        (2, 4, 10, 200),
        (1, 2, 24, 84),
    ],
)
def test_the_layouts_of_a_node(program: Program, ranks: int, copies: int, fit: int, nodes: int) -> None:
    values = program.replayed({"attention_ranks": float(ranks), "cache_copies": float(copies)})
    assert (values["sessions_that_fit"], values["replicas"]) == (fit, nodes)
    assert values["cache_gpus"] * ranks * copies == 8
    # The same in numbers: each copy of the attention's weights takes room, each copy of a cache a place.
    room = 0.9 * 8 * 141e9 - 671e9 - (ranks - 1) * 11_413_422_080
    assert ranks * floor(room / ranks / (70_272 * 100_000 * copies)) == fit


# More ranks and copies than GPUs, or a number of GPUs that does not come out whole.
@pytest.mark.parametrize(("ranks", "copies"), [(8, 8), (2, 8), (16, 1), (3, 1), (1, 5)])
def test_a_layout_that_no_node_can_have_has_no_number(program: Program, ranks: int, copies: int) -> None:
    with pytest.raises(SizingError, match="no number"):
        program.replayed({"attention_ranks": float(ranks), "cache_copies": float(copies)})


def test_the_layouts_that_the_text_compares(program: Program, chain: Chain) -> None:
    assert chain.value("copied_fit") == program.replayed({"cache_copies": 8.0})["sessions_that_fit"] == 6
    assert chain.value("ranks_fit") == program.replayed({"attention_ranks": 8.0})["sessions_that_fit"] == 32


def test_every_combination_of_all_ranges_has_a_number(chain: Chain) -> None:
    assert interval(chain)[2] == 0


def test_where_the_first_answer_misses_its_target(program: Program, chain: Chain) -> None:
    missed = set()
    for given in chain.inputs.values():
        for end, value in (("low", given.low), ("high", given.high)):
            if value is not None and program.replayed({given.id: value})["first_answer"] > 15:
                missed.add((given.id, end))
    assert missed == {("prefill_flops", "low"), ("planned_load", "high"), ("parse_time", "high"), ("context", "high")}
    assert 14.9 < program.replayed({"session_time": 7200.0})["first_answer"] < 15


def test_ranks_of_their_own_read_their_own_copy_of_the_attention(program: Program) -> None:
    values = program.replayed({"attention_ranks": 8.0})
    read = 671e9 - 653_908_770_816 * (1 - 8 / 256) ** 32 + 7 * 11_413_422_080
    assert values["weights_read"] == pytest.approx(read)
    computing = 32 * 100_000 * 61 * 128 * 2 * 1088 / 8 / 989e12
    assert values["decode_step"] == pytest.approx(computing + read / 8 / 4.8e12)


def test_chunks_rebuild_the_keys_and_values_of_all_before_them(chain: Chain) -> None:
    starts = range(0, 88_000, 2048)
    assert len(starts) == chain.value("chunks")
    a_token = 61 * 2 * 512 * 128 * (128 + 128)
    prefill = 2 * 37e9 * 88_000 + 61 * 128 * 320 * 88_000**2
    assert chain.value("rebuild_share") == pytest.approx(sum(starts) * a_token / prefill)
    assert chain.value("last_rebuild_time") > chain.value("token_target")


def test_the_main_table_leads_to_the_headline_and_to_prefill(chain: Chain) -> None:
    assert [step.id for step in chain.steps.values() if step.part == "numbers"] == [
        "kv_per_token",
        "kv_per_session",
        "held_weights",
        "room",
        "sessions_that_fit",
        "replicas",
        "gpus",
        "decode_step",
        "prefill_gpu_seconds",
        "upload_gpu_seconds",
        "first_token",
        "first_answer",
        "nodes_with_room",
        "all_nodes",
        "writing_share",
    ]
    assert chain.headline == "replicas"


def test_what_binds_is_the_ceiling_that_demands_most(program: Program, chain: Chain) -> None:
    demanded = {word: chain.value(step) for word, step in chain.ceilings.items()}
    assert demanded == {"capacity": 334, "compute": 96, "bandwidth": 51}
    assert max(demanded, key=lambda word: demanded[word]) == program.data.binds == "capacity"


def test_short_sessions_make_compute_bind(program: Program) -> None:
    assert program.replayed({"session_time": 600.0})["gpus_by_compute"] == 287
    values = program.replayed({"session_time": 480.0})
    assert values["gpus_by_capacity"] == 334 < values["gpus_by_compute"] == 358


def test_latent_attention_waits_for_arithmetic_and_the_weights_for_memory(chain: Chain) -> None:
    assert chain.value("attention_intensity") == pytest.approx(2 * 128 * 1088 / 576 / 2)
    assert chain.value("attention_intensity") > chain.value("ridge")
    # Both say the same: arithmetic ÷ reading is intensity ÷ ridge.
    assert chain.value("cache_math") / chain.value("cache_step") == pytest.approx(
        chain.value("attention_intensity") / chain.value("ridge")
    )
    assert chain.value("attention_step") == chain.value("cache_math")
    assert chain.value("weights_step") > chain.value("weights_math")


def test_attention_equals_the_weights_at_that_length(program: Program, chain: Chain) -> None:
    values = program.replayed({"context": chain.value("equal_length")})
    assert values["prefill_attention_flops"] == pytest.approx(values["prefill_weight_flops"], rel=1e-12)
    assert chain.value("equal_length") < chain.value("context") / 3


def test_parameters_as_counted_from_the_config() -> None:
    layers, hidden, heads = 61, 7168, 128
    attention = (
        hidden * 1536 + 1536 * heads * 192 + hidden * (512 + 64) + 512 * heads * (128 + 128) + heads * 128 * hidden
    )
    norms = 1536 + 512 + 2 * hidden
    expert, router = 3 * hidden * 2048, 256 * hidden + 256
    dense, tables = 3 * hidden * 18_432, 2 * 129_280 * hidden
    total = layers * (attention + norms) + 3 * dense + 58 * (257 * expert + router) + tables + hidden
    entry = load().catalogues["models"]["deepseek_v3"]
    assert entry.facts["parameters"].amount.base == total == 671_026_419_200
    given = programs(load())["designs"]["contract-analyst"].chain
    assert given.value("model.attention") == layers * attention
    assert given.value("model.routed") == 58 * 256 * expert
    # Active: attention, dense layers, nine experts of each other layer, its router, and the output head.
    active = layers * attention + 3 * dense + 58 * (9 * expert + 256 * hidden) + tables / 2
    assert active < given.value("model.active") < active + tables / 2


FOLLOW_UPS = {
    "plain-tensor-parallel": "6 sequences/replica",
    "data-parallel-attention": "63 replicas",
    "fp8-cache": "37.5 ms",
    "longer-contracts": "18 s",
    "older-gpu": "480 GPUs",
    "short-sessions": "86 replicas",
    "reasoning": "80.2 %",
}


def test_the_answers_of_the_follow_ups(program: Program, chain: Chain) -> None:
    answers = {
        card.id: str(chain.show(card.asks, program.values_with(change_map(card.changes))[card.asks]))
        for card in program.data.follow_ups
    }
    assert answers == FOLLOW_UPS


def test_the_follow_ups_that_violate_a_constraint(program: Program, chain: Chain) -> None:
    violated = {}
    for card in program.data.follow_ups:
        changed = program.recorded_with(change_map(card.changes))
        noted = [constraint.id for constraint in changed.constraints.values() if not constraint.holds]
        inputs = {id: given.value for id, given in changed.inputs.items()}
        assert noted == broken_constraints(chain, program.values_with(change_map(card.changes)), inputs)
        if noted:
            violated[card.id] = noted
    assert violated == {"longer-contracts": ["first-answer"]}


def test_a_slip_of_the_quiz_is_far_enough_from_the_right_answer(program: Program, chain: Chain) -> None:
    questions = program.data.quiz
    assert len(questions) >= 4
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
    sessions, context, tp, seconds, output = 2000, 100_000, 8, 1800, 12_000
    layers, latent, rope, heads, key, value = 61, 512, 64, 128, 192, 128
    everything, active, attention, routed = 671e9, 37e9, 11_413_422_080, 653_908_770_816
    memory, bandwidth, fp8, bf16, kernel, achieved = 141e9, 4.8e12, 1979e12, 989e12, 660e12, 400e12
    price, planned, used, link, host, chunk = 4 / 3600, 0.7, 0.9, 50e9, 1.5e12, 2048

    token = layers * (latent + rope) * 2
    kv = token * context
    room = 0.9 * tp * memory - everything
    fit = floor(room / kv)
    nodes = ceil(sessions / fit)

    reading = fit * kv / (tp * bandwidth)
    # Scores against latent and rotary key, sums over the latent: a multiply-add each, for every head and token.
    decode_flops = fit * context * layers * heads * 2 * (latent + rope + latent)
    computing = decode_flops / (tp * bf16)
    touched = 1 - (1 - 8 / 256) ** fit
    read = everything - routed + routed * touched
    weights, weights_math = read / (tp * bandwidth), 2 * active * fit / (tp * fp8)
    step = max(reading, computing) + max(weights, weights_math)

    # All pairs of a token and an earlier one: half of the square, four FLOPs on the mean of key and value.
    by_weights, by_attention = 2 * active * context, layers * heads * 2 * (key + value) * context**2 / 2
    whole = (by_weights + by_attention) / achieved
    uploaded = context - output
    upload_weights, upload_attention = 2 * active * uploaded, layers * heads * (key + value) * uploaded**2
    prefill = (upload_weights + upload_attention) / achieved
    before = uploaded - chunk
    first_pairs, last_pairs = chunk**2 / 2, chunk * before + chunk**2 / 2
    pair = layers * heads * 2 * (key + value)
    rebuild = layers * heads * 2 * latent * (key - rope + value)
    chunks = ceil(uploaded / chunk)
    first_chunk = (2 * active * chunk + pair * first_pairs) / achieved / tp
    last_chunk = (2 * active * chunk + pair * last_pairs + rebuild * before) / achieved / tp
    wider = (latent + rope + latent) / (key + value)

    arrivals = sessions / seconds
    prefill_gpus = ceil(arrivals * prefill)
    prefill_nodes = ceil(prefill_gpus / planned / tp)
    with_room = ceil(sessions / (fit * used))
    all_gpus = (with_room + prefill_nodes) * tp
    needed = arrivals * output
    load = arrivals * prefill / (prefill_nodes * tp)
    wait = 3 * prefill / tp * load / (2 * prefill_nodes * (1 - load))
    spare = prefill_nodes * tp - prefill_gpus
    dense_kv = 2 * 80 * 8 * 128 * 2
    dense_fit = floor((0.9 * tp * memory - 70e9) / (dense_kv * context))
    decode_by_compute = ceil(needed * (computing + weights_math) / fit * tp)

    derived = {
        "model_weights": everything / 1e9,
        "bf16_weights": 2 * everything / 1e9,
        "attention_weights": attention / 1e9,
        "routed_weights": routed / 1e9,
        "always_read": (everything - routed) / 1e9,
        "kv_per_token": token,
        "kv_per_session": kv / 1e9,
        "cache_gpus": tp,
        "kv_in_node": kv / 1e9,
        "held_weights": everything / 1e9,
        "room": room / 1e9,
        "sessions_that_fit": fit,
        "copied_fit": floor(room / (kv * tp)),
        "ranks_room": (room - 7 * attention) / 1e9,
        "ranks_fit": tp * floor((room - 7 * attention) / tp / kv),
        "replicas": nodes,
        "gpus": nodes * tp,
        "attention_intensity": decode_flops / (fit * kv),
        "ridge": bf16 / bandwidth,
        "cache_step": reading * 1000,
        "cache_math": computing * 1000,
        "attention_step": max(reading, computing) * 1000,
        "touched_share": touched * 100,
        "weights_read": read / 1e9,
        "weights_step": weights * 1000,
        "weights_math": weights_math * 1000,
        "decode_step": step * 1000,
        "kernel_step": (decode_flops / (tp * kernel) + weights) * 1000,
        "prefill_weight_flops": by_weights / 1e15,
        "prefill_attention_flops": by_attention / 1e15,
        "prefill_gpu_seconds": whole,
        "prefill_weights_time": by_weights / achieved,
        "rebuild_time": whole / tp,
        "mean_dim": (key + value) / 2,
        "equal_length": 2 * active / (layers * heads * (key + value)),
        "uploaded": uploaded,
        "upload_weights_time": upload_weights / achieved,
        "upload_attention_flops": upload_attention / 1e15,
        "upload_gpu_seconds": prefill,
        "first_token": prefill / tp,
        "chunk_weights_time": 2 * active * chunk / achieved,
        "first_chunk_attention": pair * first_pairs / 1e12,
        "before_last": before,
        "last_chunk_attention": pair * last_pairs / 1e12,
        "rebuild_per_token": rebuild / 1e9,
        "last_rebuild": rebuild * before / achieved,
        "first_chunk": first_chunk * 1000,
        "last_chunk": last_chunk * 1000,
        "last_rebuild_time": rebuild * before / achieved / tp * 1000,
        "chunks": chunks,
        "rebuild_share": 100 * rebuild * sum(range(0, uploaded, chunk)) / achieved / prefill,
        "absorbed_ratio": wider,
        "absorbed_first_token": (upload_weights + upload_attention * wider) / achieved / tp,
        "arrivals": arrivals,
        "prefill_gpus": prefill_gpus,
        "shared_load": 100 * prefill_gpus / (nodes * tp),
        "prefill_nodes": prefill_nodes,
        "prefill_pool_hour": prefill_nodes * tp * 4,
        "prefill_load": load * 100,
        "upload_wait": wait,
        "first_answer": 3 + wait + prefill / tp,
        "nodes_with_room": with_room,
        "room_hour": (with_room - nodes) * tp * 4,
        "all_nodes": with_room + prefill_nodes,
        "all_gpus": all_gpus,
        "fleet_hour": all_gpus * 4,
        "session_cost": all_gpus * price / arrivals,
        "tokens_needed": needed,
        "writing_time": output * step / 60,
        "writing_share": 100 * output * step / seconds,
        "session_hour": tp * 4 / (fit * used),
        "prefill_cost": whole * price / planned,
        "break_even": whole / planned / (tp / (fit * used)) / 60,
        "move_time": kv / (tp * link) * 1000,
        "host_sessions": floor(host / kv),
        "homeless": sessions - (nodes - 1) * fit,
        "spare_gpus": spare,
        "recovery": fit * whole / spare,
        "recovery_all": (fit + floor(host / kv)) * whole / spare / 60,
        "grouped_weights": 70,
        "grouped_kv_per_token": dense_kv,
        "grouped_kv_per_session": dense_kv * context / 1e9,
        "grouped_fit": dense_fit,
        "grouped_nodes": ceil(sessions / dense_fit),
        "memory_step": (reading + weights) * 1000,
        "compute_step": (computing + weights_math) * 1000,
        "gpus_by_capacity": ceil(sessions / fit * tp),
        "decode_by_compute": decode_by_compute,
        "gpus_by_compute": prefill_gpus + decode_by_compute,
        "gpus_by_bandwidth": ceil(needed * (reading + weights) / fit * tp),
    }
    shown = {id: step.unit.from_base(step.value) for id, step in chain.steps.items()}
    assert shown == pytest.approx(derived, rel=1e-12)
