"""The shape of the data file, declared once; loader, JSON Schema and messages are made from it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .mistakes import either

WORD = r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*"
DASHED = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
# Never negative. No quantity of this field needs a longer exponent, and with this one none overflows a float.
QUANTITY = r"\+?(?:[1-9][0-9]{0,2}(?:_[0-9]{3})+|0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})? [^ ]+"
LONGEST_QUANTITY = 100
HIGHEST_ORDER = 9999


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is not empty."""

    about: str
    example = "…"
    fix = "write words behind the key"

    @property
    def expected(self) -> str:
        """What a message says was expected."""
        return f"a text ({self.about})"


@dataclass(frozen=True, slots=True)
class Name:
    """The id of something that this file does not define, such as a step of a chain."""

    about: str
    example: str
    fix = "write the id: lower-case words joined by _"

    @property
    def expected(self) -> str:
        """What a message says was expected."""
        return f"{self.about}, such as `{self.example}`"


@dataclass(frozen=True, slots=True)
class Date:
    """A calendar day."""

    about: str
    example = "2026-09-30"
    fix = "write year, month and day with their zeros"

    @property
    def expected(self) -> str:
        """What a message says was expected."""
        return f"a date as YYYY-MM-DD, such as `{self.example}`"


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from 1 up; the only numbers without a unit."""

    about: str
    example = "1"
    fix = "write digits alone: no quotes, point, separator or leading zero"

    @property
    def expected(self) -> str:
        """What a message says was expected."""
        return f"a whole number from 1 to {HIGHEST_ORDER}, such as `{self.example}`"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    about: str
    options: tuple[str, ...]
    fix = "write one of them"

    @property
    def example(self) -> str:
        """A value that is right."""
        return self.options[0]

    @property
    def expected(self) -> str:
        """What a message says was expected."""
        return either(self.options)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, a space and a unit; `unit` when the field demands one, else the author chooses it."""

    about: str
    example: str
    unit: str = ""
    above_zero: bool = False
    fix = "write the quantity behind the key"

    @property
    def expected(self) -> str:
        """What a message says was expected."""
        if self.unit:
            return f"a quantity in {self.unit}, such as `{self.example}`"
        return f"a number, a space and a unit, such as `{self.example}`"


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of a catalogue, as `catalogue.entry`."""

    about: str
    example = "gpus.h100_sxm"
    fix = "write the catalogue and the entry, joined by a point"

    @property
    def expected(self) -> str:
        """What a message says was expected."""
        return f"an entry of a catalogue, such as `{self.example}`"


@dataclass(frozen=True, slots=True)
class ChangedTo:
    """What an input is changed to: a quantity, or an entry for an input that is one."""

    about: str
    example = "30 %"
    fix = "write the other value behind the input"

    @property
    def expected(self) -> str:
        """What a message says was expected."""
        return "a quantity or an entry, such as `30 %` or `dtypes.bf16`"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two quantities, the lower first."""

    about: str
    of: Quantity
    example = "[5 user, 20 user]"
    fix = "write both in brackets, with a comma between them"

    @property
    def expected(self) -> str:
        """What a message says was expected."""
        return f"two quantities, low and high, such as `{self.example}`"


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping with fixed keys; `optional` may be left out, `needs` says which key asks for which other."""

    about: str
    fields: dict[str, Shape]
    optional: tuple[str, ...] = ()
    needs: tuple[tuple[str, str], ...] = ()
    one_of: bool = False
    example = "…"
    fix = "write its keys on the lines below, indented"

    @property
    def expected(self) -> str:
        """What a message says was expected."""
        return f"a mapping ({self.about})"

    @property
    def required(self) -> list[str]:
        """The keys that must be there."""
        return [] if self.one_of else [key for key in self.fields if key not in self.optional]


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping from ids that the author chooses; `ids` is their pattern."""

    about: str
    of: Shape
    ids: str = WORD
    fewest: int = 0
    example = "{}"

    @property
    def fix(self) -> str:
        """What to do about something else."""
        return "add an entry" if self.fewest else "write `{}` when there are none"

    @property
    def expected(self) -> str:
        """What a message says was expected."""
        return f"a mapping ({self.about})"


Shape = Text | Name | Date | Whole | Choice | Quantity | Reference | ChangedTo | Pair | Record | Table


@dataclass(frozen=True, slots=True)
class Fact:
    """One number of a catalogue's entries: how it is written, and how tables and formulas call it."""

    unit: str
    label: str
    short: str
    example: str
    word: str | None = None
    optional: bool = False


FACTS: dict[str, dict[str, Fact]] = {
    "gpus": {
        "memory": Fact("byte/GPU", "GPU memory", "memory", "80 GB/GPU"),
        "bandwidth": Fact("byte/s/GPU", "Memory bandwidth", "bandwidth", "3.35 TB/s/GPU"),
        "dense_bf16": Fact("FLOP/s/GPU", "Peak dense bf16 compute", "bf16 peak", "989 TFLOP/s/GPU"),
        "dense_fp8": Fact("FLOP/s/GPU", "Peak dense fp8 compute", "fp8 peak", "1_979 TFLOP/s/GPU", optional=True),
    },
    "models": {
        "parameters": Fact("parameter", "Parameters, exact", "exact parameters", "70_553_706_496 parameter"),
        "nominal": Fact("parameter", "Parameters, nominal", "parameters", "70 Bparam"),
        "layers": Fact("layer", "Layers", "layers", "80 layer", word="layers"),
        "kv_heads": Fact("head/layer", "KV heads", "KV heads", "8 head/layer", word="KV heads"),
        "head_dim": Fact("value/head", "Head dimension", "head dim", "128 value/head", word="head dim"),
        "query_heads": Fact("head/layer", "Query heads", "query heads", "64 head/layer", "query heads", True),
        # Latent attention: one latent and one rotary key a layer stand in the cache for all heads.
        "latent": Fact("value/layer", "Latent per layer", "latent", "512 value/layer", "latent", optional=True),
        "rope": Fact("value/layer", "Rotary key per layer", "rope", "64 value/layer", "rope", optional=True),
        "key_dim": Fact(
            "value/head", "Key dimension in prefill", "key dim", "192 value/head", "key dim", optional=True
        ),
        "value_dim": Fact("value/head", "Value dimension", "value dim", "128 value/head", "value dim", optional=True),
        "table": Fact("parameter", "Token table", "token table", "155_309_056 parameter", optional=True),
        # Mixture of experts: all are resident, a token is multiplied by few.
        "active": Fact("parameter", "Parameters that a token uses", "active parameters", "37 Bparam", optional=True),
        "attention": Fact(
            "parameter", "Attention's parameters", "attention", "11_413_422_080 parameter", optional=True
        ),
        "routed": Fact("parameter", "Routed experts' parameters", "routed", "654 Bparam", optional=True),
        "experts": Fact("expert", "Routed experts per layer", "experts", "256 expert", "experts", optional=True),
        "experts_per_token": Fact(
            "expert/token", "Routed experts that a token uses", "experts per token", "8 expert/token", optional=True
        ),
    },
    "dtypes": {
        "bytes": Fact("byte/parameter", "Bytes per parameter", "bytes", "2 byte/parameter"),
    },
}

# The arithmetic that a GPU's dense peaks are given for.
ARITHMETIC = tuple(fact.removeprefix("dense_") for fact in FACTS["gpus"] if fact.startswith("dense_"))

# The group in which a catalogue's entries are listed, in words.
_ENTRIES = {"gpus": "a GPU", "models": "a model", "dtypes": "a number format"}

CHAINS: dict[Literal["designs", "path", "workbench"], str] = {
    "designs": "the designs",
    "path": "the write-ups of The Path",
    "workbench": "the calculations of the workbench",
}

TOTAL_MINUTES = 45


def _entry(catalogue: str) -> Record:
    facts = FACTS[catalogue]
    fields: dict[str, Shape] = {"name": Text("the name that pages show")}
    for name, fact in facts.items():
        fields[name] = Quantity(fact.label, fact.example, fact.unit, above_zero=True)
    if catalogue == "dtypes":
        fields["arithmetic"] = Choice("the arithmetic that runs on these weights", ARITHMETIC)
    fields["source"] = Text("where the numbers are published")
    fields["read"] = Date("the day on which the source was read")
    return Record(_ENTRIES[catalogue], fields, optional=tuple(name for name, fact in facts.items() if fact.optional))


_VALUE = Quantity("the value", "10_000_000 user")

STEP = Record(
    "one of the five steps",
    {
        "name": Text("the step's name"),
        "minutes": Quantity("the step's length", "5 min", "min", above_zero=True),
        "do": Text("what to do in it, in one sentence"),
    },
)

ASSUMPTION = Record(
    "an assumption",
    {
        "label": Text("the name in tables"),
        "short": Text("the name in formulas"),
        "value": _VALUE,
        "range": Pair("the lowest and highest plausible value", _VALUE),
        "because": Text("the reason for the range"),
        "kind": Choice("an assumption, or a target that the design must meet", ("assumption", "target")),
        "part": Choice("the table that it stands in", ("numbers", "bill")),
    },
    optional=("range", "because", "kind", "part"),
    needs=(("range", "because"),),
)

_CHANGES = Table(
    "inputs and what each is changed to", ChangedTo("the other value"), ids=rf"{WORD}(?:\.{WORD})?", fewest=1
)
_ASKS = Name("the step that is asked for", "replicas")

CHAIN = Record(
    "the numbers of one chain",
    {
        "order": Whole("its place among its group"),
        "binds": Text("the constraint that binds"),
        "uses": Table("names and the entries that they stand for", Reference("the entry")),
        "assumptions": Table("the chain's own assumptions", ASSUMPTION),
        "measured": Table(
            "steps and what was measured in their place",
            Record(
                "a measured value",
                {
                    "value": _VALUE,
                    "tool": Text("what measured it"),
                    "date": Date("the day of the measurement"),
                    "hardware": Text("what it ran on"),
                },
            ),
        ),
        "follow_ups": Table(
            "what the interviewer changes",
            Record("a follow-up", {"changes": _CHANGES, "asks": _ASKS}),
            ids=DASHED,
        ),
        "quiz": Table(
            "quiz questions",
            Record(
                "a quiz question",
                {
                    "asks": _ASKS,
                    "slips": Table(
                        "tempting wrong answers",
                        Record(
                            "a slip: either `changes` or `reads`",
                            {
                                "changes": _CHANGES,
                                "reads": Name("the step that is read instead", "cost_per_1000"),
                            },
                            one_of=True,
                        ),
                        ids=DASHED,
                        fewest=1,
                    ),
                },
            ),
            ids=DASHED,
        ),
    },
    optional=("uses", "measured", "follow_ups", "quiz"),
)

FILE = Record(
    "the data file",
    {
        "steps": Table(f"the steps of a round, {TOTAL_MINUTES} minutes in all", STEP, ids=DASHED),
        **{catalogue: Table(f"the catalogue `{catalogue}`", _entry(catalogue)) for catalogue in FACTS},
        "shared": Table("assumptions that several chains use", ASSUMPTION),
        **{group: Table(about, CHAIN, ids=DASHED) for group, about in CHAINS.items()},
    },
)


def shape_at(path: list[str | int]) -> Shape:
    """Return the shape of what stands at a path of keys and list positions."""
    shape: Shape = FILE
    for key in path:
        if isinstance(shape, Record):
            shape = shape.fields[str(key)]
        elif isinstance(shape, (Table, Pair)):
            shape = shape.of
    return shape


def as_id(text: str, pattern: str) -> str:
    """Return the nearest id that a pattern allows, for a message; an empty text when there is none."""
    joint = "-" if pattern == DASHED else "_"
    words = re.sub(r"[^a-z0-9]+", joint, text.lower()).strip(joint)
    return words if re.fullmatch(pattern, words) else ""
