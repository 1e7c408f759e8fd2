"""Where a number comes from: its derivation as a tree, step by step down to facts and assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .chain import Chain


def derivation(chain: Chain, id: str) -> str:
    """Return the derivation of a step or an input as an indented tree. Raises KeyError for an unknown id.

    A step that stands in several places is unfolded at the first one.
    """
    lines: list[str] = []
    _unfold(chain, id, "", "", set(), lines)
    return "\n".join(lines)


def _unfold(chain: Chain, id: str, first: str, rest: str, seen: set[str], lines: list[str]) -> None:
    """Add the lines of a number: the first begins with `first`, those below it with `rest`."""
    if id in chain.inputs:
        lines.append(first + chain.inputs[id].line)
        return
    step = chain.steps[id]
    lines.append(first + step.line)
    if id in seen:
        lines.append(f"{rest}  (unfolded above)")
        return
    seen.add(id)
    if step.measured is not None:
        measured = step.measured
        lines.append(f"{rest}  measured with {measured.tool}, {measured.date}, {measured.hardware} ({measured.place})")
        lines.append(f"{rest}  computed: {chain.show(id, step.computed)}")
    lines.append(f"{rest}  = {step.text}")
    for position, input_id in enumerate(step.inputs):
        branch, trunk = ("└─ ", "   ") if position == len(step.inputs) - 1 else ("├─ ", "│  ")
        _unfold(chain, input_id, rest + branch, rest + trunk, seen, lines)
