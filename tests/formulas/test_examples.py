"""Every formula stands on the numbers sheet with an example that is worked out there."""

import html
import re

import pytest

from macros import formulas
from macros.assumptions import load
from macros.chains import programs
from macros.formulas.examples import EXAMPLES, Example
from macros.render import sheet
from macros.render.worked import Known, worked
from macros.sizing import FORMULAS, SizingError

ASSUMPTIONS = load()
PROGRAMS = {id: program for chains in programs(ASSUMPTIONS).values() for id, program in chains.items()}
KNOWN = Known(ASSUMPTIONS, PROGRAMS)
SHEET = sheet.formulas(ASSUMPTIONS, PROGRAMS)


def test_there_is_one_for_each_formula() -> None:
    assert set(EXAMPLES) == set(formulas.__all__)


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_is_on_the_sheet_with_its_formula(name: str) -> None:
    found = SHEET.count(f'<div id="formula-{name.replace("_", "-")}">')
    assert found == 1
    example = worked(name, KNOWN)
    assert example.source
    # The values are put in: as many numbers as arguments at least.
    assert example.text != FORMULAS[name].text
    assert len(re.findall(r"\d[\d,.]*", example.text)) >= len(FORMULAS[name].arguments)
    assert re.fullmatch(r"[\d,.]+(e\d+)?", example.result.number)


def test_each_group_has_a_heading_with_a_sentence_and_a_link_to_it() -> None:
    groups = {FORMULAS[name].group for name in formulas.__all__}
    assert set(sheet._GROUPS) == groups
    for group in sheet._GROUPS.values():
        assert f"### {group.title}\n\n{group.about}\n\n<dl" in html.unescape(SHEET)
        assert f'<a href="#{group.anchor}">' in SHEET
        assert re.fullmatch(r"[A-Z].+\.", group.about)


def test_a_published_number_of_a_round_follows_into_its_example() -> None:
    step = worked("decode_step", KNOWN)
    assert str(step.result) == str(PROGRAMS["chatgpt"].chain.steps["decode_step"].shown) == "11.17 ms"
    assert worked("kv_bytes_per_token", KNOWN).text == (
        "2 × 80 layers × 8 heads/layer × 128 values/head × 2 bytes/value"
    )


@pytest.mark.parametrize(
    ("example", "message"),
    [
        (
            Example("a book", {"batch": "chatgpt.bach", "step": "11 ms"}),
            "there is no number `chatgpt.bach` (did you mean `chatgpt.batch`?)",
        ),
        (
            Example("a book", {"batch": "models.llama3_8b.layer", "step": "11 ms"}),
            "there is no number `models.llama3_8b.layer` (did you mean `models.llama3_8b.layers`?)",
        ),
        (Example("a book", {"batch": "shared.prize", "step": "11 ms"}), "there is no number `shared.prize`"),
        (Example("a book", {"batch": "unknown.batch", "step": "11 ms"}), "there is no number `unknown.batch`"),
        (Example("a book", {"batch": "128 sequences", "step": "11 ms"}), "unknown unit `sequences`"),
        (Example("a book", {"batch": "128 sequence/replica"}), "missing 1 required positional argument: 'step'"),
        (
            Example("a book", {"batch": "128 token", "step": "11 ms"}),
            "formula tokens_per_replica: argument batch has the wrong unit",
        ),
        (Example("a book", {"batch": "128 sequence/replica", "step": "11 ms"}, "ms"), "the result is not in ms"),
    ],
)
def test_a_mistake_in_an_example_names_it(monkeypatch, example: Example, message: str) -> None:
    monkeypatch.setitem(EXAMPLES, "tokens_per_replica", example)
    with pytest.raises(SizingError) as error:
        worked("tokens_per_replica", KNOWN)
    assert str(error.value).startswith("macros/formulas/examples.py: the example of tokens_per_replica: ")
    assert message in str(error.value)


def test_a_formula_without_an_example(monkeypatch) -> None:
    monkeypatch.delitem(EXAMPLES, "load")
    with pytest.raises(SizingError) as error:
        sheet.formulas(ASSUMPTIONS, PROGRAMS)
    assert str(error.value) == ("formula load has no worked example\n  fix: add one to macros/formulas/examples.py")
