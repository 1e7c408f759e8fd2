"""Estimation questions with published answers, recomputed through the library and held to what was printed."""

from fractions import Fraction

import pytest

from macros import formulas as f
from macros.sizing import SizingError
from macros.sizing.display import show
from macros.sizing.quantity import input_quantity
from macros.sizing.units import parse_unit
from tests.formulas.cases import PRINTED, Case, Wrong, agrees, check_wrong, floats, names, quantities, solved

GB, GiB, MiB = 1e9, 2.0**30, 2.0**20

BOOK = "jax-ml/scaling-book, applied-inference.md"
QUIZ = "jax-ml/scaling-book, inference.md"
LLAMA = "Llama 3.1 model card; foundation-model-stack/fms-fsdp issue 89"
DENSE = "NVIDIA/Megatron-LM issue 1276"
QDRANT = "qdrant.tech, capacity planning"
OPENSEARCH = "OpenSearch k-NN documentation"
PGVECTOR_ROW = "pgvector/pgvector README: 4 × dimensions + 8 bytes a vector"
PAGES = "pgvector/pgvector issues 745 and 370"
LINKS = "nmslib/hnswlib issue 277"
DIT = "facebookresearch/DiT issues 14 and 67"
GUIDED = "horseee/learning-to-cache issue 5"
OPENCODE = "anomalyco/opencode PR 11175"
AUTOGEN = "microsoft/autogen issue 3165"
TRAINING_BOOK = "jax-ml/scaling-book, applied-training.md"
TIED = "huggingface/trl PR 6709"
TINY = "karpathy/llama2.c issue 378"

KV_70B = {
    "layers": "80 layer",
    "kv_heads": "8 head/layer",
    "head_dim": "128 value/head",
    "bytes_per_value": "1 B/value",
}
STEP_70B = {
    "weights": "70 GB",
    "batch": "32 sequence/replica",
    "kv": "1_342_177_280 B/request",
    "gpus": "8 GPU/replica",
    "bandwidth": "8.1e11 B/s/GPU",
}
STEP_30B = {
    "weights": "30 GB",
    "parameters": "30 Bparam",
    "kv": "819.2 MB/request",
    "gpus": "16 GPU/replica",
    "bandwidth": "8.1e11 B/s/GPU",
    "flops": "1.97e14 FLOP/s/GPU",
}
RATIO = {"prefill": "0.9097 s", "output_tokens": "512 token/request", "step": "19 ms"}
LLAMA_405B = {"flops": "3.7908e25 FLOP/run", "gpu_time": "30.84e6 GPU*hour/run", "peak": "989 TFLOP/s/GPU"}
PGVECTOR = {"vectors": "900_000 vector", "page": "8_192 B/page"}
DIT_XL = {"layers": "28 layer", "width": "1_152 value/layer"}
DIT_PASS = {"parameters": "445_906_944 parameter", "tokens": "256 token/pass"}
LLAMA_LAYER = {
    "hidden": "8_192 value",
    "query_heads": "64 head/layer",
    "kv_heads": "8 head/layer",
    "head_dim": "128 value/head",
    "mlp_width": "28_672 value/layer",
}
QWEN_LAYER = {
    "hidden": "2_560 value",
    "query_heads": "32 head/layer",
    "kv_heads": "8 head/layer",
    "head_dim": "128 value/head",
    "mlp_width": "9_728 value/layer",
}
TINY_LAYER = {
    "hidden": "288 value",
    "query_heads": "6 head/layer",
    "kv_heads": "6 head/layer",
    "head_dim": "48 value/head",
    "mlp_width": "768 value/layer",
}
# A layer of Qwen3 with its norms on queries and keys: 100,930,816 parameters, as the test below adds up.
QWEN = {
    "layers": "36 layer",
    "per_layer": "100_930_816 parameter/layer",
    "vocabulary": "151_936 token",
    "hidden": "2_560 value",
}
TINY_MODEL = {
    "layers": "6 layer",
    "per_layer": "995_904 parameter/layer",
    "vocabulary": "32_000 token",
    "hidden": "288 value",
}

CASES = [
    # B01: never round before the last step; the print is within 3 %.
    Case("B01", BOOK, f.kv_bytes_per_token, KV_70B, "163_840 B/token"),
    Case("B01", BOOK, f.kv_bytes_per_sequence, KV_70B | {"tokens": "8_192 token/request"}, "1_342_177_280 B/request"),
    Case("B01", BOOK, f.memory_step, STEP_70B, "17.43 ms", PRINTED),
    Case("B01", BOOK, f.memory_step, STEP_70B, "17 ms", 0.03),
    Case(
        "B01",
        BOOK,
        f.tokens_per_replica,
        {"batch": "32 sequence/replica", "step": "17.43 ms"},
        "1_836 token/s/replica",
        PRINTED,
    ),
    Case(
        "B01",
        BOOK,
        f.tokens_per_replica,
        {"batch": "32 sequence/replica", "step": "17.43 ms"},
        "1_882 token/s/replica",
        0.03,
    ),
    Case("B01", BOOK, f.gpus_to_hold, {"held": "112.95 GB", "memory": "16 GB/GPU"}, "8 GPU"),
    # 70 GB and 240 × 32,768 × 163,840 bytes; 86 in print, a chip more.
    Case("B01", BOOK, f.gpus_to_hold, {"held": "1_358_490_188_800 B", "memory": "16 GB/GPU"}, "85 GPU"),
    # B03: the step with its compute term.
    Case("B03", QUIZ, f.decode_step, STEP_30B | {"batch": "4 sequence/replica"}, "2.57 ms", PRINTED),
    Case("B03", QUIZ, f.decode_step, STEP_30B | {"batch": "256 sequence/replica"}, "21.1 ms", PRINTED),
    Case(
        "B03",
        QUIZ,
        f.critical_batch,
        {"weights": "30 GB", "parameters": "30 Bparam", "flops": "1.97e14 FLOP/s/GPU", "bandwidth": "8.1e11 B/s/GPU"},
        "120 sequence/replica",
        0.02,
    ),
    # B04: prefill, and what it needs beside decode.
    Case(
        "B04",
        BOOK,
        f.prefill_gpu_seconds,
        # 16 chips at 40 % of the peak as one: seconds.
        {"parameters": "70 Bparam", "tokens": "8_192 token/request", "flops": "1.2608e15 FLOP/s/GPU"},
        "0.91 GPU*s/request",
        PRINTED,
    ),
    Case("B04", BOOK, f.prefill_per_decode, RATIO | {"batch": "32 sequence/replica"}, "2.99", PRINTED),
    Case("B04", BOOK, f.prefill_per_decode, RATIO | {"batch": "43 sequence/replica"}, "4.02", PRINTED),
    Case(
        "B04",
        BOOK,
        f.cache_tokens_freed,
        {"batch": "32 sequence/replica", "input_tokens": "8_192 token/request", "output_tokens": "4_096 token/request"},
        "96 token/replica",
    ),
    # B05: FLOPs, hours and MFU of a run.
    Case(
        "B05",
        LLAMA,
        f.training_flops,
        {"parameters": "405 Bparam", "tokens": "15.6e12 token/run"},
        "3.79e25 FLOP/run",
        PRINTED,
    ),
    Case(
        "B05",
        LLAMA,
        f.training_flops,
        {"parameters": "405 Bparam", "tokens": "15.6e12 token/run"},
        "3.8e25 FLOP/run",
        PRINTED,
    ),
    Case(
        "B05",
        "Hoffmann et al. 2022, arXiv:2203.15556",
        f.training_flops,
        {"parameters": "70 Bparam", "tokens": "1.4e12 token/run"},
        "5.88e23 FLOP/run",
    ),
    Case("B05", LLAMA, f.training_flops, {"parameters": "8 Bparam", "tokens": "15e12 token/run"}, "7.2e23 FLOP/run"),
    Case("B05", LLAMA, f.model_flops_utilisation, LLAMA_405B, "34.5 %", PRINTED),
    Case(
        "B05",
        LLAMA,
        f.training_gpu_time,
        {"flops": "3.7908e25 FLOP/run", "achieved": "989 TFLOP/s/GPU"},
        "10.7e6 GPU*hour/run",
        0.005,
    ),
    Case(
        "B05",
        DENSE,
        f.ridge_point,
        {"flops": "989 TFLOP/s/GPU", "bandwidth": "3.35 TB/s/GPU"},
        "295 FLOP/byte",
        PRINTED,
    ),
    # B08: four published rules.
    Case(
        "B08a",
        QDRANT,
        f.flat_index_bytes,
        {"vectors": "1e6 vector", "bytes_per_vector": "4_096 B/vector", "overhead": "1.5"},
        "6.144 GB",
    ),
    Case(
        "B08a",
        QDRANT,
        f.flat_index_bytes,
        {"vectors": "1e6 vector", "bytes_per_vector": "4_096 B/vector", "overhead": "1.5"},
        "5.72 GiB",
        PRINTED,
    ),
    Case(
        "B08b",
        OPENSEARCH,
        f.graph_index_bytes,
        {
            "vectors": "1e6 vector",
            "bytes_per_vector": "1_024 B/vector",
            "links": "16 link/vector",
            "bytes_per_link": "4 B/link",
            "overhead": "1.1",
        },
        "1.267 GB",
        PRINTED,
    ),
    # The documentation cuts 1.12654 off at 1.126.
    Case(
        "B08b",
        OPENSEARCH,
        f.inverted_index_bytes,
        {"vectors": "1e6 vector", "centroids": "128 vector", "bytes_per_vector": "1_024 B/vector", "overhead": "1.1"},
        "1.1265 GB",
        PRINTED,
    ),
    Case(
        "B08c",
        PGVECTOR_ROW,
        f.bytes_per_vector,
        {"dimension": "1_024 value/vector", "bytes_per_value": "4 B/value", "extra": "8 B/vector"},
        "4_104 B/vector",
    ),
    Case(
        "B08c",
        QDRANT,
        f.flat_index_bytes,
        {"vectors": "1e6 vector", "bytes_per_vector": "4_104 B/vector", "overhead": "1.3"},
        "5.335 GB",
        PRINTED,
    ),
    Case(
        "B08c",
        QDRANT,
        f.flat_index_bytes,
        {"vectors": "1e6 vector", "bytes_per_vector": "4_104 B/vector", "overhead": "1.3"},
        "4.97 GiB",
        PRINTED,
    ),
    Case("B08d", PAGES, f.paged_index_bytes, PGVECTOR | {"bytes_per_vector": "5_128 B/vector"}, "7_031.25 MiB"),
    Case("B08d", PAGES, f.paged_index_bytes, PGVECTOR | {"bytes_per_vector": "5_128 B/vector"}, "7_036 MiB", 0.002),
    Case(
        "B08e",
        LINKS,
        f.graph_index_bytes,
        {
            "vectors": "5_000 vector",
            "bytes_per_vector": "8_192 B/vector",
            "links": "26 link/vector",
            "bytes_per_link": "4 B/link",
            "overhead": "1",
        },
        "40 MiB",
        0.01,
    ),
    # B09: multiply-adds and guidance.
    Case("B09", DIT, f.block_parameters, DIT_XL, "445.9 Mparameter", PRINTED),
    Case("B09", DIT, f.denoise_linear_flops, DIT_PASS, "114.2 GMAC/pass", PRINTED),
    Case(
        "B09",
        DIT,
        f.image_flops,
        {
            "linear": "114.152 GMAC/pass",
            "attention": "4.228 GMAC/pass",
            "steps": "1 step/image",
            "passes": "1 pass/step",
        },
        "118.4 GMAC/image",
        PRINTED,
    ),
    Case(
        "B09",
        DIT,
        f.image_flops,
        {
            "linear": "114.152 GMAC/pass",
            "attention": "4.228 GMAC/pass",
            "steps": "1 step/image",
            "passes": "1 pass/step",
        },
        "237 GFLOP/image",
        PRINTED,
    ),
    Case(
        "B09",
        DIT,
        f.image_flops,
        {
            "linear": "114.152 GMAC/pass",
            "attention": "4.228 GMAC/pass",
            "steps": "1 step/image",
            "passes": "2 pass/step",
        },
        "474 GFLOP/image",
        0.002,
    ),
    Case(
        "B09",
        GUIDED,
        f.image_flops,
        {"linear": "114.152 GMAC/pass", "attention": "0 GMAC/pass", "steps": "50 step/image", "passes": "2 pass/step"},
        "11.42 TMAC/image",
        PRINTED,
    ),
    Case(
        "B09",
        GUIDED,
        f.image_flops,
        {"linear": "114.152 GMAC/pass", "attention": "0 GMAC/pass", "steps": "50 step/image", "passes": "2 pass/step"},
        "11.44 TMAC/image",
        0.003,
    ),
    # B11: the price carries its unit.
    Case(
        "B11",
        OPENCODE,
        f.api_price_per_request,
        {
            "input_tokens": "983_087 token/request",
            "input_price": "0.45 USD/Mtoken",
            "output_tokens": "0 token/request",
            "output_price": "0.6 USD/Mtoken",
        },
        "0.4424 USD/request",
        PRINTED,
    ),
    Case(
        "B11",
        AUTOGEN,
        f.api_price_per_request,
        {
            "input_tokens": "5_156 token/request",
            "input_price": "0.15 USD/Mtoken",
            "output_tokens": "21 token/request",
            "output_price": "0.6 USD/Mtoken",
        },
        "0.000786 USD/request",
        1e-12,
    ),
    Case(
        "B11",
        "Design ChatGPT",
        f.cost_per_1000,
        # 4 GPUs × 400 tokens ÷ 11,458.2 tokens/s.
        {"gpu_seconds": "0.139638 GPU*s/request", "price": "4 USD/GPU/hour"},
        "0.155 USD/krequest",
        PRINTED,
    ),
    Case(
        "B11",
        "Design ChatGPT",
        f.replicas,
        {"needed": "1_333_333.3 token/s", "per_replica": "11_458.2 token/s/replica"},
        "117 replica",
    ),
    # B13: parameters from configs.
    Case("B13", TRAINING_BOOK, f.layer_parameters, LLAMA_LAYER, "855_654_400 parameter/layer"),
    Case(
        "B13",
        TRAINING_BOOK,
        f.untied_parameters,
        {
            "layers": "80 layer",
            "per_layer": "855_654_400 parameter/layer",
            "vocabulary": "128_256 token",
            "hidden": "8_192 value",
        },
        "70_553_706_496 parameter",
    ),
    Case("B13", TIED, f.qk_norm_parameters, {"head_dim": "128 value/head"}, "256 parameter/layer"),
    Case("B13", TIED, f.layer_parameters, QWEN_LAYER, "100_930_560 parameter/layer"),
    Case("B13", TIED, f.tied_parameters, QWEN, "4_022_468_096 parameter"),
    Case("B13", TIED, f.untied_parameters, QWEN, "4_411_424_256 parameter"),
    Case("B13", TINY, f.layer_parameters, TINY_LAYER, "995_904 parameter/layer"),
    Case("B13", TINY, f.tied_parameters, TINY_MODEL, "15_191_712 parameter"),
    Case("B13", TINY, f.untied_parameters, TINY_MODEL, "24_407_712 parameter"),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_right_answer(case: Case) -> None:
    assert agrees(solved(case.formula, case.given, case.answer), case.answer, case.tolerance)


SLIPS = [
    Wrong("B01", BOOK, "rounded-first", {"held": "112.95 GB", "memory": "16 GB/GPU"}, "8 GPU", "7 GPU"),
    Wrong("B03", QUIZ, "memory-only-step", STEP_30B | {"batch": "256 sequence/replica"}, "21.1 ms", "18.5 ms", PRINTED),
    Wrong(
        "B04",
        BOOK,
        "batch-that-fits",
        RATIO | {"batch": "32 sequence/replica", "fit": "43 sequence/replica"},
        "2.99",
        "4.02",
        PRINTED,
    ),
    Wrong("B05", LLAMA, "sparse-peak", LLAMA_405B | {"sparse_peak": "1_979 TFLOP/s/GPU"}, "34.5 %", "17.3 %", PRINTED),
    Wrong(
        "B05",
        LLAMA,
        "hours-of-other-runs",
        LLAMA_405B | {"all_gpu_time": "39.3e6 GPU*hour/run"},
        "34.5 %",
        "27 %",
        PRINTED,
    ),
    Wrong(
        "B05",
        DENSE,
        "sparse-ridge",
        {"flops": "989 TFLOP/s/GPU", "sparse_peak": "1_979 TFLOP/s/GPU", "bandwidth": "3.35 TB/s/GPU"},
        "295 FLOP/byte",
        "591 FLOP/byte",
        PRINTED,
    ),
    # The page's result is right; it is printed as 5.72 GB.
    Wrong(
        "B08a",
        QDRANT,
        "gib-printed-as-gb",
        {"vectors": "1e6 vector", "bytes_per_vector": "4_096 B/vector", "overhead": "1.5"},
        "6.144 GB",
        "5.722 GB",
        PRINTED,
        far=False,
    ),
    Wrong(
        "B08d",
        PAGES,
        "raw-bytes-in-pages",
        PGVECTOR | {"bytes_per_vector": "5_128 B/vector", "overhead": "1"},
        "7_031 MiB",
        "4_401 MiB",
        PRINTED,
    ),
    Wrong("B09", DIT, "macs-for-flops", DIT_PASS, "228 GFLOP/pass", "114 GFLOP/pass", PRINTED),
    Wrong(
        "B09",
        GUIDED,
        "guidance-left-out",
        {
            "linear": "114.152 GMAC/pass",
            "attention": "0 GMAC/pass",
            "steps": "50 step/image",
            "passes": "2 pass/step",
            "one_pass": "1 pass/step",
        },
        "11.42 TMAC/image",
        "5.71 TMAC/image",
        PRINTED,
    ),
    Wrong(
        "B11",
        OPENCODE,
        "million-not-divided",
        {
            "input_tokens": "983_087 token/request",
            "input_price": "0.45 USD/Mtoken",
            "output_tokens": "0 token/request",
            "output_price": "0.6 USD/Mtoken",
        },
        "0.442389 USD/request",
        "442_389 USD/request",
        1e-6,
    ),
    # Of another model: 3 and 6 cents a thousand.
    Wrong(
        "B11",
        AUTOGEN,
        "price-of-another-row",
        {
            "input_tokens": "5_156 token/request",
            "input_price": "0.15 USD/Mtoken",
            "output_tokens": "21 token/request",
            "output_price": "0.6 USD/Mtoken",
            "other_input_price": "0.03 USD/ktoken",
            "other_output_price": "0.06 USD/ktoken",
        },
        "0.000786 USD/request",
        "0.15594 USD/request",
        1e-9,
    ),
    Wrong("B13", TIED, "tied-twice", QWEN, "4_022_468_096 parameter", "4_411_424_256 parameter", far=False),
    Wrong("B13", TINY, "tied-twice", TINY_MODEL, "15_191_712 parameter", "24_407_712 parameter"),
    Wrong(
        "B13",
        TIED,
        "tied-head-without-flops",
        QWEN | {"no_tokens": "0 token"},
        "4_022_465_536 parameter",
        "3_633_509_376 parameter",
        far=False,
    ),
    # A prompt of 6,000 tokens on Llama 3 8B: about 24 of 265 ms.
    Wrong(
        "—",
        "Design code completion",
        "kv-heads-in-attention",
        {
            "layers": "32 layer",
            "query_heads": "32 head/layer",
            "kv_heads": "8 head/layer",
            "head_dim": "128 value/head",
            "tokens": "6_000 token/request",
        },
        "9.44 TFLOP/request",
        "2.36 TFLOP/request",
        PRINTED,
    ),
]


@pytest.mark.parametrize("case", SLIPS, ids=names(SLIPS))
def test_slip(case: Wrong) -> None:
    check_wrong(case)


def test_b01_the_chain_and_what_rounding_on_the_way_does() -> None:
    kv = f.kv_bytes_per_sequence(80.0, 8.0, 128.0, 1.0, 8192.0)
    held = 70e9 + 32 * kv
    assert held / GB == pytest.approx(112.95, abs=0.005)
    assert 32 * kv / GB == pytest.approx(42.95, abs=0.005)
    assert f.gpus_to_hold(held, 16e9) == 8
    # In print 160 kB a token make 41.9 and 112 GB, and 7 chips.
    printed = 32 * 160e3 * 8192 / GB
    assert printed == pytest.approx(41.9, abs=0.05)
    assert f.gpus_to_hold(112e9, 16e9) == 7


def test_b05_what_is_refused() -> None:
    # An A100's peak under an H100's hours, and hours that are not of the run.
    with pytest.raises(SizingError, match="is more than 1"):
        f.model_flops_utilisation(**floats(LLAMA_405B | {"peak": "312 TFLOP/s/GPU"}))
    with pytest.raises(SizingError, match="is more than 1"):
        f.model_flops_utilisation(**quantities(LLAMA_405B | {"peak": "312 TFLOP/s/GPU"}))
    with pytest.raises(SizingError) as error:
        f.model_flops_utilisation(**quantities(LLAMA_405B | {"gpu_time": "39.3e6 GPU*hour"}))
    assert "argument gpu_time has the wrong unit" in str(error.value)


@pytest.mark.parametrize("links", [2.0, 16.0])
def test_b08_fewer_links_do_not_shrink_an_index_in_pages(links: float) -> None:
    each = f.bytes_per_vector(1280.0, 4.0, 8.0)
    assert each + f.graph_link_bytes(links, 6.0) < 8192
    pages = f.paged_index_bytes(900e3, 8192.0, each + f.graph_link_bytes(links, 6.0))
    assert pages / MiB == pytest.approx(7031, abs=0.5)
    # Observed: 7,036 to 7,043 MiB.
    assert pages / MiB == pytest.approx(7036, rel=0.002)


def test_b09_linear_and_attention_of_a_pass() -> None:
    linear = f.denoise_linear_flops(f.block_parameters(28.0, 1152.0), 256.0)
    attention = f.denoise_attention_flops(28.0, 1152.0, 256.0)
    assert linear / 2e9 == pytest.approx(114.2, abs=0.05)
    # In print 118.6.
    assert (linear + attention) / 2e9 == pytest.approx(118.4, abs=0.05)
    assert (linear + attention) / 2e9 == pytest.approx(118.6, rel=0.003)


def test_b11_a_price_per_token_and_per_thousand_requests() -> None:
    price = parse_unit("USD/Mtoken")
    assert price.to_base(Fraction(15, 100)) == pytest.approx(1.5e-7, rel=1e-12)
    assert str(show(0.000786, parse_unit("USD/krequest"))) == "$0.786 per 1,000 requests"
    assert str(show(1.5e-7, price)) == "$0.15 per million tokens"


def test_b13_a_layer_with_norms_on_queries_and_keys() -> None:
    per_layer = f.layer_parameters(**floats(QWEN_LAYER)) + f.qk_norm_parameters(128.0)
    assert per_layer == 100_930_816
    tied, untied = f.tied_parameters(**floats(QWEN)), f.untied_parameters(**floats(QWEN))
    assert untied - tied == 151_936 * 2_560
    # The head's product is computed either way.
    assert f.multiplied_parameters(**floats(QWEN)) == tied - 2_560


def test_a_price_per_request_does_not_fit_where_one_per_token_is_asked() -> None:
    wrong = input_quantity("price", 0.15, parse_unit("USD/request"), "price")
    given = quantities(
        {"input_tokens": "5 token/request", "output_tokens": "5 token/request", "output_price": "1 USD/token"}
    )
    with pytest.raises(SizingError, match="argument input_price has the wrong unit"):
        f.api_price_per_request(input_price=wrong, **given)


def test_every_collected_case_is_here() -> None:
    assert {case.id[:3] for case in CASES} == {f"B{n:02}" for n in (1, 3, 4, 5, 8, 9, 11, 13)}
