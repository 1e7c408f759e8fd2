"""Every chain of the project that this runs in, once: `python -m tests.bench.every_chain`.

Prints the processor seconds of each part as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from macros import accepted
from macros.assumptions import parse
from macros.assumptions.load import DATA_FILE
from macros.chains import programs
from macros.collector import spare_what_stays
from macros.sizing import export

from .result import Void


def main() -> None:
    """Load, record, export, accept and check every chain, and print how long each part took."""
    # As a build and a command do.
    spare_what_stays()
    spent: dict[str, float] = {}

    def timed(part: str, work: Callable[[], Any]) -> Any:
        begin = process_time()
        result = work()
        spent[part] = process_time() - begin
        return result

    assumptions = timed("load and check", lambda: parse(DATA_FILE.read_bytes()))
    groups = timed("build the programs", lambda: programs(assumptions))
    all_programs = [program for chains in groups.values() for program in chains.values()]
    timed("record", lambda: [program.chain for program in all_programs])
    timed("export", lambda: [json.dumps(export.program(program.chain)) for program in all_programs])
    with TemporaryDirectory() as folder:
        timed("write the ledgers", lambda: accepted.accept(groups, Path(folder)))
        report = timed("check the ledgers", lambda: accepted.check(groups, Path(folder)))
    if report:
        raise Void(f"ledgers that were just written are not as accepted:\n{report}")
    print(json.dumps(spent))


if __name__ == "__main__":
    main()
