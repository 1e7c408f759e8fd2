"""What the site's Markdown files say of themselves: title and description in their front matter."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mkdocs.utils.meta import get_data

from macros.checks.front_matter import line_of, literal_macros, unread
from macros.checks.mistakes import PageError
from macros.sizing import SizingError
from macros.sizing.errors import relative

if TYPE_CHECKING:
    from collections.abc import Iterator

    from macros.chains import Program

DOCS = Path(__file__).parent.parent / "docs"


class About(NamedTuple):
    """A page's title and one sentence on it, both without numbers: front matter is not rendered."""

    title: str
    description: str


def about(page: Path) -> About:
    """Return what a page's front matter says. Raises SizingError naming the file and the key that is missing."""
    if not page.exists():
        raise SizingError(f"{relative(page)} does not exist\n  fix: write the page of this chain")
    return _about(page, page.stat().st_mtime_ns)


# A build asks for it on the board and in the numbers file.
@cache
def _about(page: Path, modified: int) -> About:
    source = page.read_text(encoding="utf-8-sig")
    _, meta = get_data(source)
    for mistake in (unread(source, meta), *literal_macros(source, meta)):
        if mistake:
            raise PageError(relative(page), *mistake)
    for key in ("title", "description"):
        if not isinstance(meta.get(key), str) or not meta[key].strip():
            told = f"front matter has no `{key}`\n  fix: add `{key}:` with a text"
            raise PageError(relative(page), line_of(source, [key]), told)
    return About(meta["title"].strip(), meta["description"].strip())


def unpaired(docs: Path, programs: dict[str, dict[str, Program]]) -> Iterator[str]:
    """Tell of each chain without a page, and of each page of a group of chains without a chain."""
    for group, chains in programs.items():
        for id, program in chains.items():
            if not (page := docs / group / f"{id}.md").is_file():
                told = f"`{group}: {id}:` has no page, {relative(page)} does not exist"
                yield f"{program.data.place}: {told}\n  fix: write that page"
        for page in sorted((docs / group).glob("*.md")):
            if page.stem not in chains and page.stem != "index":
                yield (
                    f"{relative(page)}: the page has no block\n"
                    f"  fix: add `{group}: {page.stem}:` to data/assumptions.yml"
                )


def navigation(docs: Path, designs: list[str]) -> list[object]:
    """Return the site's navigation: the rounds in the learner's order under their board, then the other pages."""
    rounds = ["index.md", *(f"designs/{id}.md" for id in designs)]
    # Readers come first; the page for authors stands last.
    found = sorted(docs.glob("*.md"), key=lambda page: (page.name == "contributing.md", page.name))
    others = [page.name for page in found if page.name != "index.md"]
    return [{"Rounds": rounds}, *others]
