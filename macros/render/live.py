"""What a design page hands to the browser: its program, and what a reader may change in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from macros.assumptions.model import Amount
from macros.chains import change_map, options
from macros.sizing import export

if TYPE_CHECKING:
    from collections.abc import Mapping

    from macros.assumptions.model import Change, Entry
    from macros.chains import Program


def data(program: Program) -> Markup:
    """Return the JSON of a page: numbers in base units, everything shown is made from them by the same rules as here.

    Beside what `macros/sizing/export.py` documents:

        {"inputs": [{…, "label": "Batch", "low": 64.0, "high": 350.0, "word": "layers", "share": true}],
         "uses": {"gpu": {"chosen": "h100_sxm",
                          "options": [{"id": "h200_sxm", "name": "H200 SXM", "values": {"gpu.memory": 141e9},
                                       "peaks": {"fp8": 1.979e15}}]}},
         "ceilings": {"bandwidth": "gpus_by_bandwidth"},
         "cards": {"context": {"asks": "replicas", "changes": {"input_tokens": 3000.0}, "uses": {"weights": "bf16"}}},
         "slips": [{"at": "quiz-fleet/average-hour", "changes": {…}, "uses": {…}, "reads": "cost_per_1000"}]}
    """
    chain = program.chain
    page: dict[str, Any] = export.program(chain)
    for told, given in zip(page["inputs"], chain.inputs.values(), strict=True):
        told["label"] = given.label
        if given.low is not None and given.high is not None:
            told |= {"low": given.low, "high": given.high}
        if given.kind == "fact" and given.word is not None:
            told["word"] = given.word
        if given.unit.text == "%":
            told["share"] = True
    for constraint in page["constraints"]:
        constraint["label"] = chain.constraints[constraint["id"]].label
    page["uses"] = {
        name: {"chosen": entry.id, "options": [_option(program, name, other) for other in options(program, name)]}
        for name, entry in program.data.uses.items()
    }
    page["ceilings"] = dict(chain.ceilings)
    page["cards"] = {card.id: {"asks": card.asks, **_changes(card.changes)} for card in program.data.follow_ups}
    page["slips"] = [
        {
            "at": f"quiz-{question.id}/{slip.id}",
            **_changes(slip.changes),
            **({"reads": slip.reads} if slip.reads else {}),
        }
        for question in program.data.quiz
        for slip in question.slips
        if slip.reads is None or slip.reads != chain.headline
    ]
    # Inside a script element only its end tag has a meaning.
    return Markup(json.dumps(page, allow_nan=False, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/"))


def _option(program: Program, name: str, entry: Entry) -> dict[str, Any]:
    option: dict[str, Any] = {"id": entry.id, "name": entry.name}
    values = {f"{name}.{fact.id}": fact.amount.base for fact in entry.facts.values()}
    option["values"] = {id: value for id, value in values.items() if id in program.chain.inputs}
    if entry.catalogue == "gpus":
        peaks = {id: fact.amount.base for id, fact in entry.facts.items() if id.startswith("dense_")}
        option["peaks"] = {id.removeprefix("dense_"): value for id, value in peaks.items()}
    if entry.arithmetic:
        option["arithmetic"] = entry.arithmetic
    return option


def _changes(changes: tuple[Change, ...]) -> Mapping[str, Any]:
    by_input = change_map(changes)
    return {
        "changes": {id: to.base for id, to in by_input.items() if isinstance(to, Amount)},
        "uses": {id: to.id for id, to in by_input.items() if not isinstance(to, Amount)},
    }
