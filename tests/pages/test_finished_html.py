"""HTML that passes Markdown by: what is published is the same as if Markdown had read it."""

import re
from pathlib import Path

import pytest
from markdown import Markdown

from macros.render.finished_html import FinishedHtml
from tests.pages.designs import DESIGNS

TABLE = """\
<table class="gdr-table" id="t" markdown="0">
<tbody>
<tr>
<th scope="row"><b>A</b> &amp; *B*</th>
<td class="gdr-value">1</td>
</tr>
</tbody>
</table>"""
AROUND = [
    pytest.param(f'<section markdown="1">\n\n*Prose*\n\n{TABLE}\n\n*Prose*\n\n</section>', id="between prose"),
    pytest.param(f'<section markdown="1">\n<h3>Heading</h3>\n{TABLE}\n<p>Text</p>\n</section>', id="between elements"),
    pytest.param(
        f'<section markdown="1">\n<details>\n<summary>Fold</summary>\n{TABLE}\n</details>\n</section>', id="in a fold"
    ),
    pytest.param(f'<section markdown="1">\n{TABLE}\n\n{TABLE}\n</section>', id="twice"),
]
# The tables that macros print finished, as they are published.
FINISHED = re.compile(
    r'^<div [^>\n]*class="gdr-scroll".*?^</div>$'
    r'|^<table class="gdr-table gdr-(?:ceilings|changes|moves)">.*?^</table>$',
    re.DOTALL | re.MULTILINE,
)


def converted(text: str, *more: FinishedHtml) -> str:
    return Markdown(extensions=["md_in_html", "pymdownx.superfences", *more]).convert(text)


@pytest.mark.parametrize("text", AROUND)
def test_the_sign_changes_nothing(text: str) -> None:
    assert converted(text, FinishedHtml()) == converted(text)
    assert "<b>A</b> &amp; *B*</th>" in converted(text)
    assert "markdown" not in converted(text)


def test_markdown_does_not_read_it() -> None:
    untidy = '<div markdown="0">\n<p  id=a>*B*</p>\n</div>'
    assert untidy.replace(' markdown="0"', "") in converted(
        f'<section markdown="1">\n{untidy}\n</section>', FinishedHtml()
    )


def test_a_code_block_is_shown_as_written() -> None:
    code = f"```html\n{TABLE}\n```"
    assert converted(code, FinishedHtml()) == converted(code)
    assert "markdown" in converted(code, FinishedHtml())


@pytest.mark.parametrize("id", DESIGNS)
def test_each_table_is_printed_as_markdown_would(id: str, site: Path) -> None:
    page = (site / f"designs/{id}.html").read_text(encoding="utf-8")
    assert "markdown=" not in page[page.index("<article") : page.index("</article>")]
    tables = [found[0] for found in FINISHED.finditer(page)]
    assert len(tables) > 6
    for table in tables:
        assert table in converted(f'<section markdown="1">\n{table}\n</section>')
