"""All chains of the site: a module's function, joined with its block of the data file."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from macros.assumptions.model import Amount, Entry
from macros.sizing import Input, Measured, SizingError, record, replay
from macros.sizing.display import number_text, show_number
from macros.sizing.errors import fault
from macros.sizing.units import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from macros.assumptions.model import Assumptions, ChainData, Change, Given
    from macros.sizing import Builder, Chain

GROUPS = ("designs", "path", "workbench")


@dataclass(frozen=True)
class Program:
    """A chain's function together with its data: it can be recorded, and replayed with other inputs."""

    assumptions: Assumptions
    data: ChainData
    function: Callable[[Builder], None]

    @property
    def id(self) -> str:
        """The chain's id, `chatgpt`."""
        return self.data.id

    @cached_property
    def known(self) -> dict[str, Input]:
        """Every input that the chain may ask for, at its published value."""
        return _known(self.assumptions, self.data, self.data.uses)

    @cached_property
    def chain(self) -> Chain:
        """The recording at the published numbers. Raises SizingError, also where a constraint does not hold."""
        chain = record(self.id, self.function, self.known, self._measured)
        broken = [constraint for constraint in chain.constraints.values() if not constraint.holds]
        if broken:
            told = [
                f"{b.label}: {chain.label(b.left)} is {chain.show(b.left)}, "
                f"but {chain.label(b.right)} is {chain.show(b.right)}"
                for b in broken
            ]
            raise SizingError(
                "\n  ".join([f"{self.id} ({self.data.place}): a constraint does not hold", *told])
                + "\n  fix: change the assumption in data/assumptions.yml, or the constraint in the chain's module"
            )
        return chain

    def changed(self, changes: Mapping[str, Amount | Entry]) -> dict[str, Input]:
        """Return the inputs with some of them changed: an amount of one input, or a whole catalogue entry."""
        uses = dict(self.data.uses)
        for name, to in changes.items():
            if isinstance(to, Entry):
                uses[name] = to
        known = dict(self.known) if uses == self.data.uses else _known(self.assumptions, self.data, uses)
        for id, to in changes.items():
            if isinstance(to, Amount):
                if id not in known:
                    raise SizingError(f"{self.id} has no input `{id}`{nearest(id, [*known, *uses])}")
                # A range belongs to the published value, and a changed fact is no longer the document's.
                given = known[id]
                text = given.text if given.kind != "fact" else _fact_text(to, given.word)
                known[id] = replace(given, value=to.base, text=text, digits=to.digits)
        return known

    def recorded_with(self, changes: Mapping[str, Amount | Entry]) -> Chain:
        """Record the chain with changed inputs; constraints are noted, not enforced."""
        return record(self.id, self.function, self.changed(changes), self._measured)

    def values_with(self, changes: Mapping[str, Amount | Entry]) -> dict[str, float]:
        """Return every step's value, in base units, with changed inputs."""
        known = self.changed(changes)
        return self.replayed({id: known[id].value for id in known})

    def replayed(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return every step's value for inputs given as floats in base units."""
        return replay(self.function, self.known, values, self._measured)

    @cached_property
    def _measured(self) -> dict[str, Measured]:
        return {
            step: Measured(m.amount.base, m.amount.unit, m.tool, m.date, m.hardware, str(m.place))
            for step, m in self.data.measured.items()
        }


# Of the last data file asked about: a build asks at its start and at its end, and need not record twice.
_made: list[tuple[Assumptions, dict[str, dict[str, Program]]]] = []


def programs(assumptions: Assumptions) -> dict[str, dict[str, Program]]:
    """Return all chains by group and id, in the learner's order. Raises SizingError for a block without a module."""
    if not _made or _made[0][0] is not assumptions:
        _made[:] = [(assumptions, {group: dict(_programs(assumptions, group)) for group in GROUPS})]
    return _made[0][1]


def change_map(changes: tuple[Change, ...]) -> dict[str, Amount | Entry]:
    """Return the changes of a follow-up card or a slip, by input."""
    return {change.input: change.to for change in changes}


def options(program: Program, use: str) -> list[Entry]:
    """Return the entries that a use can be swapped for: those of its catalogue with every fact that the chain asks."""
    entry = program.data.uses[use]
    asked = {id.removeprefix(f"{use}.") for id in program.chain.inputs if id.startswith(f"{use}.")}
    # A peak is chosen by the number format, not by a fact of this name.
    facts = {id for id in asked if not id.endswith("_flops")}
    return [other for other in program.assumptions.catalogues[entry.catalogue].values() if facts <= other.facts.keys()]


def module_name(id: str) -> str:
    """Return the name of a chain's module, since Python's names take no dash: `code_completion`."""
    return id.replace("-", "_")


def _programs(assumptions: Assumptions, group: str) -> Iterator[tuple[str, Program]]:
    blocks: dict[str, ChainData] = getattr(assumptions, group)
    modules = _modules(group)
    for id, data in sorted(blocks.items(), key=lambda item: item[1].order):
        module = module_name(id)
        if module not in modules:
            raise SizingError(
                f"{data.place}: `{group}: {id}:` has no module\n  fix: write macros/{group}/{module}.py with `chain(c)`"
            )
        yield id, Program(assumptions, data, importlib.import_module(f"macros.{group}.{module}").chain)
    expected = {module_name(id) for id in blocks}
    for module in modules:
        if module not in expected:
            id = module.replace("_", "-")
            raise SizingError(
                f"macros/{group}/{module}.py has no block\n  fix: add `{group}: {id}:` to data/assumptions.yml"
            )


def _modules(group: str) -> list[str]:
    try:
        package = importlib.import_module(f"macros.{group}")
    except ModuleNotFoundError:
        return []
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__))


def _known(assumptions: Assumptions, data: ChainData, uses: Mapping[str, Entry]) -> dict[str, Input]:
    known = {given.id: as_input(given.id, given) for given in data.own.values()}
    for name, entry in uses.items():
        for fact in entry.facts.values():
            if not fact.id.startswith("dense_"):
                known[f"{name}.{fact.id}"] = as_input(f"{name}.{fact.id}", fact)
    known |= _peaks(uses)
    for given in assumptions.shared.values():
        if given.id not in data.own:
            known[given.id] = replace(as_input(given.id, given), part="shared")
    return known


def _peaks(uses: Mapping[str, Entry]) -> dict[str, Input]:
    """Return each GPU's dense peak for each number format in use, as `gpu.weights_flops`."""
    peaks = {}
    for gpu_name, gpu in uses.items():
        for format_name, number_format in uses.items():
            if gpu.catalogue != "gpus" or number_format.catalogue != "dtypes":
                continue
            fact = gpu.facts.get(f"dense_{number_format.arithmetic}")
            if fact is None:
                raise fault(
                    f"{gpu.name} ({gpu.place}) has no dense {number_format.arithmetic} peak, "
                    f"which {number_format.name} weights run in",
                    fix=f"choose another number format, or add `dense_{number_format.arithmetic}` with its source",
                )
            peaks[f"{gpu_name}.{format_name}_flops"] = as_input(f"{gpu_name}.{format_name}_flops", fact)
    return peaks


def as_input(id: str, given: Given) -> Input:
    """Return a number of the data file as a chain's input; in formulas a fact shows its value, others a name."""
    low, high = (given.range[0].base, given.range[1].base) if given.range else (None, None)
    text = _fact_text(given.amount, given.word) if given.kind == "fact" else given.short
    return Input(
        id,
        given.label,
        text,
        given.kind,
        given.amount.unit,
        given.amount.base,
        low,
        high,
        given.because,
        given.source,
        given.read,
        str(given.place),
        given.part,
        given.short,
        given.word,
        given.amount.digits,
    )


def _fact_text(amount: Amount, word: str | None) -> str:
    """Return what a formula shows for a fact: its value with its unit, or with the word that people say instead."""
    number = float(amount.number)
    return (
        show_number(number, amount.unit, amount.digits)
        if word is None
        else f"{number_text(number, amount.digits)} {word}"
    )
