"""Mixtures of experts: how much of the weights a decode step touches."""

from typing import Annotated

from macros.sizing import In, N, formula, implied, power

_TOKEN = implied("token")

_URNS = "expected number of occupied urns; each token picks its experts evenly and on its own"


@formula("", "share of experts touched", source=_URNS)
def share_of_experts_touched(
    active: Annotated[N, In("expert/token", "active")],
    experts: Annotated[N, In("expert", "experts")],
    batch: Annotated[N, In("sequence/replica", "batch", whole=True)],
) -> N:
    """Share of a layer's routed experts that at least one token of a step picks.

    One token passes a given expert by with probability 1 − active ÷ experts, and all tokens of the batch do so with
    that to the power of the batch. What is left is touched.

    Trap: active parameters give the bytes of a step for a single sequence only. At a batch of dozens nearly all
    experts are read.
    """
    return 1 - power(1 - active * _TOKEN / experts, batch)


@formula("expert", "distinct experts", source=_URNS)
def distinct_experts(
    active: Annotated[N, In("expert/token", "active")],
    experts: Annotated[N, In("expert", "experts")],
    batch: Annotated[N, In("sequence/replica", "batch", whole=True)],
) -> N:
    """Expected number of different experts that one layer uses in a step.

    The share that is touched × the experts there are.

    Trap: batch × active counts an expert once for every token that picks it.
    """
    return experts * share_of_experts_touched(active, experts, batch)


@formula("byte", "weights read in a step", source=_URNS)
def touched_weight_bytes(
    always: Annotated[N, In("byte", "weights always read")],
    routed: Annotated[N, In("byte", "routed weights")],
    active: Annotated[N, In("expert/token", "active")],
    experts: Annotated[N, In("expert", "experts")],
    batch: Annotated[N, In("sequence/replica", "batch", whole=True)],
) -> N:
    """Bytes of weights that one decode step of a mixture of experts reads.

    Attention, shared experts and the output head are read in every step, routed experts as far as the batch touches
    them.

    Trap: memory holds all of them at any batch; this is what is read, not what has to fit.
    """
    return always + routed * share_of_experts_touched(active, experts, batch)
