"""Formulas: plain functions whose arguments carry units, checked where recorded quantities meet them."""

from __future__ import annotations

import inspect
import math
import sys
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, get_type_hints

from .errors import SizingError, fault
from .expression import expression_text
from .quantity import Quantity, describe, input_quantity, recorded
from .units import Unit, dimension_text, parse_unit

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


class Argument(NamedTuple):
    """One argument of a formula: its name, unit, the short name that formulas show, and its largest value."""

    name: str
    unit: Unit
    short: str
    most: float


class Formula(NamedTuple):
    """A documented formula of the field, as the numbers sheet shows it."""

    name: str
    group: str
    arguments: tuple[Argument, ...]
    unit: Unit
    result: str
    source: str
    documentation: str
    text: str


class In(NamedTuple):
    """The unit of an argument, the short name that a formula shows for it, and the largest value that makes sense."""

    unit: str
    short: str
    most: float = math.inf


FORMULAS: dict[str, Formula] = {}


def formula(unit: str, result: str, *, source: str) -> Callable[[F], F]:
    """Register a formula: the unit and short name of its result, and where the formula is from.

    Arguments are annotated `Annotated[N, In("byte/request", "KV")]`. Where one argument is recorded, all are checked
    against their units, and every argument, recorded or float, must be finite, not negative and at most `In.most`.
    The result's unit is checked here, once, on symbols. Raises SizingError, naming formula and argument.
    """

    def register(function: F) -> F:
        arguments = _arguments(function)
        returns = parse_unit(unit)
        by_name = {argument.name: argument for argument in arguments}
        # No float above the largest is finite.
        bounds = [min(argument.most, sys.float_info.max) for argument in arguments]

        @wraps(function)
        def checked(*args: Any, **named: Any) -> Any:
            # Replays call with good floats alone, thousands of times: nothing to tell, and no unit to check.
            if not named and len(args) == len(bounds):
                for value, most in zip(args, bounds, strict=True):
                    if type(value) is not float or not 0 <= value <= most:
                        break
                else:
                    return function(*args)
            # What is missing, too many or misnamed is left to the call itself, which says so.
            given = dict(zip(by_name, args, strict=False)) | named
            among_recorded = any(isinstance(value, Quantity) for value in given.values())
            for name, value in given.items():
                if name in by_name:
                    _check(function.__name__, by_name[name], recorded(value) if among_recorded else value)
            return function(*args, **named)

        # A half keeps every difference such as 1 − share away from zero.
        symbols = [input_quantity(a.name, 0.5, a.unit, a.short) for a in arguments]
        answer = function(*symbols)
        if not isinstance(answer, Quantity) or answer.dimension != returns.dimension:
            raise fault(
                f"formula {function.__name__} gives {describe(recorded(answer))}",
                fix=f"it is declared in {unit or 'no unit'}; check its terms or its declaration",
            )
        FORMULAS[function.__name__] = Formula(
            name=function.__name__,
            group=function.__module__.rpartition(".")[2],
            arguments=arguments,
            unit=returns,
            result=result,
            source=source,
            documentation=inspect.getdoc(function) or "",
            text=expression_text(answer),
        )
        return checked  # type: ignore[return-value]

    return register


def _arguments(function: Callable[..., Any]) -> tuple[Argument, ...]:
    hints = get_type_hints(function, include_extras=True)
    found = []
    for name in inspect.signature(function).parameters:
        notes = [note for note in getattr(hints[name], "__metadata__", ()) if isinstance(note, In)]
        if len(notes) != 1:
            raise SizingError(f"formula {function.__name__}: argument {name} needs `Annotated[N, In(unit, short)]`")
        found.append(Argument(name, parse_unit(notes[0].unit), notes[0].short, notes[0].most))
    return tuple(found)


def _check(function: str, argument: Argument, value: Quantity | float) -> None:
    if isinstance(value, Quantity) and value.dimension != argument.unit.dimension:
        raise fault(
            f"formula {function}: argument {argument.name} has the wrong unit",
            f"found:    {describe(value)}",
            f"expected: {dimension_text(argument.unit.dimension)}",
            fix=f"pass a quantity in {argument.unit.text or 'no unit'}, or mend the unit in the data file",
        )
    number = value.value if isinstance(value, Quantity) else value
    if not 0 <= number <= argument.most or number == math.inf:
        upper = "" if argument.most == math.inf else f" and at most {argument.most:g}"
        raise fault(
            f"formula {function}: argument {argument.name} is "
            f"{describe(value) if isinstance(value, Quantity) else repr(value)}",
            fix=f"it must be a finite number, not negative{upper}",
        )
