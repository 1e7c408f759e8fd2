"""The numbers sheet: every formula from the formula module, the dated facts, the shared assumptions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from macros.assumptions.model import Entry
from macros.chains import as_input
from macros.render import rows
from macros.render.quoting import formula_anchor
from macros.render.templating import render
from macros.sizing import FORMULAS, Input
from macros.sizing.display import unit_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from macros.assumptions.model import Assumptions
    from macros.chains import Program
    from macros.sizing import Formula

_GROUPS = {
    "traffic": "Load",
    "memory": "Memory",
    "decode": "Decode",
    "prefill": "Prefill",
    "fleet": "Fleet",
    "cost": "Money",
}


class Explained(NamedTuple):
    """A formula with its text and the parts of its documentation."""

    id: str
    name: str
    text: str
    unit: str
    idea: str
    derivation: list[Markup]
    trap: Markup
    source: str
    arguments: list[tuple[str, str]]


def formulas() -> str:
    """Print the formula library, grouped by its modules in the order of a round."""
    groups = [
        (title, [_explained(f) for f in FORMULAS.values() if f.group == group]) for group, title in _GROUPS.items()
    ]
    return render("formulas.html", groups=groups)


def facts(assumptions: Assumptions) -> str:
    """Print the catalogues: each entry's facts with document and date."""
    catalogues = [
        ("GPUs", assumptions.catalogues["gpus"]),
        ("Models", assumptions.catalogues["models"]),
        ("Number formats", assumptions.catalogues["dtypes"]),
    ]
    tables = [(title, [_entry(entry) for entry in entries.values()]) for title, entries in catalogues]
    return render("facts.html", tables=tables)


def shared(assumptions: Assumptions, programs: Iterable[Program]) -> str:
    """Print the shared assumptions, with the designs that use each."""
    users: dict[str, list[str]] = {}
    for program in programs:
        for id in program.chain.inputs:
            users.setdefault(id, []).append(program.id)
    inputs: list[Input] = [as_input(given.id, given) for given in assumptions.shared.values()]
    return render("shared.html", rows=[rows.input_row(given) for given in inputs], users=users)


def _unit(text: str) -> str:
    around = unit_text(text)
    return f"{around.before}{around.many}" if text else "a share"


def _entry(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.name,
        "source": entry.source,
        "read": entry.read,
        "facts": [rows.input_row(as_input(fact.id, fact)) for fact in entry.facts.values()],
    }


def _explained(f: Formula) -> Explained:
    paragraphs = re.split(r"\n\s*\n", f.documentation)
    idea, *derivation = [paragraph.replace("\n", " ") for paragraph in paragraphs]
    trap = next((p.removeprefix("Trap: ") for p in derivation if p.startswith("Trap: ")), "")
    return Explained(
        formula_anchor(f.name),
        f.result[0].upper() + f.result[1:],
        f.text,
        _unit(f.unit.text),
        idea,
        [escape(p) for p in derivation if not p.startswith("Trap: ")],
        escape(trap),
        f.source,
        [(a.short, _unit(a.unit.text)) for a in f.arguments],
    )
