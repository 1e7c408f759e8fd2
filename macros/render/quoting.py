"""A number inside a sentence: a link to its row, with the id that tells which rows a step's prose quotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import Markup

from macros.assumptions.model import Amount
from macros.render.templating import shown_html
from macros.sizing import SizingError
from macros.sizing.display import show
from macros.sizing.units import nearest

if TYPE_CHECKING:
    from macros.chains import Program
    from macros.sizing import Chain
    from macros.sizing.display import Shown

_QUOTED = re.compile(r'data-step="([^"]+)"')


def anchor(id: str) -> str:
    """Return the HTML id of a number's row."""
    return f"row-{id.replace('.', '-')}"


def formula_anchor(name: str) -> str:
    """Return the HTML id of a formula on the numbers sheet."""
    return f"formula-{name.replace('_', '-')}"


def number(chain: Chain, id: str, page: str = "", *, link: bool = True, unit: bool = True) -> Markup:
    """Quote a number of a chain, linked to its row on `page` (empty for the same page).

    Without the link nothing leads into the answer; without the unit the sentence names it.
    """
    known(chain, id)
    shown = _told(chain.show(id), unit)
    if not link:
        return Markup('<span class="gdr-v" data-n="{}">{}</span>').format(id, shown)
    return Markup('<a class="gdr-n" href="{}#{}" data-step="{}">{}</a>').format(page, anchor(id), id, shown)


def number_at(program: Program, id: str, ends: dict[str, str], *, unit: bool = True) -> Markup:
    """Quote what a step would be with inputs at an end of their range: `number_at(p, "gpus", {"batch": "high"})`.

    It is no link, since the row that it would lead to shows the published value.
    """
    chain = program.chain
    known(chain, id)
    values = {}
    for name, end in ends.items():
        given = chain.inputs.get(name)
        if given is None or given.low is None or given.high is None or end not in ("low", "high"):
            raise SizingError(
                f'{name}="{end}" is no end of a range; expected an input with a range, at its "low" or "high" end\n'
                f"  fix: choose one of {', '.join(i.id for i in chain.inputs.values() if i.low is not None)}"
            )
        values[name] = given.low if end == "low" else given.high
    after = program.replayed(values)[id] if id in chain.steps else values[id]
    at = ",".join(f"{name}={end}" for name, end in ends.items())
    return Markup('<span class="gdr-v" data-n="{}" data-at="{}">{}</span>').format(
        id, at, _told(chain.show(id, after), unit)
    )


def changed_to(program: Program, card: str, input: str, *, unit: bool = True) -> Markup:
    """Quote the value that a follow-up card sets an input to."""
    for follow_up in program.data.follow_ups:
        for change in follow_up.changes:
            if (follow_up.id, change.input) == (card, input) and isinstance(change.to, Amount):
                return _told(show(change.to.base, change.to.unit), unit)
    cards = [f"{c.id} ({', '.join(change.input for change in c.changes)})" for c in program.data.follow_ups]
    raise SizingError(
        f"{program.id} has no follow-up card `{card}` that sets `{input}` to an amount\n"
        f"  fix: choose one of {', '.join(cards)}"
    )


def plain(chain: Chain, id: str) -> str:
    """Return a number as digits alone, for a command line: `1500`."""
    known(chain, id)
    unit = (chain.steps[id] if id in chain.steps else chain.inputs[id]).unit
    value = unit.from_base(chain.value(id))
    return f"{value:.0f}" if value == round(value) else repr(value)


def _told(shown: Shown, unit: bool) -> Markup:
    return shown_html(shown if unit else shown._replace(unit=""))


def quoted(html: str) -> list[str]:
    """Return the ids of the numbers that a piece of prose quotes, in order, each once."""
    return list(dict.fromkeys(_QUOTED.findall(html)))


def known(chain: Chain, id: str) -> None:
    """Raise SizingError with the nearest spelling if a chain has no such number."""
    if id not in chain.steps and id not in chain.inputs:
        names = [*chain.steps, *chain.inputs]
        raise SizingError(
            f"{chain.id} has no number `{id}`{nearest(id, names)}\n"
            f"  fix: quote one that `python -m macros show {chain.id}` lists"
        )
