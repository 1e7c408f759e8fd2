"""Rows of the numbers tables: what a number is called, where it comes from, and its value as shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from macros.sizing.chain import leaves
from macros.sizing.display import show

if TYPE_CHECKING:
    from collections.abc import Iterable

    from macros.sizing import Chain, Input, Step
    from macros.sizing.display import Shown

# Told apart by a sign and a word, never by colour alone.
EXACT_DIGITS = 5
SIGNS = {"assumption": "A", "fact": "F", "target": "T", "measured": "M", "computed": "="}


class Row(NamedTuple):
    """One row of a numbers table.

    `how` is the formula or the kind in words, `note` the reason or the source; both are HTML in which a fact's value
    and the value before rounding carry an id. `formula` is the id of the library's formula that made the value.
    """

    id: str
    kind: str
    sign: str
    label: str
    how: str | Markup
    note: str | Markup
    shown: Shown
    inputs: tuple[str, ...]
    value: float
    unit: str
    formula: str = ""


def input_row(given: Input) -> Row:
    """Return the row of an input: its range with the reason, or its source with the date."""
    how, note = given.kind, given.source
    if given.part == "shared":
        how = "shared assumption"
    if given.low is not None and given.high is not None:
        how = f"{how}, {range_text(given)}"
        note = given.because
    elif given.because:
        note = given.because
    if given.read:
        note = f"{note}, read {given.read}" if note else f"read {given.read}"
    return Row(
        given.id,
        given.kind,
        SIGNS[given.kind],
        given.label,
        how,
        note,
        show(given.value, given.unit, given.digits),
        (),
        given.unit.from_base(given.value),
        given.unit.text,
    )


def step_row(chain: Chain, step: Step) -> Row:
    """Return the row of a step: its formula; for a measured one also who measured it and the computed value."""
    kind, note = "computed", _before_rounding(step)
    if step.measured is not None:
        m = step.measured
        kind = "measured"
        note = f"measured with {m.tool}, {m.date}, {m.hardware}; computed {chain.show(step.id, step.computed)}"
    return Row(
        step.id,
        kind,
        SIGNS[kind],
        step.label,
        how(chain, step),
        note,
        step.shown,
        step.inputs,
        step.unit.from_base(step.value),
        step.unit.text,
        step.expression.formula,
    )


def _before_rounding(step: Step) -> str | Markup:
    """Return what a whole count was before it was rounded, so that whoever follows by hand can compare."""
    if step.expression.op not in ("ceil", "floor"):
        return ""
    exact = show(step.expression.args[0].value, step.unit, digits=EXACT_DIGITS)
    told = "" if exact.number == step.shown.number else f"{exact.before}{exact.number} before rounding"
    return Markup('<span data-exact="{}">{}</span>').format(step.id, told)


def how(chain: Chain, step: Step) -> Markup:
    """Return the step's formula; each fact in it is marked, since a reader who swaps the GPU changes it here too."""
    text, at = step.text, 0
    parts: list[str] = []
    # Leaves stand in the text in this order; those that go without saying and the bounds of a value do not.
    for leaf in leaves(step.expression):
        origin = leaf.origin
        if origin is None or not origin.text or (begin := text.find(origin.text, at)) < 0:
            continue
        parts.append(escape(text[at:begin]))
        at = begin + len(origin.text)
        fact = origin.id in chain.inputs and chain.inputs[origin.id].kind == "fact"
        shown = escape(origin.text)
        parts.append(f'<span data-n="{escape(origin.id)}">{shown}</span>' if fact else shown)
    return Markup("".join([*parts, escape(text[at:])]))


def all_rows(chain: Chain) -> list[Row]:
    """Return every number of a chain, in the order of its tables."""
    numbers = [*part_inputs(chain, "numbers"), *part_steps(chain, "numbers")]
    taken = {row.id for row in numbers}
    rest = [input_row(given) for given in chain.inputs.values() if given.id not in taken]
    rest += [step_row(chain, step) for step in chain.steps.values() if step.id not in taken]
    return numbers + rest


def part_inputs(chain: Chain, part: str) -> list[Row]:
    """Return the rows of the chain's own assumptions in one part of the page."""
    return [input_row(i) for i in chain.inputs.values() if i.part == part and i.kind != "fact"]


def part_steps(chain: Chain, *parts: str) -> list[Row]:
    """Return the rows of the steps in some parts of the page."""
    return [step_row(chain, step) for step in chain.steps.values() if step.part in parts]


def behind(chain: Chain) -> list[Row]:
    """Return the rows of the folded table: facts, shared assumptions, targets, and steps that only lead to others."""
    numbers = {row.id for row in part_inputs(chain, "numbers")}
    order = ("fact", "assumption", "target")
    inputs = [input_row(given) for given in chain.inputs.values() if given.id not in numbers]
    return sorted(inputs, key=lambda row: order.index(row.kind)) + part_steps(chain, "behind")


def range_text(given: Input) -> str:
    """Write a range with its unit once: `$2.58–6.16 per GPU-hour`."""
    if given.low is None or given.high is None:
        return ""
    low, high = (show(end, given.unit, given.digits) for end in (given.low, given.high))
    return f"{low.before}{low.number}–{high.number}{high.space}{high.unit}"


def by_id(rows: Iterable[Row]) -> dict[str, Row]:
    """Return rows by their ids."""
    return {row.id: row for row in rows}
