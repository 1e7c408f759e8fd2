"""What moves the headline, live: the swings, all ranges at once, and the scan, as Python computes them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page

from macros.assumptions import load
from macros.chains import Program, programs
from macros.sizing import SizingError
from macros.sizing.points import interval
from macros.sizing.sensitivity import swings
from tests.browser.test_what_if import opened
from tests.cases import bits
from tests.pages.designs import DESIGNS

BITS = """(value) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}"""
# It pauses now and then; here it is run to its end.
INTERVAL = """(() => {
  const points = gdr.interval();
  for (;;) {
    const { done, value } = points.next();
    if (done) return value;
  }
})()"""
ROWS = """() => [...document.querySelectorAll(".gdr-moves tbody tr")].map((row) => [
  row.dataset.input, row.lastElementChild.textContent, row.querySelector("[data-ends]").textContent,
])"""


@pytest.fixture(params=DESIGNS)
def program(request: pytest.FixtureRequest) -> Program:
    """The program of each design in turn."""
    return programs(load())["designs"][request.param]


def change(program: Program) -> dict[str, float]:
    """A change within its range, to a value with many digits, of the first assumption whose whole range has numbers."""
    chain = program.chain
    for id, given in chain.inputs.items():
        if given.low is not None and id in chain.ancestors(chain.headline):
            found = {id: given.value + 0.4321 * (given.low - given.value)}
            try:
                expected_swings(program, found)
            except SizingError:
                continue
            return found
    raise AssertionError(f"{program.id} has no change that leaves every swing a number")


def expected_swings(program: Program, changes: Mapping[str, float]) -> dict[str, tuple[float, str, str]]:
    """Width, text and violated constraints of each bar when some inputs are changed."""
    chain = program.chain
    found = {}
    for swing in swings(chain, lambda values: program.replayed({**changes, **values})):
        low, high = sorted((swing.at_low, swing.at_high))
        text = f"{chain.show(chain.headline, low).number}–{chain.show(chain.headline, high).number}"
        found[swing.input] = (swing.width, text, "")
    return found


def test_the_interval_is_bit_for_bit_that_of_the_build(page: Page, from_disk, complaints, program: Program) -> None:
    opened(page, from_disk(f"designs/{program.id}.html"), "push")
    low, high, _ = interval(program.chain)
    assert page.evaluate(f"{INTERVAL}.map({BITS})") == [bits(low), bits(high)]
    # Untouched, the bars are those of the build.
    published = page.evaluate(ROWS)
    looks = page.evaluate("document.querySelector('.gdr-moves tbody').innerHTML")
    assert [one[1] for one in published] == [text for width, text, _ in expected_swings(program, {}).values() if width]

    changed = change(program)
    ((id, value),) = changed.items()
    page.evaluate("([id, value]) => gdr.whatif.set(id, value)", [id, value])
    expected = expected_swings(program, changed)
    shown = page.evaluate(ROWS)
    assert {id: text for id, text, _ in shown} == {id: expected[id][1] for id, _, _ in published}
    inputs = dict(program.chain.inputs)
    inputs[id] = replace(inputs[id], value=value)
    low, high, _ = interval(replace(program.chain, inputs=inputs))
    assert page.evaluate(f"{INTERVAL}.map({BITS})") == [bits(low), bits(high)]
    widths = [expected[id][0] for id, _, _ in shown]
    assert widths == sorted(widths, reverse=True)
    page.evaluate("gdr.whatif.reset()")
    assert page.evaluate(ROWS) == published
    # Styles are written by the browser in words of its own.
    assert page.evaluate("document.querySelectorAll('.gdr-swing[hidden]').length") == 0
    assert looks.count("--low") == page.locator(".gdr-swing[style*='--low']").count()


def test_the_interval_follows_after_a_pause(page: Page, from_disk, complaints) -> None:
    page.clock.install()
    opened(page, from_disk("designs/chatgpt.html"), "push")
    text = page.locator("[data-interval]")
    published = text.text_content()
    page.evaluate("gdr.whatif.set('daily_users', 2e7)")
    assert text.text_content() == published
    page.clock.run_for(200)
    low, high = page.evaluate(INTERVAL)
    shown = page.evaluate("([low, high]) => [low, high].map((v) => gdr.whatif.shown('replicas', v))", [low, high])
    assert text.text_content() == f"{shown[0].split()[0]} and {shown[1]}" != published
    page.evaluate("gdr.whatif.set('gpus_per_replica', 0)")
    page.clock.run_for(200)
    assert "NaN" not in (text.text_content() or "")
    page.evaluate("gdr.whatif.reset()")
    page.clock.run_for(200)
    assert text.text_content() == published


# The places that a scan's table lists: every fourth, or all of the few where an input comes whole.
LISTED = """(id) => {
  const { low, high } = gdr.whatif.shape.get(id);
  const near = (at) => gdr.whatif.near(id, low + (at / 24) * (high - low), 12);
  const bases = [...new Set(Array.from({ length: 25 }, (_, at) => near(at)))];
  return bases.filter((_, at) => bases.length < 9 || at % 4 === 0);
}"""


def test_the_scan_agrees_with_python_at_every_row(page: Page, from_disk, complaints, program: Program) -> None:
    opened(page, from_disk(f"designs/{program.id}.html"), "push")
    chain = program.chain
    page.evaluate("document.querySelector('gdr-scan').closest('details').open = true")
    label = page.locator(".gdr-moves thead th").last.text_content()
    scan = page.locator("gdr-scan")
    ids = scan.locator("option").evaluate_all("(all) => all.map((option) => option.value)")
    assert ids == [id for id, (width, _, _) in expected_swings(program, {}).items() if width]
    for id in ids:
        scan.locator("select").select_option(id)
        given = chain.inputs[id]
        assert given.low is not None
        assert given.high is not None
        rows: list[Any] = []
        for base in page.evaluate(LISTED, id):
            try:
                values = program.replayed({id: base})
            except SizingError:
                continue
            # The first of those that demand most.
            word = max(chain.ceilings, key=lambda word: values[chain.ceilings[word]])
            rows.append([str(chain.show(id, base)), str(chain.show(chain.headline, values[chain.headline])), word])
        shown = scan.locator("tbody tr").evaluate_all(
            "(rows) => rows.map((row) => [...row.cells].map((c) => c.textContent))"
        )
        # Where Python stops at a step that has no number, the headline may still have one.
        assert [one for one in shown if one[0] in {row[0] for row in rows}] == rows, id
        name = scan.locator("svg").get_attribute("aria-label")
        assert name == f"{label} over {given.label}; the data stands in the table below"
        assert "NaN" not in scan.inner_html()


def test_the_scan_marks_where_another_ceiling_binds(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk("designs/chatgpt.html"), "push")
    page.evaluate("document.querySelector('gdr-scan').closest('details').open = true")
    scan = page.locator("gdr-scan")
    scan.locator("select").select_option("batch")
    turns = scan.locator("svg text").filter(has_text="binds from here")
    assert turns.count() == scan.locator(".gdr-turn").count()
    words = scan.locator("tbody tr td:last-child").all_inner_texts()
    if len(set(words)) > 1:
        assert turns.count() > 0
    # The dot is where the page stands now.
    before = scan.locator("circle").get_attribute("cx")
    # Drawn in the frame of the change.
    page.evaluate("(gdr.whatif.set('batch', 200), new Promise(requestAnimationFrame))")
    assert scan.locator("circle").get_attribute("cx") != before
    page.evaluate("(gdr.whatif.set('batch', 5000), new Promise(requestAnimationFrame))")
    assert scan.locator("circle").count() == 0
