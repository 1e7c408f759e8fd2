"""Sessions whose context grows from turn to turn."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula, implied, power

_TWO = Constant(2, "FLOP*request/value/token/token", shown="2")
_FIRST = Constant(1, "request", shown="1")
_EACH = implied("1/request")
_ONE_REQUEST = implied("request")


@formula("token", "prompt tokens of a session", source="sum of an arithmetic series")
def session_prompt_tokens(
    turns: Annotated[N, In("request", "turns")],
    first: Annotated[N, In("token/request", "first context")],
    growth: Annotated[N, In("token/request", "growth")],
) -> N:
    """Prompt tokens that a session sends when every turn sends the whole context again.

    The first turn sends the first context, each later one a growth more than the turn before: an arithmetic series.

    Trap: multiplying the turns by the last context, or by the first. The mean of the two is right.
    """
    return turns * first + growth * turns * (turns - _FIRST) / 2 * _EACH


@formula("FLOP", "attention FLOPs of a session", source="sum of an arithmetic series' squares")
def session_attention_flops(
    layers: Annotated[N, In("layer", "layers")],
    query_heads: Annotated[N, In("head/layer", "query heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
    turns: Annotated[N, In("request", "turns")],
    first: Annotated[N, In("token/request", "first context")],
    growth: Annotated[N, In("token/request", "growth")],
) -> N:
    """FLOPs of attention in a session that prefills the whole context at every turn.

    Each turn takes 2 × layers × query heads × head dim × context². The sum of the squares of first, first + growth,
    first + 2 × growth and so on is taken in closed form.

    Trap: squaring the mean context. The long turns weigh more than the short ones save.
    """
    later = turns - _FIRST
    squares = (
        turns * power(first, 2)
        + first * growth * turns * later * _EACH
        + power(growth, 2) * later * turns * (2 * turns - _FIRST) / 6 * _EACH * _EACH
    )
    return _TWO * layers * query_heads * head_dim * squares


@formula("token", "new tokens of a session", source="definition")
def session_new_tokens(
    turns: Annotated[N, In("request", "turns")],
    first: Annotated[N, In("token/request", "first context")],
    new: Annotated[N, In("token/request", "new tokens")],
) -> N:
    """Prompt tokens of a session that no earlier turn has read: what is left to prefill when every prefix is cached.

    The first turn reads the first context, each later one what has come in since. What the model wrote itself is not
    new: its keys and values were cached while it was written.

    Trap: counting the whole growth of a turn as new. The part that the model generated is in the cache already.
    """
    return first * _ONE_REQUEST + (turns - _FIRST) * new


@formula("FLOP", "attention FLOPs of a session with cached prefixes", source="sum of an arithmetic series")
def session_attention_flops_after(
    layers: Annotated[N, In("layer", "layers")],
    query_heads: Annotated[N, In("head/layer", "query heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
    turns: Annotated[N, In("request", "turns")],
    first: Annotated[N, In("token/request", "first context")],
    growth: Annotated[N, In("token/request", "growth")],
    new: Annotated[N, In("token/request", "new tokens")],
) -> N:
    """FLOPs of attention in a session that finds its prefix cached at every turn.

    The first turn attends to its own context. In each later one the new tokens, the last of that turn's context, attend
    to all before them and on average to half of each other. The contexts are an arithmetic series.

    Trap: leaving it out because the prefix is cached. New tokens look back at all of it, so it falls less than the
    weights' part does.
    """
    later = turns - _FIRST
    behind = later * (first - new / 2) + growth * turns * later / 2 * _EACH
    return _TWO * layers * query_heads * head_dim * (power(first, 2) * _ONE_REQUEST + 2 * new * behind)


@formula("s", "break-even wait", source="keeping for a wait = prefill once more, solved")
def break_even_wait(
    prefill: Annotated[N, In("GPU*s/request", "prefill GPU-seconds")],
    kv: Annotated[N, In("byte/request", "KV")],
    room: Annotated[N, In("byte/GPU", "room per GPU")],
) -> N:
    """Wait after which keeping a cache in GPU memory has cost as much GPU time as reading the context again.

    A cache takes up its share of a GPU, KV ÷ the room that a GPU has for caches, and takes it for the whole wait.
    Divide the GPU time of a prefill by that share.

    Trap: charging it with the whole GPU. The rest of the memory serves others meanwhile.
    """
    return prefill / (kv / room)
