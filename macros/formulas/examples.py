"""One worked example for each formula, for the numbers sheet: arguments and where they are from, never a result.

An argument is a quantity, or the name of a number that is defined elsewhere: `chatgpt.batch` is an input or a step of
that design, `models.llama3_8b.layers` a fact of a catalogue, `shared.price` a shared assumption.
"""

from __future__ import annotations

from typing import NamedTuple

from macros.sizing.display import DIGITS


class Example(NamedTuple):
    """Arguments by name, where they are from in a few words, and how the result is shown."""

    source: str
    given: dict[str, str]
    unit: str = ""
    digits: int = DIGITS


_CHATGPT = "Design ChatGPT"
_RAG = "Design enterprise RAG"
_LLAMA_8B = "Llama 3 8B and an assumed prompt"
_DEEPSEEK = "DeepSeek-V3's config"
_LOG = "vllm-project/vllm issue 10517"
_LLAMA_405B = "Llama 3.1 model card"
_ASSUMED = "assumed"

_SHAPE = {
    "layers": "models.llama3_70b.layers",
    "kv_heads": "models.llama3_70b.kv_heads",
    "head_dim": "models.llama3_70b.head_dim",
    "bytes_per_value": "shared.kv_bytes",
}
_SHAPE_8B = {
    "layers": "models.llama3_8b.layers",
    "query_heads": "32 head/layer",
    "head_dim": "models.llama3_8b.head_dim",
}
_LATENT = {
    "latent": "512 value/layer",
    "rope": "64 value/layer",
    "bytes_per_value": "shared.kv_bytes",
}
_WINDOWS = {
    "full_layers": "12 layer",
    "window_layers": "12 layer",
    "kv_heads": "8 head/layer",
    "head_dim": "64 value/head",
    "bytes_per_value": "shared.kv_bytes",
    "tokens": "8_192 token/request",
}
_STEP = {
    "batch": "chatgpt.batch",
    "kv": "chatgpt.kv_per_request",
    "weights": "chatgpt.model_weights",
    "parameters": "chatgpt.model.nominal",
    "gpus": "chatgpt.gpus_per_replica",
    "bandwidth": "chatgpt.gpu.bandwidth",
    "flops": "chatgpt.gpu.weights_flops",
}
_EXPERTS = {"active": "8 expert/token", "experts": "256 expert", "batch": "64 sequence/replica"}
_SESSION = {"turns": "40 request", "first": "8_000 token/request", "growth": "2_000 token/request"}
_SPECULATION = {"acceptance": "44 %", "draft_tokens": "5 token"}
_QWEN_4B = {
    "layers": "36 layer",
    "per_layer": "100_930_816 parameter/layer",
    "vocabulary": "151_936 token",
    "hidden": "2_560 value",
}
_VECTORS = {"vectors": "1_000_000 vector", "bytes_per_vector": "1_024 byte/vector"}
_IMAGE = {"layers": "28 layer", "width": "1_152 value/layer", "tokens": "256 token/pass"}
_PROMPT = {
    "parameters": "chatgpt.model.nominal",
    "tokens": "chatgpt.input_tokens",
    "flops": "shared.prefill_flops",
}


def _of(given: dict[str, str], *names: str) -> dict[str, str]:
    return {name: given[name] for name in names}


EXAMPLES: dict[str, Example] = {
    # traffic
    "arrival_rate_at_peak": Example(
        _CHATGPT,
        {
            "users": "chatgpt.daily_users",
            "requests_per_user": "chatgpt.requests_per_user",
            "peak_share": "chatgpt.peak_share",
        },
    ),
    "concurrency": Example(_CHATGPT, {"arrival_rate": "chatgpt.peak_requests", "duration": "chatgpt.decode_time"}),
    "residence_time": Example(_ASSUMED, {"inside": "26_000 request", "arrival_rate": "chatgpt.peak_requests"}),
    # memory
    "weight_bytes": Example(
        _CHATGPT, {"parameters": "chatgpt.model.nominal", "bytes_per_parameter": "chatgpt.weights.bytes"}, "GB"
    ),
    "kv_bytes_per_token": Example("Llama 3 70B", _SHAPE),
    "kv_bytes_per_sequence": Example("Llama 3 70B", _SHAPE | {"tokens": "1_900 token/request"}, "MB/request"),
    "sequences_that_fit": Example(
        _CHATGPT,
        {
            "usable": "shared.usable_memory",
            "gpus": "chatgpt.gpus_per_replica",
            "memory": "chatgpt.gpu.memory",
            "weights": "chatgpt.model_weights",
            "kv": "chatgpt.kv_per_request",
        },
    ),
    "sequences_to_spare": Example(_CHATGPT, {"fit": "chatgpt.sequences_that_fit", "batch": "chatgpt.batch"}),
    "room_for_caches": Example(
        "nodes of eight H200, DeepSeek-V3 in a byte a weight",
        {
            "usable": "shared.usable_memory",
            "gpus": "8 GPU/replica",
            "memory": "gpus.h200_sxm.memory",
            "weights": "671 GB/replica",
        },
        "GB/replica",
    ),
    "gpus_to_hold": Example("jax-ml/scaling-book, applied inference", {"held": "112.95 GB", "memory": "16 GB/GPU"}),
    # number_formats
    "bytes_per_value_in_blocks": Example(
        "q8_0", {"block_bytes": "34 byte/block", "block_values": "32 value/block"}, digits=5
    ),
    "weight_bytes_in_blocks": Example(
        "Llama 3 70B in q8_0",
        {
            "parameters": "models.llama3_70b.parameters",
            "block_parameters": "32 parameter/block",
            "block_bytes": "34 byte/block",
        },
        "GB",
    ),
    # kv_cache
    "derived_head_dim": Example(
        "Qwen3-32B, whose config states 128", {"hidden": "5_120 value/layer", "query_heads": "64 head/layer"}
    ),
    "latent_kv_bytes_per_token": Example(_DEEPSEEK, {"layers": "61 layer", **_LATENT}),
    "kv_full_reservation": Example("gpt-oss-20b's config", _WINDOWS, "MiB/request"),
    "kv_windowed": Example("gpt-oss-20b's config", _WINDOWS | {"window": "128 token/request"}, "MiB/request"),
    "state_bytes_per_sequence": Example(
        _ASSUMED,
        {"layers": "36 layer", "state": "524_288 value/layer", "bytes_per_value": "2 byte/value"},
        "MB/request",
    ),
    "hybrid_bytes_per_sequence": Example(
        _ASSUMED,
        {
            "kv_layers": "12 layer",
            "kv_heads": "2 head/layer",
            "head_dim": "256 value/head",
            "bytes_per_value": "shared.kv_bytes",
            "tokens": "32_768 token/request",
            "state": "37.7 MB/request",
        },
        "MB/request",
    ),
    # parallel
    "kv_heads_per_gpu": Example(
        "Llama 3 70B on 32 GPUs", {"kv_heads": "models.llama3_70b.kv_heads", "tensor_parallel": "32 GPU/replica"}
    ),
    "kv_bytes_per_token_per_gpu": Example("Llama 3 70B on 32 GPUs", _SHAPE | {"tensor_parallel": "32 GPU/replica"}),
    "weights_with_copies": Example(
        "DeepSeek-V3 in a byte a weight",
        {"weights": "671 GB", "copied": "11.41 GB", "ranks": "8 GPU/replica"},
        "GB/replica",
    ),
    "sequences_over_ranks": Example(
        "DeepSeek-V3, sessions of 100,000 tokens",
        {"ranks": "8 GPU/replica", "room": "264 GB/replica", "kv": "7.0272 GB/request"},
    ),
    # engine_budget
    "kv_room_per_gpu": Example(
        _LOG,
        {
            "memory": "23.58 GiB/GPU",
            "utilisation": "90 %",
            "weights": "14.96 GiB/GPU",
            "activations": "2.1 GiB/GPU",
            "non_torch": "0.35 GiB/GPU",
            "graphs": "0 GiB/GPU",
        },
        "GiB/GPU",
    ),
    "kv_blocks": Example(
        f"{_LOG}, whose log has one more from memory that is not rounded",
        {"room": "3.812 GiB/GPU", "block_tokens": "16 token/block", "kv_per_token": "131_072 byte/token/GPU"},
    ),
    "cached_tokens": Example(_LOG, {"blocks": "1_478 block", "block_tokens": "16 token/block"}),
    "concurrency_at_length": Example(
        f"{_LOG}: it does not fit", {"tokens": "23_648 token", "length": "29_000 token/request"}
    ),
    "kv_bytes_in_blocks": Example(
        "vllm-project/vllm issue 25350",
        {
            "length": "221_000 token/request",
            "block_tokens": "16 token/block",
            "kv_per_token": "49_152 byte/token/GPU",
        },
        "GiB/request/GPU",
    ),
    "utilisation_beside_graphs": Example(
        "gpustack/runner PR 251", {"utilisation": "82 %", "graphs": "0.36 GiB/GPU", "memory": "23.7 GiB/GPU"}, "%"
    ),
    "sequences_with_shared_prefix": Example(
        f"{_CHATGPT}, with an assumed prefix",
        {
            "room": "218 GB/replica",
            "shared": "1_000 token/replica",
            "own": "900 token/request",
            "kv_per_token": "chatgpt.kv_per_token",
        },
    ),
    # decode
    "memory_step": Example(_CHATGPT, _of(_STEP, "weights", "batch", "kv", "gpus", "bandwidth"), "ms", digits=4),
    "weights_read_time": Example(_CHATGPT, _of(_STEP, "weights", "gpus", "bandwidth"), "ms"),
    "cache_read_time": Example(_CHATGPT, _of(_STEP, "batch", "kv", "gpus", "bandwidth"), "ms"),
    "cache_compute_time": Example(
        "DeepSeek-V3 on eight H200, sessions of 100,000 tokens",
        {
            "batch": "48 sequence/replica",
            "kv": "7.0272 GB/request",
            "intensity": "241.78 FLOP/byte",
            "gpus": "8 GPU/replica",
            "flops": "gpus.h200_sxm.dense_bf16",
        },
        "ms",
    ),
    "weights_compute_time": Example(_CHATGPT, _of(_STEP, "parameters", "batch", "gpus", "flops"), "ms"),
    "decode_step": Example(_CHATGPT, _STEP, "ms", digits=4),
    "critical_batch": Example(_CHATGPT, _of(_STEP, "weights", "parameters", "flops", "bandwidth")),
    "tokens_per_replica": Example(_CHATGPT, {"batch": "chatgpt.batch", "step": "chatgpt.decode_step"}),
    "decode_time": Example(_CHATGPT, {"output_tokens": "chatgpt.output_tokens", "step": "chatgpt.decode_step"}),
    # roofline
    "ridge_point": Example(
        "H100 SXM in bf16", {"flops": "gpus.h100_sxm.dense_bf16", "bandwidth": "gpus.h100_sxm.bandwidth"}
    ),
    "weights_intensity": Example(_CHATGPT, {"batch": "chatgpt.batch", "bytes_per_parameter": "chatgpt.weights.bytes"}),
    "decode_intensity": Example(_CHATGPT, _of(_STEP, "parameters", "batch", "weights", "kv")),
    "attention_intensity": Example(
        "Llama 3 70B",
        {
            "query_heads": "64 head/layer",
            "kv_heads": "models.llama3_70b.kv_heads",
            "bytes_per_value": "shared.kv_bytes",
        },
    ),
    "latent_attention_intensity": Example(_DEEPSEEK, {"query_heads": "128 head/layer", **_LATENT}),
    "whole_speedup": Example("a norm layer, assumed", {"share": "25 %", "speedup": "4"}),
    # experts
    "share_of_experts_touched": Example(_DEEPSEEK, _EXPERTS, "%"),
    "distinct_experts": Example(_DEEPSEEK, _EXPERTS),
    "touched_weight_bytes": Example(
        f"{_DEEPSEEK}, split assumed", {"always": "17 GB", "routed": "654 GB", **_EXPERTS}, "GB"
    ),
    # speculation
    "tokens_per_round": Example("ggml-org/llama.cpp issue 3649", _SPECULATION),
    "speculative_speedup": Example("ggml-org/llama.cpp issue 3649", _SPECULATION | {"draft_cost": "11 %"}),
    # prefill
    "prefill_gpu_seconds": Example(_CHATGPT, _PROMPT),
    "uncached": Example(_CHATGPT, {"gpu_seconds": "chatgpt.prefill_gpu_seconds", "hit_share": "chatgpt.cached_share"}),
    "first_token_alone": Example(
        _CHATGPT, {"gpu_seconds": "chatgpt.prefill_gpu_seconds", "gpus": "chatgpt.gpus_per_replica"}, "ms"
    ),
    "share_for_equal_fleets": Example(
        _CHATGPT, {"decode_gpus": "chatgpt.gpus", "prefill_gpus": "chatgpt.prefill_gpus"}, "%"
    ),
    # attention
    "attention_flops": Example(_LLAMA_8B, _SHAPE_8B | {"tokens": "6_000 token/request"}, "TFLOP/request"),
    "attention_flops_after": Example(
        _LLAMA_8B, _SHAPE_8B | {"cached": "5_700 token/request", "new": "300 token/request"}, "TFLOP/request"
    ),
    "latent_attention_flops": Example(
        _DEEPSEEK,
        {
            "layers": "61 layer",
            "query_heads": "128 head/layer",
            "key_dim": "192 value/head",
            "value_dim": "128 value/head",
            "tokens": "100_000 token/request",
        },
        "PFLOP/request",
    ),
    "attention_meets_weights": Example("Llama 3 8B", {"parameters": "models.llama3_8b.nominal", **_SHAPE_8B}),
    # phases
    "prefill_per_decode": Example(
        "jax-ml/scaling-book, applied inference",
        {
            "prefill": "0.91 s",
            "batch": "32 sequence/replica",
            "output_tokens": "512 token/request",
            "step": "19 ms",
        },
    ),
    "cache_tokens_freed": Example(
        "jax-ml/scaling-book, applied inference",
        {
            "batch": "32 sequence/replica",
            "input_tokens": "8_192 token/request",
            "output_tokens": "4_096 token/request",
        },
    ),
    "prompt_within": Example(
        "Llama 3 8B on one GPU, target assumed",
        {
            "deadline": "200 ms",
            "gpus": "1 GPU/replica",
            "flops": "shared.prefill_flops",
            "parameters": "models.llama3_8b.nominal",
        },
    ),
    # under a deadline
    "queue_wait": Example(_ASSUMED, {"service": "12 ms", "servers": "4 replica", "load": "60 %"}, "ms"),
    "transfer_time": Example(
        "Llama 3 8B, context and link assumed",
        {"kv": "786 MB/request", "gpus": "1 GPU/replica", "bandwidth": "370 GB/s/GPU"},
        "ms",
    ),
    "batch_within": Example(
        "Llama 3 8B on one H100, time and lengths assumed",
        {
            "time": "170 ms",
            "output_tokens": "25 token/request",
            "weights": "16.06 GB",
            "kv": "790 MB/request",
            "gpus": "1 GPU/replica",
            "bandwidth": "gpus.h100_sxm.bandwidth",
        },
    ),
    # sessions
    "session_prompt_tokens": Example(_ASSUMED, _SESSION),
    "session_attention_flops": Example("Llama 3 8B and an assumed session", {**_SHAPE_8B, **_SESSION}, "PFLOP"),
    "session_new_tokens": Example(_ASSUMED, {**_of(_SESSION, "turns", "first"), "new": "1_600 token/request"}),
    "session_attention_flops_after": Example(
        "Llama 3 8B and an assumed session", {**_SHAPE_8B, **_SESSION, "new": "1_600 token/request"}, "PFLOP"
    ),
    "break_even_wait": Example(_ASSUMED, {"prefill": "24 GPU*s/request", "kv": "15 GB/request", "room": "54.5 GB/GPU"}),
    # fleet
    "load": Example(
        _CHATGPT,
        {
            "needed": "chatgpt.tokens_needed",
            "replicas": "chatgpt.replicas",
            "per_replica": "chatgpt.tokens_per_replica",
        },
        "%",
    ),
    "tokens_needed": Example(
        _CHATGPT, {"arrival_rate": "chatgpt.peak_requests", "output_tokens": "chatgpt.output_tokens"}
    ),
    "replicas": Example(_CHATGPT, {"needed": "chatgpt.tokens_needed", "per_replica": "chatgpt.tokens_per_replica"}),
    "replicas_for_requests": Example(
        _ASSUMED, {"arrival_rate": "chatgpt.peak_requests", "per_replica": "7 request/s/replica"}
    ),
    "gpus": Example(_CHATGPT, {"replicas": "chatgpt.replicas", "gpus_per_replica": "chatgpt.gpus_per_replica"}),
    "whole_nodes": Example("a training run, assumed", {"gpus": "87 GPU", "per_node": "8 GPU/node"}),
    "gpus_for_gpu_seconds": Example(
        _CHATGPT, {"arrival_rate": "chatgpt.peak_requests", "gpu_seconds": "chatgpt.prefill_gpu_seconds"}
    ),
    "gpus_by_bandwidth": Example(
        _CHATGPT,
        {
            "needed": "chatgpt.tokens_needed",
            "per_replica": "chatgpt.tokens_per_replica",
            "gpus": "chatgpt.gpus_per_replica",
        },
    ),
    "gpus_by_compute": Example(
        _CHATGPT,
        {
            "parameters": "chatgpt.model.nominal",
            "needed": "chatgpt.tokens_needed",
            "flops": "chatgpt.gpu.weights_flops",
        },
    ),
    "gpus_by_capacity": Example(
        _CHATGPT,
        {
            "in_flight": "chatgpt.in_flight",
            "fit": "chatgpt.sequences_that_fit",
            "gpus": "chatgpt.gpus_per_replica",
        },
    ),
    # cost
    "cost_per_1000": Example(_CHATGPT, {"gpu_seconds": "chatgpt.prefill_gpu_seconds", "price": "shared.price"}),
    "average_cost_per_1000": Example(
        _CHATGPT,
        {
            "gpus": "chatgpt.gpus",
            "price": "shared.price",
            "users": "chatgpt.daily_users",
            "requests_per_user": "chatgpt.requests_per_user",
        },
    ),
    # prices
    "api_price_per_request": Example(
        "microsoft/autogen issue 3165",
        {
            "input_tokens": "5_156 token/request",
            "input_price": "0.15 USD/Mtoken",
            "output_tokens": "21 token/request",
            "output_price": "0.6 USD/Mtoken",
        },
        "USD/krequest",
    ),
    "cascade_cost": Example(_ASSUMED, {"own": "0.03 USD/krequest", "passed_on": "5 %", "rest": "0.4 USD/krequest"}),
    "fleet_bill": Example("two replicas of four GPUs", {"gpus": "8 GPU", "price": "shared.price"}),
    "break_even_volume": Example(
        "that fleet against an assumed API price",
        {"fixed": "23_360 USD/month", "api": "6 USD/krequest", "own": "0 USD/krequest"},
    ),
    # training
    "training_flops": Example(_LLAMA_405B, {"parameters": "405 Bparam", "tokens": "15.6e12 token/run"}),
    "lora_training_flops": Example(
        _ASSUMED, {"parameters": "chatgpt.model.nominal", "tokens": "1e9 token/run"}, "EFLOP/run"
    ),
    "achieved_flops": Example(
        "H100 SXM in bf16, MFU assumed", {"peak": "gpus.h100_sxm.dense_bf16", "mfu": "40 %"}, "TFLOP/s/GPU"
    ),
    "training_gpu_time": Example(
        "7B on a trillion tokens", {"flops": "4.2e22 FLOP/run", "achieved": "400 TFLOP/s/GPU"}
    ),
    "model_flops_utilisation": Example(
        _LLAMA_405B,
        {
            "flops": "3.79e25 FLOP/run",
            "gpu_time": "30.84e6 GPU*hour/run",
            "peak": "gpus.h100_sxm.dense_bf16",
        },
        "%",
    ),
    "gpus_for_deadline": Example(
        "7B on a trillion tokens", {"gpu_time": "29_167 GPU*hour/run", "deadline": "14 day/run"}
    ),
    # fine_tuning
    "training_state_bytes": Example(
        "Llama 3 70B with Adam",
        {"parameters": "models.llama3_70b.nominal", "bytes_per_parameter": "16 byte/parameter"},
        "TB",
    ),
    "lora_state_bytes": Example(
        "Llama 3 70B with adapters of rank 16",
        {
            "parameters": "models.llama3_70b.nominal",
            "bytes_per_parameter": "dtypes.bf16.bytes",
            "adapter_parameters": "207_093_760 parameter",
            "bytes_per_trained": "16 byte/parameter",
        },
        "GB",
    ),
    "lora_parameters": Example(
        "Llama 3 70B",
        {
            "layers": "models.llama3_70b.layers",
            "rank": "16 value",
            "hidden": "8_192 value",
            "query_width": "8_192 value",
            "kv_width": "1_024 value",
            "mlp_width": "28_672 value",
        },
    ),
    # checkpoints
    "time_between_failures": Example(_ASSUMED, {"node_hours": "50_000 node*hour", "nodes": "1_000 node"}),
    "checkpoint_interval": Example(_ASSUMED, {"cost": "5 min", "between_failures": "50 hour"}, "hour"),
    "lost_share": Example(_ASSUMED, {"cost": "5 min", "interval": "2.89 hour", "between_failures": "50 hour"}, "%"),
    # parameters
    "layer_parameters": Example(
        "Llama 3 70B",
        {
            "hidden": "8_192 value",
            "query_heads": "64 head/layer",
            "kv_heads": "models.llama3_70b.kv_heads",
            "head_dim": "models.llama3_70b.head_dim",
            "mlp_width": "28_672 value/layer",
        },
    ),
    "qk_norm_parameters": Example("Qwen3-4B's config", {"head_dim": "128 value/head"}),
    "untied_parameters": Example(
        "Llama 3 70B",
        {
            "layers": "models.llama3_70b.layers",
            "per_layer": "855_654_400 parameter/layer",
            "vocabulary": "128_256 token",
            "hidden": "8_192 value",
        },
    ),
    "tied_parameters": Example("Qwen3-4B's config", _QWEN_4B),
    "multiplied_parameters": Example("Qwen3-4B's config", _QWEN_4B),
    # vectors
    "bytes_per_vector": Example(
        "pgvector/pgvector, README",
        {"dimension": "1_024 value/vector", "bytes_per_value": "4 byte/value", "extra": "8 byte/vector"},
    ),
    "flat_index_bytes": Example(
        "Qdrant, capacity planning",
        {"vectors": "1_000_000 vector", "bytes_per_vector": "4_096 byte/vector", "overhead": "1.5"},
        "GB",
    ),
    "graph_link_bytes": Example(_ASSUMED, {"links": "32 link/vector", "bytes_per_link": "4 byte/link"}),
    "graph_index_bytes": Example(
        "OpenSearch k-NN documentation",
        _VECTORS | {"links": "16 link/vector", "bytes_per_link": "4 byte/link", "overhead": "1.1"},
        "GB",
    ),
    "inverted_index_bytes": Example(
        "OpenSearch k-NN documentation", _VECTORS | {"centroids": "128 vector", "overhead": "1.1"}, "GB"
    ),
    "paged_index_bytes": Example(
        "pgvector/pgvector issue 745",
        {"vectors": "900_000 vector", "page": "8 KiB/page", "bytes_per_vector": "5_128 byte/vector"},
        "MiB",
    ),
    # vectors, searched within permissions
    "chance_of_none": Example(
        _RAG, {"share": "enterprise-rag.permitted_share", "fetched": "enterprise-rag.candidates"}, "%"
    ),
    "candidates_to_fetch": Example(
        _RAG, {"wanted": "enterprise-rag.candidates", "share": "enterprise-rag.permitted_share"}
    ),
    "compared_in_graph": Example(
        _RAG, {"candidates": "enterprise-rag.to_fetch", "followed": "enterprise-rag.links_followed"}
    ),
    "share_where_scan_meets_graph": Example(
        _RAG,
        {
            "followed": "enterprise-rag.links_followed",
            "wanted": "enterprise-rag.candidates",
            "vectors": "enterprise-rag.chunks",
        },
        "%",
    ),
    "scan_time": Example(
        _RAG,
        {
            "scanned": "enterprise-rag.permitted_chunks",
            "bytes_per_vector": "1_024 byte/vector",
            "nodes": "enterprise-rag.nodes_per_copy",
            "bandwidth": "enterprise-rag.node_bandwidth",
        },
        "ms",
    ),
    # diffusion
    "block_parameters": Example("DiT-XL/2", _of(_IMAGE, "layers", "width")),
    "denoise_linear_flops": Example(
        "DiT-XL/2", {"parameters": "445_906_944 parameter", "tokens": "256 token/pass"}, "GMAC/pass"
    ),
    "denoise_attention_flops": Example("DiT-XL/2", _IMAGE, "GMAC/pass"),
    "image_flops": Example(
        "DiT-XL/2 with guidance",
        {
            "linear": "114.2 GMAC/pass",
            "attention": "4.23 GMAC/pass",
            "steps": "50 step/image",
            "passes": "2 pass/step",
        },
        "TFLOP/image",
    ),
    "gpu_seconds_per_image": Example(_ASSUMED, {"flops": "2_083 TFLOP/image", "achieved": "400 TFLOP/s/GPU"}),
    # speech
    "real_time_factor": Example(_ASSUMED, {"processing": "3 s", "audio": "60 s"}),
    "gpus_for_streams": Example(_ASSUMED, {"streams": "10_417 request", "factor": "0.05", "planned_load": "60 %"}),
    "recording_gpu_time": Example(_ASSUMED, {"audio": "100_000 hour", "factor": "0.01"}),
    # classifiers
    "precision": Example(_ASSUMED, {"base_rate": "0.1 %", "recall": "99 %", "false_positives": "1 %"}, "%"),
}
