"""The last phase: what has to hold between values. A rule speaks only when the values it needs are sound."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from macros.sizing.units import nearest

from .fields import CHAINS, FACTS, TOTAL_MINUTES, Quantity, Reference
from .mistakes import either, shown
from .tree import Mapping, Scalar, Sequence, join
from .values import described, read_amount

if TYPE_CHECKING:
    from .mistakes import Mistakes
    from .model import Amount

_REFERENCE = Reference("")


def check_rules(root: Mapping, mistakes: Mistakes) -> None:
    """Note what does not fit together."""
    _check_minutes(root.mapping("steps"), mistakes)
    shared = root.mapping("shared")
    for id, given in shared.mappings():
        _check_assumption(id, given, f"shared.{id}", mistakes)
    for group in CHAINS:
        _check_orders(root.mapping(group), group, mistakes)
        for id, chain in root.mapping(group).mappings():
            _Chain(root, chain, f"{group}.{id}", mistakes).check()


def _check_minutes(steps: Mapping, mistakes: Mistakes) -> None:
    minutes = [step.scalar("minutes") for _, step in steps.mappings()]
    amounts = [scalar.amount for scalar in minutes if scalar and scalar.amount]
    total = sum((amount.number * amount.unit.size for amount in amounts), Fraction(0)) / 60
    if len(amounts) == len(steps.items) and total != TOTAL_MINUTES:
        mistakes.add(
            steps.at,
            "steps",
            f"{float(total):g} min in all",
            f"{TOTAL_MINUTES} min",
            "change the minutes of a step",
        )


def _check_orders(chains: Mapping, group: str, mistakes: Mistakes) -> None:
    first: dict[str, str] = {}
    for id, chain in chains.mappings():
        order = chain.items.get("order")
        if not isinstance(order, Scalar) or order.typed != "int":
            continue
        if order.text in first:
            mistakes.add(
                order.at,
                f"{group}.{id}.order",
                f"{shown(order.text)}, the order of `{first[order.text]}` as well",
                "an order of its own",
                "choose a free number",
            )
        first.setdefault(order.text, id)


def _check_assumption(id: str, given: Mapping, path: str, mistakes: Mistakes) -> None:
    value, range_ = given.scalar("value"), given.items.get("range")
    kind = given.scalar("kind")
    if kind and kind.text == "target" and "range" in given.items:
        mistakes.add(
            given.keys["range"],
            join(path, "range"),
            "a range of a target",
            "a value alone",
            "remove the range, or make it an assumption",
        )
    if value and value.amount:
        _check_share(id, value, join(path, "value"), mistakes)
    if isinstance(range_, Sequence) and len(range_.items) == 2:
        _check_range(id, value, range_, join(path, "range"), mistakes)


def _check_range(id: str, value: Scalar | None, range_: Sequence, path: str, mistakes: Mistakes) -> None:
    ends = [end for end in range_.items if isinstance(end, Scalar) and end.amount]
    for index, end in enumerate(range_.items):
        if isinstance(end, Scalar) and end.amount:
            _check_share(id, end, f"{path}[{index}]", mistakes)
            if value and value.amount and end.amount.unit.dimension != value.amount.unit.dimension:
                ends.remove(end)
                mistakes.add(
                    end.at,
                    f"{path}[{index}]",
                    f"{shown(end.text)}, which is {described(end.amount.unit)}",
                    f"a quantity in {value.amount.unit.text}, like the value",
                    "give both ends the value's unit",
                )
    if len(ends) < 2:
        return
    (low, low_text), (high, high_text) = [(_exact(end), shown(end.text)) for end in ends]
    found = f"low {low_text} and high {high_text}"
    if low >= high:
        mistakes.add(range_.at, path, found, "the low end below the high end", "swap or change the ends")
    elif value and value.amount and not low <= _exact(value) <= high:
        mistakes.add(
            range_.at,
            path,
            found,
            f"the value {shown(value.text)} between them",
            "widen the range or change the value",
        )


def _check_share(id: str, scalar: Scalar, path: str, mistakes: Mistakes) -> None:
    if not id.endswith("_share") or scalar.amount is None:
        return
    if scalar.amount.unit.text != "%":
        mistakes.add(
            scalar.at,
            path,
            shown(scalar.text),
            "a share in %, such as `15 %`",
            "write it in %, or name it without `_share`",
        )
    elif scalar.amount.number > 100:
        mistakes.add(scalar.at, path, shown(scalar.text), "a share from 0 % to 100 %", "a part is not above its whole")


def _amount_at(given: Mapping) -> Amount | None:
    value = given.scalar("value")
    return value.amount if value else None


def _exact(scalar: Scalar) -> Fraction:
    """Return a readable quantity in base units, not rounded."""
    return scalar.amount.number * scalar.amount.unit.size if scalar.amount else Fraction(0)


class _Chain:
    """The rules of one chain's block."""

    def __init__(self, root: Mapping, chain: Mapping, path: str, mistakes: Mistakes) -> None:
        self._root, self._chain, self._path, self._mistakes = root, chain, path, mistakes
        self._own, self._shared = chain.mapping("assumptions"), root.mapping("shared")
        self._uses = chain.mapping("uses")

    def check(self) -> None:
        """Note what does not fit together in this block."""
        for id, given in self._own.mappings():
            path = f"{self._path}.assumptions.{id}"
            _check_assumption(id, given, path, self._mistakes)
            self._check_override(id, given, path)
        for name in self._uses.items:
            self._check_use(name)
        for id, follow_up in self._chain.mapping("follow_ups").mappings():
            self._check_changes(follow_up, f"{self._path}.follow_ups.{id}")
        for id, question in self._chain.mapping("quiz").mappings():
            for slip_id, slip in question.mapping("slips").mappings():
                self._check_changes(slip, f"{self._path}.quiz.{id}.slips.{slip_id}")

    def _check_override(self, id: str, given: Mapping, path: str) -> None:
        own, shared = _amount_at(given), _amount_at(self._shared.mapping(id))
        if own and shared and own.unit.dimension != shared.unit.dimension:
            value = given.items["value"]
            self._mistakes.add(
                value.at,
                join(path, "value"),
                f"a quantity that is {described(own.unit)}",
                f"one in {shared.unit.text}, like `shared.{id}`, which it overrides",
                "change the unit, or choose another name",
            )

    def _check_use(self, name: str) -> None:
        path, at = f"{self._path}.uses.{name}", self._uses.keys[name]
        scalar = self._uses.scalar(name)
        if scalar:
            self._entry(scalar, path, catalogue="")
        for assumptions, where in ((self._own, f"{self._path}.assumptions"), (self._shared, "shared")):
            if name in assumptions.items:
                taken = f"a name that `{where}` has too"
                self._mistakes.add(at, path, taken, "one meaning a name", "rename one of the two")

    def _check_changes(self, holder: Mapping, path: str) -> None:
        changes = holder.mapping("changes")
        for input_ in changes.items:
            scalar = changes.scalar(input_)
            if scalar:
                self._check_change(input_, scalar, changes, f"{path}.changes.{input_}")

    def _check_change(self, input_: str, scalar: Scalar, changes: Mapping, path: str) -> None:
        use, dot, fact = input_.partition(".")
        if input_ in self._uses.items:
            used = self._uses.scalar(input_)
            self._entry(scalar, path, catalogue=used.text.partition(".")[0] if used else "")
        elif dot and use in self._uses.items:
            self._check_changed_fact(use, fact, scalar, changes, path)
        elif input_ in self._own.items or input_ in self._shared.items:
            given = self._own if input_ in self._own.items else self._shared
            value = given.mapping(input_).scalar("value")
            if value and value.amount:
                self._read(scalar, path, value.amount.unit.text, value.text)
                _check_share(input_, scalar, path, self._mistakes)
        else:
            known = [*self._own.items, *self._uses.items, *self._shared.items]
            self._mistakes.add(
                changes.keys[input_],
                path,
                f"an unknown input{nearest(input_, [*known, *self._facts()])}",
                "an assumption of the chain or of `shared`, a use, or a fact of a use",
                "change the name, or define it",
            )

    def _check_changed_fact(self, use: str, fact: str, scalar: Scalar, changes: Mapping, path: str) -> None:
        used = self._uses.scalar(use)
        facts = FACTS.get(used.text.partition(".")[0], {}) if used else {}
        if fact in facts:
            self._read(scalar, path, facts[fact].unit, facts[fact].example)
        elif facts:
            self._mistakes.add(
                changes.keys[f"{use}.{fact}"],
                path,
                f"an unknown fact{nearest(fact, list(facts))}",
                f"a fact of `{use}`: {', '.join(facts)}",
                "change the name",
            )

    def _read(self, scalar: Scalar, path: str, unit: str, example: str) -> None:
        read_amount(Quantity("", example, unit), scalar, path, self._mistakes)

    def _facts(self) -> list[str]:
        uses = [(use, self._uses.scalar(use)) for use in self._uses.items]
        return [f"{use}.{fact}" for use, used in uses if used for fact in FACTS.get(used.text.partition(".")[0], {})]

    def _entry(self, scalar: Scalar, path: str, catalogue: str) -> None:
        """Judge a reference; `catalogue` is the only one allowed, or empty for any."""
        known = [f"{name}.{id}" for name in FACTS if catalogue in ("", name) for id in self._root.mapping(name).items]
        if scalar.text in known:
            return
        expected = f"an entry of `{catalogue}`" if catalogue else _REFERENCE.expected
        fix = f"write {either(known)}" if catalogue and known else "name an entry that exists"
        self._mistakes.add(scalar.at, path, shown(scalar.text) + nearest(scalar.text, known), expected, fix)
