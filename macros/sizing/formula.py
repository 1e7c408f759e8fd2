"""Formulas: plain functions whose arguments carry units, checked where recorded quantities meet them."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from .errors import SizingError, fault
from .expression import expression_text
from .quantity import Quantity, describe, input_quantity
from .units import Unit, dimension_text, parse_unit

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a formula: its name, unit, the short name that formulas show, and its largest value."""

    name: str
    unit: Unit
    short: str
    most: float


@dataclass(frozen=True, slots=True)
class Formula:
    """A documented formula of the field, as the numbers sheet shows it."""

    name: str
    group: str
    arguments: tuple[Argument, ...]
    unit: Unit
    result: str
    source: str
    documentation: str
    text: str


@dataclass(frozen=True, slots=True)
class In:
    """The unit of an argument, the short name that a formula shows for it, and the largest value that makes sense."""

    unit: str
    short: str
    most: float = math.inf


FORMULAS: dict[str, Formula] = {}


def formula(unit: str, result: str, *, source: str) -> Callable[[F], F]:
    """Register a formula: the unit and short name of its result, and where the formula is from.

    Arguments are annotated `Annotated[N, In("byte/request", "KV")]`. A recorded argument is checked against its
    unit, and every argument, recorded or float, must be finite, not negative and at most `In.most`; the result is
    checked too. Raises SizingError, naming formula and argument.
    """

    def register(function: F) -> F:
        arguments = _arguments(function)
        returns = parse_unit(unit)

        @wraps(function)
        def checked(*args: Any, **named: Any) -> Any:
            values = [*args, *(named[a.name] for a in arguments[len(args) :] if a.name in named)]
            for argument, value in zip(arguments, values, strict=False):
                if isinstance(value, Quantity):
                    _check_unit(function.__name__, argument, value)
                    number = value.value
                else:
                    number = value
                if not 0 <= number <= argument.most or number == math.inf:
                    raise _out_of_bounds(function.__name__, argument, value)
            answer = function(*args, **named)
            if isinstance(answer, Quantity) and answer.dimension != returns.dimension:
                raise fault(
                    f"formula {function.__name__} gives {describe(answer)}",
                    fix=f"it is declared in {unit}; check its terms or its declaration",
                )
            return answer

        # A half keeps every difference such as 1 − share away from zero.
        symbols = [input_quantity(a.name, 0.5, a.unit, a.short) for a in arguments]
        FORMULAS[function.__name__] = Formula(
            name=function.__name__,
            group=function.__module__.rpartition(".")[2],
            arguments=arguments,
            unit=returns,
            result=result,
            source=source,
            documentation=inspect.getdoc(function) or "",
            text=expression_text(function(*symbols)),
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


def _check_unit(function: str, argument: Argument, value: Quantity) -> None:
    if value.dimension != argument.unit.dimension:
        raise fault(
            f"formula {function}: argument {argument.name} has the wrong unit",
            f"found:    {describe(value)}",
            f"expected: {dimension_text(argument.unit.dimension)}",
            fix=f"pass a quantity in {argument.unit.text or 'no unit'}, or mend the unit in the data file",
        )


def _out_of_bounds(function: str, argument: Argument, value: Quantity | float) -> SizingError:
    upper = "" if argument.most == math.inf else f" and at most {argument.most:g}"
    found = describe(value) if isinstance(value, Quantity) else repr(value)
    return fault(
        f"formula {function}: argument {argument.name} is {found}",
        fix=f"it must be a finite number, not negative{upper}",
    )
