"""What a serving engine prints at its start: room for KV in blocks, tokens, and how many requests they serve."""

from typing import Annotated

from macros.sizing import Constant, In, N, ceil, floor, formula, maximum

_NOTHING = Constant(0, "byte/GPU", shown="0")
_NO_ROOM = Constant(0, "byte/replica", shown="0")

_VLLM = "vllm-project/vllm, memory profiling at start; issue 10517 has three logs"


@formula("byte/GPU", "room for KV per GPU", source=_VLLM)
def kv_room_per_gpu(
    memory: Annotated[N, In("byte/GPU", "memory")],
    utilisation: Annotated[N, In("", "utilisation", most=1)],
    weights: Annotated[N, In("byte/GPU", "weights")],
    activations: Annotated[N, In("byte/GPU", "activation peak")],
    non_torch: Annotated[N, In("byte/GPU", "non-torch")],
    graphs: Annotated[N, In("byte/GPU", "graphs")],
) -> N:
    """Memory that one GPU has left for the KV cache.

    The engine may use a share of the card. From it go the GPU's part of the weights, the activations at the peak of a
    trial run at the longest allowed input, what lies outside the framework (communication, kernels), and the recorded
    graphs.

    Trap: every term is of one GPU. Subtracting one GPU's weights from the memory of two leaves room that is not there.
    """
    return maximum(_NOTHING, utilisation * memory - weights - activations - non_torch - graphs)


@formula("block", "KV blocks", source=_VLLM)
def kv_blocks(
    room: Annotated[N, In("byte/GPU", "room for KV")],
    block_tokens: Annotated[N, In("token/block", "tokens per block")],
    kv_per_token: Annotated[N, In("byte/token/GPU", "KV per token and GPU")],
) -> N:
    """Whole blocks that the room for KV holds.

    A block keeps the keys and values of a fixed number of tokens. All GPUs of a replica keep the same number of
    blocks, so the fullest GPU decides.

    Trap: using the undivided KV per token. Each GPU keeps its own heads of every block.
    """
    return floor(room / (block_tokens * kv_per_token))


@formula("token", "cached tokens", source=_VLLM)
def cached_tokens(
    blocks: Annotated[N, In("block", "blocks")],
    block_tokens: Annotated[N, In("token/block", "tokens per block")],
) -> N:
    """Tokens whose keys and values fit at once, over all sequences.

    Blocks × tokens per block.

    Trap: a sequence takes whole blocks, so its last one is half empty on average; many short sequences feel it.
    """
    return blocks * block_tokens


@formula("request", "concurrency at the longest length", source=_VLLM)
def concurrency_at_length(
    tokens: Annotated[N, In("token", "cached tokens")],
    length: Annotated[N, In("token/request", "length")],
) -> N:
    """How many requests of the longest allowed length the cache holds at once, as engines print it.

    Cached tokens ÷ tokens of one such request, not rounded.

    Trap: below 1.00 it does not fit: not one request of that length can be served, and the engine refuses to start.
    Rounding 0.82 up to 1 hides that.
    """
    return tokens / length


@formula("byte/request/GPU", "KV of a sequence in blocks", source=_VLLM)
def kv_bytes_in_blocks(
    length: Annotated[N, In("token/request", "length")],
    block_tokens: Annotated[N, In("token/block", "tokens per block")],
    kv_per_token: Annotated[N, In("byte/token/GPU", "KV per token and GPU")],
) -> N:
    """Room that one sequence takes on each GPU, in whole blocks.

    Round its length up to blocks once, then turn blocks into tokens and bytes.

    Trap: at small blocks the rounding is nothing; with blocks of hundreds of tokens it is a good part of a short chat.
    """
    return ceil(length / block_tokens) * block_tokens * kv_per_token


@formula("", "utilisation without graphs", source="vllm-project/vllm issue 13061 and gpustack/runner PR 251")
def utilisation_beside_graphs(
    utilisation: Annotated[N, In("", "utilisation", most=1)],
    graphs: Annotated[N, In("byte/GPU", "graphs")],
    memory: Annotated[N, In("byte/GPU", "memory")],
) -> N:
    """The utilisation that leaves the same room for KV when graphs are not counted.

    Graph memory as a share of the card comes off the utilisation.

    Trap: an engine that starts counting its graphs has less room at the same setting, and it looks like a leak.
    """
    return utilisation - graphs / memory


@formula("sequence/replica", "sequences with a shared prefix", source="shared + sequences × own = room, solved")
def sequences_with_shared_prefix(
    room: Annotated[N, In("byte/replica", "room for caches")],
    shared: Annotated[N, In("token/replica", "shared tokens")],
    own: Annotated[N, In("token/request", "own tokens")],
    kv_per_token: Annotated[N, In("byte/token", "KV per token")],
) -> N:
    """Most sequences that fit when all begin with the same prefix, whose cache is kept once.

    The prefix takes its room first; every sequence then takes its own part only. Solve for the sequences and round
    down once.

    Trap: fitting whole sequences first and adding back what sharing saves; what is added makes room for more again.
    """
    return floor(maximum(_NO_ROOM, room - shared * kv_per_token) / (own * kv_per_token))
