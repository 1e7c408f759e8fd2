"""Units: text as an author writes it, its size in base units, and its dimension, through pint."""

from __future__ import annotations

import difflib
import math
import re
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import pint
from pint.util import UnitsContainer

from .errors import SizingError

# Fractions keep sizes such as 1/3600 (per hour) exact until the one rounding to a float.
_registry: pint.UnitRegistry[Fraction] = pint.UnitRegistry(
    Path(__file__).with_name("units.txt"), non_int_type=Fraction, cache_folder=None
)

# pint also takes plurals, which would then stand in tables as they were written.
_SPELLINGS = frozenset(prefix + unit for prefix in _registry._prefixes for unit in _registry._units)

Dimension = UnitsContainer
DIMENSIONLESS = UnitsContainer()

# Each dimension once, so that the common case of two equal ones is told by identity: pint compares them item by item.
_dimensions: dict[Dimension, Dimension] = {DIMENSIONLESS: DIMENSIONLESS}


def the_one(dimension: Dimension) -> Dimension:
    """Return the one object that stands for a dimension."""
    return _dimensions.setdefault(dimension, dimension)


def differ(left: Dimension, right: Dimension) -> bool:
    """Tell whether two dimensions are different ones."""
    return left is not right and left != right


# Quantities that come in whole pieces; only these may be rounded up or down to a count.
COUNTED = frozenset(
    (
        *("user", "request", "token", "document", "image"),
        *("GPU", "node", "replica", "run"),
        *("parameter", "layer", "head", "expert", "value"),
        *("block", "vector", "link", "page", "step", "pass"),
    )
)

_NAME = r"[A-Za-zµ%][A-Za-zµ]*"
_UNIT = re.compile(rf"(?:1|{_NAME}(?:\*{_NAME})*)(?:/{_NAME})*")
# Two digits of exponent are enough for any quantity, and keep a fraction from growing without bound.
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,3}(?:_[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?")


class UnitError(SizingError):
    """A text that is not a quantity or a unit of this project."""


class Unit(NamedTuple):
    """A unit as written (`TB/s/GPU`), its size in base units (1e12) and its dimension."""

    text: str
    size: Fraction
    dimension: Dimension

    def to_base(self, number: Fraction) -> float:
        """Return `number` of this unit in base units, rounded once."""
        return float(number * self.size)

    def from_base(self, value: float) -> float:
        """Return a base-unit value in this unit, by the same two float operations as the browser."""
        return value * self.size.denominator / self.size.numerator


@cache
def parse_unit(text: str) -> Unit:
    """Read a unit such as `byte`, `request/user`, `USD/GPU/hour`, `1/token`, `%`, or an empty text.

    Raises UnitError with the nearest known spelling when a name is not in `units.txt`.
    """
    if text == "":
        return Unit("", Fraction(1), DIMENSIONLESS)
    if not _UNIT.fullmatch(text):
        raise UnitError(f"`{text}` is not a unit; write names joined by * and /, such as `TB/s/GPU`")
    parts = text.replace("%", "percent").split("/")
    for name in [name for part in parts for name in part.split("*") if name != "1"]:
        if name not in _SPELLINGS:
            raise UnitError(f"unknown unit `{name}`" + nearest_unit(name))
    size, base = Fraction(1), DIMENSIONLESS
    for position, part in enumerate(parts):
        for name in part.split("*"):
            if name == "1":
                continue
            factor, unit = _in_base(name)
            size = size * factor if position == 0 else size / factor
            base = base * unit if position == 0 else base / unit
    return Unit(text, size, the_one(base))


def is_unit(text: str) -> bool:
    """Tell whether a text is a unit, without looking for what else may have been meant."""
    if not _UNIT.fullmatch(text):
        return False
    return all(name in _SPELLINGS or name == "1" for name in re.split(r"[*/]", text.replace("%", "percent")))


@cache
def _in_base(name: str) -> tuple[Fraction, Dimension]:
    factor, unit = _registry.get_base_units(name)
    return Fraction(str(factor)), unit._units


# A reload of an edited file finds nearly all of its quantities as they were.
@lru_cache(maxsize=4096)
def parse_quantity(text: str) -> tuple[Fraction, Unit]:
    """Read a quantity as the data file writes it: `10_000_000 user`, `3.35 TB/s/GPU`, `15 %`.

    Raises UnitError when the number or the unit is missing, malformed or unknown.
    """
    number, _, unit = text.partition(" ")
    value = parse_number(number)
    if value is None:
        raise UnitError(f"`{text}` is not a quantity; write a number, a space and a unit" + _number_hint(text))
    if not unit:
        raise UnitError(f"`{text}` has no unit; write a number, a space and a unit, such as `80 GB/GPU`")
    parsed = parse_unit(unit)
    if not math.isfinite(_as_float(value * parsed.size)):
        raise UnitError(f"`{text}` is too large for a number")
    return value, parsed


def parse_number(text: str) -> Fraction | None:
    """Read a bare number as the data file writes it (`10_000_000`, `2e7`), or return None."""
    return Fraction(text.replace("_", "")) if _NUMBER.fullmatch(text) else None


def _as_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def dimension_text(dimension: Dimension) -> str:
    """Write a dimension in base units, numerator first: `byte/s/GPU`, or `a plain number`."""
    if not dimension:
        return "a plain number"
    powers = [(name, Fraction(str(exponent))) for name, exponent in sorted(dimension.items())]
    above = [_power(name, exponent) for name, exponent in powers if exponent > 0]
    below = [_power(name, -exponent) for name, exponent in powers if exponent < 0]
    return "/".join(["*".join(above) or "1", *below]).replace("second", "s")


def is_count(dimension: Dimension) -> bool:
    """Tell whether a value of this dimension can be rounded to whole pieces (`GPU`, `request/replica`)."""
    return all(name in COUNTED for name in dimension)


def nearest(word: str, known: list[str]) -> str:
    """Return ` (did you mean …?)` for the closest known word, or an empty text."""
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return f" (did you mean `{close[0]}`?)" if close else ""


def nearest_unit(name: str) -> str:
    """Return ` (did you mean …?)` for the closest unit, also behind a prefix or in another case."""
    prefixes = ("", "k", "M", "G", "T", "P", "Gi", "Mi")
    spelled = [prefix + unit for unit in ("B", "FLOP", "byte", "s") for prefix in prefixes]
    known = sorted(str(unit) for unit in _registry._units if str(unit) not in ("percent", "second", "byte"))
    same = [unit for unit in known + spelled if unit.lower() == name.lower()]
    return f" (did you mean `{same[0]}`?)" if same else nearest(name, known + spelled)


def _number_hint(text: str) -> str:
    if any(mark.isdigit() and not mark.isascii() for mark in text):
        return "; the digits are 0 to 9"
    joined = re.fullmatch(rf"({_NUMBER.pattern})({_UNIT.pattern})", text)
    if joined:
        return f": `{joined[1]} {joined[2]}`"
    if re.match(r"\d{1,3}(,\d{3})+\b", text):
        return "; separate thousands by _"
    if re.match(r"\d+,\d+", text):
        return "; the decimal mark is a point"
    return ", such as `10_000_000 user`"


def _power(name: str, exponent: Fraction) -> str:
    return name if exponent == 1 else f"{name}^{exponent}"
