"""Every formula says what it is: derivation, trap, source, and a unit for each argument."""

import inspect
import math
import pkgutil
import re
from importlib import import_module
from typing import Any

import pytest

from macros import formulas
from macros.sizing import FORMULAS

# Tables about the formulas stand beside them.
TABLES = {"slips", "examples"}
MODULES = [
    import_module(f"macros.formulas.{module.name}")
    for module in pkgutil.iter_modules(formulas.__path__)
    if module.name not in TABLES
]
# Public functions of the package's own modules, by name.
FUNCTIONS: dict[str, Any] = {
    name: function
    for module in MODULES
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__ and not name.startswith("_")
}


def test_there_are_formulas() -> None:
    assert len(MODULES) >= 24
    assert len(FUNCTIONS) >= 100


def test_each_public_function_is_exported_and_a_formula() -> None:
    assert sorted(formulas.__all__) == sorted(FUNCTIONS)
    assert sorted(formulas.__all__) == list(formulas.__all__)
    assert set(FUNCTIONS) <= set(FORMULAS)
    assert {name: getattr(formulas, name) for name in formulas.__all__} == FUNCTIONS


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_is_documented(name: str) -> None:
    formula = FORMULAS[name]
    assert formula.documentation == inspect.getdoc(FUNCTIONS[name])
    assert formula.group == FUNCTIONS[name].__module__.rpartition(".")[2]
    first, *rest, trap = formula.documentation.split("\n\n")
    # The idea, the derivation and the trap, each a paragraph of its own; a first line for tables.
    assert rest
    assert re.fullmatch(r"[A-Z][^\n]*\.", first, re.DOTALL) or "\n" in first
    assert len(" ".join([first, *rest]).split()) >= 8
    assert re.match(r"Trap: [a-z\d].+\.$", trap, re.DOTALL)
    assert formula.documentation.count("Trap:") == 1


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_has_a_source_a_result_and_a_text(name: str) -> None:
    formula = FORMULAS[name]
    assert formula.source.strip()
    assert formula.result.strip()
    assert formula.text
    # What the text shows is what the arguments are called; no argument is left out.
    for argument in formula.arguments:
        assert argument.short in formula.text
    assert "0.5" not in formula.text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_has_a_unit_of_its_own(name: str) -> None:
    formula = FORMULAS[name]
    assert formula.arguments
    shorts = [argument.short for argument in formula.arguments]
    assert len(set(shorts)) == len(shorts)
    for argument in formula.arguments:
        # An argument without a unit is a share, which ends at one, or a factor with a largest value that makes sense.
        assert argument.unit.text or argument.most < math.inf
