"""The accepted numbers: the ledgers under `tests/ledgers/`, compared with the chains and rewritten on request."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from macros.sizing import ledger
from macros.sizing.errors import relative

if TYPE_CHECKING:
    from collections.abc import Iterator

    from macros.chains import Program
    from macros.sizing.ledger import Difference

LEDGERS = Path(__file__).parent.parent / "tests" / "ledgers"

_ADVICE = (
    "If this is meant: run `make accept` and commit the ledgers with the change, so that a reviewer sees it.\n"
    "If not: undo the change named above."
)


def check(programs: dict[str, dict[str, Program]], folder: Path = LEDGERS) -> str:
    """Return a report of every number that is not as accepted, or an empty text. Raises SizingError."""
    reports = [
        _report(program.id, _compared(program, folder / group / f"{program.id}.txt"))
        for group, chains in programs.items()
        for program in chains.values()
    ]
    reports += [
        f"{relative(path)}: a ledger without a chain\n  fix: `make accept` removes it"
        for path in _orphans(programs, folder)
    ]
    found = [report for report in reports if report]
    return "\n\n".join([*found, _ADVICE]) if found else ""


def accept(programs: dict[str, dict[str, Program]], folder: Path = LEDGERS) -> list[Path]:
    """Write every ledger as the chains are now, remove those without a chain, and return the files that changed."""
    changed = []
    for group, chains in programs.items():
        for program in chains.values():
            path, text = folder / group / f"{program.id}.txt", ledger.write(program.chain)
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                changed.append(path)
    for path in _orphans(programs, folder):
        path.unlink()
        changed.append(path)
    return changed


def _compared(program: Program, path: Path) -> list[Difference] | str:
    chain = program.chain
    if not path.exists():
        return f"{relative(path)}: no ledger yet, so none of the {len(chain.steps)} numbers of {program.id} is accepted"
    text = path.read_text(encoding="utf-8")
    differences = ledger.compare(ledger.read(text, relative(path)), chain)
    if not differences and text != ledger.write(chain):
        return f"{relative(path)}: the numbers are as accepted, but their order, constraints or headline changed"
    return differences


def _report(id: str, differences: list[Difference] | str) -> str:
    if isinstance(differences, str):
        return differences
    if not differences:
        return ""
    count = len(differences)
    rows = [_row(difference) for difference in differences]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [f"{id}: {count} number{'s are' if count > 1 else ' is'} not as accepted"]
    for row in rows:
        cells = "  ".join(cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True))
        lines.append(f"  {cells}  {row[3]}".rstrip())
    causes = dict.fromkeys(cause.text for difference in differences for cause in difference.causes)
    return "\n".join([*lines, *(f"  because of {cause}" for cause in causes)])


def _row(difference: Difference) -> tuple[str, str, str, str]:
    if difference.what == "changed":
        change = f"{difference.before} → {difference.after}"
        if difference.before == difference.after:
            change = "the formula, not the value"
        because = "; ".join(cause.name for cause in difference.causes)
        return difference.id, change, difference.ratio, f"because of {because}" if because else ""
    if difference.what == "renamed":
        return difference.id, f"renamed, was {difference.before}", "", ""
    return (
        difference.id,
        f"{difference.kind} {difference.what}, {difference.before or difference.after}",
        "",
        "",
    )


def _orphans(programs: dict[str, dict[str, Program]], folder: Path) -> Iterator[Path]:
    for path in sorted(folder.glob("*/*.txt")):
        if path.stem not in programs.get(path.parent.name, {}):
            yield path
