"""The clock of a round: its logic as tables, and what a reader sees of it while time passes, stands still or jumps."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.conftest import PROJECT
from tests.pages.designs import DESIGNS

DESIGN = f"designs/{DESIGNS[0]}.html"
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
MINUTE = 60_000
PLAN = [5, 10, 15, 10, 5]

# Counts what would be heard and felt.
SENSES = """
  globalThis.rung = [];
  navigator.vibrate = (pattern) => rung.push(`vibration ${pattern}`);
  globalThis.AudioContext = class {
    currentTime = 0;
    createOscillator() {
      return { connect() {}, start: () => rung.push("sound"), stop() {} };
    }
    close() {}
  };
"""


# ---------------------------------------------------------------- logic
@pytest.fixture
def logic(page: Page) -> Page:
    """A blank page with the clock's script as a classic one."""
    page.set_content("<!doctype html><title>Clock</title>")
    page.add_script_tag(path=PROJECT / "overrides" / "assets" / "scripts" / "clock.js")
    return page


# What happens at which minute after the start; the minute of looking; the time left, the minutes spent, the state.
# `settle` is a look that notes the time.
STORIES: list[tuple[str, list[tuple[str, float]], float, str, list[float], str]] = [
    ("fresh", [], 0, "45:00", [0], "running"),
    ("a while", [], 4.5, "40:30", [4.5], "running"),
    ("a step that takes too long", [], 7, "38:00", [7], "running"),
    ("the second step", [("next", 5)], 8, "37:00", [5, 3], "running"),
    ("paused", [("pause", 2)], 30, "43:00", [2], "paused"),
    ("paused twice", [("pause", 2), ("pause", 9)], 30, "43:00", [2], "paused"),
    ("resumed", [("pause", 2), ("resume", 30)], 31, "42:00", [3], "running"),
    ("resumed while it runs", [("resume", 3)], 4, "41:00", [4], "running"),
    ("the next step while paused", [("pause", 2), ("next", 9), ("resume", 10)], 11, "42:00", [2, 1], "running"),
    ("no sixth step", [("next", minute) for minute in (1.0, 2, 3, 4, 5)], 6, "39:00", [1, 1, 1, 1, 2], "running"),
    ("done", [("finish", 12)], 60, "33:00", [12], "ended"),
    ("done is done", [("finish", 12), ("resume", 13), ("next", 14), ("pause", 15)], 60, "33:00", [12], "ended"),
    ("done twice", [("finish", 12), ("finish", 16)], 60, "33:00", [12], "ended"),
    ("done while paused", [("pause", 2), ("finish", 12)], 60, "43:00", [2], "ended"),
    ("time is up", [], 45, "00:00", [45], "ended"),
    ("long after", [("next", 5)], 3000, "00:00", [5, 40], "ended"),
    ("resumed after time was up", [("resume", 50)], 60, "00:00", [45], "ended"),
    ("set back an hour", [("settle", 10)], -50, "35:00", [10], "running"),
    ("set back an hour, later", [("settle", 10), ("settle", -50)], -45, "30:00", [15], "running"),
    ("set back in the second step", [("next", 5), ("settle", 10)], -50, "35:00", [5, 5], "running"),
    ("set back before the start", [], -60, "45:00", [0], "running"),
    ("set back, and forth again", [("settle", 10), ("settle", -50), ("settle", 10)], 11, "00:00", [45], "ended"),
    ("set back while paused", [("pause", 2), ("resume", -60)], -59, "42:00", [3], "running"),
    ("set back, then paused", [("settle", 10), ("pause", -50)], 0, "35:00", [10], "paused"),
    ("set right by a second", [("settle", 10), ("settle", 10 - 1 / 60)], 11, "34:00", [11], "running"),
    ("set forward an hour", [("settle", 10)], 70, "00:00", [45], "ended"),
]  # fmt: skip


def test_the_stories_of_a_clock(logic: Page) -> None:
    told = logic.evaluate(
        """([plan, stories]) => {
          const at = (minute) => Date.UTC(2026, 10, 30, 9) + minute * 60000;
          return stories.map(([name, events, look]) => {
            let state = gdr.clock.start("chat", "Chat", "practice", plan.map((each) => each * 60000), at(0));
            for (const [event, minute] of [...events, ["settle", look]]) {
              state = gdr.clock.settle(state, at(minute));
              if (event !== "settle") state = gdr.clock[event](state, at(minute));
            }
            const { left, phaseLeft, spent, running, ended } = gdr.clock.read(state, at(look));
            return [
              name,
              gdr.clock.text(left),
              phaseLeft / 60000,
              spent.map((ms) => ms / 60000),
              ended ? "ended" : running ? "running" : "paused",
              gdr.clock.check(JSON.parse(JSON.stringify(state))),
            ];
          });
        }""",
        [PLAN, [story[:3] for story in STORIES]],
    )
    for (name, _, _, left, spent, state), found in zip(STORIES, told, strict=True):
        phase = len(spent) - 1
        padded = [*spent, *[0] * (len(PLAN) - len(spent))]
        assert found == [name, left, PLAN[phase] - spent[phase], padded, state, True]


def test_whatever_happens_the_time_left_stays_within_the_plan_and_all_of_it_is_accounted_for(logic: Page) -> None:
    wrong = logic.evaluate(
        """(plan) => {
          const total = 45 * 60000;
          let seed = 1;
          const chance = (below) => (seed = (seed * 48271) % 2147483647) % below;
          const { clock } = gdr;
          const wrong = [];
          const ends = { paused: 0, ended: 0, running: 0 };
          for (let walk = 0; walk < 400; walk++) {
            let now = Date.UTC(2026, 10, 30);
            let state = clock.start("chat", "Chat", "exam", plan.map((each) => each * 60000), now);
            let before = 0;
            for (let step = 0; step < 25; step++) {
              now += [chance(3000), chance(600000), -chance(3000), -chance(7200000)][chance(20) < 16 ? 0 : chance(4)];
              state = clock.settle(state, now);
              const event = ["pause", "resume", "next", "finish"][chance(chance(9) ? 3 : 4)];
              if (!chance(3)) state = clock[event](state, now);
              const { left, spent } = clock.read(state, now);
              const sum = spent.reduce((all, one) => all + one, 0);
              // Ordinary corrections may take back what they are, no more.
              if (!(left >= 0 && left <= total && left + sum === total && sum >= before - 2000 && clock.check(state)))
                wrong.push({ walk, step, left, sum, before, state });
              before = Math.max(before, sum);
            }
            ends[state.ended !== null ? "ended" : state.since === null ? "paused" : "running"] += 1;
          }
          if (Object.values(ends).some((count) => count < 20)) wrong.push(ends);
          return wrong.slice(0, 3);
        }""",
        PLAN,
    )
    assert wrong == []


def test_the_clock_in_figures_and_in_words(logic: Page) -> None:
    table = [
        (0, "00:00", "no time"),
        (1, "00:01", "1 second"),
        (1000, "00:01", "1 second"),
        (1001, "00:02", "2 seconds"),
        (-1000, "00:01", "1 second"),
        (60_000, "01:00", "1 minute"),
        (61_000, "01:01", "1 minute 1 second"),
        (684_000, "11:24", "11 minutes 24 seconds"),
        (2_699_000, "44:59", "44 minutes 59 seconds"),
        (2_699_001, "45:00", "45 minutes"),
        (3_600_000, "60:00", "60 minutes"),
    ]
    told = logic.evaluate("(all) => all.map(([ms]) => [ms, gdr.clock.text(ms), gdr.clock.words(ms)])", table)
    assert [tuple(each) for each in told] == table
    # What has passed and what is left make up the whole.
    passed = logic.evaluate("[0, 999, 1000, 300_020, 2_700_000].map(gdr.clock.passed)")
    assert passed == ["00:00", "00:00", "00:01", "05:00", "45:00"]


def test_what_is_announced_between_two_looks(logic: Page) -> None:
    table = [
        (2_700_000, 2_699_000, None),
        (600_001, 600_000, 10),
        (600_000, 599_000, None),
        (300_500, 299_500, 5),
        (60_001, 60_000, 1),
        (60_000, 59_000, None),
        # After a sleep only the latest still holds.
        (700_000, 290_000, 5),
        (2_700_000, 50_000, 1),
    ]
    told = logic.evaluate("(all) => all.map(([before, after]) => [before, after, gdr.clock.due(before, after)])", table)
    assert [tuple(each) for each in told] == table


RUNNING: dict[str, object] = {
    "id": "a-1",
    "design": "chat",
    "title": "Chat",
    "mode": "exam",
    "plan": [60_000, 120_000],
    "spent": [60_000, 0],
    "phase": 1,
    "since": 1000,
    "seen": 2000,
    "ended": None,
}


CHECKED: list[tuple[dict[str, object], bool]] = [
    ({}, True),
    ({"since": None}, True),
    ({"since": None, "ended": 5000}, True),
    ({"spent": [60_000, 120_000]}, True),
    ({"id": 5}, False),
    ({"design": None}, False),
    ({"design": "javascript:alert(1)//"}, False),
    ({"design": "../elsewhere"}, False),
    ({"title": None}, False),
    ({"mode": "other"}, False),
    ({"plan": []}, False),
    ({"plan": "60000"}, False),
    ({"plan": [60_000, 120_000, 1]}, False),
    ({"plan": [-1, 400_000]}, False),
    ({"plan": [60_000, 1e12]}, False),
    ({"spent": [60_000, 120_001]}, False),
    ({"spent": [-1, 0]}, False),
    ({"spent": [None, 0]}, False),
    ({"phase": 2}, False),
    ({"phase": -1}, False),
    ({"phase": 0.5}, False),
    ({"phase": "1"}, False),
    ({"since": "1000"}, False),
    ({"since": -1}, False),
    ({"since": 2001}, False),
    ({"since": 1e300, "seen": 1e300}, False),
    ({"seen": None}, False),
    ({"seen": 1e300}, False),
    ({"ended": 5000}, False),
    ({"since": None, "ended": -5}, False),
]


def test_a_stored_clock_is_checked(logic: Page) -> None:
    told = logic.evaluate("(all) => all.map(gdr.clock.check)", [RUNNING | change for change, _ in CHECKED])
    assert list(zip([change for change, _ in CHECKED], told, strict=True)) == CHECKED


def test_what_is_no_clock_at_all_is_none(logic: Page) -> None:
    assert logic.evaluate("[null, undefined, 5, 'text', [], {}].map(gdr.clock.check)") == [False] * 6


# ---------------------------------------------------------------- a reader's round
class Round:
    """A design page whose clock stands until a test lets time pass."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.element = page.locator("gdr-round")
        page.goto(address)

    @property
    def seen(self) -> tuple[str, str, str]:
        """The time, the label, and what stands beside it."""
        clock, label, detail = (
            self.element.locator(f"[data-show={name}]").inner_text() for name in ("clock", "label", "detail")
        )
        return clock, label, detail

    @property
    def names(self) -> list[str]:
        return str(self.element.get_attribute("data-names")).split("|")

    @property
    def said(self) -> str:
        """What stands, from the next frame on, in the one place that a screen reader reads out by itself."""
        return self.element.get_by_role("status").inner_text()

    def button(self, name: str) -> Locator:
        return self.element.get_by_role("button", name=name, exact=True)

    def press(self, *names: str) -> None:
        for name in names:
            self.button(name).click()

    def start(self) -> None:
        self.press("Start")
        # The clock ticks just after each full second.
        self.page.clock.run_for(20)

    def option(self, name: str) -> Locator:
        """An option's input, in the fold that is opened for it."""
        self.element.locator(".gdr-options").evaluate("(fold) => { fold.open = true; }")
        return self.element.get_by_label(name)

    def run(self, minutes: float) -> None:
        """Let time pass, each timer at its time."""
        self.page.clock.run_for(round(minutes * MINUTE))

    def sleep(self, minutes: float) -> None:
        """Close the laptop for a while."""
        self.page.clock.fast_forward(round(minutes * MINUTE))

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self.page.evaluate("Date.now()") / 1000, UTC)

    def set_clock(self, minutes: float) -> None:
        """Set the computer's clock, forward or back; no timer notices."""
        self.page.clock.set_system_time(self.now + timedelta(minutes=minutes))

    def hide(self, hidden: bool) -> None:
        """Put the tab in the background, or bring it back."""
        self.page.evaluate(
            """(hidden) => {
              Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
              document.dispatchEvent(new Event("visibilitychange"));
            }""",
            hidden,
        )


Open = Callable[..., Round]


def stop_time(page: Page) -> None:
    page.clock.install(time=NOW)
    page.clock.pause_at(NOW + timedelta(seconds=1))


@pytest.fixture
def open_round(page: Page, at: Callable[[str], str]) -> Open:
    """A function that opens the design's page, from disk and served, in the test's tab or in another."""
    stop_time(page)
    return lambda tab=page: Round(tab, at(DESIGN))


@pytest.fixture
def round_(page: Page, from_disk: Callable[[str], str], complaints: list[str]) -> Round:
    """The design's page, from disk."""
    stop_time(page)
    page.add_init_script(SENSES)
    return Round(page, from_disk(DESIGN))


def test_a_round_from_start_to_done(page: Page, open_round: Open, complaints) -> None:
    round_ = open_round()
    title = page.title()
    first, second, *_ = names = round_.names
    assert round_.seen == ("45:00", "Not started", "")
    round_.run(1)
    assert round_.seen == ("45:00", "Not started", "")

    round_.start()
    assert round_.said == "The round has begun."
    assert round_.seen == ("45:00", first, "05:00 left")
    round_.run(1.5)
    assert round_.seen == ("43:30", first, "03:30 left")
    assert page.title() == f"43:30 · {title}"
    bars = round_.element.locator(".gdr-phases i")
    done = "(all) => all.map((bar) => bar.style.getPropertyValue('--done') + (bar.matches('.gdr-over') ? ' over' : ''))"
    assert bars.evaluate_all(done) == ["30.0%", "0.0%", "0.0%", "0.0%", "0.0%"]
    round_.sleep(4.5)
    assert round_.seen == ("39:00", first, "01:00 over")
    assert bars.evaluate_all(done) == ["100.0% over", "0.0%", "0.0%", "0.0%", "0.0%"]

    round_.press("Pause")
    assert round_.seen == ("39:00", first, "paused")
    assert page.title() == title
    round_.sleep(20)
    page.reload()
    assert round_.seen == ("39:00", first, "paused")
    round_.press("Resume", "Next step")
    round_.sleep(1.5)
    round_.run(0.5)
    assert round_.said == second
    assert round_.seen == ("37:00", second, "08:00 left")
    page.reload()
    assert round_.seen == ("37:00", second, "08:00 left")
    assert bars.evaluate_all(done) == ["100.0% over", "20.0%", "0.0%", "0.0%", "0.0%"]

    assert not round_.button("Done").is_visible()
    round_.press("Next step", "Next step", "Next step")
    assert not round_.button("Next step").is_visible()
    round_.sleep(3)
    assert round_.seen == ("34:00", names[4], "02:00 left")
    round_.press("Done")
    assert round_.seen == ("34:00", "Done", "after 11:00")
    pacing = page.get_by_role("table", name="How you spent the time").locator("tbody tr")
    expected = zip(names, PLAN, ["06:00, 01:00 over", "02:00", "00:00", "00:00", "03:00"], strict=True)
    assert [row.inner_text().split("\t") for row in pacing.all()] == [
        [name, f"{planned:02}:00", spent] for name, planned, spent in expected
    ]

    round_.sleep(60)
    page.reload()
    assert round_.seen == ("34:00", "Done", "after 11:00")
    round_.press("New round")
    assert round_.seen == ("45:00", "Not started", "")
    assert not pacing.first.is_visible()


def test_reset_and_being_done_early_stand_among_the_options(round_: Round) -> None:
    round_.start()
    round_.run(5)
    round_.press("Pause")
    round_.option("Sound")
    round_.press("Reset")
    assert round_.seen == ("45:00", "Not started", "")
    round_.start()
    round_.run(5)
    round_.press("I am done")
    assert round_.seen == ("40:00", "Done", "after 05:00")


# ---------------------------------------------------------------- time that nobody watches
def test_half_an_hour_of_sleep_counts(open_round: Open, complaints) -> None:
    round_ = open_round()
    round_.start()
    round_.run(1)
    round_.sleep(30)
    assert round_.seen == ("14:00", round_.names[0], "26:00 over")


def test_after_the_whole_time_in_the_background_it_is_up_and_rings_once(round_: Round) -> None:
    round_.option("Sound").check()
    round_.start()
    round_.hide(True)
    # A browser may let no timer of a hidden tab run.
    round_.set_clock(45)
    round_.hide(False)
    assert round_.seen == ("00:00", "Time is up", "")
    round_.run(5)
    assert round_.said == "Time is up."
    round_.hide(True)
    round_.hide(False)
    assert round_.page.evaluate("rung") == ["sound"]


def test_an_end_that_passed_while_away_rings_at_once_in_one_tab(page: Page, open_round: Open, at, complaints) -> None:
    page.context.add_init_script(SENSES)
    round_ = open_round()
    round_.option("Sound").check()
    round_.start()
    page.goto("about:blank")
    page.clock.fast_forward(50 * MINUTE)
    others = [page.context.new_page() for _ in range(2)]
    others[0].goto(at("index.html"))
    Round(others[1], at(DESIGN))
    page.goto(at(DESIGN))
    assert [tab.evaluate("rung") for tab in (others[0], others[1], page)] == [["sound"], [], []]
    assert round_.seen == ("00:00", "Time is up", "")
    assert others[0].locator(".gdr-running").inner_text().endswith(" · time is up")
    assert others[0].locator(".gdr-running + [role=status]").inner_text() == "Time is up."
    others[0].reload()
    assert others[0].locator(".gdr-running").is_hidden()


def test_an_end_that_another_tab_noted_is_said_here_too(page: Page, open_round: Open, complaints) -> None:
    first = open_round()
    first.start()
    second = open_round(page.context.new_page())
    first.hide(True)
    second.hide(True)
    first.set_clock(45)
    first.hide(False)
    expect(second.element).to_have_attribute("data-state", "ended")
    first.run(1)
    assert (first.said, second.said) == ("Time is up.", "Time is up.")


def seconds(clock: str) -> int:
    minutes, rest = clock.split(":")
    return int(minutes) * 60 + int(rest)


@pytest.mark.parametrize("away", [False, True])
def test_a_clock_set_back_an_hour_takes_no_time_away(open_round: Open, complaints, away) -> None:
    round_ = open_round()
    address = round_.page.url
    round_.start()
    round_.sleep(9.5)
    round_.run(0.5)
    if away:
        round_.page.goto("about:blank")
    round_.set_clock(-60)
    if away:
        round_.page.goto(address)
    round_.run(1 / 30)
    # The time is noted every five seconds.
    assert 34 * 60 + 58 <= seconds(round_.seen[0]) <= 35 * 60 + 5
    round_.sleep(5)
    assert 29 * 60 + 58 <= seconds(round_.seen[0]) <= 30 * 60 + 5
    round_.sleep(31)
    assert round_.seen == ("00:00", "Time is up", "")


def test_a_clock_set_back_before_the_start_leaves_the_whole_time(round_: Round) -> None:
    round_.start()
    round_.set_clock(-60)
    round_.run(1 / 60)
    assert 44 * 60 + 58 <= seconds(round_.seen[0]) <= 45 * 60


# ---------------------------------------------------------------- other pages, other tabs, other designs
def test_another_page_shows_the_clock_and_leads_back(page: Page, open_round: Open, at, complaints) -> None:
    round_ = open_round()
    name = round_.element.get_attribute("data-title")
    running = page.locator(".gdr-running")
    page.goto(at("index.html"))
    assert running.is_hidden()
    page.goto(at(DESIGN))
    round_.start()
    assert running.count() == 0
    for path in ("index.html", "numbers.html"):
        page.goto(at(path))
        round_.run(1)
    assert running.inner_text() == f"{name} · 43:00"
    round_.sleep(10)
    assert running.inner_text() == f"{name} · 33:00"
    running.click()
    page.wait_for_url(at(DESIGN))
    assert round_.seen[0] == "33:00"
    round_.press("Pause")
    page.goto(at("index.html"))
    assert running.inner_text() == f"{name} · 33:00, paused"


def test_a_round_of_an_older_plan_runs_to_its_end(page: Page, open_round: Open, complaints) -> None:
    round_ = open_round()
    page.evaluate(
        """(design) => gdr.store.update("timer", "site", () =>
          gdr.clock.start(design, "Older", "practice", Array(7).fill(60000), Date.now()))""",
        DESIGN.removeprefix("designs/").removesuffix(".html"),
    )
    round_.run(1 / 60)
    for name in [*round_.names[1:], "Step 6", "Step 7"]:
        round_.press("Next step")
        assert round_.seen[1] == name
    round_.run(8)
    assert round_.seen[1] == "Time is up"
    assert page.locator("[data-pacing]").is_hidden()
    assert "NaN" not in page.locator("body").inner_text()


def test_two_tabs_show_one_round(page: Page, open_round: Open, complaints) -> None:
    first = open_round()
    second = open_round(page.context.new_page())
    first.start()
    expect(second.button("Pause")).to_be_visible()
    # Both clocks go forward at once, as those of one computer do.
    first.set_clock(6)
    for tab in (first, second):
        tab.hide(False)
    assert first.seen == second.seen == ("39:00", first.names[0], "01:00 over")
    second.press("Next step")
    expect(first.element.locator("[data-show=label]")).to_have_text(first.names[1])
    second.press("Pause")
    expect(first.button("Resume")).to_be_visible()
    assert first.seen == second.seen == ("39:00", first.names[1], "paused")


def begin(page: Page, design: str) -> None:
    """Start an exam of a design without a press, as another page does."""
    page.evaluate(
        """(design) => gdr.store.update("timer", "site", () =>
          gdr.clock.start(design, "Another design", "exam", [60000, 540000], Date.now()))""",
        design,
    )
    page.clock.run_for(20)


def test_while_another_design_is_on_this_one_says_so(round_: Round) -> None:
    page = round_.page
    begin(page, "another")
    assert round_.seen == ("10:00", "Another design", "running")
    assert not round_.button("Start").is_visible()
    assert round_.element.get_by_role("link", name="Go to it").get_attribute("href") == "another.html"
    assert not page.title().startswith("10:00")
    # Its exam folds nothing here.
    page.locator("#answer").click()
    assert page.locator("#model-answer").is_visible()
    round_.run(1)
    assert round_.seen == ("09:00", "Another design", "running")
    round_.press("End it")
    assert round_.seen == ("45:00", "Not started", "")
    # Nor does its end open anything.
    assert not page.locator("#predict").is_visible()
    begin(page, "another")
    round_.sleep(11)
    assert round_.seen == ("45:00", "Not started", "")


# ---------------------------------------------------------------- options
def test_a_hidden_clock_tells_the_time_on_demand_alone(round_: Round) -> None:
    page = round_.page
    title = page.title()
    round_.start()
    round_.option("Hide it").check()
    round_.run(1.5)
    for _ in range(2):
        assert round_.element.get_by_role("timer").is_hidden()
        assert [part.is_visible() for part in round_.element.locator(".gdr-clock-label, .gdr-phases").all()] == [
            False
        ] * 2
        assert page.title() == title
        assert round_.option("Hide it").is_checked()
        page.reload()
    round_.option("Hide it")
    round_.press("Say the time left")
    round_.run(1 / 60)
    assert round_.said == "43 minutes 30 seconds left"
    round_.option("Hide it").uncheck()
    assert round_.element.get_by_role("timer").is_visible()
    assert page.title() == f"43:29 · {title}"


def test_only_the_last_minutes_and_the_end_are_announced(round_: Round) -> None:
    timer = round_.element.get_by_role("timer")
    assert timer.get_attribute("aria-live") == "off"
    assert timer.evaluate("(timer) => timer.closest('[role=status], [role=alert], [aria-live]') === timer")
    round_.element.evaluate(
        """(element) => {
          globalThis.told = [];
          const region = element.querySelector("[role=status]");
          const hear = () => region.textContent && told.push(region.textContent);
          new MutationObserver(hear).observe(region, { childList: true });
        }"""
    )
    round_.start()
    round_.run(46)
    assert round_.page.evaluate("told") == [
        "The round has begun.",
        "10 minutes left",
        "5 minutes left",
        "1 minute left",
        "Time is up.",
    ]
    # Both are off until the reader turns them on.
    assert round_.page.evaluate("rung") == []


def test_sound_and_vibration_come_once_where_they_are_on(round_: Round) -> None:
    for name in ("Sound", "Vibration"):
        assert not round_.option(name).is_checked()
        round_.option(name).check()
    round_.start()
    round_.sleep(44)
    assert round_.page.evaluate("rung") == []
    round_.sleep(1)
    round_.run(1)
    assert sorted(round_.page.evaluate("rung")) == ["sound", "vibration 400,200,400"]
    # Remembered, and no end that the reader brought about rings.
    round_.press("New round")
    round_.page.reload()
    assert round_.option("Sound").is_checked()
    assert round_.option("Vibration").is_checked()
    round_.press("Start", "I am done")
    assert round_.page.evaluate("rung") == []


@pytest.mark.parametrize("end", ["time is up", "done"])
def test_an_exam_keeps_everything_folded_until_it_ends(round_: Round, end) -> None:
    page = round_.page
    # What was open before the exam does not stay so.
    page.locator("#answer").click()
    assert page.locator("#model-answer").is_visible()
    round_.option("Exam").check()
    round_.start()
    assert round_.said == "The exam has begun. The answer stays folded."
    assert round_.option("Practice").is_disabled()
    for _ in range(2):
        for heading in ("answer", "push"):
            page.locator(f"#{heading}").click()
            round_.run(1 / 60)
            assert round_.said == "Exam: this stays folded until the time is up or you press Done."
            assert round_.element.get_by_role("status").is_visible()
        page.locator("summary:has(#answer)").press("Enter")
        assert (
            page.locator("#score, #model-answer, #follow-ups, [data-anyway]").evaluate_all(
                "(all) => all.map((part) => part.checkVisibility())"
            )
            == [False] * 4
        )
        round_.run(1)
        page.reload()
    if end == "done":
        round_.option("Exam")
        round_.press("I am done")
    else:
        round_.sleep(45)
        round_.run(1 / 60)
    assert "Exam" not in round_.said
    assert page.locator("#score").is_visible()
    page.locator("#answer").click()
    assert page.locator("#model-answer").is_visible()
    assert round_.option("Practice").is_enabled()


# ---------------------------------------------------------------- keyboard, and work done
def test_the_focus_stays_when_a_button_goes_away(round_: Round) -> None:
    def press(name: str, then: str) -> None:
        button = round_.button(name)
        button.focus()
        round_.page.keyboard.press("Enter")
        expect(round_.button(then)).to_be_focused()

    press("Start", then="Pause")
    press("Pause", then="Resume")
    press("Resume", then="Pause")
    for _ in range(3):
        press("Next step", then="Next step")
    press("Next step", then="Pause")
    press("Done", then="New round")
    press("New round", then="Start")
    press("Start", then="Pause")
    round_.option("Sound")
    press("I am done", then="New round")
    press("New round", then="Start")
    press("Start", then="Pause")
    press("Pause", then="Resume")
    press("Reset", then="Start")
    press("Start", then="Pause")
    press("Say the time left", then="Say the time left")
    round_.sleep(46)
    expect(round_.button("New round")).to_be_focused()
    press("New round", then="Start")
    # A choice that another tab takes away while it has the focus.
    round_.option("Practice").focus()
    begin(round_.page, DESIGNS[0])
    expect(round_.button("Pause")).to_be_focused()


def test_a_clock_is_shown_once_a_second_however_often_it_was_stopped(round_: Round, from_disk) -> None:
    count = """() => {
      globalThis.shown = 0;
      const { read } = gdr.clock;
      gdr.clock.read = (...given) => { shown += 1; return read(...given); };
    }"""
    page = round_.page
    for _ in range(3):
        round_.press("Start", "Pause", "Resume", "Next step")
        round_.option("Sound").check()
        round_.press("I am done", "New round")
    round_.start()
    round_.hide(True)
    round_.hide(False)
    round_.run(0.005)
    page.evaluate(count)
    round_.run(1)
    assert page.evaluate("shown") == 60
    # What has gone back and forth between pages is shown no more often.
    page.goto(from_disk("index.html"))
    page.go_back()
    round_.run(0.005)
    page.evaluate(count)
    round_.run(1)
    assert page.evaluate("shown") == 60
    page.goto(from_disk("index.html"))
    round_.run(0.005)
    page.evaluate(count)
    round_.run(1)
    assert page.evaluate("shown") == 60
    # At rest nothing ticks.
    page.goto(from_disk(DESIGN))
    round_.press("Pause")
    page.evaluate(count)
    round_.run(1)
    assert page.evaluate("shown") == 0
