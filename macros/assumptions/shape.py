"""The second phase: unknown keys, missing keys and values of a wrong type, found through the JSON Schema."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import jsonschema_rs

from macros.sizing.units import nearest

from .fields import QUANTITY, ChangedTo, Choice, Quantity, Record, Shape, Text, shape_at
from .implicit import reading
from .mistakes import either, shown
from .schema import schema
from .tree import Mapping, Node, Scalar, Sequence, join

if TYPE_CHECKING:
    from .mistakes import Mistakes

# A number that YAML reads as the digits that stand there; all others are judged as written.
_PLAIN_WHOLE = re.compile(r"[1-9][0-9]{0,8}")

# The values phase judges the text of a value, and of an id, in more detail than a pattern can.
_JUDGED_LATER = ("pattern", "maxLength", "propertyNames")


def check_shape(root: Node, mistakes: Mistakes) -> None:
    """Note what the schema finds wrong."""
    unknown: list[tuple[list[str | int], str]] = []
    missing: list[tuple[list[str | int], str]] = []
    for error in _validator().iter_errors(_data(root)):
        path, kind = error.instance_path, error.kind
        if isinstance(kind, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
            unknown += [(path, key) for key in kind.unexpected]
        elif isinstance(kind, jsonschema_rs.ValidationErrorKind.Required):
            missing.append((path, kind.property))
        elif kind.name not in _JUDGED_LATER:
            _note_wrong(_node_at(root, path), shape_at(path), path_text(path), mistakes)
    for path, key in unknown:
        _note_unknown(root, path, key, missing, mistakes)
    for path, key in missing:
        shape = shape_at([*path, key])
        mistakes.add(
            _node_at(root, path).at,
            join(path_text(path), key),
            "no such key",
            shape.expected,
            f"add `{key}: {shape.example}`",
        )


def path_text(path: list[str | int]) -> str:
    """Write a path as messages do: `designs.chatgpt.assumptions.batch.range[0]`."""
    text = ""
    for key in path:
        text = f"{text}[{key}]" if isinstance(key, int) else join(text, key)
    return text


@lru_cache(maxsize=1)
def _validator() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(schema())


def _data(node: Node) -> Any:
    if isinstance(node, Mapping):
        return {key: _data(child) for key, child in node.items.items()}
    if isinstance(node, Sequence):
        return [_data(child) for child in node.items]
    if not node.typed:
        return node.text
    # Not a text: whatever YAML would make of it, only its kind may reach the schema.
    if node.typed == "null":
        return None
    return int(node.text) if _PLAIN_WHOLE.fullmatch(node.text) else False


def _node_at(root: Node, path: list[str | int]) -> Node:
    node = root
    for key in path:
        node = cast(Sequence, node).items[key] if isinstance(key, int) else cast(Mapping, node).items[key]
    return node


def _note_unknown(
    root: Node,
    path: list[str | int],
    key: str,
    missing: list[tuple[list[str | int], str]],
    mistakes: Mistakes,
) -> None:
    mapping, shape = cast(Mapping, _node_at(root, path)), cast(Record, shape_at(path))
    guess = nearest(key, [name for name in shape.fields if name not in mapping.items])
    for place in [place for place in missing if place[0] == path and f"`{place[1]}`" in guess]:
        # A misspelt key is one mistake: the right one is not missing as well.
        missing.remove(place)
    mistakes.add(
        mapping.keys[key],
        join(path_text(path), key),
        f"an unknown key{guess}",
        either(shape.fields),
        "rename it or remove it",
    )


def _note_wrong(node: Node, shape: Shape, path: str, mistakes: Mistakes) -> None:
    if isinstance(node, Mapping) and isinstance(shape, Record):
        known = [key for key in node.items if key in shape.fields]
        if len(known) != 1:
            found = "both" if known else "an empty mapping"
            mistakes.add(node.at, path, found, f"either {either(shape.fields)}", "write one of the two")
        return
    mistakes.add(node.at, path, _found(node), shape.expected, _fix(node, shape))


def _found(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a mapping" if node.items else "an empty mapping"
    if isinstance(node, Sequence):
        return f"a list of {len(node.items)}"
    if not node.text and not node.quoted:
        return "no value"
    return shown(node.text) + (reading(node.text) if node.typed else " in quotes" if node.quoted else "")


def _fix(node: Node, shape: Shape) -> str:
    if not isinstance(node, Scalar):
        return shape.fix
    if isinstance(shape, Choice):
        return nearest(node.text, list(shape.options)).strip(" ()") or shape.fix
    if isinstance(shape, Text) and node.text:
        return f'quote it: `"{node.text}"`'
    if not isinstance(shape, (Quantity, ChangedTo)):
        return shape.fix
    if node.typed == "null":
        return "write a value; an empty one is never 0"
    if re.fullmatch(QUANTITY, f"{node.text} unit"):
        return f"add the unit, as in `{shape.example}`" if isinstance(shape, Quantity) else "add the unit"
    return "write a finite number in decimal digits, a space and a unit"
