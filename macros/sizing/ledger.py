"""The ledger of a chain: one readable line for each input and each derived number, kept under version control.

    input daily_users = 10000000.0 user | 10,000,000 users
    step replicas = 117.0 replica | 117 replicas | ⌈tokens/s needed ÷ tokens/s per replica⌉

`compare` tells what changed between an accepted ledger and a chain, and which inputs or formulas caused it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .display import number_text, show_number
from .errors import SizingError
from .units import Unit, parse_unit

if TYPE_CHECKING:
    from .chain import Chain

_HEADER = (
    "# Every number of {id}, as accepted. `make accept` writes this file; nothing in CI ever does.\n"
    "# kind id = full value in the shown unit | as shown | how it is computed\n"
)
_LINE = re.compile(r"(input|step) (\S+) = (\S+)(?: (\S+))? \| ([^|]*?)(?: \| (.*))?")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a ledger."""

    kind: str
    id: str
    number: float
    unit: str
    shown: str
    formula: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One number that is not as accepted; `causes` are the inputs and formulas behind it that changed."""

    what: Literal["changed", "added", "removed", "renamed"]
    kind: str
    id: str
    before: str
    after: str
    ratio: str
    causes: tuple[str, ...]


def write(chain: Chain) -> str:
    """Return the chain's ledger as text."""
    lines = [_line(entry) for entry in entries(chain).values()]
    rules = [f"must {c.id}: {c.left} ≤ {c.right}" for c in chain.constraints.values()]
    return _HEADER.format(id=chain.id) + "\n".join([*lines, *rules, f"headline {chain.headline}"]) + "\n"


def entries(chain: Chain) -> dict[str, Entry]:
    """Return the lines of a chain's ledger by id."""
    found = {}
    for given in chain.inputs.values():
        found[given.id] = _entry("input", given.id, given.value, given.unit, str(chain.show(given.id)), "")
    for step in chain.steps.values():
        shown, formula = str(step.shown), step.text
        if step.measured is not None:
            m = step.measured
            shown += f" measured ({m.tool}, {m.date}, {m.hardware}), computed {chain.show(step.id, step.computed)}"
        found[step.id] = _entry("step", step.id, step.value, step.unit, shown, formula)
    return found


def read(text: str, name: str) -> dict[str, Entry]:
    """Read an accepted ledger. Raises SizingError with the file's name and line where a line is not one of ours."""
    found = {}
    for position, line in enumerate(text.splitlines(), start=1):
        if line.startswith(("#", "must ", "headline ")) or not line:
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise SizingError(f"{name}:{position}: not a line of a ledger: {line!r}\n  fix: run `make accept`")
        kind, id, number, unit, shown, formula = match.groups()
        found[id] = Entry(kind, id, float(number), unit or "", shown, formula or "")
    return found


def compare(accepted: dict[str, Entry], chain: Chain) -> list[Difference]:
    """Return what differs from the accepted ledger: inputs first, then steps in their order, then what is gone."""
    current = entries(chain)
    gone = {id: entry for id, entry in accepted.items() if id not in current}
    new = {id: entry for id, entry in current.items() if id not in accepted}
    renamed = {id: old for id, entry in new.items() if (old := _same_under_another_id(entry, gone))}
    roots = {
        id: _root_cause(chain, entry, accepted.get(id))
        for id, entry in current.items()
        if id not in accepted or _differs(entry, accepted[id])
    }
    causes = {id: text for id, text in roots.items() if text}
    found = []
    for id, entry in current.items():
        before = accepted.get(renamed.get(id, id))
        if id in renamed:
            found.append(Difference("renamed", entry.kind, id, renamed[id], id, "", ()))
        elif before is None:
            found.append(Difference("added", entry.kind, id, "", entry.shown, "", ()))
        elif _differs(entry, before):
            behind = [id, *chain.ancestors(id)] if entry.kind == "step" else [id]
            found.append(_changed(entry, before, tuple(causes[i] for i in behind if i in causes)))
    taken = set(renamed.values())
    return found + [
        Difference("removed", entry.kind, id, entry.shown, "", "", ()) for id, entry in gone.items() if id not in taken
    ]


def _entry(kind: str, id: str, value: float, unit: Unit, shown: str, formula: str) -> Entry:
    return Entry(kind, id, unit.from_base(value), unit.text, shown, formula)


def _line(entry: Entry) -> str:
    unit = f" {entry.unit}" if entry.unit else ""
    formula = f" | {entry.formula}" if entry.formula else ""
    return f"{entry.kind} {entry.id} = {entry.number!r}{unit} | {entry.shown}{formula}"


def _differs(now: Entry, before: Entry) -> bool:
    return (now.number, now.unit, now.shown, now.formula) != (
        before.number,
        before.unit,
        before.shown,
        before.formula,
    )


def _root_cause(chain: Chain, now: Entry, before: Entry | None) -> str:
    """Return what the change of one line starts from, or an empty text where it follows from another line."""
    if now.kind == "input":
        place = chain.inputs[now.id].place
        told = f"{before.shown} → {now.shown}" if before else f"new, {now.shown}"
        return f"{now.id} {told} ({place})"
    if before is not None and before.formula != now.formula:
        return f"the formula of {now.id}: {before.formula} → {now.formula}"
    if before is not None and (before.shown.partition(" measured ")[2], before.unit) != (
        now.shown.partition(" measured ")[2],
        now.unit,
    ):
        return f"how {now.id} is shown or measured"
    return ""


def _changed(now: Entry, before: Entry, causes: tuple[str, ...]) -> Difference:
    shown_before, shown_after, ratio = before.shown, now.shown, ""
    if now.unit == before.unit and now.number != before.number:
        if shown_before == shown_after:
            # The change is below the shown digits: show as many as it takes to see it.
            shown_before = show_number(before.number, parse_unit(before.unit), digits=12)
            shown_after = show_number(now.number, parse_unit(now.unit), digits=12)
        if before.number:
            ratio = f"× {number_text(now.number / before.number, 4)}"
    return Difference("changed", now.kind, now.id, shown_before, shown_after, ratio, causes)


def _same_under_another_id(entry: Entry, gone: dict[str, Entry]) -> str | None:
    for id, old in gone.items():
        if old.kind == entry.kind and not _differs(entry, old):
            return id
    return None
