"""The macros that pages call, bound to the page that is being built."""

from __future__ import annotations

import posixpath
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from macros.assumptions import load
from macros.chains import programs
from macros.checks import front_matter
from macros.checks.calls import Calls
from macros.checks.mistakes import Mistakes
from macros.checks.published import anchors_of, dead_links, leftovers
from macros.checks.typed import message, typed_quantities
from macros.pages import about, navigation, unpaired
from macros.render import quoting, sheet
from macros.render.board import board
from macros.render.design import DesignPage
from macros.render.finished_html import FinishedHtml
from macros.render.templating import compiled_templates, render
from macros.render.words import Words
from macros.sizing import SizingError
from macros.sizing.units import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mkdocs.structure.files import File
    from mkdocs_macros.plugin import MacrosPlugin

    from macros.chains import Program


class Site:
    """All chains of the site, the macros that print them, and the mistakes in pages of this build.

    Raises SizingError for the data file, for chains, and for a part of a design that is missing.
    """

    def __init__(self, env: MacrosPlugin) -> None:
        self._env: Any = env
        self._mistakes = Mistakes()
        self._assumptions = load()
        self._programs = programs(self._assumptions)
        told = [*unpaired(self._docs, self._programs), *_broken(program for program, _ in self._by_id.values())]
        if told:
            raise SizingError("\n".join(told))
        self._env.conf["nav"] = navigation(self._docs, list(self._programs["designs"]))
        self._env.conf["markdown_extensions"].append(FinishedHtml())

    @property
    def macros(self) -> tuple[Callable[..., str], ...]:
        """What pages can call, by the names of the methods."""
        return (
            self.n,
            self.at,
            self.to,
            self.plain,
            self.link,
            self.round,
            self.score,
            self.answer,
            self.push,
            self.sources,
            self.formulas,
            self.facts,
            self.shared,
            self.board,
            self.steps,
        )

    def fill_page(self, markdown: str) -> str:
        """Return the page that is being built with its macros filled in; its mistakes are noted, not raised."""
        source, page = self._source, self._page_name
        if mistake := front_matter.unread(source, self._env.page.meta):
            self._mistakes.add(page, *mistake)
            # Its macros would miss their words.
            return markdown
        for line, told in (*front_matter.literal_macros(source, self._env.page.meta), *front_matter.repeated(source)):
            self._mistakes.add(page, line, told)
        for line, typed in typed_quantities(source):
            self._mistakes.add(page, line, message(typed))
        before = source.count("\n") - markdown.count("\n")
        return self._calls.fill(
            markdown,
            self._env.variables,
            lambda line, told: self._mistakes.add(page, before + line, told),
            name=page,
        )

    def check(self, files: Iterable[File]) -> str:
        """Return all mistakes in this build's pages and in what they would publish, or nothing if there are none."""
        pages = {f"docs/{file.src_uri}": file.page for file in files if file.page is not None}
        broken = self._mistakes.pages
        # What a mistake kept out of a page is no second mistake there, nor in a page that links to it.
        anchors = {page.url: None if name in broken else anchors_of(page.content or "") for name, page in pages.items()}
        for name, page in pages.items():
            html, source = page.content or "", page.file.content_string
            found = [*dead_links(page.url, html, anchors, source)]
            found += leftovers(html, source) if name not in broken else ()
            for line, told in found:
                self._mistakes.add(name, line, told)
        return self._mistakes.told()

    def n(self, id: str, *, link: bool = True, unit: bool = True) -> Markup:
        """Quote a number of this page's chain, or of another one as `chatgpt.replicas`."""
        chain_id, dot, number = id.partition(".")
        if dot and chain_id in self._by_id:
            program, group = self._by_id[chain_id]
            return quoting.number(program.chain, number, self._relative(f"{group}/{chain_id}.md"), link=link, unit=unit)
        if dot and self._own is None:
            raise SizingError(
                f"there is no chain `{chain_id}`{nearest(chain_id, list(self._by_id))}\n"
                f"  fix: choose one of {', '.join(self._by_id)}"
            )
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
        return sheet.formulas(self._assumptions, {id: program for id, (program, _) in self._by_id.items()})

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

    @cached_property
    def _calls(self) -> Calls:
        # Not from the start: the plugin makes its environment after the macros are defined.
        return Calls(self._env.env, self.macros, self._mistakes, compiled_templates())

    @property
    def _src(self) -> str:
        return str(self._env.page.file.src_uri)

    @property
    def _page_name(self) -> str:
        return f"docs/{self._src}"

    @property
    def _source(self) -> str:
        return str(self._env.page.file.content_string)

    @property
    def _docs(self) -> Path:
        return Path(self._env.conf["docs_dir"])

    @property
    def _own(self) -> Program | None:
        """The chain of the page that is being built, if it has one."""
        group, _, name = self._src.partition("/")
        return self._programs.get(group, {}).get(name.removesuffix(".md"))

    @property
    def _program(self) -> Program:
        if self._own is None:
            raise SizingError(
                'this page has no block of numbers\n  fix: quote a number with its chain, such as n("chatgpt.replicas")'
            )
        return self._own

    @property
    def _page(self) -> DesignPage:
        words = Words(
            self._page_name,
            self._env.page.meta,
            lambda keys: front_matter.line_of(self._source, keys),
            self._filled,
            lambda line, told: self._mistakes.add(self._page_name, line, told),
        )
        title = str(self._env.page.meta.get("title", ""))
        return DesignPage(self._program, title, words, self._docs / self._src.replace(".md", ".svg"), self.link)

    def _filled(self, text: str, keys: tuple[str, ...]) -> str:
        """Fill in the macros of a front matter's text; most have none, and a template costs more than reading it."""
        if not self._env.has_j2(text):
            return text

        def note(line: int, told: str) -> None:
            place = front_matter.text_line(self._source, keys, line)
            self._mistakes.add(self._page_name, place, f"`{'.'.join(keys)}`: {told}")

        # Without a name: such a text is short, and compiled sooner than it would be written to a file.
        return self._calls.fill(text, self._env.variables, note)

    def _relative(self, page: str) -> str:
        here = posixpath.dirname(self._env.page.url)
        return posixpath.relpath(page.removesuffix(".md") + ".html", here or ".")


def _broken(programs: Iterable[Program]) -> Iterator[str]:
    """Tell of each chain that cannot be recorded: no page could print its numbers."""
    for program in programs:
        try:
            _ = program.chain
        except SizingError as error:
            yield str(error)
