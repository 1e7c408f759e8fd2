"""Changes of inputs as typed on the command line: `daily_users=2e7`, `weights=bf16`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macros.assumptions.model import Amount, Entry
from macros.sizing import SizingError
from macros.sizing.units import UnitError, dimension_text, nearest, parse_number, parse_quantity

if TYPE_CHECKING:
    from macros.chains import Program


def read_settings(program: Program, texts: list[str]) -> dict[str, Amount | Entry]:
    """Read `INPUT=VALUE` texts: a bare number is in the input's own unit, a use takes an entry of its catalogue.

    Raises SizingError naming the text, what was expected and the nearest known name.
    """
    return dict(_setting(program, text) for text in texts)


def _setting(program: Program, text: str) -> tuple[str, Amount | Entry]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not value:
        raise SizingError(f"--set {text}: write INPUT=VALUE, such as --set daily_users=2e7")
    if name in program.data.uses:
        return name, _entry(program, name, value, text)
    if name not in program.known:
        known = [*program.known, *program.data.uses]
        raise SizingError(f"--set {text}: {program.id} has no input `{name}`{nearest(name, known)}")
    unit = program.known[name].unit
    try:
        amount = Amount(*parse_quantity(f"{value} {unit.text}" if parse_number(value) is not None else value))
    except UnitError as error:
        raise SizingError(f"--set {text}: {error}\n  fix: a bare number is in {unit.text}") from None
    if amount.unit.dimension != unit.dimension:
        raise SizingError(
            f"--set {text}: {name} is a quantity in {unit.text}; "
            f"{amount.unit.text} is {dimension_text(amount.unit.dimension)}"
        )
    return name, amount


def _entry(program: Program, name: str, value: str, text: str) -> Entry:
    catalogue = program.data.uses[name].catalogue
    entries = program.assumptions.catalogues[catalogue]
    id = value.removeprefix(f"{catalogue}.")
    if id not in entries:
        raise SizingError(f"--set {text}: `{catalogue}` has no entry `{id}`{nearest(id, list(entries))}")
    return entries[id]
