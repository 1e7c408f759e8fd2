"""The JSON Schema of the data file, for editors and for the loader alike, made from the declared shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from . import fields as f

SCHEMA_FILE = Path(__file__).parents[2] / "data" / "assumptions.schema.json"

# Written once and referred to, since they appear in several places.
_SHARED = {"assumption": f.ASSUMPTION, "chain": f.CHAIN}


def schema() -> dict[str, Any]:
    """Return the JSON Schema of `data/assumptions.yml`.

    Draft 7, the newest that editors' YAML support knows in full. It judges shape and spelling; dimensions,
    ranges and references are judged by the loader alone.
    """
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Every input number of the site",
        **_object(f.FILE),
        "definitions": {name: _object(shape) for name, shape in _SHARED.items()},
    }


def write_schema(path: Path = SCHEMA_FILE) -> list[Path]:
    """Write the schema where editors find it; return the file if its text has changed."""
    text = schema_text()
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return []
    path.write_text(text, encoding="utf-8", newline="\n")
    return [path]


def schema_text() -> str:
    """Return the text of `data/assumptions.schema.json`."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _of(shape: f.Shape) -> dict[str, Any]:
    for name, shared in _SHARED.items():
        if shape is shared:
            return {"$ref": f"#/definitions/{name}"}
    if isinstance(shape, (f.Record, f.Table)):
        return _object(shape)
    about = {"description": shape.about}
    match shape:
        case f.Text():
            return about | {"type": "string", "pattern": r"\S"}
        case f.Name():
            return about | _pattern(f.WORD, shape.example)
        case f.Date():
            return about | _pattern(f.DATE, shape.example)
        case f.Whole():
            return about | {"type": "integer", "minimum": 1, "maximum": f.HIGHEST_ORDER}
        case f.Choice():
            return about | {"enum": list(shape.options)}
        case f.Quantity():
            described = {"description": f"{shape.about}, in {shape.unit}"} if shape.unit else about
            return described | _pattern(f.QUANTITY, shape.example) | {"maxLength": f.LONGEST_QUANTITY}
        case f.Reference():
            return about | _pattern(rf"{f.WORD}\.{f.WORD}", shape.example)
        case f.ChangedTo():
            return about | _pattern(rf"(?:{f.QUANTITY}|{f.WORD}\.{f.WORD})", shape.example)
        case f.Pair():
            return about | {"type": "array", "items": _of(shape.of), "minItems": 2, "maxItems": 2}


def _object(shape: f.Record | f.Table) -> dict[str, Any]:
    made: dict[str, Any] = {"description": shape.about, "type": "object"}
    if isinstance(shape, f.Table):
        made |= {"propertyNames": {"pattern": f"^{shape.ids}$"}, "additionalProperties": _of(shape.of)}
        return made | ({"minProperties": shape.fewest} if shape.fewest else {})
    made["properties"] = {key: _of(field) for key, field in shape.fields.items()}
    made["additionalProperties"] = False
    if shape.one_of:
        return made | {"minProperties": 1, "maxProperties": 1}
    made["required"] = shape.required
    return made | ({"dependencies": {key: [other] for key, other in shape.needs}} if shape.needs else {})


def _pattern(pattern: str, example: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^{pattern}$", "examples": [example]}
