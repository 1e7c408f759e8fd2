"""The strict build of the site against a plain one of the same pages with their macros already expanded.

Both are whole processes, started in turn, so that a busy machine slows both sides of a pair alike. The goal is on
processor time: a build computes from its start to its end, and what it waits for is other people's work. Where the time
on the clock disagrees, the machine was too busy to tell.
"""

from __future__ import annotations

import re
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from .process import run
from .result import Line, Void

PROJECT = Path(__file__).parents[2]
GOAL = 1.25
PAIRS = 9

_ARTICLE = re.compile(r"<article\b.*</article>", re.DOTALL)


def measure(project: Path = PROJECT, pairs: int = PAIRS, goal: float = GOAL) -> list[Line]:
    """Return the median ratio of the two build times, and the median seconds of each.

    Raises Void when the two builds do not publish the same articles.
    """
    with TemporaryDirectory() as folder:
        expanded = Path(folder, "expanded")
        run(["-m", "tests.bench.expand", str(project), str(expanded)], project)
        sites = (Path(folder, "site"), Path(folder, "plain site"))
        sides = tuple(zip((project, expanded), sites, strict=True))
        # The first build of each warms the disk's cache; what it publishes is compared.
        for source, site in sides:
            build(source, site)
        pages = _same_articles(*sites)
        ours, plain = [], []
        for pair in range(pairs):
            order = (0, 1) if pair % 2 else (1, 0)
            spent = {side: build(*sides[side]) for side in order}
            ours.append(spent[0])
            plain.append(spent[1])
    return [
        Line(f"strict build of {pages} pages against plain mkdocs and material", _ratio(ours, plain, 1), "×", goal),
        Line("the same on the clock", _ratio(ours, plain, 0), "×"),
        Line("strict build", median(processor for _, processor in ours), "s"),
        Line("plain build of the expanded pages", median(processor for _, processor in plain), "s"),
    ]


def _ratio(ours: list[tuple[float, float]], plain: list[tuple[float, float]], which: int) -> float:
    return median(one[which] / other[which] for one, other in zip(ours, plain, strict=True))


def build(source: Path, site: Path) -> tuple[float, float]:
    """Build in a new process and return its seconds of wall time and of processor time."""
    wall, processor = perf_counter(), _processor_time()
    run(["-m", "mkdocs", "build", "--strict", "--site-dir", str(site)], source)
    return perf_counter() - wall, _processor_time() - processor


def _processor_time() -> float:
    """Return the seconds that all finished child processes have computed."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _same_articles(site: Path, plain: Path) -> int:
    """Return how many pages both sites publish. Raises Void naming the first one that differs."""
    articles, others = _articles(site), _articles(plain)
    for page in sorted(articles.keys() | others.keys()):
        if articles.get(page) != others.get(page):
            where = "only one of the two sites has it" if page not in articles or page not in others else "it differs"
            raise Void(f"{page}: expected the same article in both builds, but {where}")
    if not articles:
        raise Void("the build published no article")
    return len(articles)


def _articles(site: Path) -> dict[str, str]:
    found = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    # The page for missing addresses is the theme's own.
    found.pop("404.html", None)
    matches = {page: _ARTICLE.search(text) for page, text in found.items()}
    return {page: match[0] if match else "" for page, match in matches.items()}
