"""The board on the home page, and a reader's progress as a file: exported, imported, deleted."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Locator, Page

from tests.browser.records import FILL, attempt, entry
from tests.pages.designs import DESIGNS

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
MADE = "genai-design-rounds"
FOCUSED = "(element) => element === document.activeElement"


def ago(days: float, score: int) -> dict[str, Any]:
    """An attempt some days before noon."""
    return attempt(id=f"{days}", at=int((NOON - timedelta(days=days)).timestamp() * 1000), score=score)


def put(page: Page, items: dict[str, str]) -> None:
    """Put entries into storage as another page of the site would have left them, and come back."""
    page.evaluate("(items) => Object.entries(items).forEach(([key, text]) => gdr.store.put(key, text))", items)
    page.reload()


def kept(page: Page) -> dict[str, str]:
    """All of this site's entries in storage, whatever the page itself believes."""
    entries: dict[str, str] = page.evaluate("({ ...localStorage })")
    mark = re.compile(rf"{MADE}[^:]*:")
    return {mark.sub("", key, count=1): text for key, text in entries.items() if mark.match(key)}


def button(page: Page, name: str) -> Locator:
    return page.locator("[data-tools]").get_by_role("button", name=name, exact=True)


def told(page: Page) -> str:
    """What the page says below its tools."""
    return page.locator("[data-part=told]").inner_text()


def choose(page: Page, text: str | bytes, name: str = "progress.json") -> None:
    """Import a file by the chooser that the button opens."""
    content = text if isinstance(text, bytes) else text.encode()
    with page.expect_file_chooser() as chooser:
        button(page, "Import").click()
    before = page.locator("[data-part=told]").text_content()
    chooser.value.set_files(FilePayload(name=name, mimeType="application/json", buffer=content))
    page.wait_for_function(
        """(before) => !document.querySelector("[data-part=preview]").hidden
          || document.querySelector("[data-part=told]").textContent !== before""",
        arg=before,
    )


def file(items: Any, **others: Any) -> str:
    """The text of an exported file."""
    return json.dumps({"format": MADE, "schema": 1, "items": items} | others)


# ---------------------------------------------------------------- the board
@pytest.fixture
def three(page: Page, served: str) -> Page:
    """The home page with three rounds: the site's first one, and two of no page, in this order."""
    page.clock.set_fixed_time(NOON)

    def answer(route: Any) -> None:
        response = route.fetch()
        rows = re.compile(r'(<ol class="gdr-board">)\s*(<li data-design=.*?</li>).*?(</ol>)', re.DOTALL)
        row = rows.search(response.text())
        assert row
        plain = re.sub(r"<a .*?</a>", '<a href="#">Round NAME</a>', row[2], count=1)
        plain = re.sub(r'data-design="[^"]*"', 'data-design="NAME"', plain, count=1)
        more = [plain.replace("NAME", name) for name in ("two", "three")]
        body = rows.sub(lambda found: "".join([found[1], found[2], *more, found[3]]), response.text(), count=1)
        route.fulfill(response=response, body=body)

    page.route("**/index.html", answer)
    page.goto(f"{served}index.html")
    return page


def states(page: Page) -> list[str]:
    """What the board says of each round."""
    return page.locator(".gdr-board [data-state]").all_inner_texts()


def marked(page: Page, mark: str) -> list[int]:
    """The places on the board of the rounds with a mark."""
    places: list[int] = page.locator(".gdr-board > li").evaluate_all(
        "(rows, mark) => rows.flatMap((row, at) => row.classList.contains(mark) ? [at] : [])", mark
    )
    return places


def test_the_board_of_a_first_visit(page: Page, at, complaints) -> None:
    page.goto(at("index.html"))
    rows = page.locator(".gdr-board > li")
    ids = rows.evaluate_all("(all) => all.map((row) => row.dataset.design)")
    assert sorted(ids) == DESIGNS
    assert states(page) == ["Not tried yet"] * len(DESIGNS)
    first = rows.first.locator("a").inner_text()
    assert page.locator("[data-summary]").inner_text() == f"Next: {first}."
    assert (marked(page, "gdr-next"), marked(page, "gdr-due")) == ([0], [])


BOARDS: list[tuple[list[list[dict[str, Any]]], list[str], str, int, list[int]]] = [
    (
        [[ago(0, 4)], [], []],
        ["Best and last 4 of 8 · due tomorrow", "Not tried yet", "Not tried yet"],
        *("You have practised on 1 day. ", 1, []),
    ),
    (
        [[ago(9, 7), ago(1, 3)], [ago(2, 8)], []],
        ["Best 7, last 3 of 8 · due today", "Best and last 8 of 8 · due in 5 days", "Not tried yet"],
        *("You have practised on 3 days. ", 0, [0]),
    ),
    (
        [[ago(4, 6)], [ago(7, 5)], [ago(0, 5), ago(0.1, 5)]],
        [
            "Best and last 6 of 8 · due since 1 day",
            "Best and last 5 of 8 · due since 4 days",
            "Best and last 5 of 8 · due in 3 days",
        ],
        *("You have practised on 3 days. ", 1, [0, 1]),
    ),
    (
        [[ago(2, 8)], [ago(1, 6)], [ago(6, 7)]],
        [
            "Best and last 8 of 8 · due in 5 days",
            "Best and last 6 of 8 · due in 2 days",
            "Best and last 7 of 8 · due tomorrow",
        ],
        *("You have practised on 3 days. ", 2, []),
    ),
]


def test_the_board_says_how_each_round_stands(three: Page, complaints) -> None:
    ids = three.locator(".gdr-board > li").evaluate_all("(all) => all.map((row) => row.dataset.design)")
    names = three.locator(".gdr-board a").all_inner_texts()
    for attempts, said, practised, next_, due in BOARDS:
        put(three, {f"attempts/{id}": entry(all_) for id, all_ in zip(ids, attempts, strict=True)})
        assert states(three) == said
        assert three.locator("[data-summary]").inner_text() == f"{practised}Next: {names[next_]}."
        assert (marked(three, "gdr-next"), marked(three, "gdr-due")) == ([next_], due)
    # Of rounds that are not on the board it says nothing.
    put(three, {f"attempts/{id}": entry([]) for id in ids} | {"attempts/gone": entry([ago(1, 1)])})
    assert states(three) == ["Not tried yet"] * 3


def test_the_board_follows_what_another_tab_saves_and_the_day(three: Page, served: str, complaints) -> None:
    other = three.context.new_page()
    other.goto(f"{served}designs/{DESIGNS[0]}.html#score")
    for number in range(5):
        other.locator(".gdr-rubric input").nth(number).check()
    other.locator("[data-save]").click()
    first = three.locator("[data-state]").first
    first.filter(has_text="Best and last 5 of 8 · due in 3 days").wait_for()
    # A tab that was left open for days, looked at again.
    three.clock.set_fixed_time(NOON + timedelta(days=2, hours=13))
    three.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert first.inner_text() == "Best and last 5 of 8 · due today"


# ---------------------------------------------------------------- export
PROGRESS = {
    f"attempts/{DESIGNS[0]}": entry([ago(9, 7), ago(1, 3)]),
    f"pad/{DESIGNS[0]}": entry({"framing": "10⁷ × 8\n“quoted”"}),
    f"ticks/{DESIGNS[0]}": entry({"ticks": {"scale": True}, "notes": {}, "predictions": {}, "saved": ""}),
    "attempts/gone": entry([ago(3, 8)]),
    # Of parts and versions that this one does not know, and what was once unreadable.
    "drills/site": entry([1, 2], 7),
    "quiz/later": entry({"other": "shape"}, 2),
    "aside:pad/x@5": "{",
}


def exported(page: Page, tmp_path: Path) -> tuple[str, str]:
    """The name and the text of the file that “Export” writes."""
    with page.expect_download() as download:
        button(page, "Export").click()
    path = tmp_path / "exported.json"
    download.value.save_as(path)
    return download.value.suggested_filename, path.read_text(encoding="utf-8")


def test_progress_goes_from_one_browser_to_another(page: Page, new_page: Callable[..., Page], at, tmp_path) -> None:
    page.clock.set_fixed_time(NOON)
    page.goto(at("index.html"))
    put(page, PROGRESS)
    name, text = exported(page, tmp_path)
    assert name == f"{MADE}-2026-11-30.json"
    assert json.loads(text) == {
        "format": MADE,
        "schema": 1,
        "exported": "2026-11-30T12:00:00.000Z",
        "items": PROGRESS,
    }
    # One entry of a later version stands for a file that this page cannot read.
    other = new_page()
    other.clock.set_fixed_time(NOON)
    other.goto(at("index.html"))
    choose(other, text, name)
    assert told(other) == (
        f"“{name}” was not imported: its entry “quiz/later” was written by a newer version of this site. "
        "Reload the page and try again. Nothing was changed."
    )
    assert kept(other) == {}
    readable = {key: text for key, text in PROGRESS.items() if key != "quiz/later"}
    choose(other, file(readable))
    button(other, "Merge").click()
    assert kept(other) == readable
    row = other.locator(f".gdr-board [data-design='{DESIGNS[0]}'] [data-state]")
    assert row.inner_text() == "Best 7, last 3 of 8 · due today"
    other.goto(at(f"designs/{DESIGNS[0]}.html"))
    assert other.locator("[data-pad=framing]").input_value() == "10⁷ × 8\n“quoted”"


def test_a_design_page_exports_too(page: Page, from_disk, tmp_path) -> None:
    """Where storage is full the page offers it, with what could not be stored."""
    page.goto(f"{from_disk(f'designs/{DESIGNS[0]}.html')}#score")
    page.evaluate(FILL, 0)
    page.locator(".gdr-rubric input").first.check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export it as a file").click()
    path = tmp_path / "exported.json"
    download.value.save_as(path)
    items = json.loads(path.read_text(encoding="utf-8"))["items"]
    assert json.loads(items[f"ticks/{DESIGNS[0]}"])["data"]["ticks"] != {}


# ---------------------------------------------------------------- import
OURS = {
    f"attempts/{DESIGNS[0]}": entry([ago(9, 7)]),
    "pad/x": entry({"numbers": "mine"}),
    "quiz/x": entry({"fits": "right"}),
}
THEIRS = {
    f"attempts/{DESIGNS[0]}": entry([ago(9, 7), ago(0, 5)]),
    "attempts/y": entry([ago(1, 1)]),
    "pad/x": entry({"numbers": "theirs"}),
    "ticks/y": entry({"ticks": {}, "notes": {}, "predictions": {}, "saved": ""}),
}


def test_an_import_shows_first_what_the_file_holds(page: Page, at, complaints) -> None:
    page.clock.set_fixed_time(NOON)
    page.goto(at("index.html"))
    put(page, OURS)
    ours = kept(page)
    choose(page, file(THEIRS), "laptop.json")
    preview = page.locator("[data-part=preview]")
    holds = "“laptop.json” holds 3 attempts (2 not here yet), ticks or notes of 2 rounds, 4 entries in all."
    assert page.locator("[data-part=holds]").inner_text() == holds
    # The keyboard goes on at the first choice.
    assert button(page, "Merge").evaluate(FOCUSED)
    assert kept(page) == ours
    button(page, "Cancel").click()
    assert (told(page), preview.is_visible(), kept(page)) == ("Nothing was changed.", False, ours)
    assert button(page, "Import").evaluate(FOCUSED)
    # The same file once more.
    choose(page, file(THEIRS), "laptop.json")
    page.keyboard.press("Enter")
    assert (told(page), preview.is_visible()) == ("Merged with what the file holds.", False)
    assert kept(page) == THEIRS | {"quiz/x": OURS["quiz/x"], "pad/x": entry({"numbers": "mine\n\ntheirs"})}
    assert states(page)[0] == "Best 7, last 5 of 8 · due in 3 days"
    choose(page, file({"attempts/one": entry([ago(1, 1)])}), "one.json")
    one = "“one.json” holds 1 attempt (1 not here yet), ticks or notes of 0 rounds, 1 entry in all."
    assert page.locator("[data-part=holds]").inner_text() == one
    button(page, "Replace").click()
    assert told(page) == "Replaced by what the file holds."
    assert kept(page) == {"attempts/one": entry([ago(1, 1)])}
    assert set(states(page)) == {"Not tried yet"}


# What an import refuses, and with which words.
REFUSED: dict[str | bytes, str] = {
    "": "it is not JSON. Expected a file that “Export” wrote.",
    "%PDF-1.7": "it is not JSON. Expected a file that “Export” wrote.",
    b"\x89PNG\r\n\x1a\n\xff\xfe": "it is not JSON. Expected a file that “Export” wrote.",
    '{"format": "genai': "it is not JSON. Expected a file that “Export” wrote.",
    "[1, 2]": "it is another kind of file. Expected one that “Export” wrote.",
    '{"format": "<b>recipes</b>"}': "it is a file of “<b>recipes</b>”. Expected one that “Export” wrote.",
    file({}, schema=2): "it was written by another version of this site. Reload the page and try again.",
    file([]): "it holds no entries.",
    file({"theme": "dark"}): "its entry “theme” is none of this site's.",
    file(THEIRS | {"pad/y": "[object Object]"}): "its entry “pad/y” is damaged.",
    file(THEIRS | {"attempts/z": entry([ago(1, 9)])}): "its entry “attempts/z” is damaged.",
    file(THEIRS | {"pad/y": entry({}, 2)}): (
        "its entry “pad/y” was written by a newer version of this site. Reload the page and try again."
    ),
}


def test_a_wrong_file_is_refused_with_its_reason_and_nothing_is_lost(page: Page, from_disk, complaints) -> None:
    page.goto(from_disk("index.html"))
    put(page, OURS)
    ours = kept(page)
    # Whatever was shown of an earlier file goes.
    choose(page, file(THEIRS))
    for number, (content, reason) in enumerate(REFUSED.items()):
        choose(page, content, f"{number}.json")
        assert told(page) == f"“{number}.json” was not imported: {reason} Nothing was changed."
        assert not page.locator("[data-part=preview]").is_visible()
        assert kept(page) == ours
    # A file may begin with the mark that some editors write.
    choose(page, b"\xef\xbb\xbf" + file(THEIRS).encode())
    assert button(page, "Merge").is_visible()


@pytest.mark.parametrize("way", ["Merge", "Replace"])
def test_a_file_for_which_there_is_no_room_changes_nothing(page: Page, from_disk, complaints, way) -> None:
    page.goto(from_disk("index.html"))
    put(page, OURS)
    ours = kept(page)
    page.evaluate(FILL, 500)
    choose(page, file(THEIRS | {"pad/large": entry({"numbers": "x" * 5000})}))
    button(page, way).click()
    assert told(page) == "This browser's storage is full. Nothing was changed."
    assert kept(page) == ours
    page.reload()
    assert kept(page) == ours
    assert states(page)[0].startswith("Best and last 7 of 8")


# ---------------------------------------------------------------- delete
def test_deleting_asks_first_and_leaves_what_others_stored(page: Page, at, complaints) -> None:
    page.goto(at("index.html"))
    put(page, OURS)
    others = {"theme": "dark", "rubric": "[object Object]", f"{MADE}-copy:pad/x": "{}"}
    page.evaluate("(others) => Object.entries(others).forEach((one) => localStorage.setItem(...one))", others)
    before = page.evaluate("({ ...localStorage })")
    button(page, "Delete all").click()
    confirm = page.locator("[data-part=confirm]")
    question = (
        "This deletes 3 entries of this site from this browser: attempts, ticks, notes, clock and settings. "
        "Export them first if you may want them back."
    )
    assert confirm.locator("p").first.inner_text() == question
    # What a hasty Enter does is harmless.
    assert button(page, "Keep them").evaluate(FOCUSED)
    page.keyboard.press("Enter")
    assert (told(page), confirm.is_visible()) == ("Nothing was changed.", False)
    assert page.evaluate("({ ...localStorage })") == before
    button(page, "Delete all").click()
    button(page, "Delete").click()
    assert told(page) == "Deleted. Nothing of this site is left in this browser."
    assert not confirm.is_visible()
    assert button(page, "Import").evaluate(FOCUSED)
    assert set(states(page)) == {"Not tried yet"}
    after = page.evaluate("({ ...localStorage })")
    assert after == {key: text for key, text in before.items() if not re.match(rf"{MADE}(/.*)?:", key)}
    assert others.items() <= after.items()
