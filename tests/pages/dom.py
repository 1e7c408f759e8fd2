"""A built page as a tree of elements, and its text as a reader gets it."""

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


def parse(html: str) -> Element:
    """Return the root of an HTML document. Fails where an end tag does not close the innermost element."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    assert not parser.open, f"never closed: {parser.open}"
    return parser.tree.close()


@cache
def page(path: Path) -> Element:
    """Return the root of a built page, parsed once."""
    return parse(path.read_text(encoding="utf-8"))


def text(element: Element) -> str:
    """Return an element's text with runs of white space as one space."""
    return " ".join("".join(element.itertext()).split())


def by_class(element: Element, name: str) -> list[Element]:
    """Return the elements below one that carry a class, in document order."""
    return [found for found in element.iter() if name in found.get("class", "").split()]


def by_id(element: Element, id: str) -> Element:
    """Return the element with an id. Fails where there is none."""
    found = [found for found in element.iter() if found.get("id") == id]
    assert found, f"no element has the id {id!r}"
    return found[0]


def only(elements: list[Element]) -> Element:
    """Return the one element of a list."""
    assert len(elements) == 1, f"expected one element, found {[text(element)[:60] for element in elements]}"
    return elements[0]


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tree = ElementTree.TreeBuilder()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tree.start(tag, {name: value or "" for name, value in attrs})
        if tag in VOID:
            self.tree.end(tag)
        else:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tree.start(tag, {name: value or "" for name, value in attrs})
        self.tree.end(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1:] == [tag], f"</{tag}> at {self.getpos()}, but {self.open[-3:]} is open"
        self.open.pop()
        self.tree.end(tag)

    def handle_data(self, data: str) -> None:
        if self.open:
            self.tree.data(data)
