"""How every state looks: a picture of each for whoever reviews a change, and what no picture needs an eye for.

The pictures are written to `.cache/screenshots/`, named by page, state, width and colours.
"""

from base64 import b64decode

import pytest
from playwright.sync_api import Page, Route

from tests.browser.look import faint_text, overflow
from tests.browser.states import NOW, WALKS, attempt, remember
from tests.conftest import PROJECT
from tests.pages.designs import DESIGNS

PICTURES = PROJECT / ".cache" / "screenshots"
SIZES = {1280: 800, 360: 740}
SCHEMES = {"light": "default", "dark": "slate"}


# ---------------------------------------------------------------- every state
@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("walk", WALKS)
def test_every_state_fits_its_window_in_both_colours(new_page, from_disk, walk, width) -> None:
    # Without motion, so that a picture shows no state between two.
    page = new_page(width=width, height=SIZES[width], reduced_motion="reduce")
    camera = page.context.new_cdp_session(page)
    PICTURES.mkdir(parents=True, exist_ok=True)
    for state, _ in WALKS[walk](page, from_disk):
        assert overflow(page) == (0, []), state
        for scheme, name in SCHEMES.items():
            # What the theme's own switch does.
            page.evaluate("(name) => document.body.setAttribute('data-md-color-scheme', name)", name)
            # Larger files in half the time.
            picture = camera.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
            (PICTURES / f"{walk}-{state}-{width}-{scheme}.png").write_bytes(b64decode(picture["data"]))
            assert faint_text(page, 4.5)[1] == [], (state, scheme)


def test_the_pictures_stay_out_of_the_project() -> None:
    ignored = (PROJECT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert f"{PICTURES.parent.name}/" in ignored


# ---------------------------------------------------------------- no shift
SHIFTS = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? node?.data)]);
  }
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver(() => { globalThis.painted = true; }).observe({ type: "paint", buffered: true });
"""

TIMER = {
    "id": "a-b",
    "design": DESIGNS[0],
    "title": "A round",
    "mode": "practice",
    "plan": [420000, 480000, 1200000, 300000, 300000],
    "spent": [420000, 0, 0, 0, 0],
    "phase": 1,
    "since": NOW.timestamp() * 1000,
    "seen": NOW.timestamp() * 1000,
    "ended": None,
}
TICKS = {"ticks": {"numbers": True}, "notes": {"numbers": "Peak"}, "predictions": {"headline": "9"}, "saved": "a"}
OPEN = {"open": ["score", "answer", "push"], "seen": True, "step": 3}
STORED: dict[str, dict[str, object]] = {
    "fresh": {},
    "running": {"timer": TIMER, "pad": {"framing": "Some words"}},
    "paused": {"timer": TIMER | {"since": None}},
    "exam": {"timer": TIMER | {"mode": "exam"}, "folds": OPEN},
    "ended": {
        "timer": TIMER | {"since": None, "ended": NOW.timestamp() * 1000},
        "folds": OPEN,
        "ticks": TICKS,
        "pad": {"framing": "Some words"},
        "attempts": [attempt(9, 4)],
        "quiz": {"quiz-fits": "right"},
    },
    "elsewhere": {"timer": TIMER | {"design": "another"}},
    "clock-hidden": {"settings": {"sound": False, "vibration": False, "hidden": True, "mode": "exam"}},
}
# The states of the clock that they lead to.
STATES = {"running": "running", "paused": "paused", "exam": "running", "ended": "ended", "elsewhere": "elsewhere"}
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
# All but the one in the head, which is there before anything is painted.
SCRIPTS = "**/{site,bundle.*.min}.js"


def start_late(page: Page) -> None:
    """Reload a page whose scripts arrive once it is painted."""
    late: list[Route] = []
    page.route(SCRIPTS, lambda route: late.append(route))
    page.reload(wait_until="commit")
    page.wait_for_function("globalThis.painted && document.querySelector('.md-footer')")
    # What a slow parser shifts on its way is none of theirs.
    page.evaluate(TWO_FRAMES)
    page.evaluate("shifts.length = 0")
    assert page.evaluate("customElements.get('gdr-round')") is None
    assert len(late) == 2
    for route in late:
        route.continue_()
    page.wait_for_load_state("load")
    page.unroute(SCRIPTS)


@pytest.mark.parametrize("width", SIZES)
def test_nothing_moves_when_scripts_start(new_page, served, width) -> None:
    page = new_page(width=width, height=SIZES[width])
    page.clock.set_fixed_time(NOW)
    page.add_init_script(SHIFTS)
    page.goto(f"{served}designs/{DESIGNS[0]}.html")
    moved = {}
    for name, items in STORED.items():
        page.evaluate("localStorage.clear()")
        remember(page, DESIGNS[0], items)
        start_late(page)
        # The first frame is drawn with what they did, and what it moved is told before the second.
        page.evaluate(TWO_FRAMES)
        assert page.locator("gdr-round").get_attribute("data-state") == STATES.get(name, "rest")
        moved[name] = page.evaluate("shifts")
    assert {name: shifts for name, shifts in moved.items() if shifts} == {}
