"""The field's formulas, one idea a function.

Each runs on recorded quantities, which carry units, or on plain floats in base units (bytes, seconds, tokens,
FLOPs, dollars; shares as fractions). Both give the same float.
"""

from .attention import attention_flops, attention_flops_after, attention_meets_weights, latent_attention_flops
from .checkpoints import checkpoint_interval, lost_share, time_between_failures
from .classifiers import precision
from .cost import average_cost_per_1000, cost_per_1000
from .decode import (
    cache_read_time,
    critical_batch,
    decode_step,
    decode_time,
    memory_step,
    tokens_per_replica,
    weights_compute_time,
    weights_read_time,
)
from .diffusion import (
    block_parameters,
    denoise_attention_flops,
    denoise_linear_flops,
    gpu_seconds_per_image,
    image_flops,
)
from .engine_budget import (
    cached_tokens,
    concurrency_at_length,
    kv_blocks,
    kv_bytes_in_blocks,
    kv_room_per_gpu,
    sequences_with_shared_prefix,
    utilisation_beside_graphs,
)
from .experts import distinct_experts, share_of_experts_touched, touched_weight_bytes
from .fine_tuning import lora_parameters, lora_state_bytes, training_state_bytes
from .fleet import (
    gpus,
    gpus_by_bandwidth,
    gpus_by_capacity,
    gpus_by_compute,
    gpus_for_gpu_seconds,
    load,
    replicas,
    replicas_for_requests,
    tokens_needed,
    whole_nodes,
)
from .kv_cache import (
    derived_head_dim,
    hybrid_bytes_per_sequence,
    kv_full_reservation,
    kv_windowed,
    latent_kv_bytes_per_token,
    state_bytes_per_sequence,
)
from .memory import (
    gpus_to_hold,
    kv_bytes_per_sequence,
    kv_bytes_per_token,
    room_for_caches,
    sequences_that_fit,
    sequences_to_spare,
    weight_bytes,
)
from .number_formats import bytes_per_value_in_blocks, weight_bytes_in_blocks
from .parallel import kv_bytes_per_token_per_gpu, kv_heads_per_gpu, sequences_over_ranks, weights_with_copies
from .parameters import layer_parameters, multiplied_parameters, qk_norm_parameters, tied_parameters, untied_parameters
from .phases import cache_tokens_freed, prefill_per_decode, prompt_within
from .prefill import first_token_alone, prefill_gpu_seconds, share_for_equal_fleets, uncached
from .prices import api_price_per_request, break_even_volume, cascade_cost, fleet_bill
from .roofline import (
    attention_intensity,
    decode_intensity,
    latent_attention_intensity,
    ridge_point,
    weights_intensity,
    whole_speedup,
)
from .sessions import session_attention_flops, session_prompt_tokens
from .speculation import speculative_speedup, tokens_per_round
from .speech import gpus_for_streams, real_time_factor, recording_gpu_time
from .traffic import arrival_rate_at_peak, concurrency, residence_time
from .training import (
    achieved_flops,
    gpus_for_deadline,
    lora_training_flops,
    model_flops_utilisation,
    training_flops,
    training_gpu_time,
)
from .vectors import (
    bytes_per_vector,
    flat_index_bytes,
    graph_index_bytes,
    graph_link_bytes,
    inverted_index_bytes,
    paged_index_bytes,
)

__all__ = [
    "achieved_flops",
    "api_price_per_request",
    "arrival_rate_at_peak",
    "attention_flops",
    "attention_flops_after",
    "attention_intensity",
    "attention_meets_weights",
    "average_cost_per_1000",
    "block_parameters",
    "break_even_volume",
    "bytes_per_value_in_blocks",
    "bytes_per_vector",
    "cache_read_time",
    "cache_tokens_freed",
    "cached_tokens",
    "cascade_cost",
    "checkpoint_interval",
    "concurrency",
    "concurrency_at_length",
    "cost_per_1000",
    "critical_batch",
    "decode_intensity",
    "decode_step",
    "decode_time",
    "denoise_attention_flops",
    "denoise_linear_flops",
    "derived_head_dim",
    "distinct_experts",
    "first_token_alone",
    "flat_index_bytes",
    "fleet_bill",
    "gpu_seconds_per_image",
    "gpus",
    "gpus_by_bandwidth",
    "gpus_by_capacity",
    "gpus_by_compute",
    "gpus_for_deadline",
    "gpus_for_gpu_seconds",
    "gpus_for_streams",
    "gpus_to_hold",
    "graph_index_bytes",
    "graph_link_bytes",
    "hybrid_bytes_per_sequence",
    "image_flops",
    "inverted_index_bytes",
    "kv_blocks",
    "kv_bytes_in_blocks",
    "kv_bytes_per_sequence",
    "kv_bytes_per_token",
    "kv_bytes_per_token_per_gpu",
    "kv_full_reservation",
    "kv_heads_per_gpu",
    "kv_room_per_gpu",
    "kv_windowed",
    "latent_attention_flops",
    "latent_attention_intensity",
    "latent_kv_bytes_per_token",
    "layer_parameters",
    "load",
    "lora_parameters",
    "lora_state_bytes",
    "lora_training_flops",
    "lost_share",
    "memory_step",
    "model_flops_utilisation",
    "multiplied_parameters",
    "paged_index_bytes",
    "precision",
    "prefill_gpu_seconds",
    "prefill_per_decode",
    "prompt_within",
    "qk_norm_parameters",
    "real_time_factor",
    "recording_gpu_time",
    "replicas",
    "replicas_for_requests",
    "residence_time",
    "ridge_point",
    "room_for_caches",
    "sequences_over_ranks",
    "sequences_that_fit",
    "sequences_to_spare",
    "sequences_with_shared_prefix",
    "session_attention_flops",
    "session_prompt_tokens",
    "share_for_equal_fleets",
    "share_of_experts_touched",
    "speculative_speedup",
    "state_bytes_per_sequence",
    "tied_parameters",
    "time_between_failures",
    "tokens_needed",
    "tokens_per_replica",
    "tokens_per_round",
    "touched_weight_bytes",
    "training_flops",
    "training_gpu_time",
    "training_state_bytes",
    "uncached",
    "untied_parameters",
    "utilisation_beside_graphs",
    "weight_bytes",
    "weight_bytes_in_blocks",
    "weights_compute_time",
    "weights_intensity",
    "weights_read_time",
    "weights_with_copies",
    "whole_nodes",
    "whole_speedup",
]
