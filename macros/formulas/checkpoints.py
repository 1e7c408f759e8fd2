"""Checkpoints: how often to save a run, and what failures cost."""

from typing import Annotated

from macros.sizing import In, N, formula, sqrt

_YOUNG = "J. W. Young, Communications of the ACM 17(9), 1974"


@formula("hour", "time between failures", source="failures of independent nodes add up")
def time_between_failures(
    node_hours: Annotated[N, In("node*hour", "node-hours per failure")],
    nodes: Annotated[N, In("node", "nodes")],
) -> N:
    """Mean time between failures of a whole cluster.

    Nodes fail on their own, and one failed node stops the run, so the rates add: a thousand nodes fail a thousand times
    as often as one.

    Trap: a node that fails once in years seems safe, and a large run of such nodes stops every few hours.
    """
    return node_hours / nodes


@formula("s", "checkpoint interval", source=_YOUNG)
def checkpoint_interval(
    cost: Annotated[N, In("s", "time of a checkpoint")],
    between_failures: Annotated[N, In("s", "time between failures")],
) -> N:
    """Time between checkpoints that loses the least.

    Saving costs its time once an interval; a failure costs half an interval on average. The sum is least where both
    are equal, which gives Young's rule.

    Trap: the cost is the time for which training stands still. A checkpoint written in the background costs little.
    """
    return sqrt(2 * cost * between_failures)


@formula("", "time lost", source=_YOUNG)
def lost_share(
    cost: Annotated[N, In("s", "time of a checkpoint")],
    interval: Annotated[N, In("s", "interval")],
    between_failures: Annotated[N, In("s", "time between failures")],
) -> N:
    """Share of a run's time that goes into checkpoints and into work done twice.

    One checkpoint an interval, and half an interval for each failure.

    Trap: finding the failed node and starting again is not in it, and is often the larger part.
    """
    return cost / interval + interval / (2 * between_failures)
