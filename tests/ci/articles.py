"""Compares the article text of two builds of the site, as Markdown: `python -m tests.ci.articles FIRST SECOND`.

Exit codes: 0 every page says the same; 1 one does not, or stands in one build only.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

from tests.pages.dom import parse, text

# Words on each side of a difference, and lines of one page: enough to find it.
CONTEXT = 4
MOST_LINES = 60


def compare(first: Path, second: Path) -> tuple[str, bool]:
    """Return a report on every page of two built sites, and whether all of them say the same."""
    pages = sorted({page.relative_to(site).as_posix() for site in (first, second) for page in site.rglob("*.html")})
    reports = {page: _difference(first / page, second / page) for page in pages}
    alike = sum(not report for report in reports.values())
    lines = [f"The article of {alike} of {len(pages)} pages says the same, word for word.", ""]
    for page, report in reports.items():
        if report:
            lines += [f"### {page}", "", *report, ""]
    return "\n".join(lines), alike == len(pages)


def _difference(first: Path, second: Path) -> list[str]:
    for site, page in (("first", first), ("second", second)):
        if not page.is_file():
            return [f"Not in the {site} build."]
    words, others = (_article(page).split() for page in (first, second))
    changes = list(difflib.unified_diff(words, others, n=CONTEXT, lineterm=""))[2:]
    left = [f"(and {len(changes) - MOST_LINES} lines more)"] if len(changes) > MOST_LINES else []
    return ["````diff", *changes[:MOST_LINES], *left, "````"] if changes else []


def _article(page: Path) -> str:
    """Return the text of a page's articles, numbers and folded parts included."""
    root = parse(page.read_text(encoding="utf-8"))
    return " ".join(text(element) for element in root.iter() if element.tag == "article")


if __name__ == "__main__":
    report, same = compare(*map(Path, sys.argv[1:3]))
    print(report)
    sys.exit(0 if same else 1)
