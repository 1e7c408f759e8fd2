"""The numbers sheet: every formula from the formula module, the dated facts, the shared assumptions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from markdown.extensions.toc import slugify
from markupsafe import Markup, escape

from macros.assumptions.model import Entry
from macros.chains import as_input
from macros.render import rows
from macros.render.quoting import formula_anchor
from macros.render.templating import render
from macros.render.worked import Known, Worked, worked
from macros.sizing import FORMULAS, Input
from macros.sizing.display import unit_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from macros.assumptions.model import Assumptions
    from macros.chains import Program
    from macros.sizing import Formula


class Group(NamedTuple):
    """A module of the formula library, as a section of the sheet."""

    title: str
    about: str

    @property
    def anchor(self) -> str:
        """The id that Markdown gives the section's heading."""
        return slugify(self.title, "-")


# In the order in which a round meets them.
_GROUPS = {
    "traffic": Group("Load", "From people to requests: how many arrive, and how many are inside at once."),
    "memory": Group("Memory", "What weights and caches take, and how many sequences fit beside the weights."),
    "number_formats": Group("Number formats in blocks", "Narrow formats store a scale with every few values."),
    "kv_cache": Group(
        "Other caches", "Latent attention, sliding windows and recurrent layers keep less, each its own way."
    ),
    "parallel": Group("Split over GPUs", "What each GPU holds when several share a model."),
    "engine_budget": Group("An engine's budget", "The lines that a serving engine prints at its start, one by one."),
    "decode": Group("Decode", "One token per sequence and step, for the whole batch at once."),
    "roofline": Group("Intensity", "FLOPs for each byte, against what a GPU offers: what it waits for."),
    "experts": Group("Mixtures of experts", "Few experts work on a token, and a batch touches most of them."),
    "speculation": Group("Speculative decoding", "A cheap draft guesses several tokens, and one step checks them."),
    "prefill": Group("Prefill", "The whole prompt in one pass, bound by compute."),
    "attention": Group("Attention's arithmetic", "The part that grows with the square of the length."),
    "phases": Group("Prefill beside decode", "How much of one phase keeps the other busy."),
    "sessions": Group("Sessions", "A conversation or an agent sends its growing context again at every turn."),
    "fleet": Group("Fleet", "From load to whole replicas, GPUs and nodes."),
    "cost": Group("Money", "From GPU time to dollars."),
    "prices": Group("Prices", "What others charge, and when a fleet of one's own is cheaper."),
    "training": Group("Training", "FLOPs of a run, the GPU time that they take, and how good that is."),
    "fine_tuning": Group("Fine-tuning", "What is trained, and what has to be in memory for it."),
    "checkpoints": Group("Checkpoints", "Failures cost the work since the last one; saving costs time too."),
    "parameters": Group("Parameters", "Counted from a model's config."),
    "vectors": Group("Vector indexes", "Vectors, links between them, and the pages that they lie in."),
    "diffusion": Group("Images", "FLOPs of a pass of a diffusion transformer, and of an image."),
    "speech": Group("Speech", "From seconds of audio to GPUs."),
    "classifiers": Group("Classifiers", "What is rare is mostly flagged by mistake."),
}


class Explained(NamedTuple):
    """A formula with its text, its worked example and the parts of its documentation."""

    id: str
    name: str
    text: str
    unit: str
    idea: str
    derivation: list[Markup]
    trap: Markup
    source: str
    arguments: list[tuple[str, str]]
    example: Worked


def formulas(assumptions: Assumptions, programs: Mapping[str, Program]) -> str:
    """Print the formula library, grouped by its modules, each formula with an example worked out on the page.

    Raises SizingError for a formula without an example, or for one that names no number.
    """
    known = Known(assumptions, programs)
    groups = [
        (group, [_explained(f, known) for f in FORMULAS.values() if f.group == name]) for name, group in _GROUPS.items()
    ]
    return render("formulas.html", groups=groups)


def facts(assumptions: Assumptions) -> str:
    """Print the catalogues: each entry's facts with document and date."""
    catalogues = [
        ("GPUs", assumptions.catalogues["gpus"]),
        ("Models", assumptions.catalogues["models"]),
        ("Number formats", assumptions.catalogues["dtypes"]),
    ]
    tables = [(title, [_entry(entry) for entry in entries.values()]) for title, entries in catalogues]
    return render("facts.html", tables=tables)


def shared(assumptions: Assumptions, programs: Iterable[Program]) -> str:
    """Print the shared assumptions, with the designs that use each."""
    users: dict[str, list[str]] = {}
    for program in programs:
        for id in program.chain.inputs:
            users.setdefault(id, []).append(program.id)
    inputs: list[Input] = [as_input(given.id, given) for given in assumptions.shared.values()]
    return render("shared.html", rows=[rows.input_row(given) for given in inputs], users=users)


def _unit(text: str) -> str:
    around = unit_text(text)
    return f"{around.before}{around.many}" if text else "a plain number"


def _entry(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.name,
        "source": entry.source,
        "read": entry.read,
        "facts": [rows.input_row(as_input(fact.id, fact)) for fact in entry.facts.values()],
    }


def _explained(f: Formula, known: Known) -> Explained:
    paragraphs = re.split(r"\n\s*\n", f.documentation)
    idea, *derivation = [paragraph.replace("\n", " ") for paragraph in paragraphs]
    trap = next((p.removeprefix("Trap: ") for p in derivation if p.startswith("Trap: ")), "")
    return Explained(
        formula_anchor(f.name),
        f.result[0].upper() + f.result[1:],
        f.text,
        _unit(f.unit.text),
        idea,
        [escape(p) for p in derivation if not p.startswith("Trap: ")],
        escape(trap),
        f.source,
        [(a.short, _unit(a.unit.text)) for a in f.arguments],
        worked(f.name, known),
    )
