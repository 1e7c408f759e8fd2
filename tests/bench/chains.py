"""Many chains in one data file: the time that each takes must not grow with their number.

Every size is a project of its own in a temporary folder, and every run a new process. Processor time is compared, since
nothing here waits; the ratio is taken within a round, in which a busy machine slows all sizes alike.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from macros.assumptions import load
from macros.chains import programs

from .grown import grow
from .process import run
from .result import Line

PROJECT = Path(__file__).parents[2]
SIZES = (125, 250, 500, 1_000)
GOAL = 1.15
ROUNDS = 3


def measure(project: Path = PROJECT, sizes: tuple[int, ...] = SIZES) -> list[Line]:
    """Return how the time of one chain grows from the smallest size to the largest, and the milliseconds at each."""
    there = sum(len(chains) for chains in programs(load()).values())
    with TemporaryDirectory() as folder:
        projects = {size: Path(folder, str(size)) for size in sizes}
        for size, target in projects.items():
            grow(project, target, size - there)
        rounds = [{size: _milliseconds(target) / size for size, target in projects.items()} for _ in range(ROUNDS)]
    growth = median(each[sizes[-1]] / each[sizes[0]] for each in rounds)
    return [
        Line(f"time of one chain, {sizes[-1]:,} in one data file against {sizes[0]:,}", growth, "×", GOAL),
        *(Line(f"one of {size:,} chains", median(each[size] for each in rounds), "ms") for size in sizes),
    ]


def _milliseconds(project: Path) -> float:
    """Return the processor time of all parts of `every_chain` together."""
    parts: dict[str, float] = json.loads(run(["-m", "tests.bench.every_chain"], project))
    return sum(parts.values()) * 1000
