"""How fast numbers follow a change on the slowest design page, and the same chain in mathjs for comparison."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import chromium
from tests.browser.look import OPEN_ALL
from tests.browser.test_what_if import READY

from .build import PROJECT, build
from .result import Line, Void
from .serve import serve

EVALUATION, POINTS, KEY = 5.0, 8.0, 8.0
SLOW_DOWN = 4
MOST_KEYS = 0.95
PACKAGE = "mathjs@15.2.0"
_SCRIPT = Path(__file__).with_name("speed.js")
# Two libraries may differ in the last digits, and no more.
_ALIKE = 1e-9


def measure(project: Path = PROJECT) -> list[Line]:
    """Return the times of an evaluation, of all points and of a key on the slowest page, and mathjs's."""
    path = chromium.find()
    with TemporaryDirectory() as folder:
        site = Path(folder, "site")
        build(project, site)
        library = _library(Path(folder))
        with serve(site) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, chromium_sandbox=os.geteuid() != 0)
            found = {}
            for file in sorted(site.glob("designs/*.html")):
                page = _opened(browser, address + file.relative_to(site).as_posix())
                found[page] = page.evaluate("evaluation()"), page.evaluate("points()")
            slowest = max(found, key=lambda page: found[page][0])
            lines = [
                Line("one evaluation of a chain in the browser", found[slowest][0], "µs", EVALUATION),
                Line("all points of the interval", max(points for _, points in found.values()), "ms", POINTS),
                *_compared(slowest, library, found[slowest][0]),
                _key(slowest),
            ]
            browser.close()
    return lines


def _opened(browser: Browser, address: str) -> Page:
    page = browser.new_page()
    page.goto(address)
    page.evaluate(OPEN_ALL)
    page.wait_for_function("() => Boolean(globalThis.gdr.whatif)")
    page.wait_for_function(READY)
    page.add_script_tag(path=_SCRIPT)
    return page


def _key(page: Page) -> Line:
    """Measure keys last: the page stays slowed down, and each key is followed by a frame of the whole open page."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
    taken, pressed = page.evaluate("keys", MOST_KEYS)
    if not pressed:
        raise Void(f"{page.url} has no field to type into")
    return Line(f"a key until all numbers stand, p95, processor {SLOW_DOWN} × slower", taken, "ms", KEY)


def _compared(page: Page, library: str, ours: float) -> list[Line]:
    """Return the time of the same chain in mathjs. Raises Void where the two give different headlines."""
    if not library:
        return []
    page.add_script_tag(content=library)
    taken, off = page.evaluate("mathjs()")
    if off > _ALIKE:
        raise Void(f"{page.url}: {PACKAGE} gives a headline that differs by {off:.1e}")
    return [
        Line(f"one evaluation of the same chain by {PACKAGE}", taken, "µs"),
        Line("the same against ours", taken / ours, "×"),
    ]


def _library(folder: Path) -> str:
    """Return mathjs for browsers, fetched from npm; nothing but a word of it where there is no Node."""
    npm = shutil.which("npm")
    if npm is None:
        print("bench: found no npm, so mathjs is left out; expected Node 20 or newer on PATH")
        return ""
    command = [
        npm,
        "install",
        "--no-save",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--prefix",
        str(folder),
        PACKAGE,
    ]
    process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if process.returncode:
        raise Void(f"{' '.join(command)} ended with {process.returncode}:\n{process.stderr}")
    return (folder / "node_modules" / "mathjs" / "lib" / "browser" / "math.js").read_text(encoding="utf-8")
