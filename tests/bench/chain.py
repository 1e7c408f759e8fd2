"""One chain from the bytes of the data file to every view of it, in a warm process.

Each repetition reads, checks, records and prints anew. What stays warm is what a process keeps anyway: its modules,
and the units and number texts that it has met. Processor time is measured, the same as time on a clock where nothing
else runs: nothing here waits.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from macros.assumptions import Assumptions, parse
from macros.assumptions.load import DATA_FILE
from macros.chains import Program, programs
from macros.sizing import Chain, export, ledger
from macros.sizing.explain import derivation
from macros.sizing.sensitivity import swings

from .result import Line

GROUP, ID = "designs", "chatgpt"
GOAL = 10.0
REPETITIONS = 101


def measure() -> list[Line]:
    """Return the median of a whole repetition, in milliseconds, and the medians of its parts."""
    accepted = ledger.write(_program(_load()).chain)
    # As a build does once its modules are loaded (macros/hooks.py).
    gc.freeze()
    runs = [_run(accepted) for _ in range(REPETITIONS)]
    whole = median(sum(run.values()) for run in runs)
    parts = [Line(part, median(run[part] for run in runs), "ms") for part in runs[0]]
    return [Line(f"load, check, trace and all views of {ID}", whole, "ms", GOAL), *parts]


def _run(accepted: str) -> dict[str, float]:
    """Do everything once and return the milliseconds of each part."""
    spent: dict[str, float] = {}

    def timed(part: str, work: Callable[[], Any]) -> Any:
        begin = process_time()
        result = work()
        spent[part] = (process_time() - begin) * 1000
        return result

    assumptions = timed("load and check", _load)
    program = timed("build the program", lambda: _program(assumptions))
    chain = timed("record", lambda: program.chain)
    timed("explain every step", lambda: [(step.text, derivation(chain, step.id)) for step in chain.steps.values()])
    timed("display every number", lambda: [str(chain.show(id)) for id in (*chain.inputs, *chain.steps)])
    timed("sensitivity", lambda: swings(chain, program.replayed))
    timed("export", lambda: json.dumps(export.program(chain)))
    timed("ledger text", lambda: ledger.write(chain))
    timed("comparison", lambda: _unchanged(accepted, chain))
    return spent


def _load() -> Assumptions:
    """Read and check the file itself: `load` would answer from its cache."""
    return parse(DATA_FILE.read_bytes())


def _program(assumptions: Assumptions) -> Program:
    return programs(assumptions)[GROUP][ID]


def _unchanged(accepted: str, chain: Chain) -> None:
    differences = ledger.compare(ledger.read(accepted, "the ledger"), chain)
    if differences:
        raise AssertionError(f"two recordings of one data file differ: {differences[0]}")
