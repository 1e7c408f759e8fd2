"""Front matter with its lines: where a key stands, and what YAML or mkdocs would make of it unasked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# The pure reader is ten times slower; libyaml is missing on few machines.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BLOCK = re.compile(r"---[ \t]*\n(?P<yaml>.*?^)(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
# Published as they are written, by mkdocs and by the theme.
_LITERAL = ("title", "description")


def line_of(source: str, keys: Sequence[str]) -> int:
    """Return the line of a nested key in a page's source, or of the innermost key around it that exists."""
    return _found(source, keys)[0]


def text_line(source: str, keys: Sequence[str], line: int) -> int:
    """Return the line in a page's source of a line of a key's text; both count from 1."""
    key, text = _found(source, keys)
    if not isinstance(text, yaml.ScalarNode):
        return key
    # Only a literal block keeps its lines; others are folded, and are told where they begin.
    first: int = text.start_mark.line + 2
    return first + line if text.style == "|" else first


def unread(source: str, meta: dict[str, Any]) -> tuple[int, str] | None:
    """Return line and text of the mistake for which mkdocs would publish the front matter as prose, if there is one."""
    if meta or not source.startswith("---"):
        return None
    block = _BLOCK.match(source)
    if block is None:
        return 1, "the front matter has no end\n  fix: close it with a line that holds --- alone"
    try:
        yaml.compose(block["yaml"], _LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        return (mark.line + 2 if mark else 1), (
            f"front matter that is not YAML ({error.problem})\n"
            "  fix: correct the text here or on the line above; a text with `: `, or one that begins with a sign, "
            "needs quotes"
        )
    return 1, "front matter that is not a mapping\n  fix: write `key: text` on each line"


def literal_macros(source: str, meta: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Yield line and text for each macro in a key that is published as it is written."""
    for key in _LITERAL:
        if re.search(r"\[\[[=%#]", str(meta.get(key, ""))):
            yield (
                line_of(source, [key]),
                f"`{key}`: found a macro; a front matter's {key} is published as it is written\n"
                "  fix: write it without numbers, and quote them in the page",
            )


def repeated(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text for each key that stands twice in one mapping, where YAML would keep the last alone."""
    block = _BLOCK.match(source)
    if block is None:
        return
    nodes = [yaml.compose(block["yaml"], _LOADER)]
    while nodes:
        node = nodes.pop()
        if not isinstance(node, yaml.MappingNode):
            continue
        first: dict[str, int] = {}
        for key, value in node.value:
            nodes.append(value)
            line = key.start_mark.line + 2
            if str(key.value) in first:
                yield line, f"`{key.value}` stands here and on line {first[key.value]}\n  fix: keep one of them"
            first.setdefault(str(key.value), line)


def _found(source: str, keys: Sequence[str]) -> tuple[int, yaml.Node | None]:
    block = _BLOCK.match(source)
    node: yaml.Node | None = yaml.compose(block["yaml"], _LOADER) if block else None
    line = 1
    for key in keys:
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        pair = next((pair for pair in pairs if pair[0].value == key), None)
        if pair is None:
            return line, None
        # Counted from 0 there, and the first line is the one that opens the front matter.
        line, node = pair[0].start_mark.line + 2, pair[1]
    return line, node
