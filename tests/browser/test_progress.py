"""What an attempt means on the day after, and what becomes of two records of one thing: the logic, without a page."""

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page

from tests.browser.records import FILL, attempt, entry
from tests.conftest import PROJECT

SCRIPTS = PROJECT / "overrides" / "assets" / "scripts"
# In the order of the bundles; what needs a page's elements finds none here.
NAMES = ["store", "clock", "folds", "progress", "pad", "rubric", "round", "quiz", "backup"]
PREFIX = "rounds:"


@pytest.fixture
def blank(tmp_path: Path) -> str:
    """The address of a page with nothing but the scripts, for a site named `rounds`."""
    tags = [
        f'<script src="{(SCRIPTS / name).as_uri()}.js" data-site="rounds" data-base="."></script>' for name in NAMES
    ]
    page = tmp_path / "blank.html"
    page.write_text(f'<!doctype html><meta charset="utf-8"><title>Logic</title>{"".join(tags)}', encoding="utf-8")
    return page.as_uri()


@pytest.fixture
def scripts(page: Page, blank: str, complaints: list[str]) -> Page:
    """The blank page, opened."""
    page.goto(blank)
    return page


def milliseconds(zone: str, at: str) -> float:
    """The epoch time of a local time in a zone."""
    return datetime.fromisoformat(at).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000


# ---------------------------------------------------------------- days
# Pairs of local times, and how many days are between them.
DAYS = {
    "Europe/Berlin": [
        ("2026-11-30T00:00", "2026-11-30T23:59", 0),
        ("2026-11-30T23:59", "2026-12-01T00:00", 1),
        # A day of 23 hours, and one of 25.
        ("2026-03-28T23:30", "2026-03-29T23:30", 1),
        ("2026-03-29T00:30", "2026-03-30T00:30", 1),
        ("2026-10-24T00:10", "2026-10-25T23:50", 1),
        ("2026-10-25T00:10", "2026-10-25T23:50", 0),
    ],
    "America/New_York": [
        ("2026-03-07T23:50", "2026-03-09T00:10", 2),
        ("2026-11-01T00:10", "2026-11-08T00:10", 7),
        ("2028-02-28T12:00", "2028-03-01T12:00", 2),
    ],
    # Where clocks change at midnight, a day begins at one o'clock.
    "Africa/Cairo": [("2026-04-23T23:59", "2026-04-24T01:00", 1), ("2026-04-24T01:00", "2026-04-25T00:00", 1)],
    "Asia/Kathmandu": [("2026-11-30T23:59", "2026-12-01T00:01", 1)],
    "Pacific/Kiritimati": [("2026-12-31T23:59", "2027-01-01T00:01", 1), ("2026-11-30T00:01", "2026-11-30T23:59", 0)],
}


@pytest.mark.parametrize("zone", DAYS)
def test_days_are_the_readers_own(new_page: Callable[..., Page], blank: str, zone: str) -> None:
    page = new_page(timezone_id=zone)
    page.goto(blank)
    for first, second, days in DAYS[zone]:
        times = [milliseconds(zone, at) for at in (first, second)]
        before, after = page.evaluate("(times) => times.map(gdr.progress.day)", times)
        assert after - before == days, (first, second)
        assert before == int(before)


def test_a_round_is_due_again_by_its_score(scripts: Page) -> None:
    days = scripts.evaluate(
        """() => [0, 1, 4, 5, 6, 7, 8].map((score) => {
          const at = new Date(2026, 10, 30, 21, 0).getTime();
          return gdr.progress.due({ at, score }) - gdr.progress.day(at);
        })"""
    )
    assert days == [1, 1, 1, 3, 3, 7, 7]


def test_a_round_is_due_from_the_first_minute_of_its_day(new_page, blank) -> None:
    """Done late on the evening before clocks go forward."""
    page = new_page(timezone_id="Europe/Berlin")
    page.goto(blank)
    for score, day in ((4, "2026-03-29"), (6, "2026-03-31"), (8, "2026-04-04")):
        done = attempt(at=milliseconds("Europe/Berlin", "2026-03-28T23:30"), score=score)
        midnight = milliseconds("Europe/Berlin", f"{day}T00:00")
        due = page.evaluate(
            "([done, times]) => times.map((now) => gdr.progress.board(['one'], () => [done], now).rounds[0].dueIn)",
            [done, [midnight - 1, midnight]],
        )
        assert due == [1, 0], day


# ---------------------------------------------------------------- the board
TODAY = "2026-11-30T12:00"


def ago(days: float, score: int = 4) -> dict[str, Any]:
    """An attempt some days before noon of today."""
    return attempt(id=f"{days}", at=milliseconds("UTC", TODAY) - days * 864e5, score=score)


NEXT: list[tuple[dict[str, Any], str, int]] = [
    ({}, "one", 0),
    ({"one": [ago(0)]}, "two", 1),
    ({"one": [ago(0)], "two": [ago(0, 8)], "three": [ago(0, 6)]}, "one", 1),
    # Due before never tried, the longest due before the others, ties in the learner's order.
    ({"two": [ago(1)]}, "two", 1),
    ({"one": [ago(5, 6)], "three": [ago(9, 6)]}, "three", 2),
    ({"two": [ago(4, 6)], "three": [ago(2, 4)]}, "two", 2),
    ({"two": [ago(1)], "one": [ago(3, 5)]}, "one", 2),
    # Only the last attempt counts for that.
    ({"one": [ago(30, 2), ago(1, 8)]}, "two", 2),
    ({"one": [ago(30, 8), ago(1, 2)]}, "one", 2),
    # Everything tried and nothing due: what comes due first.
    ({"one": [ago(0, 8)], "two": [ago(2, 6)], "three": [ago(0, 4)]}, "two", 2),
    # Two on one day are one day of practice.
    ({"one": [ago(0.25), ago(0.1)], "two": [ago(0.2)]}, "three", 1),
]


def test_what_comes_next(new_page, blank) -> None:
    page = new_page(timezone_id="UTC")
    page.goto(blank)
    for attempts, next_, days in NEXT:
        board = page.evaluate(
            "([attempts, now]) => gdr.progress.board(['one', 'two', 'three'], (id) => attempts[id] ?? [], now)",
            [attempts, milliseconds("UTC", TODAY)],
        )
        assert (board["next"], board["days"]) == (next_, days), attempts
        assert [round_["id"] for round_ in board["rounds"]] == ["one", "two", "three"]


def test_the_board_tells_best_and_last(new_page, blank) -> None:
    page = new_page(timezone_id="UTC")
    page.goto(blank)
    board = page.evaluate(
        "([all, now]) => gdr.progress.board(['one', 'none'], (id) => id === 'one' ? all : [], now)",
        [[ago(9, 3), ago(8, 7), ago(7, 5)], milliseconds("UTC", TODAY)],
    )
    one, none = board["rounds"]
    assert (one["best"], one["last"]["score"], one["dueIn"]) == (7, 5, -4)
    assert (none["best"], none["last"], none["dueIn"]) == (None, None, None)
    empty = page.evaluate("gdr.progress.board([], () => [], 0)")
    assert empty == {"rounds": [], "next": "", "days": 0}


# ---------------------------------------------------------------- what an entry may hold
FINE: dict[str, list[Any]] = {
    "attempts": [[], [attempt()], [attempt(minutes=None, score=0), attempt(id="b", score=8, minutes=0.5)]],
    "pad": [{}, {"numbers": "10 × 2"}],
    "ticks": [{"ticks": {"scale": True}, "notes": {"scale": "late"}, "predictions": {"binds": "memory"}, "saved": ""}],
    "quiz": [{}, {"quiz-fits": "right"}],
    "folds": [{"open": ["score"], "seen": True, "step": 3}],
    "settings": [{"sound": True, "vibration": False, "hidden": False, "mode": "exam"}],
}
WRONG: dict[str, list[Any]] = {
    "attempts": [
        *({}, None, "x", [None], [[]], [{}]),
        *([attempt(id=7)], [attempt(at="today")], [attempt(at=-1)], [attempt(at=8.64e15)], [attempt(at=None)]),
        *([attempt(score=9)], [attempt(score=-1)], [attempt(score=4.5)], [attempt(of=None)], [attempt(minutes=-1)]),
        *([attempt(minutes="45")], [attempt(ticks={})], [attempt(ticks=[1])], [attempt(notes=[])]),
        *([attempt(notes={"scale": 1})], [attempt(predictions=None)], [attempt(pad={"numbers": {}})]),
        [attempt(), attempt(score=99)],
    ],
    "pad": [None, [], "text", {"numbers": 1}, {"numbers": None}],
    "ticks": [
        *({}, [], None),
        *(FINE["ticks"][0] | wrong for wrong in ({"ticks": {"scale": "yes"}}, {"notes": None}, {"saved": None})),
        FINE["ticks"][0] | {"predictions": {"binds": 1}},
    ],
    "quiz": [None, [], {"quiz-fits": True}],
    "folds": [None, {}, *(FINE["folds"][0] | wrong for wrong in ({"open": [1]}, {"seen": 1}, {"step": "3"}))],
    "settings": [None, {}, *(FINE["settings"][0] | wrong for wrong in ({"sound": 1}, {"mode": "easy"}))],
}


def test_what_an_entry_may_hold(scripts: Page) -> None:
    check = """([section, all]) => all.map((data) => {
      try {
        return gdr.store.kind(section).check(data);
      } catch {
        return "thrown";
      }
    })"""
    for section, all_ in FINE.items():
        assert scripts.evaluate(check, [section, all_]) == [True] * len(all_), section
    for section, all_ in WRONG.items():
        passed = scripts.evaluate(check, [section, all_])
        assert [data for data, good in zip(all_, passed, strict=True) if good is True] == [], section


# ---------------------------------------------------------------- two records of one thing
OLD, NEW = attempt(), attempt(id="b", at=2 * 10**12, score=7)
TICKED = {"ticks": {"scale": True}, "notes": {"scale": "mine"}, "predictions": {"binds": "memory"}, "saved": "a"}
THEIRS = {
    "ticks": {"kv": True},
    "notes": {"scale": "theirs", "kv": "x"},
    "predictions": {"headline": "9"},
    "saved": "b",
}
MERGED = {
    "ticks": {"scale": True, "kv": True},
    "notes": {"scale": "mine", "kv": "x"},
    "predictions": {"binds": "memory", "headline": "9"},
    "saved": "a",
}


# Section, ours, theirs, both.
MERGES: list[tuple[str, Any, Any, Any]] = [
    ("attempts", None, [OLD], [OLD]),
    ("attempts", [OLD], None, [OLD]),
    ("attempts", [NEW], [OLD], [OLD, NEW]),
    ("attempts", [OLD], [OLD, NEW], [OLD, NEW]),
    ("attempts", None, [NEW, OLD], [OLD, NEW]),
    ("attempts", [OLD], [OLD | {"score": 8}], [OLD]),
    ("pad", None, {"numbers": "x"}, {"numbers": "x"}),
    ("pad", {"numbers": "x"}, None, {"numbers": "x"}),
    ("pad", {"numbers": "x"}, {"design": "y"}, {"numbers": "x", "design": "y"}),
    ("pad", {"numbers": "x"}, {"numbers": "y"}, {"numbers": "x\n\ny"}),
    # What one holds of the other is not written twice, and what was emptied here comes back.
    ("pad", {"numbers": "x and more"}, {"numbers": "x"}, {"numbers": "x and more"}),
    ("pad", {"numbers": "x"}, {"numbers": "x and more"}, {"numbers": "x and more"}),
    ("pad", {"numbers": "x\n\ny"}, {"numbers": "y"}, {"numbers": "x\n\ny"}),
    ("pad", {"numbers": ""}, {"numbers": "y"}, {"numbers": "y"}),
    ("ticks", None, THEIRS, THEIRS),
    ("ticks", TICKED, None, TICKED),
    ("ticks", TICKED, THEIRS, MERGED),
    ("quiz", {"one": "right"}, {"one": "slip", "two": "right"}, {"one": "right", "two": "right"}),
    ("folds", None, FINE["folds"][0], FINE["folds"][0]),
    ("folds", FINE["folds"][0], {"open": [], "seen": False, "step": 0}, FINE["folds"][0]),
    ("settings", FINE["settings"][0], FINE["settings"][0] | {"mode": "practice"}, FINE["settings"][0]),
]


def test_two_records_become_one(scripts: Page) -> None:
    merge = "([section, ours, theirs]) => gdr.store.kind(section).merge(ours ?? undefined, theirs ?? undefined)"
    for section, ours, theirs, both in MERGES:
        assert scripts.evaluate(merge, [section, ours, theirs]) == both
        # Once more changes nothing: a file may be imported twice.
        assert scripts.evaluate(merge, [section, both, theirs]) == both


# ---------------------------------------------------------------- a file of somebody's progress
def file(items: Any, **others: Any) -> str:
    """The text of an exported file."""
    return json.dumps({"format": "rounds", "schema": 1, "items": items} | others)


EXPECTED = "Expected a file that “Export” wrote."
OTHER_VERSION = "it was written by another version of this site. Reload the page and try again."
REFUSED = {
    "": f"it is not JSON. {EXPECTED}",
    "id,score\n1,8\n": f"it is not JSON. {EXPECTED}",
    file({})[:-1]: f"it is not JSON. {EXPECTED}",
    "null": "it is another kind of file. Expected one that “Export” wrote.",
    "[]": "it is another kind of file. Expected one that “Export” wrote.",
    '"rounds"': "it is another kind of file. Expected one that “Export” wrote.",
    "{}": "it is another kind of file. Expected one that “Export” wrote.",
    file({}, format=7): "it is another kind of file. Expected one that “Export” wrote.",
    file({}, format="recipes"): "it is a file of “recipes”. Expected one that “Export” wrote.",
    file({}, format="r" * 99): f"it is a file of “{'r' * 60}”. Expected one that “Export” wrote.",
    file({}, schema=2): OTHER_VERSION,
    file({}, schema="1"): OTHER_VERSION,
    file(None): "it holds no entries.",
    file([]): "it holds no entries.",
    file({"theme": "dark"}): "its entry “theme” is none of this site's.",
    file({"../x": entry({})}): "its entry “../x” is none of this site's.",
    file({"pad/": entry({})}): "its entry “pad/” is none of this site's.",
    file({"pad/x": {}}): "its entry “pad/x” is none of this site's.",
    file({"pad/x": None}): "its entry “pad/x” is none of this site's.",
    file({"__proto__": entry({})}): "its entry “__proto__” is none of this site's.",
    file({"pad/x": "{"}): "its entry “pad/x” is damaged.",
    file({"pad/x": "{}"}): "its entry “pad/x” is damaged.",
    file({"pad/x": entry({}, 0)}): "its entry “pad/x” is damaged.",
    file({"pad/y": entry({}), "pad/x": entry([])}): "its entry “pad/x” is damaged.",
    file({"attempts/x": entry([attempt(score=9)])}): "its entry “attempts/x” is damaged.",
    file({"pad/x": entry({}, 2)}): (
        "its entry “pad/x” was written by a newer version of this site. Reload the page and try again."
    ),
}


def test_a_wrong_file_is_refused_with_its_reason(scripts: Page) -> None:
    told = scripts.evaluate("(texts) => texts.map(gdr.backup.read)", list(REFUSED))
    assert told == [{"reason": reason} for reason in REFUSED.values()]


def test_a_file_is_read_whole(scripts: Page) -> None:
    items = {
        "attempts/x": entry([OLD, NEW]),
        "pad/x": entry({"numbers": "x"}),
        "ticks/x": entry(TICKED),
        "ticks/y": entry(TICKED),
        # Of a version with more parts than this one, and what was once unreadable.
        "drills/site": entry([1], 5),
        "aside:pad/x@1": "{",
    }
    assert scripts.evaluate("(text) => gdr.backup.read(text)", "\n" + file(items)) == {"items": items}
    kept = {"attempts/x": entry([NEW])}
    preview = "([kept, items]) => { gdr.store.put(...Object.entries(kept)[0]); return gdr.backup.preview(items); }"
    assert scripts.evaluate(preview, [kept, items]) == {"attempts": 2, "fresh": 1, "rounds": 2, "entries": 6}


KEPT = {
    "attempts/x": entry([NEW]),
    "pad/x": entry({"numbers": "x"}),
    "quiz/x": entry({"quiz-fits": "right"}),
    "drills/site": entry([1], 5),
    "aside:pad/x@1": "{",
}
FILE = {
    "attempts/x": entry([OLD]),
    "attempts/y": entry([NEW, OLD]),
    "pad/x": entry({"numbers": "y"}),
    "drills/site": entry([2], 5),
    "drills/more": entry([3], 5),
    "aside:pad/x@2": "[",
}


def keep(page: Page, items: dict[str, str]) -> None:
    """Put entries, and one of another application, into storage."""
    page.evaluate(
        "([prefix, items]) => Object.entries(items).forEach(([key, text]) => localStorage.setItem(prefix + key, text))",
        [PREFIX, items],
    )
    page.evaluate("localStorage.setItem('theirs', 'stays')")


def kept(page: Page) -> dict[str, str]:
    """What this site has in storage; checks that others' is untouched."""
    everything: dict[str, str] = page.evaluate("({ ...localStorage })")
    assert everything.pop("theirs") == "stays"
    ours = {key: text for key, text in everything.items() if not key.startswith("filler ")}
    assert all(key.startswith(PREFIX) for key in ours)
    return {key.removeprefix(PREFIX): text for key, text in ours.items()}


def apply(page: Page, items: dict[str, str], replace: bool) -> str:
    told: str = page.evaluate("([items, replace]) => gdr.backup.apply(items, replace)", [items, replace])
    return told


def test_a_file_is_merged_into_what_is_here(scripts: Page) -> None:
    keep(scripts, KEPT)
    merged = KEPT | {
        "attempts/x": entry([OLD, NEW]),
        "attempts/y": entry([OLD, NEW]),
        "pad/x": entry({"numbers": "x\n\ny"}),
        # Of parts that this version does not know, what is here stays.
        "drills/more": entry([3], 5),
        "aside:pad/x@2": "[",
    }
    for _ in range(2):
        assert apply(scripts, FILE, False) == ""
        assert kept(scripts) == merged


def test_a_file_takes_the_place_of_what_is_here(scripts: Page) -> None:
    keep(scripts, KEPT)
    assert apply(scripts, FILE, True) == ""
    assert kept(scripts) == FILE | {"attempts/y": entry([OLD, NEW])}


def test_what_is_damaged_here_is_kept_aside_by_a_merge(scripts: Page) -> None:
    keep(scripts, {"pad/x": "{"})
    assert apply(scripts, FILE, False) == ""
    after = kept(scripts)
    assert after["pad/x"] == FILE["pad/x"]
    assert [text for key, text in after.items() if key.startswith("aside:pad/x@") and key not in FILE] == ["{"]


@pytest.mark.parametrize("read_before", [False, True])
def test_a_merge_leaves_what_a_newer_version_wrote(scripts: Page, read_before) -> None:
    newer = entry({"other": "shape"}, 2)
    keep(scripts, {"pad/x": newer})
    if read_before:
        assert scripts.evaluate("gdr.store.get('pad', 'x') ?? null") is None
    assert apply(scripts, FILE, False) == ""
    assert kept(scripts)["pad/x"] == newer


@pytest.mark.parametrize("replace", [False, True])
def test_a_file_too_large_for_the_storage_changes_nothing(scripts: Page, replace) -> None:
    # The file's first entry fits into the room that there is; what was there fits again only once that one is gone.
    before = {"attempts/x": entry([NEW]), "pad/a": entry({"numbers": "a" * 4000}), "quiz/x": entry({})}
    keep(scripts, before)
    scripts.evaluate(FILL, 1000)
    large = {"pad/w": entry({"numbers": "w" * (4500 if replace else 800)}), "pad/x": entry({"numbers": "y" * 4000})}
    assert apply(scripts, large, replace) == "This browser's storage is full. Nothing was changed."
    assert kept(scripts) == before
    scripts.reload()
    assert kept(scripts) == before
    assert scripts.evaluate("gdr.store.get('pad', 'a').numbers") == "a" * 4000


def test_where_storage_is_blocked_a_file_is_refused(page: Page, blank: str, complaints) -> None:
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    page.goto(blank)
    told = apply(page, FILE, False)
    assert told == "This browser blocks storage for this site, so nothing could be kept."
    assert page.evaluate("gdr.store.keys()") == []


def test_a_reset_deletes_this_sites_entries_alone(scripts: Page) -> None:
    keep(scripts, KEPT)
    others = ["rounds", "rounds-2:pad/x", "rounds/copy/:pad/x", "pad/x", ":pad/x"]
    scripts.evaluate("(keys) => keys.forEach((key) => localStorage.setItem(key, 'theirs'))", others)
    scripts.evaluate("gdr.backup.reset()")
    assert scripts.evaluate("({ ...localStorage })") == dict.fromkeys(others, "theirs") | {"theirs": "stays"}
