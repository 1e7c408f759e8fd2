"""Attention's own arithmetic, which grows with the square of the length."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula, implied, power

# Four FLOPs for each pair of tokens, of which causal attention has half.
_TWO = Constant(2, "FLOP*request/value/token/token", shown="2")
_FOUR = Constant(4, "FLOP*request/value/token/token", shown="4")
_EACH = implied("FLOP*request/value/token/token")
_PER_TOKEN = implied("token*value/parameter/request")

_KAPLAN = "Kaplan et al. 2020, arXiv:2001.08361, section 2.1; half of it, for causal attention"


@formula("FLOP/request", "attention FLOPs", source=_KAPLAN)
def attention_flops(
    layers: Annotated[N, In("layer", "layers")],
    query_heads: Annotated[N, In("head/layer", "query heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
    tokens: Annotated[N, In("token/request", "tokens")],
) -> N:
    """FLOPs that attention itself takes for a prompt, on top of those of the weights.

    For every pair of tokens, each query head takes a dot product for the score and a weighted sum for the value: two
    multiply-adds per number of the head, four FLOPs. A token looks back only, so half of the pairs count.

    Trap: using the KV heads. Sharing keys and values saves memory, and no arithmetic.
    """
    return _TWO * layers * query_heads * head_dim * power(tokens, 2)


@formula("FLOP/request", "attention FLOPs after a cached prefix", source=_KAPLAN)
def attention_flops_after(
    layers: Annotated[N, In("layer", "layers")],
    query_heads: Annotated[N, In("head/layer", "query heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
    cached: Annotated[N, In("token/request", "cached")],
    new: Annotated[N, In("token/request", "new tokens")],
) -> N:
    """FLOPs of attention for new tokens behind a prefix that is cached.

    Every new token meets the whole prefix, and on average half of the new ones. Without a prefix it is the formula for
    a whole prompt.

    Trap: a cached prefix saves its own arithmetic, not the new tokens' looking back at it.
    """
    return _FOUR * layers * query_heads * head_dim * new * (cached + new / 2)


@formula("FLOP/request", "attention FLOPs, unlike dims", source="DeepSeek-AI 2024, arXiv:2405.04434, section 2.1")
def latent_attention_flops(
    layers: Annotated[N, In("layer", "layers")],
    query_heads: Annotated[N, In("head/layer", "query heads")],
    key_dim: Annotated[N, In("value/head", "key dim")],
    value_dim: Annotated[N, In("value/head", "value dim")],
    tokens: Annotated[N, In("token/request", "tokens")],
) -> N:
    """FLOPs of attention for a prompt where keys and values differ in size, as in latent attention.

    In prefill the keys and values of all heads are rebuilt from the latent. A score takes a multiply-add per number of
    the key, rotary part included, and a sum one per number of the value; half of the pairs count.

    Trap: a small cache is not little arithmetic. At a hundred thousand tokens this is the larger part of the prefill.
    """
    return layers * query_heads * (key_dim + value_dim) * power(tokens, 2) * _EACH


@formula("token/request", "length at which attention equals the weights", source=_KAPLAN)
def attention_meets_weights(
    parameters: Annotated[N, In("parameter", "parameters")],
    layers: Annotated[N, In("layer", "layers")],
    query_heads: Annotated[N, In("head/layer", "query heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
) -> N:
    """Prompt length at which attention takes as many FLOPs as the weights.

    Set 2 × parameters × tokens equal to 2 × layers × query heads × head dim × tokens² and solve for the tokens. At a
    tenth of this length attention adds a tenth.

    Trap: it is the whole prompt's attention. The last token alone pays twice the average.
    """
    return parameters / (layers * query_heads * head_dim) * _PER_TOKEN
