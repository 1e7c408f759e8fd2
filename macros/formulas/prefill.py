"""Prefill: the whole prompt in one pass, bound by compute."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula, implied

_MULTIPLY_AND_ADD = Constant(2, "FLOP/parameter/token", shown="2")
_ONE_REQUEST = implied("request/replica")


@formula("GPU*s/request", "prefill GPU-seconds", source="Kaplan et al. 2020, arXiv:2001.08361, section 2.1")
def prefill_gpu_seconds(
    parameters: Annotated[N, In("parameter", "parameters")],
    tokens: Annotated[N, In("token/request", "input tokens")],
    flops: Annotated[N, In("FLOP/s/GPU", "achieved FLOP/s")],
) -> N:
    """GPU time that the prompt of one request takes.

    Every prompt token meets every parameter with one multiplication and one addition. All tokens go through at
    once, so the weights are read once for many tokens and compute is the limit. Divide by the FLOP/s that a GPU
    achieves, not by its peak.

    Trap: attention's own FLOPs grow with the square of the prompt and are left out; at a few thousand tokens they
    are a few percent, at a hundred thousand they are about as large again.
    """
    return _MULTIPLY_AND_ADD * parameters * tokens / flops


@formula("GPU*s/request", "prefill GPU-seconds with cache hits", source="definition")
def uncached(
    gpu_seconds: Annotated[N, In("GPU*s/request", "prefill GPU-seconds")],
    hit_share: Annotated[N, In("", "hit share", most=1)],
) -> N:
    """Prefill that is left when a share of the prompt's tokens is found in the prefix cache.

    Tokens whose keys and values are still cached need no forward pass; the others do.

    Trap: a hit needs the cache to be on the replica that serves the request, so routing has to follow the session.
    """
    return gpu_seconds * (1 - hit_share)


@formula("s", "first token on an idle replica", source="definition")
def first_token_alone(
    gpu_seconds: Annotated[N, In("GPU*s/request", "prefill GPU-seconds")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
) -> N:
    """Time to first token of a request that finds its replica idle: its prefill, on all GPUs at once.

    GPU-seconds ÷ GPUs are seconds, since the replica's GPUs share the work of one prompt. The last position of the
    prompt already yields the first token, so no decode step comes on top.

    Trap: the wait behind other prompts, the network and the safety check come before it, and the wait is what makes
    the 95th percentile.
    """
    return gpu_seconds / gpus * _ONE_REQUEST


@formula("", "hit share for equal fleets", source="prefill GPUs × (1 − hit share) = decode GPUs, solved")
def share_for_equal_fleets(
    decode_gpus: Annotated[N, In("GPU", "decode GPUs")],
    prefill_gpus: Annotated[N, In("GPU", "prefill GPUs")],
) -> N:
    """Share of prompt tokens that must hit the cache for prefill to need no more GPUs than decode.

    Both fleets are taken as bought, in whole GPUs. Below this share prefill, and so compute, is the larger part of the
    fleet; above it decode is.

    Trap: a negative share says that prefill needs the smaller fleet even with a cold cache.
    """
    return 1 - decode_gpus / prefill_gpus
