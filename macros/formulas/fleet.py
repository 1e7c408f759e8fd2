"""From load to hardware: replicas and GPUs, and what each ceiling alone would demand."""

from typing import Annotated

from macros.sizing import Constant, In, N, ceil, formula

_MULTIPLY_AND_ADD = Constant(2, "FLOP/parameter/token", shown="2")


@formula("", "load", source="definition")
def load(
    needed: Annotated[N, In("token/s", "needed")],
    replicas: Annotated[N, In("replica", "replicas")],
    per_replica: Annotated[N, In("token/s/replica", "per replica")],
) -> N:
    """Share of its time that a fleet is busy.

    What is needed ÷ what the whole fleet gives.

    Trap: waits grow as one over what is left idle; near full load no latency target holds.
    """
    return needed / (replicas * per_replica)


@formula("token/s", "tokens/s needed", source="definition")
def tokens_needed(
    arrival_rate: Annotated[N, In("request/s", "requests/s")],
    output_tokens: Annotated[N, In("token/request", "output tokens")],
) -> N:
    """Output tokens per second that the load asks for.

    Every arriving request will write its output, so what arrives in a second brings that many tokens to write.

    Trap: a reasoning model writes its thoughts too, and they count as output.
    """
    return arrival_rate * output_tokens


@formula("replica", "replicas", source="definition")
def replicas(
    needed: Annotated[N, In("token/s", "needed")],
    per_replica: Annotated[N, In("token/s/replica", "per replica")],
) -> N:
    """Whole replicas for a load: what is needed ÷ what one gives, rounded up once, at the very end.

    Replicas work side by side and share nothing, so their tokens per second add up; a part of a replica cannot run.

    Trap: rounding an intermediate result first can cost or save a replica that is not there.
    """
    return ceil(needed / per_replica)


@formula("GPU", "GPUs of a fleet", source="definition")
def gpus(
    replicas: Annotated[N, In("replica", "replicas")],
    gpus_per_replica: Annotated[N, In("GPU/replica", "GPUs per replica")],
) -> N:
    """GPUs of a fleet of whole replicas.

    A replica owns its GPUs, all of them, whether they are busy or not.

    Trap: spares for failures, releases and regions come on top.
    """
    return replicas * gpus_per_replica


@formula("GPU", "GPUs for GPU-seconds", source="Little's law on GPU-seconds")
def gpus_for_gpu_seconds(
    arrival_rate: Annotated[N, In("request/s", "requests/s")],
    gpu_seconds: Annotated[N, In("GPU*s/request", "GPU-seconds per request")],
) -> N:
    """Whole GPUs that are busy when each arriving request takes some GPU time.

    Little's law: requests per second × GPU-seconds of each are the GPUs busy at once.

    Trap: this is a fleet without any idle moment. At full load the queue grows without bound, so plan for less.
    """
    return ceil(arrival_rate * gpu_seconds)


@formula("GPU", "GPUs by bandwidth alone", source="definition")
def gpus_by_bandwidth(
    needed: Annotated[N, In("token/s", "tokens needed")],
    per_replica: Annotated[N, In("token/s/replica", "tokens/s by memory alone")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
) -> N:
    """GPUs if reading memory were the only limit, before rounding to whole replicas.

    Take the tokens per second that a replica would write if its step were the simple form, and divide the need by it.

    Trap: compare ceilings before the rounding to replicas, or the rounding decides which one binds.
    """
    return ceil(needed / per_replica * gpus)


@formula("GPU", "GPUs by compute alone", source="definition")
def gpus_by_compute(
    parameters: Annotated[N, In("parameter", "parameters")],
    needed: Annotated[N, In("token/s", "tokens needed")],
    flops: Annotated[N, In("FLOP/s/GPU", "peak FLOP/s")],
) -> N:
    """GPUs if the arithmetic of decode, at the dense peak, were the only limit.

    Each token meets every parameter with two FLOPs, so the need in FLOP/s follows from the need in tokens per second.

    Trap: decode only; the arithmetic of prefill is a bill of its own.
    """
    return ceil(_MULTIPLY_AND_ADD * parameters * needed / flops)


@formula("GPU", "GPUs by capacity alone", source="definition")
def gpus_by_capacity(
    in_flight: Annotated[N, In("request", "in flight")],
    fit: Annotated[N, In("sequence/replica", "sequences that fit")],
    gpus: Annotated[N, In("GPU/replica", "GPUs per replica")],
) -> N:
    """GPUs if holding the caches of all requests in flight were the only limit.

    Requests in flight ÷ those that one replica holds are replicas; times the GPUs of each.

    Trap: a slower step keeps requests in flight for longer, so capacity and speed are not independent.
    """
    return ceil(in_flight / fit * gpus)


@formula("replica", "replicas for requests", source="definition")
def replicas_for_requests(
    arrival_rate: Annotated[N, In("request/s", "requests/s")],
    per_replica: Annotated[N, In("request/s/replica", "requests/s per replica")],
) -> N:
    """Whole replicas where a replica's pace is known in requests per second.

    What arrives ÷ what one replica finishes, rounded up once, at the very end.

    Trap: requests per second of a benchmark hold for its lengths. Longer answers make them fewer.
    """
    return ceil(arrival_rate / per_replica)


@formula("node", "whole nodes", source="definition")
def whole_nodes(
    gpus: Annotated[N, In("GPU", "GPUs")],
    per_node: Annotated[N, In("GPU/node", "GPUs per node")],
) -> N:
    """Whole nodes for a number of GPUs.

    GPUs are rented by the node, so a part of one is paid in full.

    Trap: a replica that needs more GPUs than a node has pays for a slower link between them.
    """
    return ceil(gpus / per_node)
