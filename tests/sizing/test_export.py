"""The program for the browser: the shape that `macros/sizing/export.py` documents, and what it computes."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from macros.sizing import record
from macros.sizing.export import program
from macros.sizing.operations import integer_power, sum_of_powers
from macros.sizing.rounding import at_most, ceil_count, floor_count
from tests.cases import bits

from . import everything
from .author import small
from .everything import MEASURED

CHAIN = record("everything", everything.chain, everything.KNOWN, MEASURED)

OPERATIONS: dict[str, Callable[..., float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "min": min,
    "max": max,
    "ceil": ceil_count,
    "floor": floor_count,
    "sqrt": math.sqrt,
    "pow": lambda a, b: integer_power(a, int(b)),
    "geom": lambda a, b: sum_of_powers(a, int(b) + 1),
    "upto": lambda a, b: a if at_most(a, b) else math.nan,
    "nonneg": lambda a: a if a >= 0 else math.nan,
}


def test_a_small_program_in_full() -> None:
    chain = small(
        "doubled = numbers.step('doubled', 'Doubled', 'user').of(2 * given.users)",
        "c.headline(numbers.step('cubed', 'Cubed', '%', digits=4).of(power(doubled / given.users, 3)))",
        "c.require('fits', 'Fits', given.users, at_most=doubled)",
    )
    assert program(chain) == {
        "schema": 1,
        "headline": "cubed",
        "inputs": [
            {"id": "users", "value": 1000.0, "digits": 3, "scale": [1, 1], "unit": ["", "user", "users", " "]},
        ],
        "constants": [2.0, 3.0],
        "code": [["*", 1, 0], ["/", 3, 0], ["pow", 4, 2]],
        "steps": [
            {
                "id": "doubled",
                "at": 3,
                "computed": 3,
                "digits": 3,
                "scale": [1, 1],
                "unit": ["", "user", "users", " "],
            },
            {"id": "cubed", "at": 5, "computed": 5, "digits": 4, "scale": [100, 1], "unit": ["", "%", "%", " "]},
        ],
        "constraints": [{"id": "fits", "left": "users", "right": "doubled"}],
    }


def test_units_that_stand_around_the_number() -> None:
    chain = small("c.headline(numbers.step('cost', 'Cost', 'kbyte/GPU').of(given.memory))")
    assert program(chain)["steps"][0]["scale"] == [1, 1000]


def test_it_survives_json() -> None:
    exported = program(CHAIN)
    assert json.loads(json.dumps(exported, allow_nan=False)) == exported


def test_every_operation_is_there() -> None:
    assert {line[0] for line in program(CHAIN)["code"]} == set(OPERATIONS)


def evaluated(exported: dict[str, Any], change: Mapping[str, float]) -> list[float]:
    """Run a program with some inputs changed and return its registers."""
    registers: list[float] = [change.get(given["id"], given["value"]) for given in exported["inputs"]] + exported[
        "constants"
    ]
    for op, *args in exported["code"]:
        # An instruction reads what stands before it.
        assert all(arg < len(registers) for arg in args)
        registers.append(OPERATIONS[op](*(registers[arg] for arg in args)))
    return registers


def test_it_gives_the_recorded_values() -> None:
    exported = program(CHAIN)
    registers = evaluated(exported, {})
    for step in exported["steps"]:
        assert bits(registers[step["at"]]) == bits(CHAIN.steps[step["id"]].value)
        assert bits(registers[step["computed"]]) == bits(CHAIN.steps[step["id"]].computed)


def test_what_two_steps_share_is_computed_once() -> None:
    chain = small(
        "doubled = given.users * 2",
        "numbers.step('once', 'Once', 'user').of(doubled + given.users)",
        "c.headline(numbers.step('twice', 'Twice', 'user').of(doubled + doubled))",
    )
    assert program(chain)["code"] == [["*", 0, 1], ["+", 2, 0], ["+", 2, 2]]
