"""What looks like a macro, a table's border or HTML, and is none, shows as it is written; read from a real build."""

import csv
import json
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest

from tests.broken.sites import built
from tests.pages.dom import by_class, by_id, page, text

# In prose each stands in a paragraph of its own, since some signs are Markdown's own there.
CODE = [
    "{{ kv }}",
    "{{n}}",
    "${{ github.sha }}",
    "{% raw %}",
    "{# a comment #}",
    "{#id}",
    "{: #id }",
    r"\frac{a}{b}",
    "[[ -f x ]] && echo",
    'if [[ "$a" == "$b" ]]; then',
    'f"{users:,} of {{most}}"',
    "a | b",
    "<b>&amp;</b>",
]
PROSE = ["{{ kv }} and {{n}}", "${{ github.sha }} and {% raw %}", "bash’s [[ -f x ]]", "{#id} and 5{: #id }{}"]
INDENTED = "\n".join(CODE)
PAGE = f"""---
title: Notes
description: What is shown as it is written.
read_on: 2026-09-30
---

# Notes

{"".join(f"- ``{code}``" + chr(10) for code in CODE)}
```yaml
{INDENTED}
```

{(chr(10) * 2).join(PROSE)}

The fleet is [[= n("chat.gpus") =]].

[[% raw %]]
```
[[= n("chat.gpus") =]]
```
[[% endraw %]]
"""
# Marks that end a cell, a tag, an attribute or a text somewhere.
LABEL = """Users | <b>"of" the</b> & 'day' {{ x }} `y`\n\n    *z* \n| <!-- """
EDIT = "".join(
    f"{file}\n{lines}"
    for file, lines in (
        ("docs/notes.md", "".join(f"+{line}\n" for line in PAGE.splitlines())),
        (
            "data/assumptions.yml",
            f"-        label: Daily users\n-        short: users\n+        label: {json.dumps(LABEL)}\n"
            f"+        short: {json.dumps(LABEL)}\n-    source: datasheet\n+    source: {json.dumps(LABEL)}\n"
            f"-        because: the prompt says so\n+        because: {json.dumps(LABEL)}\n",
        ),
    )
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small site with such a page and such labels, built strictly."""
    project = tmp_path_factory.mktemp("shown as written")
    code, told = built(project, EDIT)
    assert (code, told) == (0, "\n")
    return project / "site"


@pytest.fixture(scope="module")
def notes(site: Path) -> Element:
    return next(element for element in page(site / "notes.html").iter() if element.tag == "article")


@pytest.fixture(scope="module")
def chat(site: Path) -> Element:
    return next(element for element in page(site / "designs/chat.html").iter() if element.tag == "article")


def test_inline_code(notes: Element) -> None:
    assert [item.text for list in notes.iter("ul") for item in list.iter("code")] == CODE


def test_a_fence(notes: Element) -> None:
    assert "".join(next(notes.iter("pre")).itertext()).strip() == INDENTED


@pytest.mark.parametrize("prose", PROSE)
def test_prose(notes: Element, prose: str) -> None:
    assert prose in [text(paragraph) for paragraph in notes.iter("p")]


def test_a_macro_outside_is_filled_in_and_one_in_raw_is_not(notes: Element) -> None:
    assert "The fleet is 400 GPUs." in [text(paragraph) for paragraph in notes.iter("p")]
    assert text(list(notes.iter("pre"))[1]) == '[[= n("chat.gpus") =]]'


def test_a_label_stays_in_its_cell(chat: Element) -> None:
    row = by_id(chat, "row-users")
    label, how, value = row
    assert text(label) == f"A{text_of(LABEL)}"
    assert text(how) == f"assumption, 5,000,000–20,000,000 users {text_of(LABEL)}"
    assert text(value) == "10,000,000 users"


def test_a_name_stays_in_its_formula(chat: Element) -> None:
    assert text(by_class(by_id(chat, "row-gpus"), "gdr-how")[0]).startswith(f"⌈{text_of(LABEL)} × share at once ÷ ")


def test_a_source_and_a_label_stay_in_their_cells_everywhere(chat: Element, site: Path) -> None:
    index = page(site / "index.html")
    for root in (index, chat):
        assert text_of(LABEL) in text(root)
        for row in root.iter("tr"):
            assert len(row) == 3, text(row)


def test_no_sign_of_a_label_becomes_an_element_or_an_attribute(chat: Element, tmp_path: Path) -> None:
    assert built(tmp_path, "") == (0, "\n")
    plain = page(tmp_path / "site/designs/chat.html")
    article = next(element for element in plain.iter() if element.tag == "article")
    assert shape(chat) == shape(article)


def shape(root: Element) -> list[tuple[str, list[str]]]:
    """The elements of a page with the names of their attributes, in document order."""
    return [(element.tag, sorted(element.attrib)) for element in root.iter()]


def test_the_table_for_other_programs(site: Path) -> None:
    rows = json.loads((site / "numbers.json").read_text(encoding="utf-8"))["designs"]["chat"]["rows"]
    assert (rows[0]["label"], rows[0]["how"]) == (LABEL, LABEL)
    with (site / "designs/chat/numbers.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file, strict=True))
    assert [row["label"] for row in read] == [row["label"] for row in rows]
    assert [row["how"] for row in read] == [row["how"] for row in rows]


def text_of(label: str) -> str:
    """A label as a reader sees it: runs of white space are one space."""
    return " ".join(label.split())
