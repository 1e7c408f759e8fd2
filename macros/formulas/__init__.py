"""The field's formulas, one idea a function.

Each runs on recorded quantities, which carry units, or on plain floats in base units (bytes, seconds, tokens,
FLOPs, dollars; shares as fractions). Both give the same float.
"""

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
from .fleet import (
    gpus,
    gpus_by_bandwidth,
    gpus_by_capacity,
    gpus_by_compute,
    gpus_for_gpu_seconds,
    load,
    replicas,
    tokens_needed,
)
from .memory import kv_bytes_per_sequence, kv_bytes_per_token, sequences_that_fit, sequences_to_spare, weight_bytes
from .prefill import first_token_alone, prefill_gpu_seconds, share_for_equal_fleets, uncached
from .traffic import arrival_rate_at_peak, concurrency, residence_time

__all__ = [
    "arrival_rate_at_peak",
    "average_cost_per_1000",
    "cache_read_time",
    "concurrency",
    "cost_per_1000",
    "critical_batch",
    "decode_step",
    "decode_time",
    "first_token_alone",
    "gpus",
    "gpus_by_bandwidth",
    "gpus_by_capacity",
    "gpus_by_compute",
    "gpus_for_gpu_seconds",
    "kv_bytes_per_sequence",
    "kv_bytes_per_token",
    "load",
    "memory_step",
    "prefill_gpu_seconds",
    "replicas",
    "residence_time",
    "sequences_that_fit",
    "sequences_to_spare",
    "share_for_equal_fleets",
    "tokens_needed",
    "tokens_per_replica",
    "uncached",
    "weight_bytes",
    "weights_compute_time",
    "weights_read_time",
]
