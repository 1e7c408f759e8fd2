"""What moves a headline: its value at both ends of each assumption's range, all else as published."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .errors import SizingError
from .rounding import at_most

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .chain import Chain


class Swing(NamedTuple):
    """The headline, in base units, at the low and at the high end of one input's range.

    `broken` names the constraints that no longer hold at either end.
    """

    input: str
    at_low: float
    at_high: float
    broken: tuple[str, ...]

    @property
    def width(self) -> float:
        """How far the headline moves."""
        return abs(self.at_high - self.at_low)


def swings(chain: Chain, replayed: Callable[[Mapping[str, float]], dict[str, float]]) -> list[Swing]:
    """Return the swing of the headline over every range, the widest first; `replayed` reruns the chain's function.

    Raises SizingError naming the input whose range has an end at which a step has no number.
    """
    found = []
    # Most of the time goes into replays, and an input that nothing of this depends on cannot change any of it.
    looked_at = [chain.headline, *(side for c in chain.constraints.values() for side in (c.left, c.right))]
    behind = set(looked_at).union(*(chain.ancestors(id) for id in looked_at if id in chain.steps))
    published = chain.value(chain.headline)
    for id, given in chain.inputs.items():
        if given.low is None or given.high is None:
            continue
        if id not in behind:
            found.append(Swing(id, published, published, ()))
            continue
        at_low, at_high = (_at_end(chain, id, end, replayed) for end in (given.low, given.high))
        broken = [
            *broken_constraints(chain, at_low, {id: given.low}),
            *broken_constraints(chain, at_high, {id: given.high}),
        ]
        found.append(Swing(id, at_low[chain.headline], at_high[chain.headline], tuple(dict.fromkeys(broken))))
    return sorted(found, key=lambda swing: -swing.width)


def _at_end(
    chain: Chain, id: str, end: float, replayed: Callable[[Mapping[str, float]], dict[str, float]]
) -> dict[str, float]:
    try:
        return replayed({id: end})
    except SizingError as error:
        place = chain.inputs[id].place
        raise SizingError(
            f"{chain.id}: `{id}` ({place}) at {chain.show(id, end)}, an end of its range\n  {error}"
        ) from error


def broken_constraints(chain: Chain, steps: Mapping[str, float], changed: Mapping[str, float]) -> list[str]:
    """Return the ids of the constraints that do not hold for replayed step values and changed inputs."""

    def value(id: str) -> float:
        return steps[id] if id in steps else changed.get(id, chain.inputs[id].value)

    return [c.id for c in chain.constraints.values() if not at_most(value(c.left), value(c.right))]
