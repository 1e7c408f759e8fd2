"""The third phase: the text of each value, judged by itself."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from macros.sizing.units import (
    DIMENSIONLESS,
    Unit,
    UnitError,
    dimension_text,
    parse_quantity,
    parse_unit,
)

from . import fields as f
from .mistakes import shown
from .model import Amount
from .tree import Mapping, Node, Scalar, Sequence, join

if TYPE_CHECKING:
    from .mistakes import Mistakes

_LONG_EXPONENT = re.compile(r"[0-9][eE][+-]?[0-9]{3}")
_QUANTITY = re.compile(f.QUANTITY)


def check_values(shape: f.Shape, node: Node, path: str, mistakes: Mistakes) -> None:
    """Judge every value below a node; those that the shape phase refused are left alone."""
    if isinstance(node, Mapping):
        if isinstance(shape, f.Record):
            for key, child in node.items.items():
                if key in shape.fields:
                    check_values(shape.fields[key], child, join(path, key), mistakes)
        elif isinstance(shape, f.Table):
            for key, child in node.items.items():
                _check_id(key, shape.ids, node, join(path, key), mistakes)
                check_values(shape.of, child, join(path, key), mistakes)
    elif isinstance(node, Sequence):
        if isinstance(shape, f.Pair):
            for index, item in enumerate(node.items):
                check_values(shape.of, item, f"{path}[{index}]", mistakes)
    elif not node.typed:
        _check_text(shape, node, path, mistakes)


def read_amount(leaf: f.Quantity, scalar: Scalar, path: str, mistakes: Mistakes) -> None:
    """Read a quantity into `scalar.amount`, or note why it is none."""
    text = scalar.text

    def refuse(note: str, fix: str) -> None:
        mistakes.add(scalar.at, path, shown(text) + note, leaf.expected, fix)

    if len(text) > f.LONGEST_QUANTITY:
        return refuse("", f"write it in at most {f.LONGEST_QUANTITY} characters")
    if _LONG_EXPONENT.search(text):
        return refuse("", "write an exponent of at most two digits")
    try:
        number, unit = parse_quantity(text)
    except UnitError as error:
        return refuse("", _advice(str(error), text, leaf))
    if number < 0:
        return refuse("", "write a quantity that is not negative")
    if not _QUANTITY.fullmatch(text):
        return refuse("", "write the digits 0 to 9, without leading zeros")
    if leaf.above_zero and not number:
        return refuse("", "write a quantity above zero")
    if leaf.unit:
        wanted = parse_unit(leaf.unit)
        if unit.dimension != wanted.dimension:
            return refuse(f", which is {described(unit)}", f"write it in {leaf.unit}")
    if unit.dimension == DIMENSIONLESS and unit.text != "%":
        return refuse(" without a dimension", "write a share in %, such as `15 %`, or name what is counted")
    scalar.amount = Amount(number, unit)
    return None


def described(unit: Unit) -> str:
    """Write a unit's dimension for a message."""
    return "a share" if unit.dimension == DIMENSIONLESS else f"in {dimension_text(unit.dimension)}"


def _advice(error: str, text: str, leaf: f.Quantity) -> str:
    if text != " ".join(text.split()):
        return "write one ordinary space, between number and unit"
    if error.startswith(f"`{text}` has no unit"):
        return f"add the unit, as in `{leaf.example}`"
    # Our message has quoted the text already, and its example suits the field.
    return re.sub(", such as `[^`]*`$", "", error.removeprefix(f"`{text}` is not a quantity; "))


def _check_id(key: str, pattern: str, mapping: Mapping, path: str, mistakes: Mistakes) -> None:
    if re.fullmatch(pattern, key):
        return
    joint = "-" if pattern == f.DASHED else "_"
    guess = f.as_id(key, pattern)
    mistakes.add(
        mapping.keys[key],
        path,
        f"the id {shown(key)}",
        f"lower-case words joined by {joint}",
        f"write `{guess}`" if guess else "begin with a letter a to z",
    )


def _check_text(shape: f.Shape, scalar: Scalar, path: str, mistakes: Mistakes) -> None:
    text, note = scalar.text, None
    match shape:
        case f.Quantity():
            read_amount(shape, scalar, path, mistakes)
        case f.Text():
            note = None if text.strip() else "write words, or remove what they belong to"
        case f.Name():
            note = None if re.fullmatch(f.WORD, text) else shape.fix
        case f.Date():
            note = _date_advice(text, shape)
        case _:
            # Entries and changes are judged with what they refer to; the rest by the shape phase.
            pass
    if note:
        found = shown(text) if text.strip() else "an empty text"
        mistakes.add(scalar.at, path, found, shape.expected, note)


def _date_advice(text: str, shape: f.Date) -> str | None:
    if not re.fullmatch(f.DATE, text):
        return shape.fix
    try:
        date.fromisoformat(text)
    except ValueError:
        return "the calendar has no such day"
    return None
