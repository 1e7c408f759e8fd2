"""What follows when a reader changes a number: everything that shows one, and back to the published text."""

import re
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from playwright.sync_api import Locator, Page

from tests.pages.designs import DESIGNS

DESIGN = "designs/chatgpt.html"
READY = """() => Boolean(customElements.get("gdr-surprise")) && gdr.whatif.program.inputs.every(({ id }) => {
  const row = document.querySelector(`.gdr-row [data-value] [data-n="${id}"]`)?.closest(".gdr-row");
  return !row || row.querySelector(".gdr-field");
})"""
# Rows that have changed places leave the spaces between them behind.
ARTICLE = "document.querySelector('article').textContent.replace(/\\s+/g, ' ')"
LOOKS = """() => [...document.querySelectorAll(".gdr-moved, .gdr-row--moved, [data-gdr-what-if], [aria-invalid=true]")]
  .map((element) => element.outerHTML.slice(0, 80))"""


def opened(page: Page, address: str, group: str = "answer") -> None:
    """Open a page and one of its groups, and wait for the numbers to be ready."""
    page.goto(address)
    page.evaluate("(group) => { document.querySelector(`[data-fold=${group}]`).open = true; }", group)
    page.wait_for_function("() => Boolean(globalThis.gdr.whatif)")
    page.wait_for_function(READY)


def row(page: Page, id: str) -> Locator:
    """The row of the tables that shows a number."""
    return page.locator(f'.gdr-row:has([data-value] [data-n="{id}"])')


def field(page: Page, id: str) -> Locator:
    """The field of an input, with the fold that it may stand in open."""
    found = row(page, id).locator("[data-value] input[type=text]")
    found.evaluate("(input) => { for (let e = input; (e = e.parentElement?.closest('details')); ) e.open = true; }")
    return found


def number(page: Page, id: str) -> float:
    """The present value of an input or a step, in base units."""
    value: float = page.evaluate("(id) => gdr.whatif.value(gdr.whatif.now, id)", id)
    return value


def headline(page: Page) -> str:
    """The headline as the takeaway shows it."""
    return " ".join(page.locator(".gdr-headline > [data-n]").inner_text().split())


def query(page: Page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def typed_at_once(page: Page, id: str, text: str) -> dict[str, Any]:
    """Type into a field, and return what stands on the page in the very task of the key."""
    found: dict[str, Any] = field(page, id).evaluate(
        """(input, text) => {
          input.focus();
          input.value = text;
          input.dispatchEvent(new InputEvent("input", { bubbles: true }));
          const said = (selector) => (document.querySelector(selector)?.textContent ?? "").replace(/\\s+/g, " ").trim();
          const all = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
          return {
            table: said('.gdr-row [data-value] [data-n="replicas"]'),
            prose: all('.gdr-step [data-n="replicas"]:not([data-at]) b'),
            takeaway: said(".gdr-headline > [data-n]"),
            bill: said('.gdr-row [data-value] [data-n="total_cost_per_1000"]'),
            binds: all(".gdr-ceilings tbody th"),
            marked: all(".gdr-ceilings .gdr-binds th"),
            demands: all(".gdr-ceilings [data-n]"),
            bars: [...document.querySelectorAll(".gdr-ceilings .gdr-bar")].map((bar) => bar.style.inlineSize),
            was: said('.gdr-row:has([data-value] [data-n="replicas"]) [data-was]'),
            present: said(".gdr-lede [data-n]"),
            told: said("gdr-what-if [data-told]"),
          };
        }""",
        text,
    )
    return found


def test_everything_that_shows_a_number_follows_in_the_same_task(page: Page, at, complaints) -> None:
    opened(page, at(DESIGN))
    bill = row(page, "total_cost_per_1000").locator("[data-value] [data-n]").text_content()
    assert headline(page) == "117 replicas"
    seen = typed_at_once(page, "daily_users", "20M")
    assert seen["takeaway"] == seen["table"] == "233 replicas"
    assert set(seen["prose"]) <= {"233"}
    assert seen["present"] == "233"
    assert seen["was"] == "was 117 · × 1.99"
    assert seen["told"] == "You changed 1 assumption. The text was written for the originals."
    # Twice the users cost as much each.
    assert seen["bill"] == bill
    assert seen["marked"] == ["Bandwidth, binds"]
    changed = typed_at_once(page, "batch", "20")
    assert changed["told"] == "You changed 2 assumptions. The text was written for the originals."
    demands = [float(text.split()[0].replace(",", "")) for text in changed["demands"]]
    assert demands == sorted(demands, reverse=True)
    assert changed["bars"][0] == "100%"
    assert changed["bill"] != bill


def test_what_binds_changes_its_order_and_its_mark(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN))
    assert typed_at_once(page, "batch", "128")["binds"] == ["Bandwidth, binds", "Capacity", "Compute"]
    # As much bandwidth as anyone wants leaves something else that is short.
    seen = typed_at_once(page, "gpu.bandwidth", "335")
    assert seen["binds"] == ["Compute, binds", "Capacity", "Bandwidth"]
    assert seen["marked"] == ["Compute, binds"]
    assert seen["bars"][0] == "100%"
    seen = typed_at_once(page, "gpu.bandwidth", "3.35")
    assert seen["binds"] == ["Bandwidth, binds", "Capacity", "Compute"]


def test_a_refused_input_says_why_and_keeps_the_last_good_number(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN))
    users = field(page, "daily_users")
    wrong = row(page, "daily_users").locator(".gdr-wrong")
    users.fill("20M")
    for text, reason in {
        "1,5": "“1,5” is not a number of users; try 20M, 1.5k or 8*1.2.",
        "": "Nothing here; type a number.",
        "-1": "It cannot be negative.",
        "<img src=x onerror=document.title='hit'>": (
            "“<img src=x onerror=document.title='hit'>” is not a number of users; try 20M, 1.5k or 8*1.2."
        ),
    }.items():
        users.fill(text)
        assert wrong.inner_text() == reason
        assert users.get_attribute("aria-invalid") == "true"
        assert users.get_attribute("aria-describedby") == wrong.get_attribute("id")
        assert headline(page) == "233 replicas"
        # Enter takes neither the text nor the reason away.
        users.press("Enter")
        assert (users.input_value(), wrong.inner_text()) == (text, reason)
    users.blur()
    assert wrong.is_hidden()
    assert users.input_value() == "20,000,000"
    assert users.get_attribute("aria-invalid") == "false"
    assert page.title() != "hit"
    share = field(page, "peak_share")
    share.fill("101")
    assert row(page, "peak_share").locator(".gdr-wrong").inner_text() == "A share is at most 100 %."
    assert headline(page) == "233 replicas"


def test_every_field_has_a_name_and_a_unit(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN))
    names = page.locator(".gdr-field input").evaluate_all("(all) => all.map((input) => input.ariaLabel)")
    assert len(names) == len(set(names)) > 20
    assert {"Daily active users, in users", "Price per GPU-hour, in $ per GPU-hour"} <= set(names)


def test_keys_step_the_number(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN))
    batch = field(page, "batch")
    batch.focus()
    for key, text in [
        *(("ArrowUp", "130"), ("ArrowUp", "140"), ("ArrowDown", "130"), ("ArrowDown", "120")),
        *(("PageUp", "240"), ("PageDown", "120"), ("PageDown", "60"), ("ArrowDown", "59")),
    ]:
        batch.press(key)
        assert batch.input_value() == text
        assert number(page, "batch") == float(text)
    share = field(page, "planned_load")
    share.focus()
    for key, text in [("PageUp", "100"), ("ArrowUp", "100"), ("PageDown", "50"), ("ArrowDown", "49")]:
        share.press(key)
        assert share.input_value() == text
    share.fill("0")
    for key, text in [("ArrowDown", "0"), ("ArrowUp", "1"), ("ArrowUp", "2")]:
        share.press(key)
        assert share.input_value() == text
    # A refused text gives way to the step from the last good number.
    batch.fill("many")
    batch.press("ArrowUp")
    assert batch.input_value() == "60"
    assert row(page, "batch").locator(".gdr-wrong").is_hidden()


def test_the_slider_goes_over_the_range(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN))
    users = field(page, "daily_users")
    tools = row(page, "daily_users").locator(".gdr-adjust")
    assert tools.is_hidden()
    users.focus()
    slider = tools.locator("input[type=range]")
    assert slider.get_attribute("aria-label") == "Daily active users, in users, over its range"
    assert slider.input_value() == "50"
    slider.focus()
    for key, text in [("End", "20,000,000"), ("Home", "5,000,000"), ("ArrowRight", "5,100,000")]:
        slider.press(key)
        assert users.input_value() == text
    low, high = tools.locator("button:not([aria-label])").all()
    high.click()
    assert (users.input_value(), slider.input_value()) == ("20,000,000", "100")
    low.click()
    assert (users.input_value(), slider.input_value()) == ("5,000,000", "0")
    page.locator("#numbers").click()
    # What has no range has no slider.
    field(page, "gpu.memory").focus()
    assert row(page, "gpu.memory").locator("input[type=range]").count() == 0


def test_one_row_is_reset_and_then_all(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN))
    users, batch = field(page, "daily_users"), field(page, "batch")
    users.fill("20M")
    batch.fill("100")
    page.get_by_role("button", name="Reset Concurrent sequences per replica, batch").click()
    assert batch.input_value() == "128"
    assert batch.evaluate("(input) => input === document.activeElement")
    assert headline(page) == "233 replicas"
    reset = page.locator("[data-reset]")
    reset.click()
    assert (users.input_value(), headline(page)) == ("10,000,000", "117 replicas")
    assert reset.is_hidden()
    assert page.locator("gdr-what-if [data-told]").inner_text().startswith("Change any value below")
    assert page.evaluate(LOOKS) == []


@pytest.mark.parametrize("design", DESIGNS)
def test_after_every_change_a_reset_shows_the_published_text(page: Page, from_disk, complaints, design: str) -> None:
    page.clock.install()
    opened(page, from_disk(f"designs/{design}.html"))
    page.evaluate("document.querySelectorAll('article details').forEach((fold) => { fold.open = true; })")
    page.clock.run_for(2000)
    published = page.evaluate(ARTICLE)
    order = page.evaluate("[...document.querySelectorAll('article tr')].map((row) => row.textContent.trim())")
    still = (
        "() => ['.gdr-rubric', '.gdr-quiz', '.gdr-cards', '#diagram'].map((s) => document.querySelector(s).outerHTML)"
    )
    parts = page.evaluate(still)
    # Every change is a text on the way to a number, or none; never what a language calls a number that is none.
    found = page.evaluate(
        f"""() => {{
          const {{ program, set, choose, now }} = gdr.whatif;
          const wrong = [];
          let moved = 0;
          const look = (change) => {{
            const text = {ARTICLE};
            if (/NaN|Infinity|undefined|null|∞/.test(text)) wrong.push(change);
            moved += document.querySelectorAll(".gdr-moved").length > 0;
          }};
          for (const {{ id, value }} of program.inputs) for (const times of [1.3, 0]) {{
            set(id, value * times);
            look(`${{id}} × ${{times}}`);
            set(id, value * 1.3);
          }}
          for (const [use, {{ options }}] of Object.entries(program.uses)) for (const {{ id }} of options) {{
            choose(use, id);
            look(`${{use}} ${{id}}`);
          }}
          return {{ wrong, moved, inputs: program.inputs.length }};
        }}"""
    )
    assert found["wrong"] == []
    assert found["moved"] > found["inputs"]
    assert page.evaluate(still) == parts
    assert page.evaluate(ARTICLE) != published
    page.locator("[data-reset]").click()
    page.clock.run_for(2000)
    assert page.evaluate(ARTICLE) == published
    assert page.evaluate("[...document.querySelectorAll('article tr')].map((row) => row.textContent.trim())") == order
    assert page.evaluate(LOOKS) == []
    assert urlsplit(page.url).query == ""


def test_a_chosen_gpu_brings_all_its_facts(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN))
    formulas = page.locator('.gdr-how [data-n="gpu.bandwidth"]')
    assert set(formulas.all_text_contents()) == {"3.35 TB/s/GPU"}
    page.locator("[data-use=gpu]").select_option("h200_sxm")
    assert set(formulas.all_text_contents()) == {"4.8 TB/s/GPU"}
    assert set(page.locator('.gdr-how [data-n="gpu.memory"]').all_text_contents()) == {"141 GB/GPU"}
    assert field(page, "gpu.memory").input_value() == "141"
    assert field(page, "gpu.bandwidth").input_value() == "4.8"
    assert number(page, "replicas") < 117
    page.locator("[data-use=model]").select_option("llama3_8b")
    assert "32 layers" in page.locator('.gdr-how [data-n="model.layers"]').all_text_contents()
    # A change of one fact is the reader's own; another choice takes it along.
    field(page, "gpu.memory").fill("100")
    assert number(page, "gpu.memory") == 100e9
    page.locator("[data-use=gpu]").select_option("h100_sxm")
    assert number(page, "gpu.memory") == 80e9


def test_what_is_chosen_is_named_and_its_document_is_not_that_of_another(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN))
    bandwidth, peak = row(page, "gpu.bandwidth"), row(page, "gpu.weights_flops")
    field(page, "gpu.bandwidth").wait_for()
    source = bandwidth.locator(".gdr-how small")
    heading = bandwidth.locator("th")
    published = heading.text_content()
    assert source.is_visible()
    page.locator("[data-use=gpu]").select_option("h200_sxm")
    page.locator("[data-use=weights]").select_option("bf16")
    assert (heading.text_content() or "").endswith("Memory bandwidth, H200 SXM")
    assert (peak.locator("th").text_content() or "").endswith("Peak dense bf16 compute, H200 SXM")
    assert source.is_hidden()
    named = "Memory bandwidth, H200 SXM, in TB/s/GPU"
    assert bandwidth.get_by_role("textbox", name=named, exact=True).count() == 1
    assert bandwidth.locator("button").first.get_attribute("aria-label") == "Reset Memory bandwidth, H200 SXM"
    page.locator("[data-reset]").click()
    assert heading.text_content() == published
    assert source.is_visible()


def test_a_violated_constraint_is_said_beside_the_headline(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN))
    broken = page.locator("[data-broken]")
    assert broken.is_hidden()
    assert broken.evaluate("(list) => list.closest('.gdr-takeaway') !== null")
    field(page, "batch").fill("1000")
    said = broken.locator("li").all_inner_texts()
    assert re.fullmatch(
        r"The batch fits in memory: 1,000 sequences/replica is more than \d+ sequences/replica\.", said[0]
    )
    field(page, "batch").fill("128")
    assert broken.is_hidden()


def test_what_has_no_number_says_so(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN))
    field(page, "batch").fill("0")
    assert headline(page) == "none"
    told = (
        "With these values some numbers do not exist: "
        "nothing fits, something is divided by nothing, or pieces are not whole."
    )
    # Nothing is compared with a number that is none.
    assert page.locator("[data-broken] li").all_inner_texts()[0] == told
    assert "none" not in page.locator("[data-broken]").inner_text()
    field(page, "batch").fill("128")
    assert headline(page) == "117 replicas"


def test_a_link_holds_what_differs_and_restores_it(page: Page, at, complaints) -> None:
    opened(page, at(DESIGN) + "?from=a%20friend#numbers")
    page.locator("[data-use=gpu]").select_option("h200_sxm")
    for id, text in {"daily_users": "20M", "peak_share": "12.5 %", "price": "$3", "batch": "100"}.items():
        field(page, id).fill(text)
    field(page, "batch").fill("128")
    page.wait_for_function("location.search.includes('price=')")
    changes = {"gpu": "h200_sxm", "daily_users": "20000000", "peak_share": "12.5", "price": "3"}
    assert query(page) == {"from": "a friend"} | changes
    assert urlsplit(page.url).fragment == "numbers"
    link = page.evaluate("gdr.whatif.link")
    article = page.evaluate(
        "[...document.querySelectorAll('.gdr-row [data-value] [data-n]')].map((n) => n.textContent)"
    )
    page.goto("about:blank")
    opened(page, link)
    again = page.evaluate("[...document.querySelectorAll('.gdr-row [data-value] [data-n]')].map((n) => n.textContent)")
    assert again == article
    assert page.locator("[data-use=gpu]").input_value() == "h200_sxm"
    assert field(page, "daily_users").input_value() == "20,000,000"
    page.locator("[data-reset]").click()
    page.wait_for_function("!location.search.includes('price=')")
    assert query(page) == {"from": "a friend"}


def test_a_published_value_on_another_gpu_is_a_change_that_a_link_keeps(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN) + "?gpu.memory=80&gpu=h200_sxm")
    assert number(page, "gpu.memory") == 80e9
    assert page.evaluate("gdr.whatif.changed()") == 2


HOSTILE = [
    "<img src=x onerror=document.title='hit'>",
    "');document.title='hit';//",
    "constructor",
    "__proto__",
    "NaN",
    "Infinity",
    "1e999",
    "-5",
    "",
    "1,5",
    "(" * 3000,
]


def test_what_an_address_may_hold_is_inert(page: Page, at, complaints) -> None:
    names = ["daily_users", "gpu", "price", "no_such", "__proto__", "toString", "replicas", "headline"]
    for value in HOSTILE:
        # A server takes only so long an address.
        pairs = "&".join(f"{name}={quote(value)}" for name in (names if len(value) < 100 else names[:1]))
        opened(page, f"{at(DESIGN)}?{pairs}")
        assert headline(page) == "117 replicas", value
        assert page.evaluate("gdr.whatif.changed()") == 0, value
        assert page.title() != "hit"
        assert page.locator("article img[src=x]").count() == 0


def test_a_good_change_stands_beside_what_is_none(page: Page, from_disk, complaints) -> None:
    opened(page, from_disk(DESIGN) + "?no_such=5&daily_users=20M&gpu=abacus&peak_share=150&replicas=7&%ff=%fe")
    assert headline(page) == "233 replicas"
    assert page.evaluate("gdr.whatif.state") == {"changes": {"daily_users": 2e7}, "uses": {}}


def test_only_the_headline_is_announced_and_after_a_pause(page: Page, from_disk, complaints) -> None:
    page.clock.install(time=0)
    opened(page, from_disk(DESIGN))
    # No second passes but by the test.
    page.clock.pause_at(3_600_000)
    lives = "[...document.querySelectorAll('[data-fold=answer] [role=status]')].map((one) => one.textContent.trim())"
    quiet = page.evaluate(lives)
    status = page.locator("gdr-what-if [role=status]")
    users = field(page, "daily_users")
    for text in ("2", "20", "20M"):
        users.fill(text)
        page.clock.run_for(900)
        assert status.text_content() == ""
    page.clock.run_for(200)
    assert status.text_content() == "233 replicas, was 117 replicas"
    assert [one for one in page.evaluate(lives) if one not in quiet] == ["233 replicas, was 117 replicas"]
    users.fill("10M")
    page.clock.run_for(1100)
    assert status.text_content() == ""
