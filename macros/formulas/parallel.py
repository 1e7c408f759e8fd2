"""What each GPU holds when a model is split over several."""

from typing import Annotated

from macros.sizing import Constant, In, N, floor, formula, implied, maximum

_KEY_AND_VALUE = Constant(2, "1/token", shown="2")
_ONE_HEAD = Constant(1, "head/layer/GPU", shown="1")
_FIRST_RANK = Constant(1, "1/replica", shown="1")
_ONE_COPY = implied("1/replica")
_RANK_PER_GPU = implied("1/GPU")

_MEGATRON = "Shoeybi et al. 2019, arXiv:1909.08053, section 3"


@formula("head/layer/GPU", "KV heads per GPU", source=_MEGATRON)
def kv_heads_per_gpu(
    kv_heads: Annotated[N, In("head/layer", "KV heads")],
    tensor_parallel: Annotated[N, In("GPU/replica", "GPUs per replica")],
) -> N:
    """KV heads that each GPU of a tensor-parallel replica keeps.

    Tensor parallelism deals whole heads out to the GPUs. When there are more GPUs than heads, several GPUs keep a
    copy of the same head, since each needs one to attend with.

    Trap: a whole-number division gives zero heads, and a cache of no size, as soon as the GPUs outnumber the heads.
    """
    return maximum(_ONE_HEAD, kv_heads / tensor_parallel * _ONE_COPY)


@formula("byte/token/GPU", "KV per token and GPU", source=_MEGATRON)
def kv_bytes_per_token_per_gpu(
    layers: Annotated[N, In("layer", "layers")],
    kv_heads: Annotated[N, In("head/layer", "KV heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
    bytes_per_value: Annotated[N, In("byte/value", "bytes per value")],
    tensor_parallel: Annotated[N, In("GPU/replica", "GPUs per replica")],
) -> N:
    """Key-value cache of one token on each GPU of a tensor-parallel replica.

    The plain cache with the heads that one GPU keeps. Past as many GPUs as KV heads it stops shrinking; more of them
    still make room, since each holds less of the weights.

    Trap: dividing by data-parallel ranks as well. They split the requests between them, and a sequence lies in one.
    """
    heads = kv_heads_per_gpu(kv_heads, tensor_parallel)
    return _KEY_AND_VALUE * layers * heads * head_dim * bytes_per_value


@formula("byte/replica", "weights with copies", source="definition")
def weights_with_copies(
    weights: Annotated[N, In("byte", "weights")],
    copied: Annotated[N, In("byte", "copied part")],
    ranks: Annotated[N, In("GPU/replica", "ranks")],
) -> N:
    """Weights of a replica whose GPUs share the experts but each hold the attention, as with data-parallel attention.

    One copy of everything is there anyhow; every rank after the first adds another of the copied part.

    Trap: taking one copy of the model for all that a node holds; the room for caches is what pays for the others.
    """
    return weights * _ONE_COPY + (ranks * _RANK_PER_GPU - _FIRST_RANK) * copied


@formula("sequence/replica", "sequences over ranks", source="definition")
def sequences_over_ranks(
    ranks: Annotated[N, In("GPU/replica", "ranks")],
    room: Annotated[N, In("byte/replica", "room for caches")],
    kv: Annotated[N, In("byte/request", "KV per sequence")],
) -> N:
    """Sequences that fit when every data-parallel rank keeps whole sequences in its own memory.

    Each rank has its share of the room and fits whole sequences into it; the ranks add up.

    Trap: dividing the room of all ranks at once. What is left over on one rank cannot take a part of a sequence.
    """
    return ranks * floor(room / ranks / kv)
