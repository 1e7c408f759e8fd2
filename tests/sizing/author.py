"""Chains as an author writes them, in a file `author.py` that exists in memory only, so that its lines are known."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from macros import sizing
from macros.sizing import Builder, Chain, Input, Measured, SizingError, record
from macros.sizing.units import parse_quantity


def given(id: str, amount: str, **about: Any) -> Input:
    """An input as the data file gives it; label and text are its id in words unless `about` has others."""
    number, unit = parse_quantity(amount)
    words = id.rpartition(".")[2].replace("_", " ")
    fields = {"label": words.capitalize(), "text": words, "kind": "assumption", "place": f"data.yml:{len(id)}"} | about
    ends = {end: parse_quantity(fields[end])[0] * unit.size for end in ("low", "high") if end in fields}
    return Input(id, unit=unit, value=unit.to_base(number), **fields | {end: float(at) for end, at in ends.items()})


def inputs(*all_given: Input) -> dict[str, Input]:
    """Inputs by id."""
    return {one.id: one for one in all_given}


KNOWN = inputs(
    given("users", "1_000 user"),
    given("rate", "3 request/user"),
    given("share", "12.5 %"),
    given("window", "90 s"),
    given("memory", "80 GB/GPU", text="80 GB/GPU", kind="fact"),
    given("gpus", "4 GPU"),
    given("none", "0 user"),
)


def chain_of(*lines: str, **names: object) -> Callable[[Builder], None]:
    """A chain's function with these lines, which begin at line 3 and find `given`, `numbers`, `c` and all of sizing."""
    source = "\n    ".join(["def chain(c):", "given, numbers = c.given, c.part('numbers')", *lines])
    namespace: dict[str, Any] = vars(sizing) | names
    exec(compile(source, "author.py", "exec"), namespace)
    function: Callable[[Builder], None] = namespace["chain"]
    return function


def small(*lines: str, known: dict[str, Input] = KNOWN, **names: object) -> Chain:
    """Record lines as the chain `small`; inputs that no line uses are left out."""
    function = chain_of(*lines, **names)
    return record("small", function, {id: known[id] for id in known if any(f"given.{id}" in line for line in lines)})


def refusal(*lines: str, known: dict[str, Input] = KNOWN, **names: object) -> str:
    """What recording these lines is refused with."""
    with pytest.raises(SizingError) as error:
        small(*lines, known=known, **names)
    return str(error.value)


def measured(amount: str, place: str = "data.yml:9") -> Measured:
    """A measured value as the data file gives it."""
    number, unit = parse_quantity(amount)
    return Measured(float(Fraction(number) * unit.size), unit, "stopwatch", "2026-11-30", "1 × H100", place)
