"""What a strict build says of a mistake in a page: non-zero, the page by name, and what to do."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import build, edit

CHATGPT = "designs/chatgpt.md"


def change(page: str, before: str, after: str) -> Callable[[Path], None]:
    """A mistake: a text of a page becomes another one."""
    return lambda project: edit(project / "docs" / page, before, after)


def add(page: str, text: str) -> Callable[[Path], None]:
    """A mistake: a paragraph at the end of a page."""

    def append(project: Path) -> None:
        with (project / "docs" / page).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{text}\n")

    return append


def remove(file: str) -> Callable[[Path], None]:
    """A mistake: a file is missing."""
    return lambda project: (project / file).unlink()


MISTAKES = {
    "undefined name": (
        add("numbers.md", "[[= replicas =]]"),
        "numbers.md",
        ["'replicas' is undefined"],
    ),
    "unknown number": (
        add(CHATGPT, '[[= n("decode_stepp") =]]'),
        CHATGPT,
        [
            'n("decode_stepp"): chatgpt has no number `decode_stepp` (did you mean `decode_step`?)',
            "fix: quote one that `python -m macros show chatgpt` lists",
        ],
    ),
    "unknown number in front matter": (
        change(CHATGPT, "  caption: ", "  caption: '[[= n(\"token_targt\") =]]' #"),
        CHATGPT,
        ['n("token_targt"): chatgpt has no number `token_targt` (did you mean `token_target`?)'],
    ),
    "page without numbers": (
        add("index.md", '[[= n("replicas") =]]'),
        "index.md",
        ["index.md has no block of numbers", 'quote a number with its chain, such as n("chatgpt.replicas")'],
    ),
    "missing key": (
        change(CHATGPT, "  caption: ", "  caption_: "),
        CHATGPT,
        [
            "docs/designs/chatgpt.md: front matter has no `diagram.caption` (did you mean `caption_`?)",
            "fix: add it with its text",
        ],
    ),
    "missing title": (
        change(CHATGPT, "title: Design ChatGPT\n", ""),
        "index.md",
        ["docs/designs/chatgpt.md: front matter has no `title`", "fix: add `title:` with a text"],
    ),
    "missing section": (
        change(CHATGPT, "### What binds\n", ""),
        CHATGPT,
        [
            "docs/designs/chatgpt.md: the answer's headings are Framing, Architecture, Deep dive, Trade-offs, Wrap-up, "
            "Takeaway, The bill in full; expected Framing, Architecture, Deep dive, Trade-offs, Wrap-up, Takeaway, "
            "What binds, The bill in full"
        ],
    ),
    "missing diagram": (
        remove("docs/designs/chatgpt.svg"),
        CHATGPT,
        [
            "docs/designs/chatgpt.md: docs/designs/chatgpt.svg does not exist",
            "fix: write docs/designs/chatgpt.diagram.yml and run `python -m macros diagram chatgpt`",
        ],
    ),
}


@pytest.mark.parametrize(("mistake", "page", "expected"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_stops_the_build_and_is_named(copied: Path, tmp_path: Path, mistake, page, expected) -> None:
    mistake(copied)
    code, told = build(copied, tmp_path / "site")
    assert code == 100, told
    assert f"_File_: `{page}`" in told
    # Line by line: the plugin indents the lines of a longer message as it likes.
    lines = [line.strip() for line in told.splitlines()]
    for text in expected:
        assert any(text in line for line in lines), f"{text}\nis not in\n{told}"


def test_two_builds_of_the_unbroken_copy_write_the_same_bytes(copied: Path, tmp_path: Path) -> None:
    sites = [tmp_path / "first", tmp_path / "second"]
    for site in sites:
        code, told = build(copied, site)
        assert code == 0, told
        assert "WARNING" not in told
    first, second = ({p.relative_to(site): p.read_bytes() for p in site.rglob("*") if p.is_file()} for site in sites)
    assert first.keys() == second.keys()
    different = {file.name for file, data in first.items() if second[file] != data}
    # Only the list of pages for search engines holds the day.
    assert different <= {"sitemap.xml", "sitemap.xml.gz"}
