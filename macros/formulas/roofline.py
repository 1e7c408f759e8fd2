"""Arithmetic intensity: FLOPs for each byte that is read, against what the GPU offers."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula, implied

_MULTIPLY_AND_ADD = Constant(2, "FLOP/parameter/token", shown="2")
_TWO = Constant(2, "FLOP/value", shown="2")
_TOKEN_PER_STEP = implied("token/request")
_ONE_COPY = implied("1/replica")
_ONE_REPLICA = implied("replica")
_LAYER_PER_HEAD = implied("layer/head")

_ROOFLINE = "Williams, Waterman and Patterson 2009, the roofline model"
_MLA = "DeepSeek-AI 2024, arXiv:2405.04434, section 2.1"


@formula("FLOP/byte", "ridge point", source=_ROOFLINE)
def ridge_point(
    flops: Annotated[N, In("FLOP/s/GPU", "peak FLOP/s")],
    bandwidth: Annotated[N, In("byte/s/GPU", "bandwidth")],
) -> N:
    """FLOPs per byte at which a GPU's arithmetic and its memory are busy alike.

    Peak FLOP/s ÷ bytes/s. Work below it waits for memory, work above it for arithmetic.

    Trap: the datasheet's sparse peak doubles it; take the dense one, of the format that the arithmetic runs in.
    """
    return flops / bandwidth


@formula("FLOP/byte", "intensity of the weights", source=_ROOFLINE)
def weights_intensity(
    batch: Annotated[N, In("sequence/replica", "batch")],
    bytes_per_parameter: Annotated[N, In("byte/parameter", "bytes per parameter")],
) -> N:
    """FLOPs for each byte of weights that a decode step reads.

    A parameter is read once and does a multiplication and an addition for every sequence of the batch.

    Trap: it rises with the batch for the weights only; the caches' bytes rise with it too.
    """
    return _MULTIPLY_AND_ADD * batch * _TOKEN_PER_STEP * _ONE_REPLICA / bytes_per_parameter


@formula("FLOP/byte", "intensity of decode", source=_ROOFLINE)
def decode_intensity(
    parameters: Annotated[N, In("parameter", "parameters")],
    batch: Annotated[N, In("sequence/replica", "batch")],
    weights: Annotated[N, In("byte", "weights")],
    kv: Annotated[N, In("byte/request", "KV")],
) -> N:
    """FLOPs of the weights for each byte that a whole decode step reads, caches included.

    The step's arithmetic grows with the batch; so do the cache bytes, while the weights are read once. Attention's own
    few FLOPs are left out.

    Trap: it levels off at 2 × parameters ÷ KV. With long contexts no batch brings decode to the ridge.
    """
    step = weights * _ONE_COPY + batch * kv
    return _MULTIPLY_AND_ADD * parameters * batch * _TOKEN_PER_STEP / step


@formula("FLOP/byte", "intensity of attention in decode", source=_ROOFLINE)
def attention_intensity(
    query_heads: Annotated[N, In("head/layer", "query heads")],
    kv_heads: Annotated[N, In("head/layer", "KV heads")],
    bytes_per_value: Annotated[N, In("byte/value", "bytes per value")],
) -> N:
    """FLOPs for each byte of cache that attention reads while decoding.

    Every number of a cached key or value is read once and serves all query heads that share its KV head, with a
    multiplication and an addition each.

    Trap: a larger batch does not raise it, since each sequence reads a cache of its own.
    """
    return _TWO * query_heads / kv_heads / bytes_per_value


@formula("FLOP/byte", "intensity of latent attention in decode", source=_MLA)
def latent_attention_intensity(
    query_heads: Annotated[N, In("head/layer", "query heads")],
    latent: Annotated[N, In("value/layer", "latent")],
    rope: Annotated[N, In("value/layer", "rope")],
    bytes_per_value: Annotated[N, In("byte/value", "bytes per value")],
) -> N:
    """FLOPs for each byte of latent cache that attention reads while decoding.

    All query heads share one latent. Each takes its score from latent and rotary part and its value from the latent,
    so the latent is used twice for one reading.

    Trap: decode is not always memory-bound. This is near the ridge of today's GPUs in two-byte formats.
    """
    used = latent + rope + latent
    return _TWO * query_heads * _LAYER_PER_HEAD * used / (latent + rope) / bytes_per_value


@formula("", "speed-up of the whole", source="G. M. Amdahl, AFIPS Conference Proceedings 30, 1967")
def whole_speedup(
    share: Annotated[N, In("", "share of the time", most=1)],
    speedup: Annotated[N, In("", "speed-up of the part", most=1e6)],
) -> N:
    """How much faster the whole gets when one part of it gets faster.

    The other parts keep their time, the part keeps its share ÷ its speed-up, and the whole is the sum.

    Trap: a part that takes a quarter of the time cannot give more than a third, however fast it becomes.
    """
    return 1 / (1 - share + share / speedup)
