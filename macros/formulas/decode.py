"""Decode: one token per sequence and step, for the whole batch at once."""

from typing import Annotated

from macros.sizing import Constant, In, N, floor, formula, implied, maximum

_MULTIPLY_AND_ADD = Constant(2, "FLOP/parameter/token", shown="2")
_NOTHING = Constant(0, "byte/replica", shown="0")
_ONE_COPY = implied("1/replica")
_TOKEN_PER_STEP = implied("token/request")
_STEP_PER_TOKEN = implied("request/token")

_ROOFLINE = "Williams, Waterman and Patterson 2009, the roofline model; jax-ml/scaling-book, inference chapter"


@formula("s", "decode step, simple form", source=_ROOFLINE)
def memory_step(
    weights: Annotated[N, In("byte", "weights")],
    batch: Annotated[N, In("sequence/replica", "batch")],
    kv: Annotated[N, In("byte/request", "KV")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
    bandwidth: Annotated[N, In("byte/s/GPU", "bandwidth")],
) -> N:
    """One decode step in the simple form: everything that the step reads, at the memory's speed.

    A step reads the weights once, for the whole batch, and every sequence's cache once. Tensor parallelism splits
    both over the GPUs, which read at the same time. It is the decode step wherever reading the weights takes longer
    than multiplying by them, which holds up to the critical batch.

    Trap: kernels reach a part of the peak bandwidth, and launches and all-reduces come on top. Real steps are longer.
    """
    return (weights * _ONE_COPY + batch * kv) / gpus / bandwidth


@formula("s", "reading the weights", source=_ROOFLINE)
def weights_read_time(
    weights: Annotated[N, In("byte", "weights")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
    bandwidth: Annotated[N, In("byte/s/GPU", "bandwidth")],
) -> N:
    """Time that one decode step takes to read the weights, the same at every batch.

    One token per sequence passes through every layer, so all weights are read, once for the whole batch. Each GPU of
    the replica reads its own slice at the same time as the others.

    Trap: it is the whole step only for a batch of short sequences; every sequence adds its cache.
    """
    return weights * _ONE_COPY / gpus / bandwidth


@formula("s", "reading the caches", source=_ROOFLINE)
def cache_read_time(
    batch: Annotated[N, In("sequence/replica", "batch")],
    kv: Annotated[N, In("byte/request", "KV")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
    bandwidth: Annotated[N, In("byte/s/GPU", "bandwidth")],
) -> N:
    """Time that one decode step takes to read the caches of the whole batch.

    Every sequence attends to its own keys and values at every step, so each cache is read once a step.

    Trap: a sequence is charged its final length here; on average the caches of a batch are a little shorter.
    """
    return batch * kv / gpus / bandwidth


@formula("s", "arithmetic of the caches", source=_ROOFLINE)
def cache_compute_time(
    batch: Annotated[N, In("sequence/replica", "batch")],
    kv: Annotated[N, In("byte/request", "KV")],
    intensity: Annotated[N, In("FLOP/byte", "intensity of attention")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
    flops: Annotated[N, In("FLOP/s/GPU", "peak FLOP/s")],
) -> N:
    """Time that attention's own arithmetic takes in one decode step, at the dense peak.

    Every byte of cache that is read brings as many FLOPs as the attention's intensity says. The GPUs share them, by
    heads or by tokens, so they work at the same time.

    Trap: leaving it out for latent attention. Above the ridge it takes longer than reading the caches does.
    """
    return batch * kv * intensity / gpus / flops


@formula("s", "arithmetic of the weights", source=_ROOFLINE)
def weights_compute_time(
    parameters: Annotated[N, In("parameter", "parameters")],
    batch: Annotated[N, In("sequence/replica", "batch")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
    flops: Annotated[N, In("FLOP/s/GPU", "peak FLOP/s")],
) -> N:
    """Time that the weights' arithmetic takes in one decode step, at the dense peak.

    Each of the batch's tokens meets every parameter once, with one multiplication and one addition: two FLOPs.

    Trap: the datasheet's larger figure is for 2:4 sparsity; take the dense one, of the format the weights run in.
    """
    return _MULTIPLY_AND_ADD * parameters * batch * _TOKEN_PER_STEP / gpus / flops


@formula("s", "decode step", source=_ROOFLINE)
def decode_step(
    batch: Annotated[N, In("sequence/replica", "batch")],
    kv: Annotated[N, In("byte/request", "KV")],
    weights: Annotated[N, In("byte", "weights")],
    parameters: Annotated[N, In("parameter", "parameters")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
    bandwidth: Annotated[N, In("byte/s/GPU", "bandwidth")],
    flops: Annotated[N, In("FLOP/s/GPU", "peak FLOP/s")],
) -> N:
    """One decode step: reading the caches, plus the slower of reading the weights and multiplying by them.

    Each sequence has a cache of its own, so its bytes serve one token only: with multi-head and grouped-query
    attention reading them is bound by memory. The weights serve the whole batch: their reading costs the same at
    every batch, their arithmetic grows with it. The two overlap, so the larger counts; attention runs before or after
    them, so the caches add. While memory is the larger, the formula is the simple form
    (weights + batch × KV) ÷ GPUs ÷ bandwidth.

    Trap: using the simple form past the critical batch, where it promises a step that the arithmetic cannot keep.
    """
    return cache_read_time(batch, kv, gpus, bandwidth) + maximum(
        weights_read_time(weights, gpus, bandwidth), weights_compute_time(parameters, batch, gpus, flops)
    )


@formula("sequence/replica", "critical batch", source="jax-ml/scaling-book, inference chapter")
def critical_batch(
    weights: Annotated[N, In("byte", "weights")],
    parameters: Annotated[N, In("parameter", "parameters")],
    flops: Annotated[N, In("FLOP/s/GPU", "peak FLOP/s")],
    bandwidth: Annotated[N, In("byte/s/GPU", "bandwidth")],
) -> N:
    """Batch at which multiplying by the weights takes as long as reading them.

    Set weights ÷ bandwidth equal to 2 × parameters × batch ÷ FLOP/s and solve for the batch; the GPUs cancel. Below
    it another sequence adds only its own cache to the step; above it, its share of the arithmetic as well.

    Trap: for a dense model it depends on the GPU and the number format alone. Half the bytes with twice the FLOP/s
    give the same batch; weights that are narrower than their arithmetic lower it, and a mixture of experts raises it.
    """
    return weights * flops / (_MULTIPLY_AND_ADD * parameters * _TOKEN_PER_STEP * bandwidth) * _ONE_COPY


@formula("token/s/replica", "tokens/s per replica", source="definition")
def tokens_per_replica(
    batch: Annotated[N, In("sequence/replica", "batch")],
    step: Annotated[N, In("s", "decode step")],
) -> N:
    """Output tokens per second of one replica: every step gives each sequence of the batch one token.

    A batch of sequences gets a batch of tokens in each step, and there are one ÷ step steps in a second.

    Trap: this is while decoding only; time that the same GPUs spend on prefill has to be taken off.
    """
    return batch * _TOKEN_PER_STEP / step


@formula("s", "decode time", source="definition")
def decode_time(
    output_tokens: Annotated[N, In("token/request", "output tokens")],
    step: Annotated[N, In("s", "decode step")],
) -> N:
    """Time that one request spends decoding: a step for each of its tokens.

    Tokens come one after the other, since each is an input of the next. So the time is tokens × step, however large
    the batch that shares the step.

    Trap: a larger batch makes every step longer, and so every answer slower.
    """
    return output_tokens * step * _STEP_PER_TOKEN


@formula("sequence/replica", "batch within a time", source="simple decode step × tokens = time, solved")
def batch_within(
    time: Annotated[N, In("s", "time for the steps")],
    output_tokens: Annotated[N, In("token/request", "output tokens")],
    weights: Annotated[N, In("byte", "weights")],
    kv: Annotated[N, In("byte/request", "KV")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
    bandwidth: Annotated[N, In("byte/s/GPU", "bandwidth")],
) -> N:
    """Largest batch whose decode steps, one for each token, are done within a time.

    The time ÷ the tokens is what one step may take; that × the bandwidth is what it may read. The weights come off
    first, and what is left is divided by the cache of one sequence. Where the weights alone take too long, none fits.

    Trap: memory may hold many times this batch. And it is solved from the simple step, so it holds up to the critical
    batch.
    """
    step = time / output_tokens * _TOKEN_PER_STEP
    return floor(maximum(_NOTHING, step * gpus * bandwidth - weights * _ONE_COPY) / kv)
