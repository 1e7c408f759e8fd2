"""The program of a chain for the browser: floats in base units and a list of instructions.

Registers hold the inputs first, then the constants, then the result of each instruction in order:

    {"schema": 1, "headline": "replicas",
     "inputs": [{"id": "batch", "value": 128.0, "digits": 3, "scale": [1, 1],
                 "unit": ["", "sequence/replica", "sequences/replica", " "]}, …],
     "constants": [2.0, …],
     "code": [["*", 3, 5], ["ceil", 41], ["pow", 7, 30], …],
     "steps": [{"id": "replicas", "at": 60, "computed": 60, "digits": 3, "scale": [1, 1], "unit": [...]}, …],
     "constraints": [{"id": "batch-fits", "left": "batch", "right": "sequences_that_fit"}, …]}

A value is shown as value × scale[0] ÷ scale[1], in the unit's four texts: before the number, behind a 1, behind any
other number, and what stands between number and unit. `computed` differs from `at` where a measured value stands in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .display import unit_text
from .quantity import Quantity

if TYPE_CHECKING:
    from .chain import Chain
    from .units import Unit

SCHEMA = 1


def program(chain: Chain) -> dict[str, Any]:
    """Return the chain's program as plain JSON data; see this module's text for its shape."""
    nodes = _in_order(chain)
    constants = [node for node in nodes if node.op in ("constant", "measured")]
    registers = {id: position for position, id in enumerate(chain.inputs)}
    at: dict[int, int] = {}
    for node in nodes:
        if node.op == "input" and node.origin is not None:
            at[id(node)] = registers[node.origin.id]
    for position, node in enumerate(constants):
        at[id(node)] = len(registers) + position
    code: list[list[Any]] = []
    first = len(registers) + len(constants)
    for node in nodes:
        if node.op == "step":
            at[id(node)] = at[id(node.args[0])]
        elif node.op not in ("input", "constant", "measured"):
            at[id(node)] = first + len(code)
            code.append([node.op, *(at[id(arg)] for arg in node.args)])
    return {
        "schema": SCHEMA,
        "headline": chain.headline,
        "inputs": [
            {"id": given.id, "value": given.value, **_shown(given.unit, given.digits)}
            for given in chain.inputs.values()
        ],
        "constants": [node.value for node in constants],
        "code": code,
        "steps": [
            {
                "id": step.id,
                "at": at[id(step.quantity)],
                "computed": at[id(step.expression)],
                **_shown(step.unit, step.digits),
            }
            for step in chain.steps.values()
        ],
        "constraints": [{"id": c.id, "left": c.left, "right": c.right} for c in chain.constraints.values()],
    }


def _shown(unit: Unit, digits: int) -> dict[str, Any]:
    text = unit_text(unit.text)
    return {
        "digits": digits,
        "scale": [unit.size.denominator, unit.size.numerator],
        "unit": [text.before, text.one, text.many, text.space],
    }


def _in_order(chain: Chain) -> list[Quantity]:
    """Return every node of the recording once, arguments before what is made from them."""
    seen: dict[int, Quantity] = {}

    def visit(node: Quantity) -> None:
        if id(node) not in seen:
            for arg in node.args:
                visit(arg)
            seen[id(node)] = node

    for step in chain.steps.values():
        visit(step.quantity)
    return list(seen.values())
