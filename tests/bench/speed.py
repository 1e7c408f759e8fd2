"""How fast numbers follow a change on the slowest design page, and the same chain in mathjs for comparison."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

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
    """Return the times of an evaluation, of all points and of a key, the slowest page's of each, and mathjs's."""
    path = chromium.find()
    with TemporaryDirectory() as folder:
        site = Path(folder, "site")
        build(project, site)
        library = _library(Path(folder))
        with serve(site) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, chromium_sandbox=os.geteuid() != 0)
            found = []
            for page_path in sorted(site.glob("designs/*.html")):
                page = browser.new_page()
                page.goto(address + page_path.relative_to(site).as_posix())
                found.append(_of_a_page(page, library))
                page.close()
            browser.close()
    lines = [
        Line("one evaluation of a chain in the browser", max(one[0] for one in found), "µs", EVALUATION),
        Line("all points of the interval", max(one[1] for one in found), "ms", POINTS),
        Line(
            f"a key until all numbers stand, p95, processor {SLOW_DOWN} × slower",
            max(one[2] for one in found),
            "ms",
            KEY,
        ),
    ]
    if library:
        slowest = max(found, key=lambda one: one[0])
        lines += [
            Line(f"one evaluation of the same chain by {PACKAGE}", slowest[3], "µs"),
            Line("the same against ours", slowest[3] / slowest[0], "×"),
        ]
    return lines


def _of_a_page(page: Page, library: str) -> tuple[float, float, float, float]:
    page.evaluate(OPEN_ALL)
    page.wait_for_function("() => Boolean(globalThis.gdr.whatif)")
    page.wait_for_function(READY)
    page.add_script_tag(path=_SCRIPT)
    evaluation, points = page.evaluate("evaluation()"), page.evaluate("points()")
    taken = 0.0
    if library:
        page.add_script_tag(content=library)
        taken, off = page.evaluate("mathjs()")
        if off > _ALIKE:
            raise Void(f"{page.url}: {PACKAGE} gives a headline that differs by {off:.1e}")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
    key, pressed = page.evaluate("keys", MOST_KEYS)
    if not pressed:
        raise Void(f"{page.url} has no field to type into")
    return evaluation, points, key, taken


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
