"""What the site's Markdown files say of themselves: title and description in their front matter."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from mkdocs.utils.meta import get_data

from macros.sizing import SizingError
from macros.sizing.errors import relative

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
    _, meta = get_data(page.read_text(encoding="utf-8-sig"))
    for key in ("title", "description"):
        if not isinstance(meta.get(key), str) or not meta[key].strip():
            raise SizingError(f"{relative(page)}: front matter has no `{key}`\n  fix: add `{key}:` with a text")
    return About(meta["title"].strip(), meta["description"].strip())


def navigation(docs: Path, designs: list[str]) -> list[object]:
    """Return the site's navigation: the rounds in the learner's order under their board, then the other pages."""
    rounds = ["index.md", *(f"designs/{id}.md" for id in designs)]
    others = [page.name for page in sorted(docs.glob("*.md")) if page.name != "index.md"]
    return [{"Rounds": rounds}, *others]
