"""The command line: `python -m macros COMMAND`.

Exit codes: 0 all well; 1 numbers differ from the accepted ones, or a generated file is stale; 2 a mistake in the
data, in a chain or in the command itself.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from macros import accepted, diagrams, new, numbers_file
from macros.assumptions import load, write_schema
from macros.chains import programs
from macros.collector import spare_what_stays
from macros.settings import read_settings
from macros.sizing import SizingError
from macros.sizing.errors import relative
from macros.sizing.explain import derivation
from macros.sizing.units import nearest

if TYPE_CHECKING:
    from macros.chains import Program


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except SizingError as error:
        print(error, file=sys.stderr)
        code = 2
    return code


def _check(options: argparse.Namespace) -> int:
    report = accepted.check(programs(load()))
    print(report or "every number is as accepted", file=sys.stderr if report else sys.stdout)
    return 1 if report else 0


def _accept(options: argparse.Namespace) -> int:
    written = [*accepted.accept(programs(load())), *write_schema()]
    print("\n".join(f"wrote {relative(path)}" for path in written) or "nothing to accept: every number is as accepted")
    return 0


def _show(options: argparse.Namespace) -> int:
    program = _program(options.chain)
    chain = program.chain
    changed = program.recorded_with(read_settings(program, options.set)) if options.set else chain
    width = max(len(id) for id in [*chain.inputs, *chain.steps])
    for id in [*changed.inputs, *changed.steps]:
        now, before = (
            str(changed.show(id)),
            str(chain.show(id)) if id in chain.inputs or id in chain.steps else "",
        )
        how = f" = {changed.steps[id].text}" if id in changed.steps else f" ({changed.inputs[id].kind})"
        print(f"{id:{width}}  {now if now == before else f'{before} → {now}'}{how}")
    for constraint in changed.constraints.values():
        if not constraint.holds:
            left, right = constraint.left, constraint.right
            print(f"violated: {constraint.label}: {changed.show(left)}, but {right} is {changed.show(right)}")
    return 0


def _explain(options: argparse.Namespace) -> int:
    chain_id, _, number = options.number.partition(".")
    chain = _program(chain_id).chain
    if number not in chain.steps and number not in chain.inputs:
        known = [*chain.steps, *chain.inputs]
        raise SizingError(f"{chain_id} has no number `{number}`{nearest(number, known)}; it has {', '.join(known)}")
    print(derivation(chain, number))
    return 0


def _export(options: argparse.Namespace) -> int:
    for path in numbers_file.write(programs(load()), options.folder):
        print(f"wrote {path}")
    return 0


def _diagram(options: argparse.Namespace) -> int:
    for path in diagrams.write_all(options.design):
        print(f"wrote {relative(path)}")
    return 0


def _new(options: argparse.Namespace) -> int:
    for path in new.write(options.name, load()):
        print(f"wrote {relative(path)}")
    print(
        "It builds as it stands: `make serve` shows it. Put your numbers into the data file and your steps into the\n"
        "module, then replace each sentence with “say here”; `make test` lists those that are left."
    )
    return 0


def _program(id: str) -> Program:
    known = {name: program for chains in programs(load()).values() for name, program in chains.items()}
    if id not in known:
        raise SizingError(f"there is no chain `{id}`{nearest(id, list(known))}; there is {', '.join(known)}")
    return known[id]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m macros",
        description="The numbers of GenAI Design Rounds: check, accept, show and explain them.",
        epilog="Exit codes: 0 all well; 1 numbers are not as accepted; 2 a mistake in data, chain or command.",
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def add(name: str, run: object, help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help)
        command.set_defaults(run=run)
        return command

    add("check", _check, "compare every derived number with the accepted ledgers")
    add("accept", _accept, "rewrite the ledgers and the data file's schema to what is computed now")
    show = add("show", _show, "print every number of a chain, with some inputs changed if you like")
    show.add_argument("chain", help="a chain, such as chatgpt")
    show.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="INPUT=VALUE",
        help="change an input: daily_users=2e7 (in its own unit), `input_tokens=3 ktoken/request`, weights=bf16",
    )
    explain = add("explain", _explain, "print a number's derivation down to facts and assumptions")
    explain.add_argument("number", metavar="CHAIN.NUMBER", help="such as chatgpt.replicas")
    export = add("export", _export, "write numbers.json and the tables as CSV into a built site")
    export.add_argument("folder", type=Path, nargs="?", default=Path("site"), help="the built site (site/)")
    diagram = add("diagram", _diagram, "render the diagrams from their sources")
    diagram.add_argument("design", nargs="*", help="only these designs")
    create = add("new", _new, "write all parts of a new design: block, module, page, diagram and ledger")
    create.add_argument("name", metavar="NAME", help="lower-case words joined by -, such as code-completion")
    return parser


if __name__ == "__main__":
    # Whoever reads the first lines only (`… | head`) ends the command, quietly. Windows has no such signal.
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    spare_what_stays()
    sys.exit(main())
