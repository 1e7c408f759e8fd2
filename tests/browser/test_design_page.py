"""A design page in a browser: folded until opened, from disk and served, wide and narrow, light and dark, printed."""

import re

import pytest
from playwright.sync_api import Page

from macros.assumptions import load
from macros.chains import programs
from tests.browser.look import OPEN_ALL, faint_text, overflow, tab_to, tabbed_through
from tests.pages.designs import DESIGNS

SCHEMES = ["light", "dark"]
PAGES = ["index.html", "numbers.html", *(f"designs/{id}.html" for id in DESIGNS)]
ANSWER = "details:has(> summary #answer)"


@pytest.fixture
def design() -> str:
    """The design that stands for all where a test asks for what templates, scripts and styles do."""
    return "chatgpt"


@pytest.fixture(params=DESIGNS)
def each_design(request: pytest.FixtureRequest) -> str:
    """Each design in turn, where its words and numbers matter."""
    return str(request.param)


# ---------------------------------------------------------------- folded, and opened
def test_nothing_computed_is_in_sight_at_first(page: Page, at, complaints, each_design) -> None:
    page.goto(at(f"designs/{each_design}.html"))
    seen = " ".join(page.inner_text("body").split())
    chain = programs(load())["designs"][each_design].chain
    assert "Design" in seen
    numbers = set()
    for step in chain.steps.values():
        shown = str(step.shown)
        assert not re.search(rf"(?<![\d,.]){re.escape(shown)}(?![\d,.]\d)", seen), f"{step.id} is in sight: {shown}"
        # A short number may stand for something else: 45 minutes.
        if len(step.shown.number) > 2:
            numbers.add(step.shown.number)
    assert len(numbers) > 10
    assert numbers & set(re.findall(r"\d[\d,]*(?:\.\d+)?", seen)) == set()
    # The other way round: once opened, all of it is.
    page.evaluate(OPEN_ALL)
    assert numbers <= set(re.findall(r"\d[\d,]*(?:\.\d+)?", page.inner_text("body")))


def test_the_answer_opens_and_closes_by_keyboard(page: Page, at, complaints, design) -> None:
    page.goto(at(f"designs/{design}.html"))
    reached = tab_to(page, f"{ANSWER} > summary")
    assert reached["ring"] >= 2
    answer = page.locator(ANSWER)
    for key, open_ in (("Enter", True), ("Space", False), ("Space", True)):
        page.keyboard.press(key)
        assert answer.evaluate("(fold) => fold.open") is open_
        assert page.locator("#model-answer").is_visible() is open_
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.locator("gdr-steps button").first.evaluate("(step) => step === document.activeElement")
    page.keyboard.press("Enter")
    assert page.locator(".gdr-step").first.locator("> p").first.is_visible()


def lit(page: Page, row: str) -> None:
    """Check that a row is in sight below the header, and set off from its neighbours."""
    page.wait_for_function(
        """(row) => {
          const box = document.getElementById(row).getBoundingClientRect();
          const header = document.querySelector(".md-header").getBoundingClientRect();
          return box.height > 0 && box.top >= header.bottom && box.bottom <= innerHeight;
        }""",
        arg=row,
    )
    look = "getComputedStyle(cell).backgroundColor + getComputedStyle(cell.parentElement.cells[0]).boxShadow"
    looks = set(page.locator(f"#{row} > *").evaluate_all(f"(cells) => cells.map((cell) => {look})"))
    others = set(page.locator(f".gdr-row:not(#{row}) > *").evaluate_all(f"(cells) => cells.map((cell) => {look})"))
    assert len(looks) == 1
    assert not looks & others


@pytest.mark.parametrize(("width", "folded_away"), [(1280, True), (360, False)])
def test_a_quoted_number_leads_to_its_row(new_page, from_disk, design, width, folded_away) -> None:
    page = new_page(width=width)
    page.goto(from_disk(f"designs/{design}.html"))
    page.locator(f"{ANSWER} > summary").click()
    page.locator(".gdr-step").evaluate_all("(steps) => steps.forEach((step) => { step.open = true; })")
    rows = page.locator(".gdr-step a.gdr-n").evaluate_all("(all) => all.map((link) => link.hash.slice(1))")
    hidden = [row for row in rows if not page.locator(f"#{row}").is_visible()]
    row = hidden[0] if folded_away else next(row for row in rows if row not in hidden)
    page.locator(f".gdr-step a.gdr-n[href='#{row}']").first.click()
    lit(page, row)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_to_a_row_opens_what_hides_it(new_page, from_disk, design, scripts) -> None:
    page = new_page(java_script_enabled=scripts)
    program = programs(load())["designs"][design]
    for id in (program.chain.headline, *[step.id for step in program.chain.steps.values() if step.part == "binds"][:1]):
        page.goto("about:blank")
        page.goto(from_disk(f"designs/{design}.html#row-{id}"))
        lit(page, f"row-{id}")


def test_without_scripts_everything_is_within_reach(new_page, from_disk, design) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(from_disk(f"designs/{design}.html"))
    folds = page.locator(".md-content details:not(.gdr-live, .gdr-live *)")
    # Outer ones first, as in the document: each is in sight once those around it are open.
    for fold in folds.all():
        fold.locator("> summary").click()
    assert all(folds.evaluate_all("(folds) => folds.map((fold) => fold.open)"))
    unseen = page.locator(".md-content :is(p, li, th, td, dt, dd, h3, h4, figcaption)").evaluate_all(
        """(all) => all.filter((e) => e.textContent.trim() && !e.closest(".gdr-live, [hidden]") && !e.checkVisibility())
          .map((e) => e.textContent)"""
    )
    assert unseen == []
    # What would do nothing without scripts is not there.
    assert [
        control for control in page.locator(".md-content :is(button, textarea)").all() if control.is_visible()
    ] == []
    box = page.locator(".gdr-rubric input").first
    box.check()
    assert box.is_checked()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_rubric_counts_its_ticks(new_page, from_disk, design, scripts) -> None:
    page = new_page(java_script_enabled=scripts)
    page.goto(from_disk(f"designs/{design}.html"))
    page.locator("summary:has(#score)").click()
    for box in page.locator(".gdr-rubric label").all()[:3]:
        box.click()
    # Text that a style sheet makes is read where a screen reader gets it.
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    assert "3 of 8" in "".join(node["name"]["value"] for node in tree["nodes"] if node["role"]["value"] == "StaticText")


# ---------------------------------------------------------------- narrow
# With everything open: test_look.py.
@pytest.mark.parametrize("path", PAGES)
def test_a_phone_shows_the_page_without_scrolling_sideways(new_page, from_disk, path) -> None:
    page = new_page(width=360, height=740)
    page.goto(from_disk(path))
    assert overflow(page) == (0, [])


def test_tables_scroll_inside_themselves_and_keep_their_first_column(new_page, from_disk, design) -> None:
    page = new_page(width=360, height=740)
    page.goto(from_disk(f"designs/{design}.html"))
    page.evaluate(OPEN_ALL)
    tables = page.locator(".gdr-scroll")
    assert tables.count() == 4
    for table in tables.all():
        places = """(table) => {
          const row = table.querySelector("tbody tr");
          const left = (selector) => row.querySelector(selector).getBoundingClientRect().left;
          return [left("th"), left(".gdr-value"), left(".gdr-how")];
        }"""
        before = table.evaluate(places)
        table.evaluate("(table) => { table.scrollLeft = 60; }")
        after = table.evaluate(places)
        assert after[0] == pytest.approx(before[0], abs=0.5)
        assert after[1:] == pytest.approx([place - 60 for place in before[1:]], abs=0.5)
        # The fixed column covers what moves beneath it.
        covered = table.evaluate(
            """(table) => {
              const heading = table.querySelector("tbody th");
              heading.scrollIntoView({ block: "center" });
              const box = heading.getBoundingClientRect();
              return heading.contains(document.elementFromPoint(box.right - 4, box.top + box.height / 2));
            }"""
        )
        assert covered
    assert page.evaluate("scrollX") == 0


def test_a_value_is_in_sight_before_a_phone_scrolls_its_table(new_page, from_disk, each_design) -> None:
    page = new_page(width=360, height=740)
    page.goto(from_disk(f"designs/{each_design}.html"))
    page.evaluate(OPEN_ALL)
    ends = page.locator(".gdr-row > .gdr-value").evaluate_all(
        "(all) => all.map((e) => e.getBoundingClientRect().right)"
    )
    assert max(ends) <= 360


# ---------------------------------------------------------------- colours
# Every page and state in both colours: test_look.py. Here the colours come from the reader's system.
@pytest.mark.parametrize(
    ("path", "scheme", "width"),
    [("index.html", "light", 1280), ("index.html", "dark", 1280), ("designs/chatgpt.html", "dark", 360)],
)
def test_all_text_has_enough_contrast(new_page, from_disk, path, scheme, width) -> None:
    page = new_page(width=width, color_scheme=scheme)
    page.goto(from_disk(path))
    page.evaluate(OPEN_ALL)
    dark = page.evaluate("getComputedStyle(document.body).colorScheme")
    assert dark == scheme
    seen, faint = faint_text(page, 4.5)
    assert seen > 30
    assert faint == []


def test_the_measure_of_contrast_sees_faint_text(page: Page) -> None:
    page.set_content(
        '<body style="background:#fff"><p style="color:#777">grey</p><p style="color:#767676">just enough</p>'
        '<div style="background:#000"><p class="on" style="color:#fff;opacity:.4">through</p></div>'
    )
    assert faint_text(page, 4.5) == (3, ["p. 4.48: grey", "p.on 3.66: through"])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_colours_follow_the_system_without_scripts(new_page, from_disk, design, scheme) -> None:
    page = new_page(java_script_enabled=False, color_scheme=scheme)
    page.goto(from_disk(f"designs/{design}.html"))
    colours = page.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    bright = [sum(map(int, re.findall(r"\d+", colour)[:3])) > 380 for colour in colours]
    assert bright == [scheme == "light", scheme == "dark"]


def test_the_colours_change_by_keyboard_and_stay(page: Page, at, complaints) -> None:
    page.goto(at("index.html"))
    shade = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(shade)
    reached = tab_to(page, ".md-option")
    assert reached["ring"] >= 2
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"(light) => {shade} !== light", arg=light)
    dark = page.evaluate(shade)
    assert tab_to(page, ".md-search__input")
    page.reload()
    assert page.evaluate(shade) == dark


# ---------------------------------------------------------------- keyboard and targets
def test_tab_goes_through_the_whole_page_in_order(page: Page, from_disk, design) -> None:
    page.goto(from_disk(f"designs/{design}.html"))
    page.evaluate(OPEN_ALL)
    # The fields come when the first group with numbers opens.
    page.wait_for_function("document.querySelectorAll('.gdr-field').length > 0")
    # Of a group of radio buttons the chosen or the first one is a stop; arrow keys reach the others.
    kinds = "summary, input:not([type=radio]:not(:checked)), textarea, button, .gdr-scroll, a[href]:not(.headerlink)"
    expected = page.locator(f".md-content :is({kinds}, pre > code[tabindex])").evaluate_all(
        """(all) => all.filter((element) => element.checkVisibility() && !element.disabled)
          .map((element) => [...document.querySelectorAll('*')].indexOf(element))"""
    )
    page.locator("#round").evaluate("(heading) => { heading.tabIndex = -1; heading.focus(); }")
    reached = tabbed_through(page, until=".md-footer__link")
    places = [found["place"] for found in reached]
    assert places == sorted(places)
    assert [place for place in places if place in expected] == expected
    assert len(expected) > 60
    assert [found for found in reached if found["ring"] < 2] == []


def test_tables_are_named_and_scroll_by_keyboard(new_page, from_disk, design) -> None:
    page = new_page(width=360)
    page.goto(from_disk(f"designs/{design}.html"))
    page.evaluate(OPEN_ALL)
    regions = page.get_by_role("region").filter(has=page.locator("table"))
    names = [region.aria_snapshot().splitlines()[0] for region in regions.all()]
    assert len(names) == 4
    assert len(set(names)) == 4
    assert all(re.fullmatch(r'- region "[A-Z].+":', name) for name in names)
    table = regions.first
    table.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(table) => table.scrollLeft > 0", arg=table.element_handle())


@pytest.mark.parametrize("width", [1280, 360])
def test_what_is_pressed_is_large_enough(new_page, from_disk, design, width) -> None:
    page = new_page(width=width)
    page.goto(from_disk(f"designs/{design}.html"))
    page.evaluate(OPEN_ALL)
    small = page.locator(".md-content :is(summary, .gdr-rubric label), .md-header :is(label, .md-logo)").evaluate_all(
        """(all) => all.map((element) => {
          const box = element.getBoundingClientRect();
          return [box.width, box.height, element.textContent.trim()];
        }).filter(([width, height]) => width && (width < 24 || height < 24))"""
    )
    assert small == []


# ---------------------------------------------------------------- printed
def test_paper_shows_the_answers_and_no_site_around_them(page: Page, from_disk, each_design) -> None:
    page.goto(from_disk(f"designs/{each_design}.html"))
    assert not page.locator("#numbers").is_visible()
    page.emulate_media(media="print")
    hidden = page.locator(".md-content :is(tr, p, li, dt, dd, h2, h3, h4, figure, pre)").evaluate_all(
        """(all) => all.filter((element) => {
          const box = element.getBoundingClientRect();
          return element.textContent.trim() && !element.closest(".gdr-uses, .gdr-live, [hidden]")
            && !(element.checkVisibility() && box.width > 0 && box.height > 0);
        }).map((element) => element.textContent.trim().slice(0, 60))"""
    )
    assert hidden == []
    tops = page.locator(".gdr-row").evaluate_all("(rows) => rows.map((row) => row.getBoundingClientRect().top)")
    assert tops == sorted(tops)
    around = page.locator(".md-header, .md-tabs, .md-sidebar, .md-footer, .headerlink, .md-search")
    assert around.count() > 5
    assert [element.get_attribute("class") for element in around.all() if element.is_visible()] == []


def test_paper_is_black_on_white_even_for_dark_screens(new_page, from_disk, design) -> None:
    page = new_page(color_scheme="dark")
    page.goto(from_disk(f"designs/{design}.html"))
    page.emulate_media(media="print")
    seen, faint = faint_text(page, 7)
    assert seen > 300
    assert faint == []
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_paper_is_as_wide_as_a_page_and_takes_several(new_page, from_disk, design) -> None:
    # A4 less Chromium's margins of one centimetre, in CSS px.
    page = new_page(width=718)
    page.goto(from_disk(f"designs/{design}.html"))
    page.emulate_media(media="print")
    assert overflow(page) == (0, [])
    paper = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) >= 5


# ---------------------------------------------------------------- search
@pytest.mark.parametrize(
    ("asked", "found"),
    [("Design ChatGPT", "designs/chatgpt.html"), ("shared assumptions", "numbers.html")],
)
def test_search_finds(page: Page, at, complaints, asked, found) -> None:
    page.goto(at("index.html"))
    page.keyboard.press("s")
    page.keyboard.type(asked)
    results = page.locator(".md-search-result__link")
    results.first.wait_for()
    addresses = results.evaluate_all("(all) => all.map((link) => link.href.split(/[?#]/)[0])")
    assert at(found) in addresses[:5]
    for _ in range(addresses.index(at(found)) + 1):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: address.startswith(at(found)))


@pytest.mark.parametrize("path", PAGES)
def test_each_page_loads_in_silence(page: Page, at, complaints, path) -> None:
    page.goto(at(path), wait_until="load")
    page.evaluate(OPEN_ALL)
    assert page.locator("h1").is_visible()
