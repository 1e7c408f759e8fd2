"""Runs every measurement and prints one table: `python -m tests.bench`.

Exit codes: 0 every goal is met; 1 one is missed, or a comparison is void.
"""

from __future__ import annotations

import sys

from . import build, chain, chains, pages, speed, weight
from .result import Void, table


def main() -> int:
    """Measure, print and return the exit code."""
    try:
        measured = (chain, chains, build, pages, weight, speed)
        lines = [line for part in measured for line in part.measure()]
    except Void as reason:
        print(f"bench: the comparison is void: {reason}", file=sys.stderr)
        return 1
    print(table(lines))
    return 0 if all(line.met for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
