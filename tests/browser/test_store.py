"""What the browser keeps: read back, or kept aside; and pages that work whatever is stored, or where nothing can be."""

import json
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import PROJECT, QuietHandler
from tests.pages.designs import DESIGNS

SITE = "genai-design-rounds"
ID = DESIGNS[0]
DESIGN = f"designs/{ID}.html"
STORE = (PROJECT / "overrides" / "assets" / "scripts" / "store.js").read_text(encoding="utf-8")
STORED = "() => Object.fromEntries(Object.entries(localStorage))"
FORBIDDEN = """Object.defineProperty(globalThis, "localStorage", {
  get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
})"""
# As much as there is room for, as another app on the same host might.
FILL = """() => {
  for (let size = 2 ** 22; size >= 1; size /= 2) {
    for (let at = 0; ; at++) {
      try {
        localStorage.setItem(`filler ${size} ${at}`, "x".repeat(size));
      } catch {
        break;
      }
    }
  }
}"""


# ---------------------------------------------------------------- logic
@pytest.fixture
def logic(page: Page) -> Page:
    """A blank page at /siteA/ with the store's script, and a section of version 3 with a way up from version 1."""
    html = f'<!doctype html><title>Store</title><script data-site="rounds" data-base=".">{STORE}</script>'
    page.route("http://localhost/**", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto("http://localhost/siteA/page.html")
    _register(page)
    return page


def _register(page: Page) -> None:
    page.evaluate(
        """() => gdr.store.register("words", {
          version: 3,
          check: ({ text }) => typeof text === "string" && text.length < 10,
          migrate: { 1: (data) => ({ text: data }), 2: ({ text }) => ({ text: text.trim() }) },
          merge: (ours) => ours,
        })"""
    )


READABLE = [
    ('{"v":3,"data":{"text":"hello"}}', "hello"),
    ('{"v":3,"data":{"text":"hello","more":1},"more":2}', "hello"),
    ('{"v":2,"data":{"text":" hello "}}', "hello"),
    ('{"v":1,"data":" hello "}', "hello"),
]
DAMAGED = [
    "",
    "hello",
    "{",
    "[object Object]",
    "undefined",
    "null",
    "5",
    '"hello"',
    "[]",
    "{}",
    '{"text":"hello"}',
    '{"v":3}',
    '{"v":3,"data":null}',
    '{"v":3,"data":{"text":5}}',
    '{"v":3,"data":{"text":"far too long"}}',
    '{"v":0,"data":{"text":"hello"}}',
    '{"v":-1,"data":{"text":"hello"}}',
    '{"v":2.5,"data":{"text":"hello"}}',
    '{"v":"3","data":{"text":"hello"}}',
    '{"v":null,"data":{"text":"hello"}}',
    # Its way up fails, or leads to what is none.
    '{"v":2,"data":null}',
    '{"v":1,"data":5}',
]
NEWER = '{"v":4,"data":{"text":"from tomorrow"}}'


def test_what_is_stored_is_read_or_kept_aside(logic: Page) -> None:
    read = """(text) => {
      localStorage.clear();
      localStorage.setItem("rounds/siteA/:words/a", text);
      const data = gdr.store.get("words", "a");
      const entries = Object.entries(localStorage).map(([key, text]) => [key.replace(/@\\d{13}$/, "@now"), text]);
      return [data?.text ?? null, entries, gdr.store.trouble];
    }"""
    for text, found in READABLE:
        assert logic.evaluate(read, text) == [found, [["rounds/siteA/:words/a", text]], ""]
    for text in DAMAGED:
        assert logic.evaluate(read, text) == [None, [["rounds/siteA/:aside:words/a@now", text]], ""], text
    assert logic.evaluate(read, NEWER) == [None, [["rounds/siteA/:words/a", NEWER]], "newer"]


def test_an_entry_is_changed_deleted_and_brought_to_the_present_version(logic: Page) -> None:
    told = logic.evaluate(
        """() => {
          const { store } = gdr;
          const heard = [];
          store.watch("words", (item) => heard.push(item));
          const stored = () => localStorage.getItem("rounds/siteA/:words/a");
          const seen = [];
          store.update("words", "a", (before) => ({ text: String(before) }));
          seen.push(stored());
          localStorage.setItem("rounds/siteA/:words/a", '{"v":1,"data":"old"}');
          // The same object again changes nothing.
          store.update("words", "a", (before) => before);
          seen.push(stored());
          store.update("words", "a", ({ text }) => ({ text: `${text}er` }));
          seen.push(stored());
          store.update("words", "a", () => undefined);
          seen.push(stored());
          return [seen, heard];
        }"""
    )
    assert told == [
        ['{"v":3,"data":{"text":"undefined"}}', '{"v":1,"data":"old"}', '{"v":3,"data":{"text":"older"}}', None],
        ["a"] * 3,
    ]


CHANGE = """(text) => {
  gdr.store.update("words", "a", () => ({ text }));
  return [gdr.store.get("words", "a").text, gdr.store.trouble, gdr.store.keys(), gdr.store.text("words/a")];
}"""


def test_what_a_newer_version_wrote_is_never_written_over(logic: Page) -> None:
    logic.evaluate("(text) => localStorage.setItem('rounds/siteA/:words/a', text)", NEWER)
    # The visit goes on with what the reader does; export and reset see the entry itself.
    assert logic.evaluate(CHANGE, "today") == ["today", "newer", ["words/a"], NEWER]
    assert logic.evaluate(STORED) == {"rounds/siteA/:words/a": NEWER}
    assert logic.evaluate("gdr.store.put('words/a', null), gdr.store.keys()") == []
    assert logic.evaluate(CHANGE, "again")[0] == "again"
    assert logic.evaluate(STORED) == {"rounds/siteA/:words/a": '{"v":3,"data":{"text":"again"}}'}


def test_where_there_is_no_room_a_damaged_entry_stays_and_the_visit_goes_on(logic: Page) -> None:
    damaged = '{"v":3,"data":"' + "x" * 50
    logic.evaluate("(text) => localStorage.setItem('rounds/siteA/:words/a', text)", damaged)
    logic.evaluate(FILL)
    assert logic.evaluate(CHANGE, "today") == ["today", "full", ["words/a"], damaged]
    assert logic.evaluate("localStorage.getItem('rounds/siteA/:words/a')") == damaged
    # With room again the next visit keeps it aside.
    logic.evaluate(
        """() => {
          for (const key of Object.keys(localStorage)) if (key.startsWith("filler")) localStorage.removeItem(key);
        }"""
    )
    logic.reload()
    _register(logic)
    assert logic.evaluate("[gdr.store.get('words', 'a'), gdr.store.trouble]") == [None, ""]
    [(key, text)] = logic.evaluate(STORED).items()
    assert key.startswith("rounds/siteA/:aside:words/a@")
    assert text == damaged


@pytest.mark.parametrize(
    ("way", "trouble"),
    [
        (FORBIDDEN, "blocked"),
        ("Object.defineProperty(globalThis, 'localStorage', { value: null })", "blocked"),
        ("Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }", "full"),
        ("Storage.prototype.setItem = () => { throw new DOMException('', 'NS_ERROR_DOM_QUOTA_REACHED'); }", "full"),
        ("Storage.prototype.setItem = () => { throw new DOMException('', 'NS_ERROR_FILE_CORRUPTED'); }", "failing"),
        (
            "for (const name of ['getItem', 'setItem', 'key']) Storage.prototype[name] = () => { throw new Error(); }",
            "failing",
        ),
    ],
)
def test_without_storage_the_visit_goes_on_in_memory(logic: Page, way, trouble) -> None:
    logic.add_init_script(way)
    logic.reload()
    _register(logic)
    whole = '{"v":3,"data":{"text":"today"}}'
    assert logic.evaluate(CHANGE, "today") == ["today", trouble, ["words/a"], whole]
    assert logic.evaluate("gdr.store.update('words', 'a', () => undefined), gdr.store.keys()") == []


def test_two_copies_on_one_host_do_not_see_each_other(logic: Page) -> None:
    logic.evaluate("gdr.store.update('words', 'a', () => ({ text: 'A' }))")
    own = logic.evaluate(STORED)
    for path in ("/siteB/page.html", "/page.html", "/siteA/nested/page.html", "/siteA2/page.html"):
        logic.goto(f"http://localhost{path}")
        _register(logic)
        assert logic.evaluate("[gdr.store.get('words', 'a') ?? null, gdr.store.keys()]") == [None, []]
    for path in ("/siteA/", "/siteA/other.html?batch=8#row"):
        logic.goto(f"http://localhost{path}")
        _register(logic)
        assert logic.evaluate("[gdr.store.get('words', 'a'), gdr.store.keys()]") == [{"text": "A"}, ["words/a"]]
    assert logic.evaluate(STORED) == own


# ---------------------------------------------------------------- pages over what is stored
Address = Callable[[str], str]


def prefix_at(address: Address) -> str:
    """What the keys of the site begin with where it has such addresses."""
    return f"{SITE}:" if address("").startswith("file:") else f"{SITE}/:"


@pytest.fixture
def prefix(at: Address) -> str:
    """What the keys of the site begin with."""
    return prefix_at(at)


ATTEMPT = {
    "id": "a",
    "at": 1,
    "score": 9,
    "of": 8,
    "minutes": None,
    "ticks": [],
    "notes": {},
    "predictions": {},
    "pad": {},
}
# Of each item data of a wrong shape or out of its range.
OUT_OF_RANGE: dict[str, Any] = {
    "timer/site": {"id": "a", "design": ID, "title": "A", "mode": "exam", "plan": [1], "spent": [2], "phase": 0},
    "settings/site": {"sound": False, "vibration": False, "hidden": False, "mode": "other"},
    f"folds/{ID}": {"open": "answer", "seen": True, "step": 1},
    f"attempts/{ID}": [ATTEMPT],
    f"ticks/{ID}": {"ticks": {"numbers": 1}, "notes": {}, "predictions": {}, "saved": ""},
    f"pad/{ID}": {"clarify": 5},
    f"quiz/{ID}": ["right"],
}
FOREIGN = {
    "rubric": "[object Object]",
    "theme": "dark",
    SITE: "[object Object]",
    f"{SITE}-2:timer/site": "{",
    f"{SITE}/elsewhere/:timer/site": "{",
}


def seed(page: Page, entries: dict[str, str]) -> None:
    page.evaluate(
        "(all) => { for (const [key, text] of Object.entries(all)) localStorage.setItem(key, text); }", entries
    )


def works(page: Page) -> None:
    """Check that a design page does what it is for."""
    page.locator("gdr-round").get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("[data-show=label]")).not_to_have_text("Not started")
    page.locator("#answer").click()
    expect(page.locator("#model-answer")).to_be_visible()
    page.locator("#score").click()
    page.locator(".gdr-rubric input").nth(2).check()
    expect(page.locator(".gdr-beside [data-ticked]")).to_have_text("1 of 8")


@pytest.mark.parametrize(("disk", "visits"), [(True, [0, 2, 4]), (False, [1, 3, 5])])
def test_pages_work_over_damaged_entries_and_keep_them_aside(
    page: Page, from_disk, served, complaints, disk, visits
) -> None:
    address = from_disk if disk else served.__add__
    prefix = prefix_at(address)
    texts = ["[object Object]", "{", '{"v":0,"data":{}}', "null", '{"v":1,"data":"text"}']
    page.goto(address("index.html"))
    # Over all visits every item meets every kind of damage, and each visit meets several kinds.
    for visit in visits:
        entries = {}
        for number, (item, data) in enumerate(OUT_OF_RANGE.items()):
            kinds = [*texts, json.dumps({"v": 1, "data": data})]
            entries[prefix + item] = kinds[(number + visit) % len(kinds)]
        page.evaluate("localStorage.clear()")
        seed(page, FOREIGN | entries)
        page.goto(address(DESIGN))
        works(page)
        stored = page.evaluate(STORED)
        aside = {key.partition("aside:")[2].partition("@")[0]: text for key, text in stored.items() if "aside:" in key}
        assert {prefix + item: text for item, text in aside.items()} == entries
        assert {key: stored[key] for key in FOREIGN} == FOREIGN
    page.goto(address("index.html"))
    assert page.locator(".gdr-board [data-state]").first.inner_text() == "Not tried yet"


def test_what_a_newer_version_or_an_unknown_section_holds_is_left_alone_and_told(
    page: Page, at, prefix, complaints
) -> None:
    page.goto(at("index.html"))
    entries = {prefix + item: json.dumps({"v": 2, "data": data}) for item, data in OUT_OF_RANGE.items()}
    entries |= {f"{prefix}drills/site": '{"v":7,"data":[1,2]}', f"{prefix}aside:pad/x@5": "{"}
    seed(page, entries)
    page.goto(at(DESIGN))
    works(page)
    notice = page.locator("[data-notice]")
    expect(notice).to_be_visible()
    assert notice.inner_text().startswith("Your progress was saved by a newer version of this site.")
    assert {key: text for key, text in page.evaluate(STORED).items() if key.startswith(prefix)} == entries
    # Nor does it go missing from the reader's file.
    with page.expect_download() as download:
        notice.get_by_role("button", name="Export it as a file").click()
    items = json.loads(download.value.path().read_text(encoding="utf-8"))["items"]
    assert {prefix + key: text for key, text in items.items()} == entries


def test_an_export_holds_damaged_entries_as_kept_ones(page: Page, at, prefix, complaints) -> None:
    page.goto(at("index.html"))
    # No page but the design's own reads it, so it is still where it was.
    seed(page, {f"{prefix}pad/{ID}": "{", f"{prefix}drills/site": '{"v":7,"data":[1,2]}'})
    with page.expect_download() as download:
        page.get_by_role("button", name="Export", exact=True).click()
    items = json.loads(download.value.path().read_text(encoding="utf-8"))["items"]
    assert sorted((key.partition("@")[0], text) for key, text in items.items()) == [
        (f"aside:pad/{ID}", "{"),
        ("drills/site", '{"v":7,"data":[1,2]}'),
    ]
    page.set_input_files("[data-part=file]", download.value.path())
    expect(page.locator("[data-part=holds]")).to_contain_text("2 entries in all")


def search_works(page: Page) -> None:
    page.keyboard.press("s")
    page.keyboard.type("KV cache")
    expect(page.locator(".md-search-result__link").first).to_be_visible()
    page.keyboard.press("Escape")


def palette_works(page: Page) -> None:
    shade = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(shade)
    page.locator("form[data-md-component=palette] label:visible").click()
    page.wait_for_function(f"(before) => {shade} !== before", arg=before)


def test_damaged_colours_of_the_theme_break_nothing(page: Page, from_disk, complaints) -> None:
    page.goto(from_disk("index.html"))
    key = page.evaluate("__md_scope.pathname + '.__palette'")
    for text in (
        "{",
        "[object Object]",
        "5",
        "[]",
        '"dark"',
        '{"index":"x"}',
        '{"index":0.5,"color":{"scheme":"slate"}}',
        '{"color":{"scheme":"slate"}}',
        '{"index":-3,"color":null}',
        '{"index":99,"color":{"scheme":5}}',
        '{"index":0,"color":{"not a name":"x"}}',
    ):
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, text])
        page.reload()
        palette_works(page)
    search_works(page)


# ---------------------------------------------------------------- storage that fails
def test_with_storage_blocked_everything_works_for_the_visit_and_a_notice_says_so(page: Page, at, complaints) -> None:
    page.add_init_script(FORBIDDEN)
    told = "This browser blocks storage for this site: what you do here lasts until you leave the page."
    page.goto(at("index.html"))
    notice = page.locator("[data-notice]")
    expect(notice).to_be_visible()
    assert notice.inner_text().strip() == told
    search_works(page)
    palette_works(page)
    page.goto(at(DESIGN))
    search_works(page)
    palette_works(page)
    works(page)
    assert notice.inner_text() == f"{told} Export it as a file"
    page.locator("[data-save]").click()
    expect(page.locator(".gdr-save [data-told]")).to_have_text(
        "Saved: 1 of 8. Due again tomorrow, if this browser keeps it."
    )
    with page.expect_download() as download:
        notice.get_by_role("button").click()
    items = json.loads(download.value.path().read_text(encoding="utf-8"))["items"]
    assert {f"attempts/{ID}", f"ticks/{ID}", f"folds/{ID}", "timer/site"} <= set(items)


def test_with_storage_full_the_visit_goes_on_and_a_notice_says_so_at_once(page: Page, at, prefix, complaints) -> None:
    page.goto(at(DESIGN))
    page.locator("#score").click()
    page.locator(".gdr-rubric input").first.check()
    notice = page.locator("[data-notice]")
    assert notice.is_hidden()
    page.evaluate(FILL)
    page.locator(".gdr-rubric input").nth(1).check()
    assert notice.inner_text().startswith(
        "This browser's storage is full: what you do from now on lasts until you leave the page."
    )
    expect(page.locator(".gdr-beside [data-ticked]")).to_have_text("2 of 8")
    # What was stored before is not lost.
    page.reload()
    expect(page.locator(".gdr-beside [data-ticked]")).to_have_text("1 of 8")


SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
EDGE = f"{CHROME} Edg/156.0.0.0"
SHORT = "Safari deletes what a site stores when you have not visited it for seven days."
PER_FILE = "Opened from disk, Firefox keeps what you do for each page by itself, so the board cannot see it."


@pytest.mark.parametrize(
    ("agent", "disk", "server"),
    [(SAFARI, "", SHORT), (FIREFOX, PER_FILE, ""), (CHROME, "", ""), (EDGE, "", "")],
    ids=["Safari", "Firefox", "Chrome", "Edge"],
)
def test_a_notice_says_where_what_is_stored_does_not_last(new_page, from_disk, served, agent, disk, server) -> None:
    page = new_page(user_agent=agent)
    for address, told in ((from_disk("index.html"), disk), (served, server)):
        page.goto(address)
        notice = page.locator("[data-notice]")
        assert notice.is_visible() is bool(told)
        assert notice.inner_text().strip() == told


# ---------------------------------------------------------------- copies and tabs
@pytest.fixture
def two_sites(site: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a host with the site under /siteA/ and under /siteB/."""
    for name in ("siteA", "siteB"):
        (tmp_path / name).symlink_to(site)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=tmp_path)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_two_copies_on_one_host_share_nothing_and_a_reset_deletes_its_own(page: Page, two_sites, complaints) -> None:
    for name in ("siteA", "siteB"):
        page.goto(f"{two_sites}/{name}/{DESIGN}")
        seed(page, FOREIGN)
        assert page.locator("[data-ticked]").first.text_content() == "0 of 8"
        assert page.locator("[data-show=label]").inner_text() == "Not started"
        works(page)
    before = page.evaluate(STORED)
    page.goto(f"{two_sites}/siteA/index.html")
    expect(page.locator(".gdr-running")).to_be_visible()
    page.get_by_role("button", name="Delete all").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator("[data-part=told]")).to_have_text("Deleted. Nothing of this site is left in this browser.")
    assert page.evaluate(STORED) == {key: text for key, text in before.items() if not key.startswith(f"{SITE}/siteA/:")}
    page.goto(f"{two_sites}/siteB/{DESIGN}")
    expect(page.locator(".gdr-beside [data-ticked]")).to_have_text("1 of 8")


def test_a_folder_that_is_moved_keeps_its_history(page: Page, site: Path, tmp_path: Path, complaints) -> None:
    before, after = tmp_path / "before", tmp_path / "after" / "elsewhere"
    shutil.copytree(site, before)
    page.goto(f"{before.as_uri()}/{DESIGN}")
    works(page)
    page.locator("[data-save]").click()
    after.parent.mkdir()
    before.rename(after)
    page.goto(f"{after.as_uri()}/{DESIGN}")
    expect(page.locator(".gdr-beside [data-ticked]")).to_have_text("1 of 8")
    expect(page.locator("#model-answer")).to_be_visible()
    page.goto(f"{after.as_uri()}/index.html")
    expect(page.locator(f"[data-design={ID}] [data-state]")).to_contain_text("Best and last 1 of 8")


def test_what_is_ticked_in_two_tabs_is_ticked_in_both(page: Page, at, complaints) -> None:
    tabs = [page, page.context.new_page()]
    for tab in tabs:
        tab.goto(at(DESIGN))
    for tab, box in zip(tabs, (2, 4), strict=True):
        # Behind another tab a page is slow to answer.
        tab.bring_to_front()
        tab.locator("#score").click()
        tab.locator(".gdr-rubric input").nth(box).check()
    for _ in range(2):
        for tab in tabs:
            boxes = tab.locator(".gdr-rubric input")
            expect(boxes.nth(2)).to_be_checked()
            expect(boxes.nth(4)).to_be_checked()
            assert sum(box.is_checked() for box in boxes.all()) == 2
        for tab in tabs:
            tab.reload()
    tabs[0].bring_to_front()
    tabs[0].locator(".gdr-rubric input").nth(2).uncheck()
    expect(tabs[1].locator(".gdr-rubric input").nth(2)).not_to_be_checked()
