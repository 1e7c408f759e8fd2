"""The macros that pages call, bound to the page that is being built."""

from __future__ import annotations

import posixpath
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from macros.assumptions import load
from macros.chains import programs
from macros.pages import about, navigation
from macros.render import quoting, sheet
from macros.render.board import board
from macros.render.design import DesignPage
from macros.render.templating import render
from macros.render.words import Words
from macros.sizing import SizingError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mkdocs_macros.plugin import MacrosPlugin

    from macros.chains import Program


class Site:
    """All chains of the site, and the macros that print them."""

    def __init__(self, env: MacrosPlugin) -> None:
        self._env: Any = env
        self._assumptions = load()
        self._programs = programs(self._assumptions)
        self._env.conf["nav"] = navigation(self._docs, list(self._programs["designs"]))

    def n(self, id: str, *, link: bool = True, unit: bool = True) -> Markup:
        """Quote a number of this page's chain, or of another one as `chatgpt.replicas`."""
        chain_id, dot, number = id.partition(".")
        if dot and chain_id in self._by_id:
            program, group = self._by_id[chain_id]
            return quoting.number(program.chain, number, self._relative(f"{group}/{chain_id}.md"), link=link, unit=unit)
        return quoting.number(self._program.chain, id, link=link, unit=unit)

    def at(self, id: str, *, unit: bool = True, **ends: str) -> Markup:
        """Quote what a number would be with inputs at an end of their range: `at("replicas", batch="high")`."""
        return quoting.number_at(self._program, id, ends, unit=unit)

    def to(self, card: str, input: str, *, unit: bool = True) -> Markup:
        """Quote the value that a follow-up card sets an input to."""
        return quoting.changed_to(self._program, card, input, unit=unit)

    def plain(self, id: str) -> str:
        """Print a number as digits alone, for a command line."""
        return quoting.plain(self._program.chain, id)

    def link(self, page: str, text: str) -> str:
        """Link to a page by its path below docs/, or print plain text until it exists."""
        if not (self._docs / page).exists():
            return text
        return f'<a href="{self._relative(page)}">{escape(text)}</a>'

    def round(self, caller: Callable[[], str]) -> str:
        """Print the group "Round" around its opening and prompt."""
        return self._page.round(caller())

    def score(self) -> str:
        """Print the group "Score"."""
        return self._page.score()

    def answer(self, caller: Callable[[], str]) -> str:
        """Print the group "Answer" around the prose of its steps."""
        return self._page.answer(caller())

    def push(self) -> str:
        """Print the group "Push it"."""
        return self._page.push()

    def sources(self) -> str:
        """Print the group "Sources"."""
        return self._page.sources()

    def formulas(self) -> str:
        """Print the formula library."""
        return sheet.formulas()

    def facts(self) -> str:
        """Print the dated facts."""
        return sheet.facts(self._assumptions)

    def shared(self) -> str:
        """Print the shared assumptions."""
        return sheet.shared(self._assumptions, [program for program, _ in self._by_id.values()])

    def board(self) -> str:
        """Print the rounds in the learner's order."""
        return board(self._programs["designs"], lambda id: about(self._docs / "designs" / f"{id}.md"), self.link)

    def steps(self) -> str:
        """Print the five steps of a round with their minutes."""
        return render("steps.html", steps=self._assumptions.steps)

    @cached_property
    def _by_id(self) -> dict[str, tuple[Program, str]]:
        return {id: (program, group) for group, chains in self._programs.items() for id, program in chains.items()}

    @property
    def _src(self) -> str:
        return str(self._env.page.file.src_uri)

    @property
    def _docs(self) -> Path:
        return Path(self._env.conf["docs_dir"])

    @property
    def _program(self) -> Program:
        group, _, name = self._src.partition("/")
        id = name.removesuffix(".md")
        if id not in self._programs.get(group, {}):
            raise SizingError(
                f"{self._src} has no block of numbers\n"
                f"  fix: add `{group}: {id}:` to data/assumptions.yml, or quote a number with its chain, "
                'such as n("chatgpt.replicas")'
            )
        return self._programs[group][id]

    @property
    def _page(self) -> DesignPage:
        program, page = self._program, f"docs/{self._src}"
        words = Words(
            page,
            self._env.page.meta,
            self._filled,
        )
        return DesignPage(program, words, page, self._docs / self._src.replace(".md", ".svg"), self.link)

    def _filled(self, text: str) -> str:
        """Fill in the macros of a text; most texts have none, and a template costs more than reading it."""
        if not self._env.has_j2(text):
            return text
        return str(self._env.env.from_string(text).render(self._env.variables))

    def _relative(self, page: str) -> str:
        here = posixpath.dirname(self._env.page.url)
        return posixpath.relpath(page.removesuffix(".md") + ".html", here or ".")
