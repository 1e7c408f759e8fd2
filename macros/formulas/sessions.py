"""Sessions whose context grows from turn to turn."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula, implied, power

_TWO = Constant(2, "FLOP*request/value/token/token", shown="2")
_FIRST = Constant(1, "request", shown="1")
_EACH = implied("1/request")


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
