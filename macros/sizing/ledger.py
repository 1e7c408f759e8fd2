"""The ledger of a chain: one readable line for each input and each derived number, kept under version control.

    input daily_users = 10000000.0 user | 10,000,000 users
    step replicas = 117.0 replica | 117 replicas | ⌈tokens/s needed ÷ tokens/s per replica⌉

`compare` tells what changed between an accepted ledger and a chain, and which inputs or formulas caused it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from .display import number_text, show_number
from .errors import SizingError
from .units import parse_unit

if TYPE_CHECKING:
    from .chain import Chain
    from .units import Unit

_HEADER = (
    "# Every number of {id}, as accepted. `make accept` writes this file; nothing in CI ever does.\n"
    "# kind id = full value in the shown unit | as shown | how it is computed\n"
)
_LINE = re.compile(r"(input|step) (\S+) = (\S+)(?: (\S+))? \| (.*?)(?: \| ([^|]*))?")

_NUMBER = re.compile(r"[0-9][0-9,.]*(?:e-?[0-9]+)?")


class Entry(NamedTuple):
    """One line of a ledger."""

    kind: str
    id: str
    number: float
    unit: str
    shown: str
    formula: str


class Cause(NamedTuple):
    """What a difference starts from: its name (`daily_users`), and what happened to it, with the place."""

    name: str
    text: str


class Difference(NamedTuple):
    """One number that is not as accepted; `causes` are the inputs and formulas behind it that changed."""

    what: Literal["changed", "added", "removed", "renamed"]
    kind: str
    id: str
    before: str
    after: str
    ratio: str
    causes: tuple[Cause, ...]


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
    found: dict[str, Entry] = {}
    for position, line in enumerate(text.splitlines(), start=1):
        if line.startswith(("#", "must ", "headline ")) or not line:
            continue
        try:
            found |= _read_line(line)
        except ValueError:
            raise SizingError(
                f"{name}:{position}: not a line of a ledger: {line!r}\n  fix: run `make accept`"
            ) from None
    return found


def compare(accepted: dict[str, Entry], chain: Chain) -> list[Difference]:
    """Return what differs from the accepted ledger: inputs first, then steps in their order, then what is gone."""
    current = entries(chain)
    gone = {id: entry for id, entry in accepted.items() if id not in current}
    new = {id: entry for id, entry in current.items() if id not in accepted}
    renamed = {}
    for id, entry in new.items():
        if old := next((old for old, line in gone.items() if _is_renamed(entry, line)), None):
            renamed[id] = old
            del gone[old]
    known_as = {id: accepted.get(renamed.get(id, id)) for id in current}
    changed_facts = {
        id
        for id, given in chain.inputs.items()
        if given.kind == "fact" and (before := known_as[id]) and _differs(current[id], before)
    }
    causes = {
        id: cause for id, entry in current.items() if (cause := _root_cause(chain, entry, known_as[id], changed_facts))
    }
    found = []
    for id, entry in current.items():
        before = known_as[id]
        if id in renamed:
            found.append(Difference("renamed", entry.kind, id, renamed[id], id, "", ()))
        elif before is None:
            found.append(Difference("added", entry.kind, id, "", entry.shown, "", ()))
        elif _differs(entry, before):
            behind = [id, *chain.ancestors(id)] if entry.kind == "step" else [id]
            found.append(_changed(entry, before, tuple(causes[i] for i in behind if i in causes)))
    return found + [Difference("removed", entry.kind, id, entry.shown, "", "", ()) for id, entry in gone.items()]


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


def _root_cause(chain: Chain, now: Entry, before: Entry | None, changed_facts: set[str]) -> Cause | None:
    """Return what the change of one line starts from, or None where it has none or follows from another line."""
    if before is not None and not _differs(now, before):
        return None
    if now.kind == "input":
        told = " → ".join(_sides(before, now)) if before else f"new, {now.shown}"
        return Cause(now.id, f"{now.id} {told} ({chain.inputs[now.id].place})")
    if before is None:
        return None
    # A fact stands in a formula with its number, which changes with it.
    shows_changed_fact = not changed_facts.isdisjoint(chain.steps[now.id].inputs)
    if before.formula != now.formula and not (
        shows_changed_fact and _NUMBER.sub("#", before.formula) == _NUMBER.sub("#", now.formula)
    ):
        name = f"the formula of {now.id}"
        return Cause(name, f"{name}: {before.formula} → {now.formula}")
    measured_before, measured_now = _measurement(before), _measurement(now)
    if measured_before != measured_now or (measured_now and before.number != now.number):
        name, measured = f"the measured value of {now.id}", chain.steps[now.id].measured
        return Cause(name, f"{name} ({measured.place})" if measured else f"{name}, which is gone")
    if before.unit != now.unit or (before.number == now.number and before.shown != now.shown and not measured_now):
        name = f"how {now.id} is shown"
        return Cause(name, name)
    return None


def _measurement(entry: Entry) -> str:
    """Return what a line says of how a value was measured, without the computed value beside it."""
    return entry.shown.partition(" measured (")[2].rpartition("), computed ")[0]


def _changed(now: Entry, before: Entry, causes: tuple[Cause, ...]) -> Difference:
    same_unit = now.unit == before.unit
    ratio = f"× {_ratio_text(now.number / before.number)}" if same_unit and now.number != before.number != 0 else ""
    return Difference("changed", now.kind, now.id, *_sides(before, now), ratio, causes)


def _sides(before: Entry, now: Entry) -> tuple[str, str]:
    """Return what to show before and after: with as many digits as it takes to tell the two apart."""
    if before.shown != now.shown or before.number == now.number:
        return before.shown, now.shown
    unit = parse_unit(now.unit)
    for digits in range(4, 16):
        sides = show_number(before.number, unit, digits), show_number(now.number, unit, digits)
        if sides[0] != sides[1]:
            return sides
    # Whole numbers are shown without their fraction, whatever the digits.
    return f"{before.number!r} {before.unit}".rstrip(), f"{now.number!r} {now.unit}".rstrip()


def _ratio_text(ratio: float) -> str:
    """Write a ratio with four digits, or as many more as it takes to tell it from one."""
    return next(text for digits in range(4, 18) if (text := number_text(ratio, digits)) != "1")


def _is_renamed(now: Entry, before: Entry) -> bool:
    return now.kind == before.kind and not _differs(now, before)


def _read_line(line: str) -> dict[str, Entry]:
    """Read one line. Raises ValueError where it is not one of ours."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError
    kind, id, number, unit, shown, formula = match.groups()
    return {id: Entry(kind, id, float(number), unit or "", shown, formula or "")}
