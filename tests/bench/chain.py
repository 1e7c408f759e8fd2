"""One chain from the bytes of a data file to every view of it, in a warm process.

The file is the project's own without the blocks of other chains, whose number `chains` varies.

Each repetition reads, checks, records and prints anew. What stays warm is what a process keeps anyway: its modules,
and the units and number texts that it has met. Processor time is measured, the same as time on a clock where nothing
else runs: nothing here waits.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from macros.assumptions import Assumptions, parse
from macros.assumptions.load import DATA_FILE
from macros.chains import Program
from macros.collector import spare_what_stays
from macros.designs import chatgpt
from macros.sizing import Chain, export, ledger
from macros.sizing.explain import derivation
from macros.sizing.sensitivity import swings

from .grown import BLOCK, ID
from .result import Line, Void

GOAL = 10.0
REPETITIONS = 101


def measure() -> list[Line]:
    """Return the median of a whole repetition, in milliseconds, and the medians of its parts."""
    source = _alone(DATA_FILE.read_text(encoding="utf-8"))
    accepted = ledger.write(_program(parse(source)).chain)
    # As a build and a command do.
    spare_what_stays()
    runs = [_run(source, accepted) for _ in range(REPETITIONS)]
    whole = median(sum(run.values()) for run in runs)
    parts = [Line(part, median(run[part] for run in runs), "ms") for part in runs[0]]
    return [Line(f"load, check, trace and all views of {ID}", whole, "ms", GOAL), *parts]


def _run(source: bytes, accepted: str) -> dict[str, float]:
    """Do everything once and return the milliseconds of each part."""
    spent: dict[str, float] = {}

    def timed(part: str, work: Callable[[], Any]) -> Any:
        begin = process_time()
        result = work()
        spent[part] = (process_time() - begin) * 1000
        return result

    program = _program(timed("load and check", lambda: parse(source)))
    chain = timed("record", lambda: program.chain)
    timed("explain every step", lambda: [(step.text, derivation(chain, step.id)) for step in chain.steps.values()])
    timed("display every number", lambda: [str(chain.show(id)) for id in (*chain.inputs, *chain.steps)])
    timed("sensitivity", lambda: swings(chain, program.replayed))
    timed("export", lambda: json.dumps(export.program(chain)))
    timed("ledger text", lambda: ledger.write(chain))
    timed("comparison", lambda: _unchanged(accepted, chain))
    return spent


def _alone(source: str) -> bytes:
    """Return a data file with one chain's block alone. Raises Void where it has none."""
    block, (shared, groups, _) = BLOCK.search(source), source.partition("\ndesigns:\n")
    if block is None or not groups:
        raise Void(f"{DATA_FILE}: expected a block `{ID}` in `designs`")
    return f"{shared}{groups}{block[0]}path: {{}}\nworkbench: {{}}\n".encode()


def _program(assumptions: Assumptions) -> Program:
    return Program(assumptions, assumptions.designs[ID], chatgpt.chain)


def _unchanged(accepted: str, chain: Chain) -> None:
    differences = ledger.compare(ledger.read(accepted, "the ledger"), chain)
    if differences:
        raise AssertionError(f"two recordings of one data file differ: {differences[0]}")
