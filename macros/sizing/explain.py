"""Where a number comes from: its derivation as a tree, step by step down to facts and assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .chain import Chain


def derivation(chain: Chain, id: str) -> str:
    """Return the derivation of a step or an input as an indented tree. Raises KeyError for an unknown id.

    A step that stands in several places is unfolded at the first one.
    """
    return "\n".join(_branch(chain, id, "", "", set()))


def _branch(chain: Chain, id: str, first: str, rest: str, seen: set[str]) -> Iterator[str]:
    if id in chain.inputs:
        yield first + _input_line(chain, id)
        return
    step = chain.steps[id]
    yield f"{first}{step.label} [{id}] = {step.shown}"
    if id in seen:
        yield f"{rest}  (unfolded above)"
        return
    seen.add(id)
    if step.measured is not None:
        measured = step.measured
        yield f"{rest}  measured with {measured.tool}, {measured.date}, {measured.hardware} ({measured.place})"
        yield f"{rest}  computed: {chain.show(id, step.computed)}"
    yield f"{rest}  = {step.text}"
    for position, input_id in enumerate(step.inputs):
        last = position == len(step.inputs) - 1
        yield from _branch(chain, input_id, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "), seen)


def _input_line(chain: Chain, id: str) -> str:
    given = chain.inputs[id]
    told = [given.kind]
    if given.source:
        told.append(given.source)
    if given.read:
        told.append(f"read {given.read}")
    if given.low is not None and given.high is not None:
        told.append(f"range {chain.show(id, given.low)} to {chain.show(id, given.high)}, {given.because}")
    return f"{given.label} [{id}] = {chain.show(id)} · {'; '.join(told)} ({given.place})"
