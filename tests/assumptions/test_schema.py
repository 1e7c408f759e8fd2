"""The schema that editors use is the one that the loader uses, and its file is current."""

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from macros.assumptions import schema, write_schema
from macros.assumptions.load import DATA_FILE
from macros.assumptions.schema import SCHEMA_FILE, schema_text
from tests.assumptions.cases import BASE, HERE, edited

VALIDATOR = jsonschema_rs.validator_for(schema())


def as_editors_read(text: str) -> Any:
    """Read YAML as editors do: dates are texts."""

    class Loader(yaml.SafeLoader):
        pass

    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    return yaml.load(text, Loader)


def test_the_file_is_current() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), "run `make accept`"


def test_the_file_is_written_only_when_it_differs(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    assert write_schema(path) == [path]
    assert path.read_text(encoding="utf-8") == schema_text()
    assert write_schema(path) == []


def test_it_is_a_schema() -> None:
    jsonschema_rs.meta.validate(schema())


@pytest.mark.parametrize("text", [BASE, DATA_FILE.read_text(encoding="utf-8")], ids=["base", "project"])
def test_editors_accept_what_loads(text: str) -> None:
    VALIDATOR.validate(as_editors_read(text))


@pytest.mark.parametrize(
    "name",
    [
        "key_missing",
        "key_unknown",
        "key_unknown_at_top",
        "section_missing",
        "section_empty",
        "number_bare",
        "number_commas",
        "number_exponent",
        "number_long_exponent",
        "number_negative",
        "number_octal",
        "number_quoted",
        "number_sexagesimal",
        "number_too_long",
        "unit_joined",
        "unit_two_spaces",
        "text_boolean",
        "text_empty",
        "value_empty",
        "date_short",
        "order_quoted",
        "order_zero",
        "choice_misspelt",
        "id_capital",
        "id_underscore",
        "range_one_end",
        "range_without_reason",
        "slip_both",
        "slip_neither",
        "change_nothing",
    ],
)
def test_editors_mark_what_a_schema_can_say(name: str) -> None:
    edit = (HERE / "mistakes" / f"{name}.diff").read_text(encoding="utf-8")
    assert not VALIDATOR.is_valid(as_editors_read(edited(edit)))


def test_every_key_is_described() -> None:
    def described(node: Any) -> bool:
        if not isinstance(node, dict):
            return True
        own = "$ref" in node or "description" in node
        return own and all(described(child) for child in node.get("properties", {}).values())

    definitions = schema()["definitions"].values()
    assert all(described(part) for part in [schema(), *definitions])
