"""A reader's answers: a prediction, the cards and their clock, a surprise; and the numbers to take along."""

import csv
import io
import re

import pytest
from playwright.sync_api import Page

from tests.browser.test_what_if import field, opened, row

DESIGN = "designs/chatgpt.html"


@pytest.mark.parametrize(
    ("guess", "told"),
    [
        ("117", "Your guess 117 replicas. Exactly."),
        ("130", "Within 1.25 ×: your arithmetic holds (1.11 × too high)."),
        ("100 replicas", "Within 1.25 ×: your arithmetic holds (1.17 × too low)."),
        ("200", "Within 2 ×: your method holds, one input is off (1.71 × too high)."),
        ("1k", "Within 10 ×: a term is missing or counted twice (8.55 × too high)."),
        ("20M", "More than 10 × off"),
        ("0", "Far off."),
        ("1,5", "Your guess: “1,5” is not a number of replicas; try 20M, 1.5k or 8*1.2."),
    ],
)
def test_a_prediction_is_graded_by_factor(page: Page, from_disk, complaints, guess: str, told: str) -> None:
    opened(page, from_disk(DESIGN), "score")
    page.locator("[data-guess=headline]").fill(guess)
    page.locator("[data-guess=binds][value=capacity]").check()
    page.get_by_text("Compare your guess").click()
    graded = page.locator("[data-graded]")
    graded.filter(has_text="bandwidth binds").wait_for()
    text = graded.inner_text()
    assert told in text
    assert text.endswith("You said capacity; bandwidth binds.")


def test_a_prediction_by_a_known_slip_names_it(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN), "score")
    slip = page.evaluate(
        """() => {
          const { program, resolve, value } = gdr.whatif;
          const { changes, uses } = program.slips.find(({ at }) => at === "quiz-fleet/average-hour");
          return value(gdr.evaluate(program, resolve(changes, uses)), "replicas");
        }"""
    )
    why = page.locator("#quiz-fleet [data-option=average-hour] p").text_content() or ""
    page.locator("[data-guess=headline]").fill(str(slip))
    # What the reader changed in the numbers is no part of the prediction.
    page.evaluate("gdr.whatif.set('daily_users', 2e7)")
    page.get_by_text("Compare your guess").click()
    graded = page.locator("[data-graded]")
    graded.filter(has_text="known slip").wait_for()
    assert (graded.text_content() or "").endswith(
        f"This number comes out by a known slip: {why.replace('Not this. ', '')}"
    )


def test_a_card_has_thirty_seconds_and_takes_the_answer_later_too(page: Page, from_disk, complaints) -> None:
    page.clock.install()
    opened(page, from_disk(DESIGN), "push")
    card = page.locator("#card-peak")
    answer = card.locator("input")
    clock = card.locator("[data-seconds]")
    assert clock.inner_text() == ""
    answer.press_sequentially("2")
    assert clock.inner_text() == "30 s"
    page.clock.run_for(10_000)
    answer.press_sequentially("33")
    assert clock.inner_text() == "20 s"
    # What cannot be read leaves the clock as it is.
    answer.press_sequentially("?")
    answer.press("Enter")
    assert card.get_by_role("status").inner_text() != ""
    page.clock.run_for(1_000)
    assert clock.inner_text() == "19 s"
    answer.press("Backspace")
    page.clock.run_for(20_000)
    assert clock.inner_text() == "Time is up"
    fold = card.locator("details")
    assert fold.evaluate("(fold) => fold.open") is False
    answer.press("Enter")
    assert card.get_by_role("status").inner_text() == "Exactly."
    assert fold.evaluate("(fold) => fold.open") is True
    assert clock.inner_text() == ""


def test_a_card_refuses_what_is_no_number_and_keeps_its_answer_folded(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN), "push")
    card = page.locator("#card-kv-heads")
    for text, told in {
        "": "Nothing here; type a number.",
        "many": "“many” is not a number of sequences/replica; try 20M, 1.5k or 8*1.2.",
    }.items():
        card.locator("input").fill(text)
        card.get_by_role("button", name="Check").click()
        assert card.get_by_role("status").inner_text() == told
        assert card.locator("details").evaluate("(fold) => fold.open") is False


def test_a_surprise_can_be_asked_again_and_shows_what_moved(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN), "push")
    page.get_by_text("Surprise me").click()
    surprise = page.locator("gdr-surprise")
    seed = int(re.findall(r"\(Surprise (\d+)\)", surprise.inner_text())[0])
    surprise.get_by_role("button", name="Another").click()
    assert f"(Surprise {seed + 1})" in surprise.inner_text()
    # The same seed asks the same.
    asked = surprise.locator("p").first
    page.evaluate("document.querySelector('gdr-surprise').ask(5)")
    question = asked.inner_text()
    page.evaluate("(s) => { const one = document.querySelector('gdr-surprise'); one.ask(6); one.ask(5); }")
    assert asked.inner_text() == question
    assert re.fullmatch(r".+ goes from .+ to .+\. The headline\? \(Surprise 5\)", question)
    surprise.locator("input").fill("117")
    surprise.get_by_role("button", name="Check").click()
    assert re.match(r"117 replicas → [\d,]+ replicas?\.", surprise.locator("p").last.inner_text())


def copied(page: Page, what: str) -> str:
    """Press one of the copy buttons, and return what it copied."""
    page.evaluate(
        """() => Object.defineProperty(navigator, "clipboard", {
          configurable: true,
          value: { writeText: async (text) => { globalThis.taken = text; } },
        })"""
    )
    place = page.locator(".gdr-copy")
    place.locator(f"[data-copy={what}]").click()
    place.get_by_text("Copied.").wait_for()
    text: str = page.evaluate("taken")
    return text


def test_the_numbers_are_copied_as_they_stand(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN))
    field(page, "daily_users").fill("20M")
    rows = list(csv.DictReader(io.StringIO(copied(page, "csv"))))
    ids = page.locator(".gdr-numbers .gdr-row [data-value] [data-n]").evaluate_all(
        "(all) => all.map((n) => n.dataset.n)"
    )
    # Each row by its own name, not by a fact of its formula.
    assert [one["id"] for one in rows] == ids
    by_id = {one["id"]: one for one in rows}
    assert (by_id["replicas"]["value"], by_id["replicas"]["was"]) == ("233", "117 replicas")
    assert (by_id["daily_users"]["value"], by_id["daily_users"]["unit"]) == ("20000000", "users")
    assert by_id["batch"]["was"] == ""
    lines = copied(page, "markdown").splitlines()
    assert lines[:2] == ["| Quantity | How it is computed | Value |", "|---|---|---:|"]
    assert len(lines) == len(ids) + 2
    label = row(page, "replicas").locator("th").evaluate("(th) => th.lastChild.textContent.trim()")
    (line,) = (line for line in lines if line.startswith(f"| {label} |"))
    assert line.endswith("| 233 replicas (was 117 replicas) |")
    assert copied(page, "link").endswith("?daily_users=20000000")
