"""The headline over all ranges at once: a fixed set of points, the same at every build and in every browser.

Point i of input d is the fraction of i × √p, p the d-th prime (a Kronecker sequence: no two inputs move in step, and
every run is evenly spread). Half of the points lie below the published value and half above it, evenly on each side.
"""

from __future__ import annotations

from functools import cache
from itertools import islice, repeat
from math import ceil, floor, isfinite, nan, sqrt
from typing import TYPE_CHECKING, Any

from .export import program as exported
from .operations import integer_power, sum_of_powers
from .rounding import at_most, ceil_count, floor_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .chain import Chain

POINTS = 2000
SHARE = 0.1


def interval(chain: Chain) -> tuple[float, float, int]:
    """Return the 10th and the 90th percentile of the headline, in base units, and how many points have no number."""
    headline = _compiled(exported(chain))
    # An input that the headline does not depend on need not move, but it keeps its place among those with a range.
    behind = {chain.headline, *chain.ancestors(chain.headline)}
    columns: list[Iterable[float]] = []
    ranged = 0
    for given in chain.inputs.values():
        if given.low is None or given.high is None:
            columns.append(repeat(given.value))
            continue
        columns.append(
            _spread(given.low, given.value, given.high, _fractions(ranged))
            if given.id in behind
            else repeat(given.value)
        )
        ranged += 1
    points = islice(zip(*columns, strict=False), POINTS)
    found = sorted(value for value in map(headline, points) if isfinite(value))
    last = len(found) - 1
    return found[floor(SHARE * last)], found[ceil((1 - SHARE) * last)], POINTS - len(found)


def _spread(low: float, published: float, high: float, fractions: list[float]) -> list[float]:
    return [
        low + 2 * u * (published - low) if u < 0.5 else published + (2 * u - 1) * (high - published) for u in fractions
    ]


# The same for every chain of a site.
@cache
def _fractions(dimension: int) -> list[float]:
    root = sqrt(_primes(dimension + 1)[-1])
    return [i * root - floor(i * root) for i in range(1, POINTS + 1)]


def _primes(count: int) -> list[int]:
    found: list[int] = []
    candidate = 2
    while len(found) < count:
        if all(candidate % prime for prime in found):
            found.append(candidate)
        candidate += 1
    return found


_CALLS: dict[str, Callable[..., float]] = {
    # What has no number has none here either.
    "min": lambda a, b: b if b < a or b != b else a,
    "max": lambda a, b: b if b > a or b != b else a,
    "ceil": ceil_count,
    "floor": floor_count,
    "sqrt": sqrt,
    "pow": lambda a, b: integer_power(a, int(b)) if b == floor(b) and a == a else nan,
    "geom": lambda a, b: sum_of_powers(a, int(b) + 1) if b == floor(b) and a == a else nan,
    "upto": lambda a, b: a if at_most(a, b) else nan,
    "nonneg": lambda a: a if a >= 0 else nan,
}


def _compiled(program: dict[str, Any]) -> Callable[[Sequence[float]], float]:
    """Return a function from the inputs' values to the headline: straight-line code, for thousands of calls."""
    registers = [f"v[{i}]" for i in range(len(program["inputs"]))] + [repr(c) for c in program["constants"]]
    at = next(step["at"] for step in program["steps"] if step["id"] == program["headline"])
    needed = _behind(program, at)
    lines = []
    for position, (op, *args) in enumerate(program["code"], start=len(registers)):
        if position in needed:
            given = [registers[arg] for arg in args]
            lines.append(
                f"  r{position} = {op}_({', '.join(given)})"
                if op in _CALLS
                else f"  r{position} = {given[0]} {op} {given[1]}"
            )
        registers.append(f"r{position}")
    lines = [" try:", *lines, f"  return {registers[at]}", " except (ArithmeticError, ValueError):", "  return nan"]
    source = "\n".join(["def headline(v):", *lines])
    scope: dict[str, Any] = {"nan": nan, **{f"{name}_": call for name, call in _CALLS.items()}}
    # The program is our own recording: operations of a closed set on numbered registers.
    exec(source, scope)
    found: Callable[[Sequence[float]], float] = scope["headline"]
    return found


def _behind(program: dict[str, Any], at: int) -> set[int]:
    first = len(program["inputs"]) + len(program["constants"])
    needed, queue = set(), [at]
    while queue:
        register = queue.pop()
        if register not in needed:
            needed.add(register)
            queue += program["code"][register - first][1:] if register >= first else ()
    return needed
