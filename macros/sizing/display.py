"""How a number is shown: the same text here and in the browser, for every value.

The rule: whole numbers with thousands separators from 1,000 up, three significant digits below (or as many as the
step asks for), zeros at the end of a fraction left out, rounded half up on the exact decimal value of the float.
The shared table of cases is `tests/display_cases.json`.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .units import COUNTED, dimension_text

if TYPE_CHECKING:
    from .units import Dimension, Unit

DIGITS = 3

# Beyond these sizes a row of digits reads worse than a power of ten.
_LARGEST_PLAIN = Decimal("1e15")
_SMALLEST_PLAIN = Decimal("1e-6")

# Of our own, so that a context around us changes nothing; wide enough for every whole number that is written out.
_WIDE = Context(prec=20)

_SYMBOLS = {"second": "s", "hour": "h", "minute": "min", "percent": "%", "Bparam": "B"}
# What readers count is written out and takes a plural; symbols such as GB or ms do not. A bare byte is written out
# too, since B stands for billions beside a model's name.
_COUNTED_WORDS = COUNTED | {"byte", "sequence", "bit", "day", "month", "year"}
_WRITTEN_OUT = {"krequest": "1,000 requests", "Mtoken": "million tokens"}


_ONE_DECIMAL = re.compile(r"−?[0-9]+\.[0-9]")


class UnitText(NamedTuple):
    """What stands around a number: `$` before it, `token/s` or `tokens/s` after it, with or without a space."""

    before: str
    one: str
    many: str
    space: str

    def number(self, value: float, digits: int) -> str:
        """Write the number between them; dollars with cents show both of them, as in $1.40."""
        text = number_text(value, digits)
        return text + "0" if self.before == "$" and _ONE_DECIMAL.fullmatch(text) else text

    def after(self, number: str) -> str:
        """Return the text behind a shown number, in the singular for exactly `1`."""
        return self.one if number == "1" else self.many


class Shown(NamedTuple):
    """A number as shown, in parts that a page can set in different weights."""

    before: str
    number: str
    space: str
    unit: str

    def __str__(self) -> str:
        return f"{self.before}{self.number}{self.space}{self.unit}"


# One build shows each number of a chain in several views.
@lru_cache(maxsize=4096)
def number_text(value: float, digits: int = DIGITS) -> str:
    """Write a finite number by the display rule, without its unit."""
    if value == 0:
        return "0"
    sign, exact = ("−" if value < 0 else ""), Decimal(abs(value))
    rounded = _significant(exact, digits)
    if exact >= _LARGEST_PLAIN or rounded < _SMALLEST_PLAIN:
        exponent = rounded.adjusted()
        return f"{sign}{_trimmed(rounded.scaleb(-exponent, _WIDE))}e{exponent}"
    if rounded >= 1000:
        return f"{sign}{exact.quantize(Decimal(1), ROUND_HALF_UP, _WIDE):,.0f}"
    return sign + _trimmed(rounded)


def show(value: float, unit: Unit, digits: int = DIGITS) -> Shown:
    """Show a value in base units in the given unit."""
    around = unit_text(unit.text)
    number = around.number(unit.from_base(value), digits)
    return Shown(around.before, number, around.space, around.after(number))


def show_number(number: float, unit: Unit, digits: int = DIGITS) -> str:
    """Show a number that is already in the given unit, as one text."""
    around = unit_text(unit.text)
    text = around.number(number, digits)
    return f"{around.before}{text}{around.space}{around.after(text)}"


def show_in_base(value: float, dimension: Dimension) -> str:
    """Show a value in base units, for messages."""
    return f"{number_text(value, 4)}{' ' if dimension else ', '}{dimension_text(dimension)}"


@cache
def unit_text(unit: str) -> UnitText:
    """Return how a unit is written around its number: `USD/GPU/hour` gives `$` and ` per GPU-hour`."""
    above, *below = unit.split("/")
    names = above.split("*")
    if names == ["USD"]:
        per = " per " + "-".join(_WRITTEN_OUT.get(name, _symbol(name)) for name in below) if below else ""
        # Behind dollars people say it in full: per hour, per GPU-hour.
        per = re.sub(r"\bh$", "hour", per)
        return UnitText("$", per, per, "")
    if unit == "Bparam":
        return UnitText("", "B", "B", "")
    under = "".join("/" + _symbol(name) for name in below)
    one = "·".join(_symbol(name) for name in names if name != "1") + under
    many = "·".join([*(_symbol(n) for n in names[:-1]), _plural(names[-1])] if names != ["1"] else []) + under
    return UnitText("", one, many, " " if one else "")


def _symbol(name: str) -> str:
    return _SYMBOLS.get(name, name)


def _plural(name: str) -> str:
    if name not in _COUNTED_WORDS:
        return _symbol(name)
    return name + ("es" if name.endswith("s") else "s")


def _significant(exact: Decimal, digits: int) -> Decimal:
    return _rounding_to(digits).plus(exact)


@cache
def _rounding_to(digits: int) -> Context:
    return Context(prec=digits, rounding=ROUND_HALF_UP)


def _trimmed(rounded: Decimal) -> str:
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
