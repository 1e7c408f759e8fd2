"""Whole pieces from floats: one stated tolerance for rounding up and down, the same in the browser."""

from __future__ import annotations

import math

# A quotient that should be whole can miss it by a few last digits: 0.1 × 3 ÷ 0.1 is 3.0000000000000004.
# A billionth is far above such noise and far below any step that a planning number can tell apart.
TOLERANCE = 1e-9


def ceil_count(value: float) -> float:
    """Round up to a whole count, forgiving an excess of one billionth of the value, at most a tenth of a piece."""
    return float(math.ceil(value - _forgiven(value))) if math.isfinite(value) else value


def floor_count(value: float) -> float:
    """Round down to a whole count, forgiving a lack of one billionth of the value, at most a tenth of a piece."""
    return float(math.floor(value + _forgiven(value))) if math.isfinite(value) else value


def at_most(left: float, right: float) -> bool:
    """Tell whether left ≤ right, with the same tolerance."""
    return left - right <= TOLERANCE * abs(right)


def _forgiven(value: float) -> float:
    # From a billion up a billionth is more than a whole piece. A tenth leaves every whole number as it is.
    return min(TOLERANCE * abs(value), 0.1)
