"""A design page: the five groups that its macros print."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from markupsafe import Markup

from macros.chains import options
from macros.render import live, push, rows
from macros.render.quoting import anchor, formula_anchor, quoted
from macros.render.rubric import COMMON
from macros.render.templating import render
from macros.render.words import AFTER_STEPS, Words, sections
from macros.sizing import SizingError, ceil, floor
from macros.sizing.errors import relative
from macros.sizing.points import POINTS
from macros.sizing.units import is_count

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from macros.chains import Program
    from macros.sizing import Chain

# A guess is graded by how far off it is, as a factor.
_FACTORS = (
    (1.25, "your arithmetic holds"),
    (2.0, "your method holds, one input is off"),
    (10.0, "a term is missing or counted twice"),
)


@dataclass(frozen=True)
class DesignPage:
    """One design page: its program, its title, its words, and where its diagram and other pages are."""

    program: Program
    title: str
    words: Words
    diagram: Path
    link: Callable[[str, str], str]

    @cached_property
    def chain(self) -> Chain:
        """The recorded chain."""
        return self.program.chain

    def round(self, body: str) -> str:
        """Print the round: chips, opening and prompt from the page, the warning, and the five steps."""
        lines = body.strip().splitlines()
        prompt = [line.removeprefix(">").strip() for line in lines if line.startswith(">")]
        opening = [line for line in lines if not line.startswith(">")]
        if not prompt or not opening:
            missing = "prompt" if opening else "opening"
            raise SizingError(
                f"found no {missing}; expected an opening, and a prompt in lines that begin with >\n"
                f"  fix: write the {missing} between [[% call round() %]] and [[% endcall %]]"
            )
        return render(
            "round.html",
            opening=Markup("\n".join(opening).strip()),
            prompt=Markup("\n".join(prompt)),
            minutes=self._minutes,
            computed=len(rows.part_steps(self.chain, "numbers")),
            plan=len(self.words.keys("evaluation")),
            rubric=[*COMMON, *self._own_ticks],
            title=self.title,
            sheet=Markup(self.link("numbers.md", "numbers sheet")),
            exercise=Markup(self.link("exercises/vllm-load-test.md", "load test")),
            steps=self._steps,
            told=[*rows.part_inputs(self.chain, "numbers"), *self._targets()],
            used=[entry.name for entry in self.program.data.uses.values()],
        )

    def score(self) -> str:
        """Print the rubric, and the prediction with its grades by factor."""
        chain = self.chain
        return render(
            "score.html",
            common=COMMON,
            own=self._own_ticks,
            count=len(COMMON) + len(self._own_ticks),
            steps=self._steps,
            ceilings=list(chain.ceilings),
            binds=self.program.data.binds,
            headline=chain.show(chain.headline),
            headline_label=chain.label(chain.headline),
            bounds=self._bounds(),
        )

    def answer(self, body: str) -> str:
        """Print the model answer's steps with the rows that each quotes, the tables, what binds and the bill."""
        chain = self.chain
        parts = sections(body, [*(step.name for step in self.program.assumptions.steps), *AFTER_STEPS])
        steps = []
        for position, step in enumerate(self._steps, start=1):
            text = parts[step["name"]]
            uses = [(anchor(id), chain.short(id)) for id in quoted(text)]
            steps.append({**step, "number": position, "text": Markup(text), "uses": uses})
        return render(
            "answer.html",
            steps=steps,
            figure=self._figure(),
            assumptions=rows.part_inputs(chain, "numbers"),
            computed=rows.part_steps(chain, "numbers"),
            behind=rows.behind(chain),
            headline=chain.show(chain.headline),
            headline_id=chain.headline,
            headline_text=rows.how(chain, chain.steps[chain.headline]),
            uses=self._uses,
            live=live.data(self.program),
            advice=Markup(parts["Takeaway"]),
            ceilings=self._ceilings(),
            ceilings_text=Markup(parts["What binds"]),
            binding=rows.part_steps(chain, "binds"),
            bill_text=Markup(parts["The bill in full"]),
            bill=rows.part_steps(chain, "bill"),
            signs=rows.SIGNS,
            anchor=anchor,
            sheet="../numbers.html",
            formula_anchor=formula_anchor,
        )

    def push(self) -> str:
        """Print the follow-up cards, what moves the headline, and the quiz."""
        chain = self.chain
        bars, idle = push.bars(self.program)
        return render(
            "push.html",
            cards=push.cards(self.program, self.words),
            bars=bars,
            idle=idle,
            quiz=push.quiz(self.program, self.words),
            interval=push.interval(self.program),
            points=f"{POINTS:,}",
            sheet=Markup(self.link("numbers.md", "numbers sheet")),
            headline_id=chain.headline,
            headline=chain.show(chain.headline),
            headline_label=chain.label(chain.headline),
        )

    def sources(self) -> str:
        """Print the evaluation plan, the documents behind the facts, and the load-test command."""
        plan = [
            (self.words.text("evaluation", id, "title"), self.words.text("evaluation", id, "text"))
            for id in self.words.keys("evaluation")
        ]
        documents = {
            (entry.name, entry.source, entry.read): None
            for entry in self.program.data.uses.values()
            if any(
                id.startswith(f"{name}.")
                for name, used in self.program.data.uses.items()
                if used is entry
                for id in self.chain.inputs
            )
        }
        return render(
            "sources.html",
            plan=plan,
            documents=list(documents),
            # A line whose page does not exist yet has no link, and would lead nowhere.
            deeper=[text for id in self.words.keys("deeper") if "<a " in (text := self.words.text("deeper", id))],
            load_test_note=self.words.optional("load_test_note"),
            load_test=self.words.text("load_test"),
            exercise=Markup(self.link("exercises/vllm-load-test.md", "load-test exercise")),
            id=self.program.id,
        )

    @property
    def _uses(self) -> list[tuple[str, str, list[dict[str, object]]]]:
        """Return the catalogues that a reader may choose from: the use, what it is called, and its entries."""
        found = []
        for use, entry in self.program.data.uses.items():
            choices = options(self.program, use)
            if len(choices) > 1:
                told = [{"id": one.id, "name": one.name, "chosen": one is entry} for one in choices]
                found.append((use, use.replace("_", " ").capitalize().replace("Gpu", "GPU"), told))
        return found

    def _targets(self) -> list[rows.Row]:
        return [rows.input_row(given) for given in self.chain.inputs.values() if given.kind == "target"]

    @cached_property
    def _own_ticks(self) -> list[tuple[str, str]]:
        return [(id, self.words.text("rubric", id)) for id in self.words.keys("rubric")]

    @cached_property
    def _steps(self) -> list[dict[str, str]]:
        return [
            {"id": step.id, "name": step.name, "minutes": f"{step.minutes.number}", "do": step.do}
            for step in self.program.assumptions.steps
        ]

    @property
    def _minutes(self) -> str:
        return f"{sum(step.minutes.number for step in self.program.assumptions.steps)}"

    def _bounds(self) -> list[tuple[str, str, str]]:
        """Return the headline's neighbourhood for each factor; a count's bounds are the whole numbers inside it."""
        chain, value = self.chain, self.chain.value(self.chain.headline)
        whole = is_count(chain.steps[chain.headline].unit.dimension)
        found = []
        for factor, meaning in _FACTORS:
            low, high = value / factor, value * factor
            if whole:
                low, high = ceil(low), floor(high)
            text = f"{chain.show(chain.headline, low).number}–{chain.show(chain.headline, high)}"
            found.append((f"{factor:g}", meaning, text))
        return found

    def _ceilings(self) -> list[dict[str, object]]:
        chain = self.chain
        values = {word: chain.value(id) for word, id in chain.ceilings.items()}
        most = max(values.values(), default=0.0)
        found: list[dict[str, object]] = []
        for word, id in sorted(chain.ceilings.items(), key=lambda item: -values[item[0]]):
            bar = f"{100 * values[word] / most:.1f}" if most else "0"
            found.append({"word": word, "id": id, "binds": values[word] == most, "bar": bar, "shown": chain.show(id)})
        return found

    def _figure(self) -> dict[str, object]:
        source = self.diagram.with_suffix(".diagram.yml")
        if not self.diagram.exists():
            raise SizingError(
                f"{relative(self.diagram)} does not exist\n"
                f"  fix: write {relative(source)} and run `python -m macros diagram {self.program.id}`"
            )
        # Drawing takes longer than the rest of a page; a source edited after its drawing is what an author forgets,
        # and the tests draw every one again.
        if not source.exists() or source.stat().st_mtime_ns > self.diagram.stat().st_mtime_ns:
            from macros import diagrams

            if told := diagrams.stale(source):
                raise SizingError(told)
        return {
            "svg": Markup(self.diagram.read_text(encoding="utf-8")),
            "caption": self.words.text("diagram", "caption"),
            "words": [self.words.text("diagram", "words", id) for id in self.words.keys("diagram", "words")],
        }
