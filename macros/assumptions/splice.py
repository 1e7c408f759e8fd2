"""Edits by a command: a value or a block is written where it belongs, and every other byte stays as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macros.sizing.errors import relative
from macros.sizing.units import nearest

from .load import parse, read_tree
from .mistakes import DataError, Mistakes, shown
from .syntax import decode
from .tree import Mapping, Node, Scalar, join

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping as Changes
    from pathlib import Path


def splice(path: Path, changes: Changes[str, str]) -> str:
    """Return the file's text with the values at some key paths replaced, such as `shared.price.value`.

    The new text is checked as a whole. Raises DataError for a key path that is not there, for values that
    the loader refuses, and for values that would change anything else (an alias, a text that needs quotes).
    """
    file = relative(path)
    text = decode(path.read_bytes(), Mistakes(file))
    before = _scalars(text, file)
    for key in changes:
        if key not in before:
            raise DataError(f"{file}: found no value at `{key}`{nearest(key, list(before))}; expected the path of one")
    spliced = text
    for key in sorted(changes, key=lambda key: before[key].start, reverse=True):
        spliced = spliced[: before[key].start] + changes[key] + spliced[before[key].end :]
    parse(spliced.encode(), file)
    wanted = {key: scalar.text for key, scalar in before.items()} | dict(changes)
    after = {key: scalar.text for key, scalar in _scalars(spliced, file).items()}
    for key in wanted.keys() | after.keys():
        if wanted.get(key) != after.get(key):
            raise DataError(
                f"{file}: {', '.join(map(shown, changes.values()))} would change `{key}` in another way than "
                "asked; expected values that stand for themselves; edit the file by hand"
            )
    return spliced


def add_block(path: Path, group: str, block: str) -> str:
    """Return the file's text with a chain's block after the last one of its group, such as `designs`.

    The block is whole lines, indented as in the file. The new text is checked as a whole. Raises DataError for a
    group without a block to follow, and for a block that the loader refuses.
    """
    file = relative(path)
    text = decode(path.read_bytes(), Mistakes(file))
    ends = [scalar.end for key, scalar in _scalars(text, file).items() if key.startswith(f"{group}.")]
    if not ends:
        raise DataError(f"{file}: found no block in `{group}`; expected one to write another below; add it by hand")
    # Behind a comment that may follow the last value on its line.
    end = text.find("\n", max(ends)) + 1 or len(text)
    spliced = text[:end] + block + text[end:]
    parse(spliced.encode(), file)
    return spliced


def _scalars(text: str, file: str) -> dict[str, Scalar]:
    return dict(_below("", read_tree(text, Mistakes(file))))


def _below(path: str, node: Node) -> Iterator[tuple[str, Scalar]]:
    if isinstance(node, Scalar):
        yield path, node
    elif isinstance(node, Mapping):
        for key, child in node.items.items():
            yield from _below(join(path, key), child)
    else:
        for index, item in enumerate(node.items):
            yield from _below(f"{path}[{index}]", item)
