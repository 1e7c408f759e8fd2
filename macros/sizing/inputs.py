"""The input numbers of one chain, by name, as floats in base units or as recorded quantities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from .display import DIGITS, Shown, show
from .errors import fault
from .quantity import input_quantity
from .units import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .units import Unit


@dataclass(frozen=True)
class Input:
    """One input number of a chain, in base units, with what a reader is told about it.

    `text` is what a formula shows for it: the short name of an assumption, value and unit of a fact. `short` is
    the short name of either, `word` stands for a fact's unit in formulas, `digits` is how many it was written with.
    """

    id: str
    label: str
    text: str
    kind: str
    unit: Unit
    value: float
    low: float | None = None
    high: float | None = None
    because: str = ""
    source: str = ""
    read: str = ""
    place: str = ""
    part: str = "numbers"
    short: str = ""
    word: str | None = None
    digits: int = DIGITS

    @cached_property
    def shown(self) -> Shown:
        """The value as a page shows it."""
        return show(self.value, self.unit, self.digits)

    @cached_property
    def told(self) -> str:
        """Where the number comes from: its kind, source and date, its range with the reason, and its place."""
        told = [self.kind]
        if self.source:
            told.append(self.source)
        if self.read:
            told.append(f"read {self.read}")
        if self.low is not None and self.high is not None:
            low, high = (show(end, self.unit, self.digits) for end in (self.low, self.high))
            told.append(f"range {low} to {high}, {self.because}")
        return f"{'; '.join(told)} ({self.place})"

    @cached_property
    def line(self) -> str:
        """The input in one line of a derivation: label, id, value, and where it comes from."""
        return f"{self.label} [{self.id}] = {self.shown} · {self.told}"


class Names:
    """Attribute access to inputs: `given.batch`, `given.gpu.bandwidth`; it notes which ones a chain uses."""

    def __init__(self, get: Callable[[str], Any], known: Mapping[str, Input], prefix: str = "") -> None:
        self._get = get
        self._known = known
        self._prefix = prefix
        self._groups = _groups(tuple(known))

    def __getattr__(self, name: str) -> Any:
        id = self._prefix + name
        if id in self._known:
            found = self._get(id)
        elif id in self._groups:
            found = Names(self._get, self._known, id + ".")
        else:
            raise fault(
                f"no input `{id}`{nearest(id, list(self._known))}",
                fix="add it to the chain's block, to `shared:` or to the entry that it uses in data/assumptions.yml",
            )
        # Python asks here for what is not an attribute yet: each name once.
        setattr(self, name, found)
        return found


# A replay asks for the same ids as the one before it.
@lru_cache
def _groups(ids: tuple[str, ...]) -> frozenset[str]:
    """Return what stands before a point in an id: `gpu` for `gpu.bandwidth`."""
    return frozenset(id[:end] for id in ids for end, mark in enumerate(id) if mark == ".")


def recording(known: Mapping[str, Input], used: dict[str, Any]) -> Names:
    """Return the inputs as recorded quantities; each one asked for is added to `used` once."""

    def get(id: str) -> Any:
        if id not in used:
            given = known[id]
            used[id] = input_quantity(id, given.value, given.unit, given.text)
        return used[id]

    return Names(get, known)


def replaying(known: Mapping[str, Input], values: Mapping[str, float]) -> Names:
    """Return the inputs as floats in base units: the value in `values` where there is one, else the published one."""
    return Names(lambda id: values.get(id, known[id].value), known)
