"""HTML that macros print finished: it passes Markdown by, which would take it apart tag by tag.

Tables are most of a design page, and reading them took a quarter of a build. An element says that it is finished by
Markdown's own sign for one without Markdown in it, `markdown="0"`, and is then

- on lines of its own, with an empty line or another element between it and the next finished one or prose,
- without an end tag of its own name at the start of a line within it, without headings, and without authors' texts,
- printed as Markdown would print it: each element that is no part of a sentence on a line of its own, its attributes
  in order and with values.

So a builder without this extension publishes the same. `tests/pages/test_finished_html.py` checks the last point.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

if TYPE_CHECKING:
    from markdown import Markdown

_SIGN = ' markdown="0"'
# Whole lines up to the end tag: trying at each character takes twice as long.
_FINISHED = re.compile(
    rf"^<(?P<tag>[a-z]+)\b[^>\n]*{_SIGN}[^>\n]*>(?:\n(?!</(?P=tag)>).*)*\n</(?P=tag)>$", re.MULTILINE
)


class FinishedHtml(Extension):
    """Keeps finished HTML for the end of a page's conversion."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Set it aside after code blocks (25), and before mkdocs (21) and Markdown (20) read HTML."""
        md.preprocessors.register(_SetAside(md), "finished_html", 22)


class _SetAside(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return _FINISHED.sub(self._kept, "\n".join(lines)).split("\n")

    def _kept(self, element: re.Match[str]) -> str:
        return self.md.htmlStash.store(element[0].replace(_SIGN, "", 1))
