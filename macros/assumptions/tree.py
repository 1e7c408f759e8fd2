"""The data file as a tree of mappings, lists and source texts, each with its position.

Nothing is converted here: a scalar keeps the text that the author wrote. Anchors, aliases and merge keys are
expanded; what YAML allows and this file does not (duplicate keys, tags, keys that are no texts) is a mistake.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import yaml

from .implicit import implicit_type, reading
from .mistakes import Mistakes, Position, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .model import Amount

# Aliases let a short text stand for a huge one; no hand repeats this many values.
MOST_EXPANDED = 10_000
DEEPEST = 20

# Tells a tag that YAML resolved from one that the author wrote.
UNTAGGED = "untagged"


@dataclass(slots=True)
class Scalar:
    """A value as written; `typed` says what YAML takes an unquoted text for, or is empty."""

    at: Position
    text: str
    typed: str
    quoted: bool
    # Where the value's source text begins and ends, in characters.
    start: int
    end: int
    # Set when the text is read as a quantity.
    amount: Amount | None = None


@dataclass(slots=True)
class Sequence:
    """A list; it stands where its key stands."""

    at: Position
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Mapping:
    """A mapping with the position of each key; it stands where its own key stands."""

    at: Position
    items: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, Position] = field(default_factory=dict)

    def mapping(self, key: str) -> Mapping:
        """Return the mapping at a key; an empty one when the key is missing or holds something else."""
        node = self.items.get(key)
        return node if isinstance(node, Mapping) else Mapping(self.at)

    def mappings(self) -> Iterator[tuple[str, Mapping]]:
        """Yield the keys that hold mappings."""
        for key, node in self.items.items():
            if isinstance(node, Mapping):
                yield key, node

    def scalar(self, key: str) -> Scalar | None:
        """Return the scalar at a key, or None when the key is missing or holds anything but a text."""
        node = self.items.get(key)
        return node if isinstance(node, Scalar) and not node.typed else None


Node = Scalar | Sequence | Mapping


def join(path: str, key: str) -> str:
    """Write the path of a key inside another: `gpus.h100_sxm`."""
    return f"{path}.{key}" if path else key


class TreeBuilder:
    """Turns PyYAML's nodes into a tree; one use a file."""

    def __init__(self, text: str, mistakes: Mistakes) -> None:
        self._text = text
        self._mistakes = mistakes
        self._seen: set[int] = set()
        self._open: set[int] = set()
        self._expanded = 0

    def build(self, node: yaml.Node, path: str, at: Position | None) -> Node:
        """Return the tree of a node whose key stands at `at`; None for the root and for items of a list."""
        own = Position(node.start_mark.line + 1, node.start_mark.column + 1)
        self._guard(node, path, own)
        self._refuse_tag(node, path, own)
        if isinstance(node, yaml.ScalarNode):
            quoted = bool(node.style)
            typed = "" if quoted else implicit_type(node.value)
            return Scalar(own, node.value, typed, quoted, node.start_mark.index, node.end_mark.index)
        self._open.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            items = [self.build(item, f"{path}[{index}]", None) for index, item in enumerate(node.value)]
            tree: Node = Sequence(at or own, items)
        else:
            tree = self._mapping(cast(yaml.MappingNode, node), path, at or own)
        self._open.remove(id(node))
        return tree

    def _mapping(self, node: yaml.MappingNode, path: str, at: Position) -> Mapping:
        own, merged = Mapping(at), Mapping(at)
        for key_node, value_node in node.value:
            position = Position(key_node.start_mark.line + 1, key_node.start_mark.column + 1)
            if not isinstance(key_node, yaml.ScalarNode):
                kind = "list" if isinstance(key_node, yaml.SequenceNode) else "mapping"
                self._mistakes.add(position, path, f"a {kind} as key", "a word", "write `key: value`")
                continue
            key = key_node.value
            self._refuse_tag(key_node, join(path, key), position)
            if key in own.keys:
                self._mistakes.add(
                    position,
                    join(path, key),
                    f"the key again (first on line {own.keys[key].line})",
                    "each key once",
                    "remove one of the two",
                )
                continue
            own.keys[key] = position
            if key == "<<" and not key_node.style:
                self._merge(merged, value_node, join(path, key))
                continue
            if not key_node.style and implicit_type(key):
                self._mistakes.add(
                    position,
                    join(path, key),
                    f"the key {shown(key)}{reading(key)}",
                    "a word",
                    "choose another name",
                )
                continue
            own.items[key] = self.build(value_node, join(path, key), position)
        own.keys.pop("<<", None)
        return Mapping(at, merged.items | own.items, merged.keys | own.keys)

    def _merge(self, into: Mapping, node: yaml.Node, path: str) -> None:
        for source in node.value if isinstance(node, yaml.SequenceNode) else [node]:
            base = self.build(source, path, None)
            if not isinstance(base, Mapping):
                self._mistakes.add(
                    base.at,
                    path,
                    "a merge of something else",
                    "an alias of a mapping",
                    "write `<<: *name`",
                )
                continue
            # Of several merged mappings the first wins; the mapping's own keys win over all.
            into.items = base.items | into.items
            into.keys = base.keys | into.keys

    def _guard(self, node: yaml.Node, path: str, at: Position) -> None:
        if id(node) in self._open:
            self._mistakes.stop(at, path, "an alias of what it is part of", "a value that ends", "write it out")
        if id(node) in self._seen:
            self._expanded += 1
        self._seen.add(id(node))
        if self._expanded > MOST_EXPANDED:
            self._mistakes.stop(
                at,
                path,
                "aliases that expand without measure",
                f"at most {MOST_EXPANDED:_} repeated values",
                "write them out",
            )
        if len(self._open) > DEEPEST:
            self._mistakes.stop(
                at,
                path,
                "a very deep nesting",
                f"at most {DEEPEST} levels",
                "remove brackets or indentation",
            )

    def _refuse_tag(self, node: yaml.Node, path: str, at: Position) -> None:
        if node.tag == UNTAGGED and not self._text.startswith("!", node.start_mark.index):
            return
        tag = "!" if node.tag == UNTAGGED else node.tag.replace("tag:yaml.org,2002:", "!!")
        self._mistakes.add(at, path, f"the tag {shown(tag)}", "a value without a tag", "remove the tag")
