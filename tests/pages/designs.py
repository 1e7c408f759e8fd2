"""Every design of the site: its built page beside the chain that its numbers come from."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element

from macros.assumptions import load
from macros.chains import Program, programs
from tests.conftest import PROJECT
from tests.pages.dom import by_class, page, text

DESIGNS = sorted(path.stem for path in (PROJECT / "docs/designs").glob("*.md"))
GROUPS = ["round", "score", "answer", "push", "sources"]


@dataclass(frozen=True)
class Design:
    """One design page as built, and its program."""

    program: Program
    article: Element

    @property
    def groups(self) -> dict[str, Element]:
        """The groups of the page by the id of their heading, in the order of the page."""
        found = {}
        for section in by_class(self.article, "gdr-group"):
            heading = next(element for element in section.iter() if element.tag == "h2")
            found[heading.get("id", "")] = section
        return found

    @property
    def rows(self) -> dict[str, Element]:
        """The rows of all numbers tables by the id of their number."""
        numbers = [*self.program.chain.inputs, *self.program.chain.steps]
        ids = {f"row-{number.replace('.', '-')}": number for number in numbers}
        return {ids[row.get("id", "")]: row for row in by_class(self.article, "gdr-row")}


@cache
def built(site: Path, id: str) -> Design:
    """Return a design's page out of a built site."""
    root = page(site / f"designs/{id}.html")
    article = next(element for element in root.iter() if element.tag == "article")
    return Design(programs(load())["designs"][id], article)


def value_text(row: Element) -> str:
    """Return what a row shows as its value."""
    return text(by_class(row, "gdr-value")[0])


def how_texts(row: Element) -> tuple[str, str]:
    """Return how a row's number is computed, or its kind, and the note below: reason, source or unrounded value."""
    cell = by_class(row, "gdr-how")[0]
    notes = "".join(text(note) for note in cell.iter("small"))
    # Facts in a formula stand in elements of their own; what follows them is the elements' tail.
    parts = [cell.text or ""]
    for child in cell:
        parts += ["".join(child.itertext()) if child.tag == "span" else "", child.tail or ""]
    return " ".join("".join(parts).split()), notes


def shown_number(shown: str) -> float:
    """Return the number in a shown value: 0.155 of `$0.155 per 1,000 requests`."""
    found = re.match(r"\$?(−?[\d,]+(?:\.\d+)?(?:e-?\d+)?)", shown)
    assert found, f"{shown!r} does not begin with a number"
    return float(found[1].replace(",", "").replace("−", "-"))
