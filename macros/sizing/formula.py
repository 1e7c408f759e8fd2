"""Formulas: plain functions whose arguments carry units, checked where recorded quantities meet them."""

from __future__ import annotations

import inspect
import math
import sys
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .errors import SizingError, fault, no_result
from .expression import expression_text
from .operations import no_more_than, not_negative
from .quantity import Quantity, describe, input_quantity, recorded
from .rounding import at_most
from .units import Unit, differ, dimension_text, parse_unit

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


class Argument(NamedTuple):
    """One argument of a formula: its name, unit, the short name that formulas show, its largest value, if whole."""

    name: str
    unit: Unit
    short: str
    most: float
    whole: bool


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
    """The unit of an argument, the short name that a formula shows for it, and the largest value that makes sense.

    A whole argument is the count in a power or in a sum of powers.
    """

    unit: str
    short: str
    most: float = math.inf
    whole: bool = False


FORMULAS: dict[str, Formula] = {}


def formula(unit: str, result: str, *, source: str, most: float = math.inf) -> Callable[[F], F]:
    """Register a formula: the unit and short name of its result, where it is from, and the most that it can give.

    Arguments are annotated `Annotated[N, In("byte/request", "KV")]`. Where one argument is recorded, all are checked
    against their units, and every argument, recorded or float, must be finite, not negative and at most `In.most`.
    A result above `most` is refused. The result's unit is checked here, once, on symbols. Raises SizingError, naming
    formula and argument.
    """

    def register(function: F) -> F:
        arguments = _arguments(function)
        returns = parse_unit(unit)
        by_name = {argument.name: argument for argument in arguments}
        # No float above the largest is finite.
        bounds = [min(argument.most, sys.float_info.max) for argument in arguments]
        has_whole = any(argument.whole for argument in arguments)

        @wraps(function)
        def checked(*args: Any, **named: Any) -> Any:
            # Replays call with good floats alone, thousands of times: nothing to tell, and no unit to check.
            if not named and len(args) == len(bounds) and not has_whole:
                for position, value in enumerate(args):
                    if type(value) is not float or not 0 <= value <= bounds[position]:
                        break
                else:
                    return function(*args) if most == math.inf else no_more_than(function(*args), most)
            # What is missing, too many or misnamed is left to the call itself, which says so.
            given = dict(zip(by_name, args, strict=False)) | named
            among_recorded = any(isinstance(value, Quantity) for value in given.values())
            for name, value in given.items():
                if name in by_name:
                    _check(function.__name__, by_name[name], recorded(value) if among_recorded else value)
                    given[name] = _bounded(by_name[name], value)
            positions = [given[name] for name in list(by_name)[: len(args)]]
            answer = function(*positions, *args[len(positions) :], **{name: given[name] for name in named})
            if most != math.inf:
                answer = no_more_than(answer, most)
            if isinstance(answer, Quantity):
                answer.formula = function.__name__
            return answer

        # No two of these values are equal and none is one, so that no difference such as 1 − share is zero.
        symbols = [
            input_quantity(a.name, 1 if a.whole else 1 / (position + 2), a.unit, a.short)
            for position, a in enumerate(arguments)
        ]
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
    found = []
    annotations = inspect.get_annotations(function, eval_str=True)
    for name in function.__code__.co_varnames[: function.__code__.co_argcount]:
        notes = [note for note in getattr(annotations.get(name), "__metadata__", ()) if isinstance(note, In)]
        if len(notes) != 1:
            raise SizingError(f"formula {function.__name__}: argument {name} needs `Annotated[N, In(unit, short)]`")
        found.append(Argument(name, parse_unit(notes[0].unit), *notes[0][1:]))
    return tuple(found)


def _check(function: str, argument: Argument, value: Quantity | float) -> None:
    if isinstance(value, Quantity) and differ(value.dimension, argument.unit.dimension):
        raise fault(
            f"formula {function}: argument {argument.name} has the wrong unit",
            f"found:    {describe(value)}",
            f"expected: {dimension_text(argument.unit.dimension)}",
            fix=f"pass a quantity in {argument.unit.text or 'no unit'}, or mend the unit in the data file",
        )
    number = value.value if isinstance(value, Quantity) else value
    outside = not 0 <= number < math.inf or not at_most(number, argument.most)
    if not outside and (not argument.whole or number == math.floor(number)):
        return
    found = f"formula {function}: argument {argument.name} is "
    found += describe(value) if isinstance(value, Quantity) else repr(value)
    if outside:
        upper = "" if argument.most == math.inf else f" and at most {argument.most:g}"
        raise no_result(found, fix=f"it must be a finite number, not negative{upper}")
    raise no_result(found, fix="it must be a whole number; round it with ceil(x) or floor(x) first")


def _bounded(argument: Argument, value: Any) -> Any:
    """Record an argument's bounds where other inputs could break them: a what-if has no number there."""
    if not isinstance(value, Quantity):
        return value
    if value.signed:
        value = not_negative(value)
    return value if argument.most == math.inf else no_more_than(value, argument.most)
