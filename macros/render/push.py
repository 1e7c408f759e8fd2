"""The views of "Push it": follow-up cards, what moves the headline, and the quiz."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from macros.assumptions.model import Amount
from macros.chains import change_map
from macros.render.rows import range_text
from macros.sizing import points
from macros.sizing.display import number_text
from macros.sizing.sensitivity import broken_constraints, swings

if TYPE_CHECKING:
    from markupsafe import Markup

    from macros.assumptions.model import FollowUp
    from macros.chains import Program
    from macros.render.words import Words
    from macros.sizing import Chain
    from macros.sizing.display import Shown


class Moved(NamedTuple):
    """A number before and after a change."""

    label: str
    before: str
    after: Shown
    ratio: str


class Card(NamedTuple):
    """A follow-up: what the interviewer changes, what is asked, the chain recomputed, and what no longer holds."""

    id: str
    question: Markup
    asks: str
    answer: Moved
    moved: list[Moved]
    violated: list[str]
    lesson: Markup


class Bar(NamedTuple):
    """One row of "What moves it"; low, high and at are positions along the bar in percent."""

    id: str
    label: str
    range: str
    low: str
    high: str
    at: str
    text: str
    broken: str


class Option(NamedTuple):
    """One answer of a quiz question: `right`, or the slip that leads to it."""

    id: str
    shown: str
    right: bool
    why: Markup
    value: float


class Quiz(NamedTuple):
    """A quiz question with its answers, smallest first."""

    id: str
    question: Markup
    options: list[Option]


def cards(program: Program, words: Words) -> list[Card]:
    """Return the follow-up cards with their recomputed numbers."""
    words.match("follow_ups", [card.id for card in program.data.follow_ups], "the data file")
    return [_card(program, words, card) for card in program.data.follow_ups]


def bars(program: Program) -> tuple[list[Bar], list[str]]:
    """Return the headline's swing over every range, the widest first, and the names of those that do not move it."""
    chain = program.chain
    everything = swings(chain, program.replayed)
    found = [swing for swing in everything if swing.width]
    idle = [chain.short(swing.input) for swing in everything if not swing.width]
    ends = [value for swing in found for value in (swing.at_low, swing.at_high)]
    least, most = min(ends, default=0.0), max(ends, default=0.0)

    def position(value: float) -> str:
        return number_text(100 * (value - least) / (most - least) if most > least else 0.0)

    published = chain.value(chain.headline)
    rows = []
    for swing in found:
        low, high = sorted((swing.at_low, swing.at_high))
        text = f"{chain.show(chain.headline, low).number}–{chain.show(chain.headline, high).number}"
        broken = "; ".join(f"{chain.constraints[id].label}: not at one end" for id in swing.broken)
        given = chain.inputs[swing.input]
        rows.append(
            Bar(
                given.id,
                given.label,
                range_text(given),
                position(low),
                position(high),
                position(published),
                text,
                broken,
            )
        )
    return rows, idle


def interval(program: Program) -> str:
    """Return the 10th to the 90th percentile of the headline over all ranges at once: `58–240 replicas`."""
    chain = program.chain
    low, high, _ = points.interval(chain)
    return f"{chain.show(chain.headline, low).number} and {chain.show(chain.headline, high)}"


def quiz(program: Program, words: Words) -> list[Quiz]:
    """Return the questions; wrong answers are slips computed with the page's own chain."""
    chain = program.chain
    words.match("quiz", [question.id for question in program.data.quiz], "the data file")
    found = []
    for question in program.data.quiz:
        words.match(f"quiz.{question.id}.slips", [slip.id for slip in question.slips], "the data file")
        right = chain.value(question.asks)
        options = [
            Option("right", str(chain.show(question.asks)), True, words.text("quiz", question.id, "right"), right)
        ]
        for slip in question.slips:
            value = (
                chain.value(slip.reads) if slip.reads else program.values_with(change_map(slip.changes))[question.asks]
            )
            why = words.text("quiz", question.id, "slips", slip.id)
            options.append(Option(slip.id, str(chain.show(question.asks, value)), False, why, value))
        options.sort(key=lambda option: option.value)
        found.append(Quiz(question.id, words.text("quiz", question.id, "question"), options))
    return found


def _card(program: Program, words: Words, card: FollowUp) -> Card:
    chain, changes = program.chain, change_map(card.changes)
    changed_inputs = {id: to.base for id, to in changes.items() if isinstance(to, Amount)}
    after = program.values_with(changes)
    broken = broken_constraints(chain, after, changed_inputs)
    moved = [
        _moved(chain, id, after[id])
        for id, step in chain.steps.items()
        if step.part == "numbers" and after[id] != step.value and (not broken or id in _up_to(chain, card.asks))
    ]
    violated = [
        f"{chain.constraints[id].label}: {_side(chain, chain.constraints[id].left, after, changed_inputs)} is more "
        f"than {_side(chain, chain.constraints[id].right, after, changed_inputs)}"
        for id in broken
    ]
    return Card(
        card.id,
        words.text("follow_ups", card.id, "question"),
        chain.label(card.asks),
        _moved(chain, card.asks, after[card.asks]),
        moved,
        violated,
        words.text("follow_ups", card.id, "lesson"),
    )


def _up_to(chain: Chain, id: str) -> set[str]:
    """Return a step and what leads to it: later numbers mean nothing once a constraint is broken."""
    return {id, *chain.ancestors(id)}


def _moved(chain: Chain, id: str, after: float) -> Moved:
    before = chain.value(id)
    shown = chain.show(id)
    # A change of less than a percent needs more digits to be seen at all.
    ratio = f"× {number_text(after / before, 3 if abs(after / before - 1) > 0.01 else 5)}" if before else "from nothing"
    return Moved(chain.label(id), f"{shown.before}{shown.number}", chain.show(id, after), ratio)


def _side(chain: Chain, id: str, steps: dict[str, float], changed: dict[str, float]) -> str:
    return str(chain.show(id, steps[id] if id in steps else changed.get(id, chain.value(id))))
