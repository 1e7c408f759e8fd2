"""Pages walked through their states, as a reader gets there: for tests that look at each of them.

A walk does what leads to a state and yields its name, and a selector of the part that differs from the state before;
whoever looks at one state may need no more than that part. The clock stands still, so that a state looks alike on
every day.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta

from playwright.sync_api import FilePayload, Page

from tests.browser.look import OPEN_ALL
from tests.pages.designs import DESIGNS

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
EVERYTHING = "html"
CLOCK = ".gdr-margin"
BLOCK_STORAGE = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } })"
)

Address = Callable[[str], str]
States = Iterator[tuple[str, str]]


def pass_time(page: Page, minutes: float) -> None:
    """Let time pass while nobody looks."""
    page.clock.set_fixed_time(NOW + timedelta(minutes=minutes))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


# ---------------------------------------------------------------- what another page or an earlier day has left behind
def remember(page: Page, design: str, items: Mapping[str, object]) -> None:
    """Store items by the names of their sections: those of a design, and those of which the site has one."""
    page.evaluate(
        """([design, items]) => {
          for (const [section, data] of Object.entries(items)) {
            gdr.store.update(section, ["timer", "settings"].includes(section) ? "site" : design, () => data);
          }
        }""",
        [design, dict(items)],
    )


def attempt(days_ago: float, score: int) -> dict[str, object]:
    """An attempt that was saved some days ago."""
    at = NOW.timestamp() * 1000 - days_ago * 864e5
    ticks = ["numbers", "binding"]
    text = {
        "notes": {"numbers": "Forgot the peak"},
        "predictions": {"binds": "memory"},
        "pad": {"framing": "12 M users"},
    }
    return {"id": f"a{days_ago}", "at": at, "score": score, "of": 8, "minutes": 43, "ticks": ticks, **text}


def start_elsewhere(page: Page) -> None:
    """Start a round of a design that is not this page's."""
    page.evaluate(
        """() => gdr.store.update("timer", "site", () =>
          gdr.clock.start("another", "Design another thing", "practice", [420000, 480000, 1200000], Date.now()))"""
    )


# ---------------------------------------------------------------- a design page
def round_(page: Page, at: Address) -> States:
    """A round from its start to an attempt that is saved."""
    page.clock.set_fixed_time(NOW)
    page.goto(at(f"designs/{DESIGNS[0]}.html"))
    clock = page.locator("gdr-round")
    options = clock.locator(".gdr-options > summary")
    yield "rest", EVERYTHING
    options.click()
    yield "options", CLOCK
    options.click()
    clock.locator("[data-do=start]").click()
    pass_time(page, 2)
    yield "running", f"{CLOCK}, .gdr-attempt"
    page.locator(".gdr-pad textarea").first.fill("About 12 million users a day,\n8 requests each")
    page.locator(".gdr-pad textarea").first.blur()
    options.click()
    yield "running-options", f"{CLOCK}, .gdr-attempt"
    clock.locator("[name=hidden]").check()
    yield "clock-hidden", CLOCK
    clock.locator("[name=hidden]").uncheck()
    options.click()
    pass_time(page, 20)
    yield "over", CLOCK
    clock.locator("[data-do=pause]").click()
    yield "paused", CLOCK
    options.click()
    yield "paused-options", CLOCK
    options.click()
    clock.locator("[data-do=resume]").click()
    while clock.locator("[data-do=next]").is_visible():
        clock.locator("[data-do=next]").click()
    yield "last-step", f"{CLOCK}, .gdr-attempt"
    clock.locator("[data-when=last]").click()
    yield "ended", f"{CLOCK}, .gdr-group--score"
    for box in page.locator(".gdr-rubric input").all()[:3]:
        box.check()
    page.locator(".gdr-tick summary").first.click()
    page.locator("[data-note]").first.fill("Asked for the audience, not for the peak")
    page.locator("[data-guess=binds]").first.check()
    page.locator("[data-guess=headline]").fill("120 replicas")
    page.locator("[data-fold=score] .gdr-guess + .gdr-fold > summary").click()
    yield "graded", f"{CLOCK}, .gdr-group--score"
    page.locator("[data-save]").click()
    page.locator("[data-history] summary").click()
    page.locator("[data-save]").scroll_into_view_if_needed()
    yield "saved", ".gdr-group--score"


def reveal(page: Page, at: Address) -> States:
    """The groups of a design page, opened one after the other."""
    page.goto(at(f"designs/{DESIGNS[0]}.html"))
    page.locator("[data-anyway]").click()
    page.locator("#answer").scroll_into_view_if_needed()
    yield "answer", "[data-fold=answer], .gdr-margin"
    for step in range(1, 6):
        page.locator("gdr-steps button").nth(step - 1).click()
        yield f"step-{step}", f"gdr-steps, #step-{step}"
    field = page.locator(".gdr-field input").first
    for state, text in (("changed", "20M"), ("not-a-number", "many")):
        field.fill(text)
        yield state, "[data-fold=answer]"
    field.press("Escape")
    page.locator("#push").click()
    page.locator(".gdr-cards summary").first.click()
    page.locator("#follow-ups").scroll_into_view_if_needed()
    yield "push", "[data-fold=push]"
    for name in ("right", "slip"):
        which = "[data-option=right]" if name == "right" else ":not([data-option=right])"
        page.locator(".gdr-quiz > li").nth(["right", "slip"].index(name)).locator(
            f"details{which} > summary"
        ).first.click()
    page.locator("#check-yourself").scroll_into_view_if_needed()
    yield "quiz", ".gdr-quiz, .gdr-quiz-score"
    page.evaluate(OPEN_ALL)
    yield "all-open", EVERYTHING


def exam(page: Page, at: Address) -> States:
    """An exam, which keeps the answer folded until its time is up; and a page while another round is on."""
    page.clock.set_fixed_time(NOW)
    page.goto(at(f"designs/{DESIGNS[0]}.html"))
    clock = page.locator("gdr-round")
    clock.locator(".gdr-options > summary").click()
    clock.locator("[value=exam]").check()
    clock.locator(".gdr-options > summary").click()
    clock.locator("[data-do=start]").click()
    page.locator("#answer").click()
    yield "exam", EVERYTHING
    pass_time(page, 46)
    yield "time-is-up", CLOCK
    clock.locator("[data-do=reset][data-when=ended]").click()
    start_elsewhere(page)
    yield "another-running", CLOCK
    remember(page, DESIGNS[0], {"attempts": [attempt(9, 4), attempt(2, 6)]})
    page.locator("#score").click()
    yield "attempts", ".gdr-group--score"


def blocked(page: Page, at: Address) -> States:
    """Pages whose browser stores nothing."""
    page.add_init_script(BLOCK_STORAGE)
    page.goto(at(f"designs/{DESIGNS[0]}.html"))
    page.locator("#score").click()
    page.locator(".gdr-save [data-notice]").scroll_into_view_if_needed()
    yield "blocked", ".gdr-group--score"
    page.goto(at("index.html"))
    page.locator(".gdr-tools").scroll_into_view_if_needed()
    yield "blocked-home", ".gdr-tools"


# ---------------------------------------------------------------- the other pages
def home(page: Page, at: Address) -> States:
    """The board: fresh, with attempts and a round going on, and what its tools ask before they do it."""
    page.clock.set_fixed_time(NOW)
    page.goto(at("index.html"))
    yield "rest", EVERYTHING
    start_elsewhere(page)
    remember(page, DESIGNS[0], {"attempts": [attempt(9, 7), attempt(2, 4)]})
    yield "attempts", ".md-main, .gdr-running"
    part = page.locator(".gdr-tools")
    part.scroll_into_view_if_needed()
    text = page.evaluate("gdr.exported(Date.now())")
    for name, content in (("import-refused", "{}"), ("import-preview", text)):
        file: FilePayload = {"name": f"{name}.json", "mimeType": "application/json", "buffer": content.encode()}
        part.locator("input[type=file]").set_input_files(file)
        part.locator("[data-part=told]" if content == "{}" else "[data-part=preview]").filter(visible=True).wait_for()
        yield name, ".gdr-tools"
    part.locator("[data-part=preview] [data-action=cancel]").click()
    part.locator("[data-action=ask]").click()
    yield "delete-confirmation", ".gdr-tools"
    part.locator("[data-action=reset]").click()
    yield "deleted", ".gdr-tools"


def around(page: Page, at: Address) -> States:
    """What the theme puts around every page: the drawer and the search."""
    page.goto(at("index.html"))
    if page.viewport_size and page.viewport_size["width"] < 1220:
        page.locator(".md-header [data-drawer]").click()
        page.wait_for_function("document.querySelector('.md-sidebar--primary').getBoundingClientRect().left === 0")
        yield "drawer", EVERYTHING
        page.goto(at("index.html"))
    page.keyboard.press("s")
    page.keyboard.type("KV cache per request")
    page.locator(".md-search-result__link").first.wait_for()
    page.wait_for_function("document.getAnimations().every((one) => one.playState === 'finished')")
    yield "search", EVERYTHING


def still(path: str) -> Callable[[Page, Address], States]:
    """A page that changes only by its folds."""

    def walk(page: Page, at: Address) -> States:
        page.goto(at(path))
        yield "rest", EVERYTHING
        if page.locator(".md-content details").count():
            page.evaluate(OPEN_ALL)
            yield "all-open", ".md-content details"

    return walk


WALKS: dict[str, Callable[[Page, Address], States]] = {
    "round": round_,
    "reveal": reveal,
    "exam": exam,
    "blocked": blocked,
    "home": home,
    "around": around,
    "numbers": still("numbers.html"),
    "contributing": still("contributing.html"),
    **{design: still(f"designs/{design}.html") for design in DESIGNS[1:]},
}
