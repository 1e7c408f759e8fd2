"""numbers.json and numbers.csv: what other programs read of the site."""

import csv
import json
import math
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from macros.assumptions import load
from macros.chains import GROUPS, programs
from macros.sizing.display import show
from macros.sizing.units import parse_unit
from tests.conftest import PROJECT
from tests.pages.designs import DESIGNS, Design, built, value_text

COLUMNS = ["id", "label", "kind", "value", "unit", "display", "how", "inputs"]
TEXT = {"type": "string", "minLength": 1}
SHAPE = {
    "type": "object",
    "properties": {"schema": {"const": 1}},
    "required": ["schema", *GROUPS],
    "additionalProperties": {
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "properties": {
                "title": TEXT,
                "headline": TEXT,
                "binds": TEXT,
                "program": {"type": "object"},
                "rows": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": {"type": "string", "pattern": "^[a-z][a-z0-9_.]*$"},
                            "label": TEXT,
                            "kind": {"enum": ["fact", "assumption", "target", "measured", "computed"]},
                            "value": {"type": "number"},
                            "unit": {"type": "string"},
                            "display": TEXT,
                            "how": TEXT,
                            "inputs": {"type": "array", "items": TEXT, "uniqueItems": True},
                        },
                        "required": COLUMNS,
                        "additionalProperties": False,
                    },
                },
            },
            "required": ["title", "headline", "binds", "rows", "program"],
            "additionalProperties": False,
        },
    },
}
PROGRAM = {
    "type": "object",
    "properties": {
        "schema": {"const": 1},
        "headline": TEXT,
        "inputs": {"type": "array", "minItems": 1},
        "constants": {"type": "array", "items": {"type": "number"}},
        "code": {"type": "array", "items": {"type": "array", "minItems": 2, "maxItems": 3}},
        "steps": {"type": "array", "minItems": 1},
        "constraints": {"type": "array"},
    },
    "required": ["schema", "headline", "inputs", "constants", "code", "steps", "constraints"],
    "additionalProperties": False,
}
# Ids that other programs were promised, by design, in the order of the page.
PROMISED = {
    "chatgpt": [
        "peak_requests",
        "kv_per_request",
        "sequences_that_fit",
        "decode_step",
        "tokens_per_replica",
        "tokens_needed",
        "replicas",
        "gpus",
        "cost_per_1000",
        "prefill_gpu_seconds",
        "prefill_gpus",
        "prefill_gpus_cached",
        "prefill_cost_per_1000",
        "total_cost_per_1000",
        "average_cost_per_1000",
        "total_average_cost_per_1000",
    ],
}


@pytest.fixture(scope="session")
def numbers(site: Path) -> Any:
    """numbers.json as a strict reader gets it."""

    def no_constant(name: str) -> None:
        pytest.fail(f"numbers.json holds {name}, which is no JSON")

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert len(dict(pairs)) == len(pairs), f"a key twice among {[key for key, _ in pairs]}"
        return dict(pairs)

    text = (site / "numbers.json").read_text(encoding="utf-8")
    return json.loads(text, parse_constant=no_constant, object_pairs_hook=once)


@pytest.fixture(params=DESIGNS)
def design(request: pytest.FixtureRequest, site: Path) -> Design:
    """Each design page in turn."""
    return built(site, request.param)


@pytest.fixture
def rows(design: Design, numbers: Any) -> dict[str, Any]:
    """The rows of that design in numbers.json, by id."""
    return {row["id"]: row for row in numbers["designs"][design.program.id]["rows"]}


def test_shape(numbers: Any) -> None:
    jsonschema_rs.validate(SHAPE, numbers)
    # An object's keys stand in the order in which they are documented.
    assert all(list(row) == COLUMNS for group in GROUPS for chain in numbers[group].values() for row in chain["rows"])


def test_every_chain_is_there_in_the_learners_order(numbers: Any) -> None:
    assert {group: list(numbers[group]) for group in GROUPS} == {
        group: list(chains) for group, chains in programs(load()).items()
    }


def test_title_headline_and_binds(design: Design, numbers: Any, rows: dict[str, Any]) -> None:
    program, found = design.program, numbers["designs"][design.program.id]
    heading = next(design.article.iter("h1"))
    assert found["title"] == heading.text
    assert (found["headline"], found["binds"]) == (program.chain.headline, program.data.binds)
    assert found["headline"] in rows


@pytest.mark.parametrize("id", PROMISED)
def test_promised_ids(id: str, numbers: Any) -> None:
    computed = [row["id"] for row in numbers["designs"][id]["rows"] if row["kind"] == "computed"]
    assert [row for row in computed if row in PROMISED[id]] == PROMISED[id]


def test_rows_are_the_numbers_of_the_chain(design: Design, numbers: Any, rows: dict[str, Any]) -> None:
    chain = design.program.chain
    assert sorted(rows) == sorted([*chain.inputs, *chain.steps])
    assert len(numbers["designs"][chain.id]["rows"]) == len(rows)
    for id, row in rows.items():
        kind = chain.inputs[id].kind if id in chain.inputs else "measured" if chain.steps[id].measured else "computed"
        assert (row["kind"], row["label"]) == (kind, chain.label(id))


def test_a_value_is_in_its_unit_and_shown_as_on_the_page(design: Design, rows: dict[str, Any]) -> None:
    chain = design.program.chain
    for id, row in rows.items():
        unit = parse_unit(row["unit"])
        base = unit.to_base(Fraction(row["value"]))
        assert base == pytest.approx(chain.value(id), rel=1e-15)
        assert row["display"] == value_text(design.rows[id])
        digits = (chain.steps if id in chain.steps else chain.inputs)[id].digits
        assert row["display"] == str(show(base, unit, digits))


def test_how_names_the_inputs_which_are_rows(design: Design, rows: dict[str, Any]) -> None:
    chain = design.program.chain
    for id, row in rows.items():
        assert set(row["inputs"]) <= set(rows)
        assert bool(row["inputs"]) == (id in chain.steps)
        assert id not in row["inputs"]
        for input in row["inputs"]:
            name = chain.inputs[input].text if input in chain.inputs else chain.short(input)
            assert name in row["how"]


def test_an_input_says_where_it_comes_from(design: Design, rows: dict[str, Any]) -> None:
    for given in design.program.chain.inputs.values():
        expected = f"{given.source}, read {given.read}" if given.kind == "fact" else given.because or given.kind
        assert rows[given.id]["how"] == expected


def test_csv_holds_the_same_rows(design: Design, rows: dict[str, Any], site: Path) -> None:
    path = site / "designs" / design.program.id / "numbers.csv"
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        table = list(reader)
    assert reader.fieldnames == COLUMNS
    read = [{**row, "value": float(row["value"]), "inputs": row["inputs"].split()} for row in table]
    assert read == list(rows.values())


def test_export_writes_the_same_bytes_as_the_build(site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "an export"
    command = [sys.executable, "-m", "macros", "export", str(folder)]
    run = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert files == sorted([Path("numbers.json"), *(Path(f"designs/{id}/numbers.csv") for id in DESIGNS)])
    assert sorted(run.stdout.splitlines()) == sorted(f"wrote {folder / file}" for file in files)
    for file in files:
        assert (folder / file).read_bytes() == (site / file).read_bytes(), file


def test_lines_end_alike_everywhere(site: Path) -> None:
    for file in ("numbers.json", *(f"designs/{id}/numbers.csv" for id in DESIGNS)):
        data = (site / file).read_bytes()
        assert b"\r" not in data
        assert data.endswith(b"\n")
        assert not data.startswith(b"\xef\xbb\xbf")


# What the numbers sheet says of a program, for a reader who has nothing else.
OPERATIONS: dict[str, Callable[..., float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "min": min,
    "max": max,
    "ceil": lambda a: math.ceil(a - min(1e-9 * abs(a), 0.1)),
    "floor": lambda a: math.floor(a + min(1e-9 * abs(a), 0.1)),
    "sqrt": math.sqrt,
    "pow": lambda a, b: a**b,
    "geom": lambda a, b: sum(a**power for power in range(int(b) + 1)),
    "upto": lambda a, b: a,
    "nonneg": lambda a: a,
}


@pytest.mark.parametrize("id", DESIGNS)
def test_a_program_gives_every_row_by_what_the_numbers_sheet_says(site: Path, id: str) -> None:
    entry = json.loads((site / "numbers.json").read_text(encoding="utf-8"))["designs"][id]
    program = entry["program"]
    jsonschema_rs.validate(PROGRAM, program)
    registers = [*(given["value"] for given in program["inputs"]), *program["constants"]]
    for operation, *arguments in program["code"]:
        registers.append(OPERATIONS[operation](*(registers[argument] for argument in arguments)))
    rows = {row["id"]: row["value"] for row in entry["rows"]}
    for step in program["steps"]:
        times, over = step["scale"]
        assert registers[step["at"]] * times / over == pytest.approx(rows[step["id"]], rel=1e-9), step["id"]
    assert len(program["steps"]) + len(program["inputs"]) == len(rows)
