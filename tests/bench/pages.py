"""A site of many pages: the project grown by more designs, against a plain build of the same pages."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from . import build
from .grown import grow
from .result import Line

PAGES = 250
GOAL = 1.2
# A build takes half a minute or more, and so much work evens out by itself.
PAIRS = 3


def measure(project: Path = build.PROJECT) -> list[Line]:
    """Return the lines of `build.measure` for a site of so many pages, and the seconds of its very first build.

    Raises Void as `build.measure` does.
    """
    there = sum(1 for _ in (project / "docs").rglob("*.md"))
    with TemporaryDirectory() as folder:
        grown = Path(folder, "grown")
        grow(project, grown, PAGES - there)
        # Later builds find the texts of all pages compiled, as an author's do who changes one of them.
        _, first = build.build(grown, Path(folder, "first"))
        lines = build.measure(grown, PAIRS, GOAL)
    return [*lines, Line("first strict build, with nothing compiled yet", first, "s")]
