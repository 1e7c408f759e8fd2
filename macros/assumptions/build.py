"""The typed result, from a tree in which every mistake is ruled out."""

from __future__ import annotations

from typing import cast

from .fields import FACTS
from .mistakes import Position
from .model import (
    Amount,
    Assumptions,
    ChainData,
    Change,
    Entry,
    FollowUp,
    Given,
    Kind,
    Measurement,
    Place,
    Question,
    RoundStep,
    Slip,
)
from .tree import Mapping, Node, Scalar, Sequence


def build(root: Node, file: str) -> Assumptions:
    """Return the whole data file."""
    return _Builder(file).file(cast(Mapping, root))


class _Builder:
    def __init__(self, file: str) -> None:
        self._file = file
        self._catalogues: dict[str, dict[str, Entry]] = {}

    def file(self, root: Mapping) -> Assumptions:
        self._catalogues = {
            catalogue: {id: self._entry(catalogue, id, entry) for id, entry in root.mapping(catalogue).mappings()}
            for catalogue in FACTS
        }
        return Assumptions(
            steps=tuple(self._step(id, step) for id, step in root.mapping("steps").mappings()),
            catalogues=self._catalogues,
            shared={id: self._given(id, given) for id, given in root.mapping("shared").mappings()},
            designs=self._chains("designs", root),
            path=self._chains("path", root),
            workbench=self._chains("workbench", root),
        )

    def _place(self, at: Position) -> Place:
        return Place(self._file, at.line, at.column)

    def _step(self, id: str, step: Mapping) -> RoundStep:
        return RoundStep(id, _text(step, "name"), _amount(step, "minutes"), _text(step, "do"), self._place(step.at))

    def _entry(self, catalogue: str, id: str, entry: Mapping) -> Entry:
        name, source, read = _text(entry, "name"), _text(entry, "source"), _text(entry, "read")
        facts = {
            fact: Given(
                id=fact,
                label=f"{about.label}, {name}",
                short=about.short,
                kind="fact",
                amount=_amount(entry, fact),
                place=self._place(entry.keys[fact]),
                source=source,
                read=read,
                word=about.word,
            )
            for fact, about in FACTS[catalogue].items()
            if fact in entry.items
        }
        return Entry(catalogue, id, name, facts, source, read, self._place(entry.at), _text(entry, "arithmetic"))

    def _given(self, id: str, given: Mapping) -> Given:
        ends = given.items.get("range")
        return Given(
            id=id,
            label=_text(given, "label"),
            short=_text(given, "short"),
            kind=cast(Kind, _text(given, "kind") or "assumption"),
            amount=_amount(given, "value"),
            # Where the number stands is where a reader of a message changes it.
            place=self._place(given.keys["value"]),
            range=(_read(ends.items[0]), _read(ends.items[1])) if isinstance(ends, Sequence) else None,
            because=_text(given, "because"),
            part=_text(given, "part") or "numbers",
        )

    def _chains(self, group: str, root: Mapping) -> dict[str, ChainData]:
        return {id: self._chain(group, id, chain) for id, chain in root.mapping(group).mappings()}

    def _chain(self, group: str, id: str, chain: Mapping) -> ChainData:
        uses = {name: self._reference(_text(chain.mapping("uses"), name)) for name in chain.mapping("uses").items}
        return ChainData(
            group=group,
            id=id,
            order=int(cast(Scalar, chain.items["order"]).text),
            binds=_text(chain, "binds"),
            uses=uses,
            own={name: self._given(name, given) for name, given in chain.mapping("assumptions").mappings()},
            measured={step: self._measured(step, node) for step, node in chain.mapping("measured").mappings()},
            follow_ups=tuple(
                FollowUp(name, self._changes(node, uses), _text(node, "asks"), self._place(node.at))
                for name, node in chain.mapping("follow_ups").mappings()
            ),
            quiz=tuple(
                Question(name, _text(node, "asks"), self._slips(node, uses), self._place(node.at))
                for name, node in chain.mapping("quiz").mappings()
            ),
            place=self._place(chain.at),
        )

    def _measured(self, step: str, node: Mapping) -> Measurement:
        tool, date, hardware = _text(node, "tool"), _text(node, "date"), _text(node, "hardware")
        return Measurement(step, _amount(node, "value"), tool, date, hardware, self._place(node.keys["value"]))

    def _slips(self, question: Mapping, uses: dict[str, Entry]) -> tuple[Slip, ...]:
        return tuple(
            Slip(id, self._changes(slip, uses), _text(slip, "reads") or None, self._place(slip.at))
            for id, slip in question.mapping("slips").mappings()
        )

    def _changes(self, holder: Mapping, uses: dict[str, Entry]) -> tuple[Change, ...]:
        changes = holder.mapping("changes")
        return tuple(
            Change(
                name,
                self._reference(_text(changes, name)) if name in uses else _amount(changes, name),
                self._place(changes.keys[name]),
            )
            for name in changes.items
        )

    def _reference(self, text: str) -> Entry:
        catalogue, _, id = text.partition(".")
        return self._catalogues[catalogue][id]


def _text(mapping: Mapping, key: str) -> str:
    scalar = mapping.scalar(key)
    return scalar.text if scalar else ""


def _amount(mapping: Mapping, key: str) -> Amount:
    return _read(mapping.items[key])


def _read(node: Node) -> Amount:
    return cast(Amount, cast(Scalar, node).amount)
