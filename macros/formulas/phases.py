"""Prefill and decode side by side: how one sizes the other."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula, implied

_MULTIPLY_AND_ADD = Constant(2, "FLOP/parameter/token", shown="2")
_TOKEN_PER_STEP = implied("token/request")
_STEP_PER_TOKEN = implied("request/token")
_ONE_PROMPT = implied("replica/request")
_ONE_REQUEST = implied("request/replica")

_BOOK = "jax-ml/scaling-book, applied inference chapter"


@formula("", "prefill replicas per decode replica", source=_BOOK)
def prefill_per_decode(
    prefill: Annotated[N, In("s", "prefill time")],
    batch: Annotated[N, In("sequence/replica", "batch")],
    output_tokens: Annotated[N, In("token/request", "output tokens")],
    step: Annotated[N, In("s", "decode step")],
) -> N:
    """Replicas that prefill for each replica that decodes, when the two are apart.

    A decode replica finishes a batch of requests in output tokens × step, and each of them took a prefill before.
    In balance both phases pass on as many requests.

    Trap: near a whole number the rounding decides; show the ratio itself and round the fleet once.
    """
    return prefill * batch * _ONE_PROMPT / (output_tokens * step * _STEP_PER_TOKEN)


@formula("token/replica", "cache tokens freed per step", source=_BOOK)
def cache_tokens_freed(
    batch: Annotated[N, In("sequence/replica", "batch")],
    input_tokens: Annotated[N, In("token/request", "input tokens")],
    output_tokens: Annotated[N, In("token/request", "output tokens")],
) -> N:
    """Tokens that leave a replica's cache in an average decode step.

    In every step batch ÷ output tokens requests finish, and each takes its input and output along. In balance as many
    tokens come in, which is what a prefill tier has to send over.

    Trap: counting one token per sequence and step. The prompts move as well, and they are most of it.
    """
    return batch / output_tokens * (input_tokens + output_tokens) * _TOKEN_PER_STEP


@formula("token/request", "longest prompt within a deadline", source="prefill time = deadline, solved")
def prompt_within(
    deadline: Annotated[N, In("s", "deadline")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
    flops: Annotated[N, In("FLOP/s/GPU", "achieved FLOP/s")],
    parameters: Annotated[N, In("parameter", "parameters")],
) -> N:
    """Most prompt tokens whose prefill alone fits into a time to first token.

    Set 2 × parameters × tokens equal to what the replica's GPUs do in that time and solve for the tokens.

    Trap: attention, the wait behind other prompts and the network all take their part of the same time.
    """
    return deadline * gpus * flops / (_MULTIPLY_AND_ADD * parameters) * _ONE_PROMPT


@formula("s", "transfer time", source="definition")
def transfer_time(
    kv: Annotated[N, In("byte/request", "KV")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
    bandwidth: Annotated[N, In("byte/s/GPU", "link bandwidth")],
) -> N:
    """Time that a cache takes over a link: from one replica's GPUs to another's, or from host memory.

    Each GPU of the replica moves its own part over its own link, all at the same time.

    Trap: datasheets add both directions of a link. A cache moves in one of them.
    """
    return kv / gpus / bandwidth * _ONE_REQUEST
