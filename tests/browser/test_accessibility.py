"""What keeps nobody out: axe, names and roles, the keyboard's focus, targets, zoom, motion, forced colours."""

from collections.abc import Callable
from importlib.resources import files

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.look import OPEN_ALL, overflow
from tests.browser.states import EVERYTHING, WALKS, start_elsewhere
from tests.pages.designs import DESIGNS

DESIGN = f"designs/{DESIGNS[0]}.html"
# A window of 1280 × 1024 px at 400 %.
ZOOMED = (320, 256)

# ---------------------------------------------------------------- axe, and targets
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Nothing is fetched: the site has no frames, and axe would ask for the styles a second time.
RUN_AXE = """([part, tags, rules]) => axe
  .run(
    { include: part.split(", ").filter((one) => document.querySelector(one)).map((one) => [one]) },
    { runOnly: tags, rules, resultTypes: ["violations"], preload: false, iframes: false },
  )
  .then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html.slice(0, 200)}: ${failureSummary}`)))"""

# Controls below 24 × 24 px. A label widens what it names. A link within a sentence is as high as its line.
SMALL_TARGETS = """() => {
  const blockOf = (node) => {
    let block = node.parentElement;
    while (getComputedStyle(block).display === "inline") block = block.parentElement;
    return block;
  };
  const inSentence = (link) => {
    const block = blockOf(link);
    if (!link.matches("a, button.gdr-link") || /flex|grid/.test(getComputedStyle(block).display)) return false;
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (/\\w{2}/.test(text.data) && !text.parentElement.closest("a, button") && blockOf(text) === block) return true;
    }
    return false;
  };
  const size = (control) => {
    const boxes = [control, ...(control.labels ?? [])].map((one) => one.getBoundingClientRect());
    return [Math.max(...boxes.map(({ width }) => width)), Math.max(...boxes.map(({ height }) => height))];
  };
  return [...document.querySelectorAll(".md-content :is(a[href], button, summary, input, textarea), .gdr-running")]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !inSentence(control))
    .map((control) => [...size(control), control.outerHTML.slice(0, 100)])
    .filter(([width, height]) => width < 24 || height < 24);
}"""


# Every state at both widths and in both colours, not in all four of them: contrast is measured in those elsewhere.
# Pages of one kind take turns, and so do the states of a walk for axe, to which a width means little.
WIDE, NARROW = (1280, "light"), (360, "dark")
LOOKED_AT = [(walk, *window) for walk in WALKS if walk not in DESIGNS for window in (WIDE, NARROW)]
LOOKED_AT += [(design, *(NARROW if turn % 2 else WIDE)) for turn, design in enumerate(DESIGNS[1:])]
# Axe takes ten times as long over contrast as over all else together. `test_look.py` measures that of every state;
# here axe has its say on one page of each kind.
AXE_ON_CONTRAST = {"home", DESIGNS[1]}


@pytest.mark.parametrize(("walk", "width", "scheme"), LOOKED_AT)
def test_axe_finds_nothing_and_targets_are_large_in_every_state(new_page, from_disk, walk, width, scheme) -> None:
    page = new_page(width=width, height=740, color_scheme=scheme)
    rules = {"color-contrast": {"enabled": walk in AXE_ON_CONTRAST}}
    for turn, (state, part) in enumerate(WALKS[walk](page, from_disk)):
        # The first state is a page as it comes, which both windows see.
        if turn == 0 or turn % 2 == (width == NARROW[0]):
            page.evaluate(f"() => {{ if (!globalThis.axe) {{ {AXE} }} }}")
            assert page.evaluate(RUN_AXE, [part, TAGS, rules]) == [], state
        assert page.evaluate(SMALL_TARGETS) == [], state


@pytest.mark.parametrize(("width", "scheme"), [WIDE, NARROW])
def test_axe_finds_nothing_where_there_is_no_page(new_page, served, width, scheme) -> None:
    page = new_page(width=width, color_scheme=scheme)
    page.goto(f"{served}404.html")
    page.evaluate(AXE)
    assert page.evaluate(RUN_AXE, [EVERYTHING, TAGS, {}]) == []


def test_axe_and_the_measure_of_targets_see_what_is_wrong(page: Page) -> None:
    page.set_content(
        '<html lang="en"><title>T</title><body><main class="md-content"><h1>One</h1>'
        '<a href="#" style="font-size:8px">a</a><p>In a sentence <a href="#">b</a></p>'
        '<label style="display:block;padding:5px">tick <input type="checkbox"></label><img src="x.png"></main></body>'
    )
    page.evaluate(AXE)
    found = page.evaluate(RUN_AXE, [EVERYTHING, TAGS, {}])
    assert [finding.split(":")[0] for finding in found] == ["critical image-alt"]
    assert [control for *_, control in page.evaluate(SMALL_TARGETS)] == ['<a href="#" style="font-size:8px">a</a>']


# ---------------------------------------------------------------- names and roles
REST = [
    ("timer", ""),
    ("button", "Start"),
    ("radio", "Practice: open anything"),
    ("radio", "Exam: all stays folded until the time is up or you are done"),
    ("checkbox", "Sound"),
    ("checkbox", "Vibration"),
    ("checkbox", "Hide it"),
    ("button", "Show me anyway"),
]
RUNNING = [
    ("button", "Pause"),
    ("button", "Next step"),
    ("button", "Say the time left"),
    ("button", "I am done"),
    ("textbox", "Notes for framing"),
]
ENDED = [
    ("link", "Grade yourself"),
    ("button", "New round"),
    ("group", "Self-grade"),
    ("checkbox", "Asked for the scale and stated it before drawing"),
    ("button", "Save this attempt"),
    ("group", "What binds"),
    ("radio", "Bandwidth"),
]
ANSWERED = [
    ("group", "Model answer"),
    ("button", "Framing 5 min"),
    ("button", "Wrap-up 5 min"),
    ("button", "Next: architecture"),
    ("region", "Numbers"),
    ("button", "Markdown"),
]
HOME = [("button", "Export"), ("button", "Import"), ("button", "Delete all")]


def missing(page: Page, controls: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return which controls cannot be found by what a screen reader says of them."""
    by_role: Callable[..., Locator] = page.get_by_role
    return [
        (role, name)
        for role, name in controls
        if not by_role(role, **({"name": name, "exact": True} if name else {})).filter(visible=True).count()
    ]


def test_controls_are_found_by_role_and_name(page: Page, from_disk) -> None:
    page.goto(from_disk(DESIGN))
    page.locator(".gdr-options > summary").click()
    assert missing(page, REST) == []
    page.get_by_role("button", name="Start", exact=True).click()
    assert missing(page, RUNNING) == []
    page.get_by_role("button", name="I am done").click()
    assert missing(page, ENDED) == []
    page.locator("#answer").click()
    page.get_by_role("button", name="Framing 5 min").click()
    assert missing(page, ANSWERED) == []
    page.goto(from_disk("index.html"))
    assert missing(page, HOME) == []


def test_the_drawer_opens_by_keyboard_and_shut_it_holds_no_focus(new_page, from_disk) -> None:
    page = new_page(width=360, height=740, reduced_motion="reduce")
    page.goto(from_disk("index.html"))
    link = page.locator(".md-nav--primary a").filter(has_text="Numbers sheet")
    opener = page.get_by_role("button", name="Pages")
    for key, shown in (("Space", True), ("Enter", False), ("Enter", True)):
        opener.focus()
        page.keyboard.press(key)
        link.wait_for(state="visible" if shown else "hidden")
    link.press("Enter")
    page.wait_for_url("**/numbers.html")


# ---------------------------------------------------------------- the keyboard's focus
FOCUSED = """() => {
  const focused = document.activeElement;
  const ring = parseFloat(getComputedStyle(focused).outlineWidth);
  return focused !== document.body && focused.checkVisibility({ visibilityProperty: true }) && ring >= 2;
}"""
OPTION = ".gdr-options "
PRESSED = {
    DESIGN: [
        *("[data-do=start]", "[data-do=pause]", "[data-do=resume]", *["[data-do=next]"] * 4, "[data-when=last]"),
        *("[data-save]", "[data-clear]", "[data-do=reset]", "[data-do=start]", f"{OPTION}> summary"),
        *(
            f"{OPTION}[data-do=tell]",
            f"{OPTION}[data-do=done]",
            "[data-do=reset]",
            "[data-do=start]",
            "[data-do=pause]",
        ),
        *(f"{OPTION}[data-do=reset]", "[data-fold=answer] > summary", "gdr-steps button", "[data-next]"),
        *("[data-fold=push] > summary", ".gdr-option > summary", "[data-quiz-again]"),
    ],
    "index.html": [
        *("[data-action=ask]", "[data-part=confirm] [data-action=cancel]", "[data-action=ask]", "[data-action=reset]"),
    ],
}


@pytest.mark.parametrize("path", PRESSED)
def test_a_control_that_goes_away_hands_its_focus_on(page: Page, from_disk, path) -> None:
    page.goto(from_disk(path))
    for control in PRESSED[path]:
        page.locator(control).filter(visible=True).first.focus()
        page.keyboard.press("Enter")
        assert page.evaluate(FOCUSED), control


def test_the_last_ones_hand_it_on_too(page: Page, from_disk) -> None:
    page.goto(from_disk(DESIGN))
    page.locator("[data-anyway]").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED)
    start_elsewhere(page)
    page.get_by_role("button", name="End it").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED)
    page.locator(".gdr-field input").first.fill("20M")
    page.get_by_role("button", name="Reset", exact=True).focus()
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED)


# Stops of the keyboard of which nothing is in sight once they are focused, forwards and backwards.
COVERED = """() => {
  const kinds = "a[href], button, summary, input, select, textarea, [tabindex='0']";
  const stops = [...document.querySelectorAll(`.md-main :is(${kinds}), .md-footer :is(${kinds})`)]
    .filter((stop) => stop.checkVisibility({ visibilityProperty: true }) && !stop.disabled);
  const covered = [];
  for (const stop of [...stops, ...stops.toReversed()]) {
    stop.focus();
    const box = stop.getBoundingClientRect();
    const points = [0.05, 0.5, 0.95].flatMap((x) => [0.05, 0.5, 0.95].map((y) => [x, y]));
    const seen = points.some(([x, y]) => {
      const top = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
      return top && (stop.contains(top) || [...(stop.labels ?? [])].some((label) => label.contains(top)));
    });
    if (!seen) covered.push(stop.outerHTML.slice(0, 80));
  }
  return [stops.length, covered];
}"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), ZOOMED])
@pytest.mark.parametrize("path", [DESIGN, "index.html"])
def test_nothing_covers_what_is_focused(new_page, from_disk, path, width, height) -> None:
    page = new_page(width=width, height=height, reduced_motion="reduce")
    page.goto(from_disk(path))
    page.evaluate(OPEN_ALL)
    page.locator(".gdr-options").evaluate_all("(folds) => folds.forEach((fold) => { fold.open = false; })")
    stops, covered = page.evaluate(COVERED)
    assert stops > 10
    assert covered == []


def test_a_low_window_scrolls_the_options(new_page, from_disk) -> None:
    width, height = ZOOMED
    page = new_page(width=width, height=height)
    page.goto(from_disk(DESIGN))
    page.locator(".gdr-options > summary").click()
    for option in page.locator(".gdr-options input").all():
        option.focus()
        box = option.bounding_box()
        assert box
        assert 0 <= box["y"] <= height - box["height"]


# ---------------------------------------------------------------- zoom, motion, forced colours
@pytest.mark.parametrize("path", [DESIGN, "index.html", "numbers.html", "contributing.html"])
def test_at_400_percent_the_text_flows_anew(new_page, from_disk, path) -> None:
    width, height = ZOOMED
    page = new_page(width=width, height=height)
    page.goto(from_disk(path))
    page.evaluate(OPEN_ALL)
    assert overflow(page) == (0, [])


CUT_OFF = """() => [...document.querySelectorAll(".md-content *, .gdr-margin *")]
  .filter((box) => box.checkVisibility() && getComputedStyle(box).overflowX === "hidden" && !box.closest(".gdr-vh"))
  .filter(({ textContent }) => textContent.trim())
  .filter((box) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
  .map((box) => box.outerHTML.slice(0, 100))"""


@pytest.mark.parametrize("path", [DESIGN, "index.html"])
def test_text_twice_as_large_is_all_there(new_page, from_disk, path) -> None:
    page = new_page()
    page.goto(from_disk(path))
    page.evaluate(OPEN_ALL)
    page.add_style_tag(content="html { font-size: 250% !important }")
    assert overflow(page) == (0, [])
    assert page.evaluate(CUT_OFF) == []


SLOW = """() => [...document.querySelectorAll("*")].filter((element) => {
  const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(element);
  const longest = Math.max(...`${transitionDuration}, ${animationDuration}`.split(", ").map(parseFloat));
  return longest > 0.01 || scrollBehavior !== "auto";
}).map((element) => element.outerHTML.slice(0, 80))"""


def test_with_reduced_motion_nothing_moves(new_page, from_disk) -> None:
    moving, still = new_page(), new_page(reduced_motion="reduce")
    for page in (moving, still):
        page.goto(from_disk(DESIGN))
    assert moving.evaluate(SLOW) != []
    assert still.evaluate(SLOW) == []


def test_forced_colours_keep_what_colour_says(new_page, from_disk) -> None:
    page = new_page(forced_colors="active")
    page.goto(from_disk(DESIGN))
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator("[data-fold=answer] > summary").evaluate("(summary) => { summary.parentElement.open = true; }")
    page.locator("gdr-steps button").first.click()
    # Backgrounds go, so each mark has a system colour or a line of its own.
    drawn = "(element, pseudo) => getComputedStyle(element, pseudo).backgroundColor"
    page_colour = page.evaluate(f"({drawn})(document.body)")
    for mark, pseudo in (
        (".gdr-attempt [aria-current]", "::before"),
        (".gdr-phases i", "::before"),
        (".gdr-phases i", None),
    ):
        assert page.locator(mark).first.evaluate(drawn, pseudo) != page_colour, mark
    line = "(element) => getComputedStyle(element).borderInlineStartWidth"
    assert page.locator(".gdr-lit > th").first.evaluate(line) != page.locator(
        ".gdr-row:not(.gdr-lit) > th"
    ).first.evaluate(line)
    ring = "(element) => getComputedStyle(element).outlineStyle"
    page.locator("gdr-steps button").first.press("ArrowRight")
    assert page.locator("gdr-steps button").nth(1).evaluate(ring) == "solid"
    assert (
        page.get_by_role("button", name="Pause").evaluate("(button) => getComputedStyle(button).borderTopWidth")
        != "0px"
    )
