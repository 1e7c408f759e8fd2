"""The first phase: bytes to YAML nodes. Its first mistake is the only one: nothing else can be judged."""

from __future__ import annotations

import codecs
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from .fields import FILE
from .mistakes import DataError, Position, either, shown
from .tree import UNTAGGED

if TYPE_CHECKING:
    from .mistakes import Mistakes

_START = Position(1, 1)

# libyaml's words for the slips that an author makes, and what to do about them.
_ADVICE = {
    "mapping values are not allowed in this context": "quote a text that holds `: `, or mend the indentation",
    "found character that cannot start any token": "quote a text that begins with this character",
    "found unexpected end of stream": "close the quotes that begin here",
    "did not find expected key": "quote the whole text, or mend the indentation",
    "could not find expected ':'": "write `key: value` on one line",
    "did not find expected ',' or '}'": "close the braces, and quote a text that holds a comma",
    "did not find expected ',' or ']'": "close the brackets, and quote a text that holds a comma",
    "found undefined alias": "write the anchor `&name` above its alias",
    "found duplicate anchor; first occurrence": "give each anchor a name of its own",
}

# For these the mistake is where the mark of the context stands, not where libyaml gave up.
_BEGUN_EARLIER = (
    "found unexpected end of stream",
    "could not find expected ':'",
    "did not find expected ',' or '}'",
    "did not find expected ',' or ']'",
)


def decode(source: bytes, mistakes: Mistakes) -> str:
    """Return the file's text; raises DataError unless it is UTF-8 with LF line ends and without tabs."""
    for mark in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        if source.startswith(mark):
            mistakes.stop(
                _START,
                "",
                f"a byte order mark ({mark.hex(' ')})",
                "UTF-8 without one",
                "save the file as UTF-8, not as UTF-8 with BOM or UTF-16",
            )
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        before = source[: error.start].decode("utf-8")
        mistakes.stop(
            _position(before, len(before)),
            "",
            f"byte 0x{source[error.start]:02x} at offset {error.start}",
            "UTF-8",
            "save the file as UTF-8",
        )
    unwelcome = re.search(r"[^\n\x20-\x7e\xa0-\ud7ff\ue000-\U0010ffff]|[\u2028\u2029\ufeff]", text)
    if unwelcome:
        names = {
            "\t": ("a tab", "spaces", "replace tabs by spaces"),
            "\r": (
                "a carriage return",
                "lines that end with LF alone",
                "save the file with Unix line ends, not CRLF",
            ),
        }
        other = (f"the control character {shown(unwelcome[0])}", "visible characters", "remove it")
        mistakes.stop(_position(text, unwelcome.start()), "", *names.get(unwelcome[0], other))
    return text


def compose(text: str, mistakes: Mistakes) -> yaml.Node:
    """Return the root node; raises DataError for text that is not one YAML document."""
    loader = _loader_class()(text)
    try:
        node: yaml.Node | None = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        _stop_at(error, mistakes)
    finally:
        loader.dispose()
    if node is None:
        expected = f"a mapping with the keys {either(FILE.fields).replace(' or ', ' and ')}"
        mistakes.stop(_START, "", "an empty file", expected, "restore it from version control")
    return node


def _stop_at(error: yaml.MarkedYAMLError, mistakes: Mistakes) -> None:
    problem = str(error.problem)
    mark = error.context_mark if problem in _BEGUN_EARLIER else error.problem_mark
    at = Position(mark.line + 1, mark.column + 1) if mark else _START
    if error.context == "expected a single document in the stream":
        mistakes.stop(at, "", "a second document", "one document", "remove the line `---` or what follows it")
    if error.context and error.context.startswith("found duplicate anchor"):
        problem = error.context
    mistakes.stop(
        at,
        "",
        f"text that is not YAML ({problem.partition(';')[0]})",
        "a YAML document",
        _ADVICE.get(problem, "correct the text here or on the line above"),
    )


def _position(text: str, index: int) -> Position:
    return Position(text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


@cache
def _loader_class() -> Any:
    if not yaml.__with_libyaml__:
        raise DataError(
            "PyYAML was built without libyaml, so that it cannot read data/assumptions.yml with positions in "
            "milliseconds\n  fix: install PyYAML from its wheel, as `make serve` and `make test` do"
        )
    from yaml._yaml import CParser

    class Loader(CParser):
        """libyaml's parser with a resolver that only marks what has no tag of its own."""

        def resolve(self, kind: type[yaml.Node], value: str | None, implicit: object) -> str:
            return UNTAGGED

        def descend_resolver(self, parent: yaml.Node | None, index: object) -> None:
            """Do nothing: no tag depends on a path."""

        def ascend_resolver(self) -> None:
            """Do nothing: no tag depends on a path."""

    return Loader
