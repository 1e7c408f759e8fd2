"""Caches that are no plain grouped-query cache: latent, sliding window, hybrid."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula, implied, minimum

from .memory import kv_bytes_per_sequence

_KEY_AND_VALUE = Constant(2, "1/token", shown="2")
_PER_TOKEN = implied("1/token")
_PER_REQUEST = implied("1/request")


@formula("value/head", "head dim", source="Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2")
def derived_head_dim(
    hidden: Annotated[N, In("value/layer", "hidden size")],
    query_heads: Annotated[N, In("head/layer", "query heads")],
) -> N:
    """Head dim of a model whose config does not state it.

    In the original transformer the heads share the hidden size out among them.

    Trap: deriving it where it is stated. Many later models choose it freely, and the cache is then off in either
    direction without any error.
    """
    return hidden / query_heads


@formula("byte/token", "latent KV per token", source="DeepSeek-AI 2024, arXiv:2405.04434, section 2.1")
def latent_kv_bytes_per_token(
    layers: Annotated[N, In("layer", "layers")],
    latent: Annotated[N, In("value/layer", "latent")],
    rope: Annotated[N, In("value/layer", "rope")],
    bytes_per_value: Annotated[N, In("byte/value", "bytes per value")],
) -> N:
    """Cache of one token with multi-head latent attention (MLA).

    Each layer keeps one compressed vector, from which the keys and values of all heads are rebuilt, and one small
    rotary key that all heads share.

    Trap: putting in a factor of two or a head count. Nor does tensor parallelism split it: every GPU needs the
    whole vector, so each of them holds a copy unless the tokens themselves are spread.
    """
    return layers * (latent + rope) * bytes_per_value * _PER_TOKEN


@formula(
    "byte/request", "KV with full reservation", source="vllm-project/vllm, as reported in alvarobartt/hf-mem issue 60"
)
def kv_full_reservation(
    full_layers: Annotated[N, In("layer", "full layers")],
    window_layers: Annotated[N, In("layer", "window layers")],
    kv_heads: Annotated[N, In("head/layer", "KV heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
    bytes_per_value: Annotated[N, In("byte/value", "bytes per value")],
    tokens: Annotated[N, In("token/request", "tokens")],
) -> N:
    """Cache of one sequence of a sliding-window model, as an engine reserves it that gives every layer all tokens.

    It is the plain cache over all layers. Take this end of the range unless the engine is known to free what has
    left the window.

    Trap: leaving the window layers out. What is planned without them does not start, or runs out of memory later.
    """
    return _KEY_AND_VALUE * (full_layers + window_layers) * kv_heads * head_dim * bytes_per_value * tokens


@formula("byte/request", "KV with windows", source="Beltagy et al. 2020, arXiv:2004.05150")
def kv_windowed(
    full_layers: Annotated[N, In("layer", "full layers")],
    window_layers: Annotated[N, In("layer", "window layers")],
    kv_heads: Annotated[N, In("head/layer", "KV heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
    bytes_per_value: Annotated[N, In("byte/value", "bytes per value")],
    tokens: Annotated[N, In("token/request", "tokens")],
    window: Annotated[N, In("token/request", "window")],
) -> N:
    """Cache of one sequence of a sliding-window model whose engine keeps a window layer's last tokens only.

    Full layers keep every token; window layers keep at most a window of them, so their part stops growing there.

    Trap: it is the low end of a range. Whether it is reached depends on the engine, not on the model.
    """
    held = full_layers * tokens + window_layers * minimum(tokens, window)
    return _KEY_AND_VALUE * kv_heads * head_dim * bytes_per_value * held


@formula("byte/request", "recurrent state", source="Gu and Dao 2023, arXiv:2312.00752")
def state_bytes_per_sequence(
    layers: Annotated[N, In("layer", "state layers")],
    state: Annotated[N, In("value/layer", "values per layer")],
    bytes_per_value: Annotated[N, In("byte/value", "bytes per value")],
) -> N:
    """Memory that the recurrent layers of a hybrid model keep for one sequence, at any length.

    A state-space or linear-attention layer folds every token into a state of fixed size.

    Trap: many engines keep the state in more bytes a value than the cache beside it.
    """
    return layers * state * bytes_per_value * _PER_REQUEST


@formula("byte/request", "memory of a hybrid's sequence", source="KV of the attention layers + fixed state")
def hybrid_bytes_per_sequence(
    kv_layers: Annotated[N, In("layer", "layers with KV")],
    kv_heads: Annotated[N, In("head/layer", "KV heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
    bytes_per_value: Annotated[N, In("byte/value", "bytes per value")],
    tokens: Annotated[N, In("token/request", "tokens")],
    state: Annotated[N, In("byte/request", "fixed state")],
) -> N:
    """Memory of one sequence of a model that mixes attention layers with recurrent ones.

    Only the attention layers keep keys and values, token by token; the others keep a state that does not grow.

    Trap: counting all layers as attention. A config's number of layers is not its number of layers with KV.
    """
    return kv_bytes_per_sequence(kv_layers, kv_heads, head_dim, bytes_per_value, tokens) + state
