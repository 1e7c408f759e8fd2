"""A chain run again on floats, with some inputs changed: the author's own function, not its recording."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .chain import Builder, Measured, Pending
from .display import DIGITS
from .errors import NoResultError, SizingError, computing
from .inputs import Input, replaying

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class _Replayer(Builder):
    """Runs the same function on floats in base units and keeps each step's value.

    It stands for its parts and for the announced step as well, since one step follows another: replays come by the
    thousand. As a text it is the step being computed, for messages.
    """

    def __init__(
        self, known: Mapping[str, Input], values: Mapping[str, float], measured: Mapping[str, Measured]
    ) -> None:
        self.given = replaying(known, values)
        self.measured = measured
        self.values: dict[str, float] = {}
        self.current = "replay"
        # Whether that step has its value, and the function computes something for later ones.
        self.between = False

    def __str__(self) -> str:
        return f"what follows {self.current}" if self.between else self.current

    def part(self, name: str) -> Any:
        return self

    def step(self, id: str, label: str, unit: str, *, short: str = "", digits: int = DIGITS) -> Pending:
        """Note which step is being computed; see `Part.step`."""
        self.current, self.between = id, False
        return self

    def headline(self, step: Any) -> None:
        pass

    def ceiling(self, word: str, step: Any) -> None:
        pass

    def require(self, id: str, label: str, left: Any, *, at_most: Any) -> None:
        pass

    def of(self, expression: float) -> float:
        """Keep the announced step's value and return it for later formulas."""
        measured = self.measured.get(self.current)
        value = expression if measured is None else measured.value
        if not math.isfinite(value):
            raise _no_number(self.current, f"it is {value}")
        self.values[self.current] = value
        self.between = True
        return value


def replay(
    function: Callable[[Builder], None],
    known: Mapping[str, Input],
    values: Mapping[str, float],
    measured: Mapping[str, Measured] = MappingProxyType({}),
) -> dict[str, float]:
    """Run a chain's function on floats with some inputs changed; return every step's value in base units.

    Raises SizingError naming the step that a change leaves without a number.
    """
    replayer = _Replayer(known, values, measured)
    with computing(replayer):
        try:
            function(replayer)
        except ZeroDivisionError as error:
            raise _no_number(str(replayer), "its divisor is zero") from error
        except NoResultError as error:
            raise _no_number(str(replayer), error.why) from error
        return replayer.values


def _no_number(step: str, why: str) -> SizingError:
    return SizingError(f"{step} has no number: {why}\n  fix: give the inputs behind it other values")
