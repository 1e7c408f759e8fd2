"""Worked examples of the numbers sheet: a formula with values put in, computed and shown by the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from macros import formulas
from macros.assumptions.model import Amount
from macros.chains import as_input
from macros.formulas.examples import EXAMPLES
from macros.sizing import FORMULAS, SizingError
from macros.sizing.display import number_text, show, show_number
from macros.sizing.expression import expression_text
from macros.sizing.quantity import input_quantity
from macros.sizing.units import UnitError, nearest, parse_number, parse_quantity, parse_unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from macros.assumptions.model import Assumptions
    from macros.chains import Program
    from macros.sizing import Quantity
    from macros.sizing.display import Shown
    from macros.sizing.units import Unit


class Worked(NamedTuple):
    """An example with its values put in, its result as shown, and where the values are from."""

    text: str
    result: Shown
    source: str


class Known(NamedTuple):
    """Everything that an example may name: catalogues, shared assumptions, and chains by id."""

    assumptions: Assumptions
    programs: Mapping[str, Program]


def worked(name: str, known: Known) -> Worked:
    """Work a formula's example out. Raises SizingError for an example that names or computes no number."""
    example = EXAMPLES.get(name)
    if example is None:
        raise SizingError(f"formula {name} has no worked example\n  fix: add one to macros/formulas/examples.py")
    try:
        given = {argument: _quantity(text, known) for argument, text in example.given.items()}
        answer: Quantity = getattr(formulas, name)(**given)
        unit = parse_unit(example.unit) if example.unit else FORMULAS[name].unit
        if unit.dimension != answer.dimension:
            raise SizingError(f"the result is not in {unit.text}")
    except (SizingError, TypeError) as error:
        raise SizingError(f"macros/formulas/examples.py: the example of {name}: {error}") from error
    return Worked(expression_text(answer), show(answer.value, unit, example.digits), example.source)


def _quantity(text: str, known: Known) -> Quantity:
    if text[0].isdigit():
        return _written(text)
    value, unit, shown = _named(text, known)
    return input_quantity(text, value, unit, shown)


def _written(text: str) -> Quantity:
    """Return a quantity that stands in the example itself, shown with the digits it was written with."""
    plain = parse_number(text)
    number, unit = (plain, parse_unit("")) if plain is not None else parse_quantity(text)
    digits = Amount(number, unit).digits
    shown = show_number(float(number), unit, digits) if unit.text else number_text(float(number), digits)
    return input_quantity(text, unit.to_base(number), unit, shown)


def _named(text: str, known: Known) -> tuple[float, Unit, str]:
    """Return value, unit and shown text of a number that is defined in the data file or in a chain."""
    head, _, rest = text.partition(".")
    entry, _, fact = rest.partition(".")
    catalogues = known.assumptions.catalogues
    names: list[str] = []
    if head in catalogues:
        names = [f"{head}.{id}.{fact_id}" for id, one in catalogues[head].items() for fact_id in one.facts]
        if text in names:
            found = as_input(fact, catalogues[head][entry].facts[fact])
            return found.value, found.unit, str(found.shown)
    elif head == "shared":
        names = [f"shared.{id}" for id in known.assumptions.shared]
        if text in names:
            found = as_input(rest, known.assumptions.shared[rest])
            return found.value, found.unit, str(found.shown)
    elif head in known.programs:
        chain = known.programs[head].chain
        names = [f"{head}.{id}" for id in (*chain.inputs, *chain.steps)]
        if text in names:
            named = chain.steps[rest] if rest in chain.steps else chain.inputs[rest]
            return named.value, named.unit, str(named.shown)
    raise UnitError(f"there is no number `{text}`{nearest(text, names)}")
