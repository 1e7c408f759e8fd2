"""What a model and its sequences take in memory."""

from typing import Annotated

from macros.sizing import Constant, In, N, ceil, floor, formula, implied, maximum

_KEY_AND_VALUE = Constant(2, "1/token", shown="2")
_NOTHING = Constant(0, "byte/replica", shown="0")
_NO_SEQUENCE = Constant(0, "sequence/replica", shown="0")
_ONE_COPY = implied("1/replica")


@formula("byte", "weights", source="definition")
def weight_bytes(
    parameters: Annotated[N, In("parameter", "parameters")],
    bytes_per_parameter: Annotated[N, In("byte/parameter", "bytes per parameter")],
) -> N:
    """Memory that one copy of the weights takes.

    Every parameter is stored once, in the number format that the weights are served in. Quantising from two bytes
    to one halves it.

    Trap: for a mixture of experts count all parameters, not the active ones; every expert has to be resident.
    """
    return parameters * bytes_per_parameter


@formula(
    "byte/token",
    "KV per token",
    source="Shazeer 2019, arXiv:1911.02150; Ainslie et al. 2023, arXiv:2305.13245",
)
def kv_bytes_per_token(
    layers: Annotated[N, In("layer", "layers")],
    kv_heads: Annotated[N, In("head/layer", "KV heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
    bytes_per_value: Annotated[N, In("byte/value", "bytes per value")],
) -> N:
    """Key-value cache of one token, for multi-head, grouped-query and multi-query attention.

    In every layer, each KV head keeps one key and one value vector of head-dim numbers for each token: hence the
    two. Query heads keep nothing, so grouped-query attention with a fraction of the heads takes that fraction, and
    multi-query attention counts a single head.

    Trap: using the query heads, or hidden size ÷ query heads where the head dim is stated differently.
    """
    return _KEY_AND_VALUE * layers * kv_heads * head_dim * bytes_per_value


@formula("byte/request", "KV per sequence", source="KV per token × tokens")
def kv_bytes_per_sequence(
    layers: Annotated[N, In("layer", "layers")],
    kv_heads: Annotated[N, In("head/layer", "KV heads")],
    head_dim: Annotated[N, In("value/head", "head dim")],
    bytes_per_value: Annotated[N, In("byte/value", "bytes per value")],
    tokens: Annotated[N, In("token/request", "tokens")],
) -> N:
    """Key-value cache of one whole sequence.

    Prompt and answer both stay in the cache until the last token is out, so the tokens are input plus output. This
    is what a sequence takes at its end; a batch of requests at all stages holds less, and the difference is a
    safety margin.

    Trap: counting the prompt alone.
    """
    return kv_bytes_per_token(layers, kv_heads, head_dim, bytes_per_value) * tokens


@formula("sequence/replica", "sequences that fit", source="definition")
def sequences_that_fit(
    usable: Annotated[N, In("", "usable share", most=1)],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
    memory: Annotated[N, In("byte/GPU", "memory per GPU")],
    weights: Annotated[N, In("byte", "weights")],
    kv: Annotated[N, In("byte/request", "KV per sequence")],
) -> N:
    """Most sequences whose caches fit beside the weights of one replica.

    Take the usable part of the replica's memory, subtract the weights once, and see how many whole caches go into
    the rest. Where the weights alone do not fit the answer is none.

    Trap: mixing GB (1e9 bytes) with GiB (2^30). The seven percent between them are of the whole card, and all of them
    land in the rest that is left for caches.
    """
    return floor(maximum(_NOTHING, usable * gpus * memory - weights * _ONE_COPY) / kv)


@formula("sequence/replica", "sequences to spare", source="definition")
def sequences_to_spare(
    fit: Annotated[N, In("sequence/replica", "sequences that fit")],
    batch: Annotated[N, In("sequence/replica", "batch")],
) -> N:
    """Caches that a replica can keep for idle conversations beside its batch.

    What fits, less what is being served. A batch that does not fit leaves none.

    Trap: the same room is the reserve for conversations that grow longer than planned.
    """
    return maximum(_NO_SEQUENCE, fit - batch)


@formula("byte/replica", "room for caches", source="definition")
def room_for_caches(
    usable: Annotated[N, In("", "usable share", most=1)],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
    memory: Annotated[N, In("byte/GPU", "memory per GPU")],
    weights: Annotated[N, In("byte/replica", "weights")],
) -> N:
    """Memory that a replica has left for caches.

    The usable part of all its GPUs' memory, less the weights that it holds. Weights that do not fit leave nothing.

    Trap: weights that several GPUs keep a copy of count once for each copy.
    """
    return maximum(_NOTHING, usable * gpus * memory - weights)


@formula("GPU", "GPUs to hold it", source="definition")
def gpus_to_hold(
    held: Annotated[N, In("byte", "bytes to hold")],
    memory: Annotated[N, In("byte/GPU", "memory per GPU")],
) -> N:
    """Fewest GPUs whose memory holds all that there is to hold.

    Bytes ÷ bytes per GPU, rounded up once.

    Trap: rounding the bytes first. A total just above a whole number of GPUs needs one more.
    """
    return ceil(held / memory)
