"""What a reader does on a design page: folds, notes, grades, steps and questions, and finds again on the next visit."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.look import tab_to
from tests.pages.designs import DESIGNS

# What no design does otherwise is tried on one.
DESIGN = f"designs/{DESIGNS[0]}.html"
NOON = datetime(2026, 11, 30, 12, 0)
GROUPS = ("score", "answer", "push", "sources")
SCORE = "summary:has(#score)"
FOCUSED = "(element) => element === document.activeElement"


@pytest.fixture(params=DESIGNS)
def design(request: pytest.FixtureRequest) -> str:
    """Each design in turn."""
    return str(request.param)


def open_groups(page: Page) -> list[str]:
    """The groups that are open."""
    folds: list[str] = page.locator("[data-fold][open]").evaluate_all("(all) => all.map((fold) => fold.dataset.fold)")
    return folds


def open_steps(page: Page) -> list[int]:
    """The numbers of the steps that are open; waits until the buttons agree, which hear of it a moment later."""
    page.wait_for_function(
        """() => [...document.querySelectorAll("gdr-steps button")].every((button) => {
          const step = document.getElementById(button.getAttribute("aria-controls"));
          return step.open === (button.ariaExpanded === "true");
        })"""
    )
    steps: list[int] = page.locator(".gdr-step[open]").evaluate_all("(all) => all.map(({ id }) => Number(id.at(-1)))")
    return steps


def group(page: Page, name: str) -> Locator:
    """The summary of a group."""
    return page.locator(f"[data-fold={name}] > summary")


def wait_for_groups(page: Page, *names: str) -> None:
    """Wait until exactly these groups are open and remembered."""
    page.wait_for_function(
        """(names) => {
          const open = [...document.querySelectorAll("[data-fold][open]")].map((fold) => fold.dataset.fold);
          const remembered = gdr.store.get("folds", gdr.design)?.open ?? [];
          return open.join() === names && [...remembered].sort().join() === [...open].sort().join();
        }""",
        arg=",".join(names),
    )


def step_button(page: Page, number: int) -> Locator:
    return page.locator("gdr-steps button").nth(number - 1)


def stored(page: Page, section: str) -> Any:
    """What is stored for this design, as another page would read it; None if nothing is."""
    text = page.evaluate(
        """(section) => Object.entries(localStorage).find(([key]) => key.endsWith(`:${section}/${gdr.design}`))?.[1]"""
        " ?? null",
        section,
    )
    return json.loads(text)["data"] if text else None


# ---------------------------------------------------------------- folds
WATCH = """() => {
  globalThis.early = [];
  globalThis.shifts = [];
  const note = () => early.push([...document.querySelectorAll("[data-fold][open], .gdr-step[open]")].length);
  addEventListener("DOMContentLoaded", note);
  // Each frame from the first one on.
  const frame = () => { if (document.querySelector("[data-fold=sources]")) note(); requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value, sources }) =>
    `${value} ${sources.map(({ node }) => node?.textContent.slice(0, 40))}`)))
    .observe({ type: "layout-shift", buffered: true });
}"""


def test_folds_are_as_they_were_left_from_the_first_frame_on(page: Page, at, complaints) -> None:
    page.add_init_script(f"({WATCH})()")
    page.goto(at(DESIGN))
    assert open_groups(page) == []
    assert set(page.evaluate("early")) == {0}
    for name in ("answer", "push"):
        group(page, name).click()
    step_button(page, 3).click()
    wait_for_groups(page, "answer", "push")
    page.reload()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert set(page.evaluate("early")) == {3}
    assert page.evaluate("shifts") == []
    assert (open_groups(page), open_steps(page)) == (["answer", "push"], [3])
    # Closing is remembered as well.
    group(page, "push").click()
    step_button(page, 3).click()
    wait_for_groups(page, "answer")
    page.reload()
    assert (open_groups(page), open_steps(page)) == (["answer"], [])


def test_folds_are_remembered_for_each_design_by_itself(page: Page, from_disk) -> None:
    """A second design, made of the first one's page, stands for any other."""
    page.goto(from_disk(DESIGN))
    group(page, "answer").click()
    wait_for_groups(page, "answer")
    page.evaluate(
        """() => {
          const [key] = Object.keys(localStorage).filter((key) => key.endsWith(`:folds/${gdr.design}`));
          localStorage.setItem(key.replace(gdr.design, "another"), localStorage.getItem(key));
          localStorage.removeItem(key);
        }"""
    )
    page.reload()
    assert open_groups(page) == []


def test_show_me_anyway_opens_the_answer_and_goes(page: Page, from_disk, complaints) -> None:
    page.goto(from_disk(DESIGN))
    note = page.locator(".gdr-anyway")
    assert note.inner_text() == "Everything below stays folded until you have tried. Show me anyway"
    tab_to(page, "[data-anyway]")
    page.keyboard.press("Enter")
    wait_for_groups(page, "answer")
    assert not note.is_visible()
    # The focus is where the answer begins, not lost with the button.
    assert group(page, "answer").evaluate(FOCUSED)
    page.reload()
    assert not note.is_visible()
    group(page, "answer").click()
    wait_for_groups(page)
    # What was seen stays seen.
    page.reload()
    assert not note.is_visible()


# Where a link leads, and what it opens.
LINKS = {
    "score": ["score"],
    "predict": ["score"],
    "bill": ["answer"],
    "diagram": ["answer"],
    "check-yourself": ["push"],
    "round": [],
    "no-such-place": [],
    # Not an encoded address.
    "50%": [],
}


def test_a_link_opens_what_it_leads_to(page: Page, from_disk, complaints) -> None:
    for hash_, opened in LINKS.items():
        page.goto("about:blank")
        page.goto(f"{from_disk(DESIGN)}#{hash_}")
        wait_for_groups(page, *opened)
        page.evaluate("localStorage.clear()")
    # All parts have started.
    page.locator("[data-do=start]").click()
    assert page.locator("[data-show=label]").inner_text() != "Not started"


def test_a_link_on_the_page_opens_it_again(page: Page, from_disk, complaints) -> None:
    page.goto(f"{from_disk(DESIGN)}#score")
    group(page, "score").click()
    wait_for_groups(page)
    # A reader's own link, as from a search result: the address is the same already.
    page.evaluate(
        """() => {
          const link = document.createElement("a");
          Object.assign(link, { href: "#score", textContent: "Again", id: "again" });
          document.querySelector(".gdr-prompt").append(link);
        }"""
    )
    page.locator("#again").click()
    wait_for_groups(page, "score")


@pytest.mark.parametrize("start", ["index.html", DESIGN])
def test_a_search_result_opens_where_it_leads(page: Page, from_disk, complaints, start) -> None:
    page.goto(from_disk(start))
    page.keyboard.press("s")
    page.keyboard.type("The bill in full")
    result = page.locator(f".md-search-result__link[href*='{DESIGN}'][href*='#bill']")
    result.first.wait_for(state="attached")
    result.first.evaluate("(link) => link.closest('details')?.setAttribute('open', '')")
    result.first.click()
    page.wait_for_url("**#bill")
    page.locator("#bill").wait_for()
    assert open_groups(page) == ["answer"]
    page.wait_for_function("document.querySelector('#bill').getBoundingClientRect().top < innerHeight")


def test_find_in_page_opens_what_it_finds(page: Page, from_disk, complaints) -> None:
    """A text fragment is found as find-in-page finds it, and unfolds in the same way."""
    page.goto(from_disk(DESIGN))
    words = page.locator("#step-4 > p").first.evaluate("(p) => p.textContent.split(' ').slice(0, 6).join(' ')")
    page.goto("about:blank")
    page.goto(f"{from_disk(DESIGN)}#:~:text={words}")
    wait_for_groups(page, "answer")
    assert open_steps(page) == [4]
    # An exam does not give way to it.
    page.goto(from_disk(DESIGN))
    start_exam(page)
    page.goto("about:blank")
    page.goto(f"{from_disk(DESIGN)}#:~:text={words}")
    wait_for_groups(page)
    assert not page.locator("#step-4 > p").first.is_visible()


def start_exam(page: Page) -> None:
    page.locator(".gdr-options > summary").click()
    page.get_by_label("Exam").check()
    page.locator("[data-do=start]").click()


def test_an_exam_stays_folded_whatever_the_address(page: Page, from_disk, complaints) -> None:
    page.goto(from_disk(DESIGN))
    start_exam(page)
    said = page.locator("gdr-round [role=status]", has_text="Exam: this stays folded until the time is up")
    for hash_ in ("answer", "check-yourself", "step-3"):
        page.evaluate("(hash) => { location.hash = hash; }", hash_)
        said.wait_for(state="attached")
        wait_for_groups(page)
    assert said.text_content() == "Exam: this stays folded until the time is up or you press Done."
    # Not even for the moment in which it is closed again.
    page.add_init_script(
        """
        globalThis.seen = 0;
        const look = () => {
          for (const part of document.querySelectorAll("#numbers, .gdr-step p")) seen += part.checkVisibility();
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
        """
    )
    page.reload()
    wait_for_groups(page)
    assert page.evaluate("seen") == 0


def test_paper_shows_all_whatever_is_folded(page: Page, from_disk) -> None:
    page.goto(from_disk(DESIGN))
    group(page, "answer").click()
    step_button(page, 2).click()
    page.emulate_media(media="print")
    places = page.locator(
        ".gdr-step > summary, .gdr-step > p:not(.gdr-uses, .gdr-on), #bill, #check-yourself, .gdr-option p"
    )
    assert places.count() > 20
    assert [place.text_content() for place in places.all() if not place.is_visible()] == []
    start = page.locator("gdr-steps")
    assert not start.is_visible()
    # Back on the screen everything is as it was.
    page.emulate_media(media="screen")
    assert (open_groups(page), open_steps(page)) == (["answer"], [2])


def test_a_new_round_folds_everything_again(page: Page, from_disk, complaints) -> None:
    page.goto(from_disk(DESIGN))
    for name in GROUPS:
        group(page, name).click()
    step_button(page, 1).click()
    wait_for_groups(page, *GROUPS)
    page.locator("[data-do=start]").click()
    wait_for_groups(page)
    assert open_steps(page) == []
    page.reload()
    assert (open_groups(page), open_steps(page)) == ([], [])
    assert page.locator(".gdr-anyway").is_visible()


# ---------------------------------------------------------------- scratchpad
def note(page: Page, number: int) -> Locator:
    """The scratchpad of a step, opened."""
    pad = page.locator(".gdr-pad").nth(number - 1)
    if pad.get_attribute("open") is None:
        pad.locator("summary").click()
    return pad.locator("textarea")


def test_notes_are_saved_while_they_are_typed(page: Page, from_disk, complaints) -> None:
    page.clock.install(time=NOON)
    page.goto(from_disk(DESIGN))
    page.clock.pause_at(NOON + timedelta(minutes=1))
    field = note(page, 3)
    field.press_sequentially("10 M users")
    assert stored(page, "pad") is None
    page.clock.run_for(500)
    assert stored(page, "pad") == {field.get_attribute("data-pad"): "10 M users"}
    # Going elsewhere on the page saves at once.
    note(page, 1).fill("p95\nor p99?")
    note(page, 2).focus()
    assert sorted(stored(page, "pad").values()) == ["10 M users", "p95\nor p99?"]
    assert [text.strip() for text in page.locator("[data-count]").all_text_contents()] == ["· 3", "", "· 3", "", ""]


def test_notes_are_saved_on_leaving_and_shown_beside_their_step(page: Page, at, complaints) -> None:
    page.clock.install(time=NOON)
    page.goto(at(DESIGN))
    page.clock.pause_at(NOON + timedelta(minutes=1))
    note(page, 2).fill("gateway → router\n<b>pool</b>")
    page.goto(at("index.html"))
    page.goto(at(DESIGN))
    assert note(page, 2).input_value() == "gateway → router\n<b>pool</b>"
    note(page, 2).press("End")
    page.keyboard.type("!")
    page.reload()
    group(page, "answer").click()
    for number, text in ((1, None), (2, "gateway → router\n<b>pool</b>!")):
        step_button(page, number).click()
        yours = page.locator(f"#step-{number} .gdr-yours")
        assert yours.is_visible() is (text is not None)
        if text:
            assert yours.locator("p").all_inner_texts() == ["Your notes", text]
    # Emptied, it goes.
    note(page, 2).fill(" ")
    page.clock.run_for(500)
    assert not yours.is_visible()


def test_notes_of_two_tabs_do_not_undo_each_other(page: Page, from_disk) -> None:
    page.goto(from_disk(DESIGN))
    other = page.context.new_page()
    other.goto(from_disk(DESIGN))
    first, second = note(page, 1), note(other, 2)
    first.fill("from the first tab")
    second.fill("from the second tab")
    first.blur()
    second.blur()
    for tab in (page, other):
        tab.wait_for_function(
            "() => [...document.querySelectorAll('[data-pad]')].slice(0, 2).every((field) => field.value)"
        )
        assert note(tab, 1).input_value() == "from the first tab"
        assert note(tab, 2).input_value() == "from the second tab"
    # What is being typed is not taken away by what the other tab saves.
    first.press_sequentially("!")
    note(other, 3).fill("x")
    note(other, 3).blur()
    page.wait_for_function("() => document.querySelectorAll('[data-pad]')[2].value === 'x'")
    assert first.input_value().count("!") == 1


# ---------------------------------------------------------------- self-grade
def ticks(page: Page) -> Locator:
    """The ticks of the rubric."""
    return page.locator(".gdr-rubric input")


def tick(page: Page, count: int) -> None:
    """Tick the first ones, and no others."""
    for number, box in enumerate(ticks(page).all()):
        box.set_checked(number < count)


def history(page: Page) -> list[str]:
    """The lines of the history, the latest first."""
    return page.locator("[data-history] summary").all_inner_texts()


def test_ticks_are_kept_by_their_names_and_counted_in_both_places(page: Page, from_disk, complaints) -> None:
    page.goto(from_disk(DESIGN))
    group(page, "score").click()
    names = ticks(page).evaluate_all("(all) => all.map((box) => box.name)")
    assert len(set(names)) == 8
    beside = page.locator(".gdr-ticks input")
    beside.first.wait_for()
    assert beside.evaluate_all("(all) => all.map((box) => box.name)") == names
    assert page.locator("[data-ticked]").inner_text() == "0 of 8"
    # Ticked in one place, it is ticked in the other.
    ticks(page).nth(1).check()
    beside.nth(6).check()
    beside.nth(2).check()
    ticks(page).nth(2).uncheck()
    for _ in range(2):
        for boxes in (ticks(page), beside):
            assert boxes.evaluate_all("(all) => all.flatMap((box, at) => box.checked ? [at] : [])") == [1, 6]
        assert page.locator("[data-ticked]").inner_text() == "2 of 8"
        tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
        texts = [node["name"]["value"] for node in tree["nodes"] if node["role"]["value"] == "StaticText"]
        assert "".join(texts).count("2 of 8") == 2
        page.reload()
    assert stored(page, "ticks")["ticks"] == {names[1]: True, names[6]: True}


def test_ticks_of_two_tabs_add_up(page: Page, from_disk) -> None:
    page.goto(from_disk(DESIGN))
    other = page.context.new_page()
    other.goto(from_disk(DESIGN))
    for number, tab in ((2, page), (4, other)):
        group(tab, "score").click()
        ticks(tab).nth(number).check()
    for tab in (page, other):
        tab.locator("[data-ticked]", has_text="2 of 8").wait_for(state="attached")
        assert [ticks(tab).nth(number).is_checked() for number in (2, 3, 4)] == [True, False, True]


def add_note(page: Page, number: int, text: str) -> None:
    """Write a note beside a tick."""
    fold = page.locator(".gdr-tick details").nth(number)
    fold.locator("summary").click()
    fold.locator("textarea").fill(text)


AGAIN = {0: "tomorrow", 4: "tomorrow", 5: "in 3 days", 6: "in 3 days", 7: "in 7 days", 8: "in 7 days"}


def test_saving_says_when_it_is_due_again(page: Page, from_disk, complaints) -> None:
    page.clock.set_fixed_time(NOON)
    page.goto(f"{from_disk(DESIGN)}#score")
    for count, again in AGAIN.items():
        tick(page, count)
        page.locator("[data-save]").click()
        assert page.locator(".gdr-save [data-told]").inner_text() == f"Saved: {count} of 8. Due again {again}."
        assert history(page) == [f"30 November 2026 · {count} of 8"]


def test_an_attempt_keeps_what_was_written_and_guessed(page: Page, at, complaints) -> None:
    page.clock.install(time=NOON)
    page.goto(f"{at(DESIGN)}#score")
    page.clock.pause_at(NOON + timedelta(minutes=1))
    note(page, 2).fill("boxes and arrows")
    tick(page, 6)
    labels = page.locator(".gdr-rubric label").all_inner_texts()
    add_note(page, 0, "forgot the peak")
    page.locator("[data-guess=binds]").nth(1).check()
    page.locator("[data-guess=headline]").fill("$0.10")
    binds = page.locator("[data-guess=binds]").nth(1).input_value()
    page.reload()
    # Kept before anything is saved.
    assert page.locator("[data-guess=headline]").input_value() == "$0.10"
    assert page.locator("[data-guess=binds]:checked").input_value() == binds
    assert page.locator("[data-note]").first.input_value() == "forgot the peak"
    page.locator("[data-save]").click()
    page.reload()
    assert history(page) == ["30 November 2026 · 6 of 8"]
    page.locator("[data-history] summary").click()
    assert page.locator("[data-history] li").all_inner_texts() == [
        f"Predicted: $0.10, {binds} binds",
        f"{labels[0].strip()}: forgot the peak",
        *(f"Missed: {label.strip()}" for label in labels[6:]),
        "boxes and arrows",
    ]
    (attempt,) = stored(page, "attempts")
    names = ticks(page).evaluate_all("(all) => all.map((box) => box.name)")
    assert {key: attempt[key] for key in ("score", "of", "minutes", "ticks", "notes", "predictions")} == {
        "score": 6,
        "of": 8,
        "minutes": None,
        "ticks": names[:6],
        "notes": {names[0]: "forgot the peak"},
        "predictions": {"binds": binds, "headline": "$0.10"},
    }
    assert list(attempt["pad"].values()) == ["boxes and arrows"]
    assert attempt["at"] == pytest.approx(page.evaluate("Date.now()"), abs=60_000)


def test_saved_twice_in_one_sitting_is_one_attempt(page: Page, from_disk, complaints) -> None:
    page.clock.set_fixed_time(NOON)
    page.goto(f"{from_disk(DESIGN)}#score")
    clear = page.get_by_role("button", name="Clear for the next")
    assert not clear.is_visible()
    tick(page, 3)
    page.locator("[data-save]").click()
    tick(page, 5)
    page.reload()
    page.locator("[data-save]").click()
    assert history(page) == ["30 November 2026 · 5 of 8"]
    # Cleared for the next one, it is another.
    add_note(page, 1, "a note")
    note(page, 1).fill("scribbles")
    clear.click()
    assert page.locator(".gdr-save [data-told]").inner_text() == "Cleared. What you saved stays below."
    assert not clear.is_visible()
    assert page.locator("[data-save]").evaluate(FOCUSED)
    assert page.locator("[data-ticked]").inner_text() == "0 of 8"
    fields = page.locator("[data-note], [data-pad], [data-guess=headline]")
    assert set(fields.evaluate_all("(all) => all.map((field) => field.value)")) == {""}
    page.clock.set_fixed_time(NOON + timedelta(minutes=1))
    tick(page, 8)
    page.locator("[data-save]").click()
    assert history(page) == ["30 November 2026 · 8 of 8", "30 November 2026 · 5 of 8"]
    page.locator("[data-history] summary").first.click()
    assert page.locator("[data-history] details[open] li").all_inner_texts() == ["All 8 points."]
    # And so is what is saved on another day, whether or not anybody cleared.
    page.clock.set_fixed_time(NOON + timedelta(days=1))
    tick(page, 6)
    page.locator("[data-save]").click()
    assert [line.split(" · ") for line in history(page)] == [
        ["1 December 2026", "6 of 8"],
        ["30 November 2026", "8 of 8"],
        ["30 November 2026", "5 of 8"],
    ]


def test_the_time_of_a_round_counts_for_one_attempt(page: Page, from_disk, complaints) -> None:
    page.clock.install(time=NOON)
    page.goto(from_disk(DESIGN))
    page.clock.pause_at(NOON + timedelta(minutes=1))
    page.locator("[data-do=start]").click()
    page.clock.fast_forward("12:00")
    page.locator(".gdr-options > summary").click()
    page.get_by_role("button", name="I am done").click()
    tick(page, 4)
    page.locator("[data-save]").click()
    assert history(page) == ["30 November 2026 · 4 of 8 · 12 min"]
    # The clock put away, the sitting is still the same.
    page.get_by_role("button", name="New round").click()
    tick(page, 5)
    page.locator("[data-save]").click()
    assert history(page) == ["30 November 2026 · 5 of 8 · 12 min"]


def test_a_second_attempt_beside_an_ended_clock_is_another(page: Page, from_disk, complaints) -> None:
    page.clock.install(time=NOON)
    page.goto(from_disk(DESIGN))
    page.clock.pause_at(NOON + timedelta(minutes=1))
    page.locator("[data-do=start]").click()
    page.clock.fast_forward("50:00")
    page.get_by_role("link", name="Grade yourself").click()
    tick(page, 4)
    page.locator("[data-save]").click()
    page.get_by_role("button", name="Clear for the next").click()
    page.clock.fast_forward("10:00")
    tick(page, 7)
    page.locator("[data-save]").click()
    assert history(page) == ["30 November 2026 · 7 of 8", "30 November 2026 · 4 of 8 · 45 min"]


@pytest.mark.parametrize("saved", [True, False])
def test_a_new_round_clears_what_was_saved_and_only_that(page: Page, from_disk, complaints, saved) -> None:
    page.goto(f"{from_disk(DESIGN)}#score")
    note(page, 1).fill("written")
    tick(page, 2)
    if saved:
        page.locator("[data-save]").click()
    page.locator("[data-do=start]").click()
    assert page.locator("[data-ticked]").text_content() == ("0 of 8" if saved else "2 of 8")
    assert note(page, 1).input_value() == ("" if saved else "written")
    assert len(stored(page, "attempts") or []) == saved


def test_an_opened_attempt_stays_open_while_the_clock_runs(page: Page, from_disk, complaints) -> None:
    page.clock.install(time=NOON)
    page.goto(f"{from_disk(DESIGN)}#score")
    page.clock.pause_at(NOON + timedelta(minutes=1))
    page.locator("[data-save]").click()
    page.locator("[data-do=start]").click()
    group(page, "score").click()
    page.locator("[data-history] summary").click()
    page.clock.run_for(20_000)
    ticks(page).first.check()
    assert page.locator("[data-history] li").first.is_visible()
    assert page.locator("[data-history] summary").count() == 1


# ---------------------------------------------------------------- the steps of the answer
def lit(page: Page) -> list[str]:
    """The rows that are lit, in the order of the tables."""
    rows: list[str] = page.locator(".gdr-lit").evaluate_all("(rows) => rows.map((row) => row.id)")
    return rows


def quoted(page: Page, number: int) -> set[str]:
    """The rows that a step names as the numbers it uses."""
    hashes = page.locator(f"#step-{number} .gdr-uses a").evaluate_all("(all) => all.map((link) => link.hash.slice(1))")
    return set(hashes)


def test_each_step_lights_the_rows_that_it_quotes(page: Page, from_disk, complaints, design) -> None:
    page.goto(from_disk(f"designs/{design}.html"))
    group(page, "answer").click()
    buttons = page.locator("gdr-steps button")
    assert buttons.count() == 5
    assert lit(page) == []
    used = 0
    for number in range(1, 6):
        step_button(page, number).click()
        page.locator(f"#step-{number} > p").first.wait_for()
        assert open_steps(page) == [number]
        rows = lit(page)
        assert set(rows) == quoted(page, number)
        linked = page.locator(f"#step-{number} a.gdr-n[href^='#row-']")
        assert set(linked.evaluate_all("(all) => all.map((link) => link.hash.slice(1))")) <= set(rows)
        used += bool(rows)
        if rows:
            cells = "(row) => [...row.cells].map((cell) => getComputedStyle(cell).backgroundColor).join()"
            tint = page.locator(f"#{rows[0]}").evaluate(cells)
            plain = page.locator(".gdr-row:not(.gdr-lit)").first.evaluate(cells)
            assert tint != plain
    assert used >= 2
    # A second press closes it.
    step_button(page, 5).click()
    page.wait_for_function("!document.querySelector('.gdr-lit, .gdr-step[open]')")
    assert open_steps(page) == []


def test_the_steps_by_keyboard_alone(page: Page, from_disk, complaints) -> None:
    page.goto(from_disk(DESIGN))
    tab_to(page, "[data-fold=answer] > summary")
    page.keyboard.press("Enter")
    reached = tab_to(page, "gdr-steps button")
    assert reached["ring"] >= 2

    def press(*keys: str) -> tuple[list[int], int]:
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_function("document.activeElement.closest('gdr-steps')")
        focused = page.locator("gdr-steps button").evaluate_all(f"(all) => all.findIndex({FOCUSED}) + 1")
        return open_steps(page), focused

    assert press("Enter") == ([1], 1)
    assert press("Space") == ([], 1)
    assert press("ArrowRight") == ([2], 2)
    assert press("ArrowRight", "ArrowRight", "ArrowRight") == ([5], 5)
    # There is nothing beyond the last and the first.
    assert press("ArrowRight") == ([5], 5)
    assert press("ArrowLeft") == ([4], 4)
    assert press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft") == ([1], 1)
    # The last step has no next one; Alt and an arrow is the browser's.
    assert page.locator("[data-next]").count() == 4
    assert page.evaluate(
        """() => {
          const pressed = { key: "ArrowRight", altKey: true, bubbles: true, cancelable: true };
          return document.activeElement.dispatchEvent(new KeyboardEvent("keydown", pressed));
        }"""
    )
    assert press() == ([1], 1)
    for number in range(1, 5):
        tab_to(page, f"#step-{number} [data-next]")
        name = page.locator(f"#step-{number + 1} > summary b").text_content() or ""
        assert page.locator(f"#step-{number} [data-next]").inner_text() == f"Next: {name.lower()}"
        assert press("Enter") == ([number + 1], number + 1)


def test_a_link_leads_to_a_step(page: Page, from_disk, complaints) -> None:
    # From another page.
    page.goto(from_disk("index.html"))
    page.evaluate("(address) => { location.href = address; }", f"{from_disk(DESIGN)}#step-3")
    page.locator("#step-3 > p").first.wait_for()
    page.wait_for_load_state()
    assert (open_groups(page), open_steps(page)) == (["answer"], [3])
    assert set(lit(page)) == quoted(page, 3)
    wait_for_groups(page, "answer")
    # On the page itself, with everything folded.
    page.goto(from_disk("index.html"))
    page.evaluate("localStorage.clear()")
    page.goto(from_disk(DESIGN))
    assert open_groups(page) == []
    page.evaluate("location.hash = 'step-4'")
    page.locator("#step-4 > p").first.wait_for()
    page.wait_for_function("document.querySelector('#step-4').getBoundingClientRect().top < innerHeight / 2")
    wait_for_groups(page, "answer")
    assert open_steps(page) == [4]
    # Whoever opened it: the next visit finds it open.
    page.goto(from_disk(DESIGN))
    page.wait_for_load_state()
    page.goto(from_disk("index.html"))
    page.goto(from_disk(DESIGN))
    assert open_steps(page) == [4]


# ---------------------------------------------------------------- questions
def test_a_question_is_answered_at_once_and_counted_at_the_first_try(page: Page, from_disk, complaints) -> None:
    page.goto(f"{from_disk(DESIGN)}#check-yourself")
    questions = page.locator(".gdr-quiz > li")
    total = questions.count()
    assert total >= 4
    score = page.locator("[data-quiz-score]")
    again = page.get_by_role("button", name="Try again")
    assert (score.inner_text(), again.is_visible()) == ("", False)

    def choose(question: int, right: bool) -> Locator:
        kind = "[data-option=right]" if right else ":not([data-option=right])"
        option = questions.nth(question).locator(f".gdr-option{kind}").first
        option.locator("summary").click()
        option.locator("p").wait_for()
        return option

    assert choose(0, True).locator("p").inner_text().startswith("Right. ")
    score.filter(has_text=f"1 of 1 right at the first try, {total} in all").wait_for()
    slip = choose(1, False)
    assert slip.locator("p").inner_text().startswith("Not this. ")
    assert len(slip.locator("p").inner_text()) > 30
    # A second try shows its explanation and counts for nothing.
    choose(1, True)
    choose(2, True)
    summary = f"2 of 3 right at the first try, {total} in all"
    score.filter(has_text=summary).wait_for()
    page.reload()
    assert score.inner_text() == summary
    chosen = page.locator(".gdr-chosen")
    assert chosen.evaluate_all("(all) => all.map((option) => option.dataset.option === 'right')") == [True, False, True]
    assert all(option.locator("p").is_visible() for option in chosen.all())
    again.click()
    score.filter(has_text=summary).wait_for(state="detached")
    assert page.locator(".gdr-option[open], .gdr-chosen").count() == 0
    assert questions.first.locator("summary").first.evaluate(FOCUSED)
    choose(0, False)
    score.filter(has_text=f"0 of 1 right at the first try, {total} in all").wait_for()


def test_what_find_in_page_opens_is_no_answer(page: Page, from_disk, complaints) -> None:
    page.goto(from_disk(DESIGN))
    words = page.locator(".gdr-option p").first.evaluate("(p) => p.textContent.split(' ').slice(1, 8).join(' ')")
    page.goto("about:blank")
    page.goto(f"{from_disk(DESIGN)}#:~:text={words}")
    page.locator(".gdr-option p", has_text=words).wait_for()
    wait_for_groups(page, "push")
    assert stored(page, "quiz") is None
    assert page.locator("[data-quiz-score]").inner_text() == ""


def test_an_answer_that_is_no_longer_offered_can_be_given_again(page: Page, from_disk, complaints) -> None:
    page.goto(from_disk(DESIGN))
    page.evaluate(
        """() => gdr.store.put(`quiz/${gdr.design}`,
          JSON.stringify({ v: 1, data: { [document.querySelector(".gdr-quiz > li").id]: "gone" } }))"""
    )
    page.goto("about:blank")
    page.goto(f"{from_disk(DESIGN)}#check-yourself")
    assert page.locator("[data-quiz-score]").inner_text() == ""
    page.locator(".gdr-option[data-option=right] summary").first.click()
    page.locator("[data-quiz-score]", has_text="1 of 1 right at the first try").wait_for()
