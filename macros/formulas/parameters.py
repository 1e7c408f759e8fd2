"""Parameters of a transformer, counted from its config."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula, implied

_EACH = implied("parameter/value/value")
_NORMS = Constant(2, "value/layer", shown="2")
_QUERY_AND_KEY = Constant(2, "parameter*head/value/layer", shown="2")
_ROW = implied("parameter/token/value")
_FINAL_NORM = implied("parameter/value")

_CONFIG = "the model's config.json; jax-ml/scaling-book, chapter on transformer arithmetic"


@formula("parameter/layer", "parameters per layer", source=_CONFIG)
def layer_parameters(
    hidden: Annotated[N, In("value", "hidden size")],
    query_heads: Annotated[N, In("head/layer", "query heads")],
    kv_heads: Annotated[N, In("head/layer", "KV heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
    mlp_width: Annotated[N, In("value/layer", "MLP width")],
) -> N:
    """Parameters of one layer with grouped-query attention, a gated MLP and two norms.

    Query and output projection are hidden × query heads × head dim, key and value projection hidden × KV heads × head
    dim, the gated MLP has three matrices of hidden × MLP width, and each norm one number per hidden dimension.

    Trap: taking the attention matrices as hidden × hidden. The head dim is a number of the config by itself.
    """
    attention = hidden * head_dim * (2 * query_heads + 2 * kv_heads)
    return (attention + 3 * hidden * mlp_width + _NORMS * hidden) * _EACH


@formula("parameter/layer", "parameters of QK-norm", source="Dehghani et al. 2023, arXiv:2302.05442; Qwen3's config")
def qk_norm_parameters(
    head_dim: Annotated[N, In("value/head", "head dim")],
) -> N:
    """Parameters that norms on queries and keys add to a layer.

    One number per head dimension for the queries and one for the keys, shared by all heads. Add them for models that
    have such norms.

    Trap: they are too few to matter for memory, and they decide whether a count is exact.
    """
    return _QUERY_AND_KEY * head_dim


@formula("parameter", "parameters, untied", source=_CONFIG)
def untied_parameters(
    layers: Annotated[N, In("layer", "layers")],
    per_layer: Annotated[N, In("parameter/layer", "parameters per layer")],
    vocabulary: Annotated[N, In("token", "vocabulary")],
    hidden: Annotated[N, In("value", "hidden size")],
) -> N:
    """Parameters in memory of a model with an output head of its own.

    The layers, one table of vocabulary × hidden for the input and one for the output, and the final norm.

    Trap: a file may store tied tables twice. Its size then says more than the model has.
    """
    return layers * per_layer + 2 * vocabulary * hidden * _ROW + hidden * _FINAL_NORM


@formula("parameter", "parameters, tied", source=f"{_CONFIG}; Press and Wolf 2017, arXiv:1608.05859")
def tied_parameters(
    layers: Annotated[N, In("layer", "layers")],
    per_layer: Annotated[N, In("parameter/layer", "parameters per layer")],
    vocabulary: Annotated[N, In("token", "vocabulary")],
    hidden: Annotated[N, In("value", "hidden size")],
) -> N:
    """Parameters in memory of a model whose input table is its output head as well.

    The layers, one table of vocabulary × hidden, and the final norm.

    Trap: counting the table twice. With a large vocabulary and a small model that is a tenth too much.
    """
    return layers * per_layer + vocabulary * hidden * _ROW + hidden * _FINAL_NORM


@formula("parameter", "parameters that multiply", source=_CONFIG)
def multiplied_parameters(
    layers: Annotated[N, In("layer", "layers")],
    per_layer: Annotated[N, In("parameter/layer", "parameters per layer")],
    vocabulary: Annotated[N, In("token", "vocabulary")],
    hidden: Annotated[N, In("value", "hidden size")],
) -> N:
    """Parameters that each token is multiplied by, tied or not: what FLOPs are counted with.

    Looking up a row of the input table multiplies nothing. The output head multiplies with the whole table, whether
    the table is its own or the input's.

    Trap: dropping the tied head from the FLOPs because memory counts it once.
    """
    return layers * per_layer + vocabulary * hidden * _ROW
