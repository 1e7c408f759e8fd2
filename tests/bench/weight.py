"""What a reader's browser fetches and computes for the heaviest design page, and what Lighthouse says of it.

Sizes are those of each file compressed as a server sends it. They are compared with bare Material: the same pages with
their macros expanded, in Material as it comes, without this project's overrides, styles and scripts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import yaml
from jinja2 import Environment, FileSystemLoader
from playwright.sync_api import Browser, Page, Response, sync_playwright

from tests.browser import chromium
from tests.browser.look import OPEN_ALL

from . import lighthouse
from .build import build
from .process import run
from .result import Line, Void
from .serve import compressed, serve

PROJECT = Path(__file__).parents[2]
SCRIPTS, STYLES, FIRST_VISIT = 25.0, 8.0, 140.0
WHAT_IF = 4.0
AGAINST_BARE = 1.3
LONGEST_TASK = 50.0
SLOW_DOWN = 4
RUNS = 3

# What bare Material does without. The offline plugin alone would add a script from another host.
_OURS = ("extra_css", "extra_javascript", "extra")
_PLUGIN = "offline"
# What a trace calls the work of a script.
_SCRIPT = {"EvaluateScript", "FunctionCall", "v8.compile"}


@dataclass(frozen=True, slots=True)
class File:
    """A file that a page asked for: its path on the server, and its size on the way."""

    path: str
    kilobytes: float

    @property
    def is_index(self) -> bool:
        """Whether it is the search index, which grows with the whole site."""
        return self.path.startswith("search/search_index")

    @property
    def is_ours(self) -> bool:
        """Whether this project brings it, and not Material."""
        return self.path.startswith("assets/") and not self.path.startswith(
            ("assets/javascripts/", "assets/stylesheets/", "assets/images/")
        )


def measure(project: Path = PROJECT) -> list[Line]:
    """Return sizes, the longest task and Lighthouse's scores of a design page."""
    path = chromium.find()
    with TemporaryDirectory() as folder:
        site, bare = Path(folder, "site"), Path(folder, "bare site")
        build(project, site)
        build(_bare(project, Path(folder, "bare")), bare)
        page = _heaviest(site)
        with serve(site) as address, serve(bare) as bare_address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, chromium_sandbox=os.geteuid() != 0)
            files, plain = _fetched(browser, address, page), _fetched(browser, bare_address, page)
            used = _fetched(browser, address, page, use=True)
            tasks = [_longest_task(browser, address, page) for _ in range(RUNS)]
            browser.close()
            return [
                *_sizes(files, plain, used),
                # What else the machine does can only add to it.
                Line(f"longest task of our scripts, processor {SLOW_DOWN} × slower", min(tasks), "ms", LONGEST_TASK),
                *lighthouse.measure(address + page, path),
            ]


def _sizes(files: list[File], plain: list[File], used: list[File]) -> list[Line]:
    without_index = _sum(file for file in files if not file.is_index)
    plain_without_index = _sum(file for file in plain if not file.is_index)
    return [
        Line("scripts of ours, once everything on the page was used", _sum(_ours(used, ".js")), "kB", SCRIPTS),
        Line("of them, those of the first visit", _sum(_ours(files, ".js")), "kB"),
        Line("of these, the evaluator and what it is asked", _bundled("evaluate", "whatif"), "kB", WHAT_IF),
        Line("the places on the page that follow, and the fields", _bundled("places", "fields"), "kB"),
        Line("styles of ours", _sum(_ours(files, ".css")), "kB", STYLES),
        Line("first visit of a design page, without the search index", without_index, "kB", FIRST_VISIT),
        Line("the same in bare Material", plain_without_index, "kB"),
        Line(
            "first visit against bare Material, without the index",
            without_index / plain_without_index,
            "×",
            AGAINST_BARE,
        ),
        Line("first visit against bare Material, in all", _sum(files) / _sum(plain), "×", AGAINST_BARE),
        Line("search index", _sum(file for file in files if file.is_index), "kB"),
        *[Line(file.path, file.kilobytes, "kB") for file in files if not file.is_index],
    ]


def _bundled(*names: str) -> float:
    """Return the kilobytes of scripts by themselves, as the site's bundles hold them."""
    environment = Environment(loader=FileSystemLoader(PROJECT / "overrides"))
    bundle = environment.from_string('{% from "partials/bundle.html" import scripts %}{{ scripts(names) }}')
    return len(compressed(bundle.render(names=names).encode())) / 1000


def _sum(files: Iterable[File]) -> float:
    return sum(file.kilobytes for file in files)


def _ours(files: list[File], suffix: str) -> list[File]:
    return [file for file in files if file.is_ours and file.path.endswith(suffix)]


def _heaviest(site: Path) -> str:
    """Return the design page that takes the most bytes, as a path below the site."""
    page = max(site.glob("designs/*.html"), key=lambda file: len(compressed(file.read_bytes())))
    return page.relative_to(site).as_posix()


def _fetched(browser: Browser, address: str, path: str, use: bool = False) -> list[File]:
    """Return the files that a first visit asks for, and using everything on the page where that is asked for."""
    page = browser.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(address + path, wait_until="networkidle")
    if use:
        _use(page)
        page.wait_for_load_state("networkidle")
    files = [
        File(urlsplit(answer.url).path.lstrip("/"), len(compressed(answer.body())) / 1000)
        for answer in answers
        if answer.ok and answer.url.startswith(address)
    ]
    page.close()
    return files


def _use(page: Page) -> None:
    """Do what a round does: start it, open everything, answer, change an assumption, grade and save."""
    page.locator("[data-do=start]").click()
    page.evaluate(OPEN_ALL)
    page.locator(".gdr-pad textarea").first.fill("Some words")
    page.locator("gdr-steps button").nth(2).click()
    field = page.locator(".gdr-field input").first
    field.fill("20M")
    field.press("ArrowUp")
    page.locator("gdr-card input").first.fill("300")
    page.locator("gdr-card button").first.click()
    page.locator("[data-option=right] > summary").first.click()
    page.locator("[data-do=next]").click()
    page.locator(".gdr-rubric input").first.check()
    page.locator("[data-save]").click()


def _longest_task(browser: Browser, address: str, path: str) -> float:
    """Return the milliseconds of the longest stretch that our scripts kept the page busy, on a slow processor."""
    page = browser.new_page()
    # A process that the site has already: a new one would begin at full speed.
    page.goto(f"{address}404.html")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
    browser.start_tracing(page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline", "v8"])
    page.goto(address + path, wait_until="networkidle")
    _use(page)
    # Once more with all that is stored.
    page.reload(wait_until="networkidle")
    events = json.loads(browser.stop_tracing())["traceEvents"]
    page.close()
    return longest(events, address)


def longest(events: list[dict[str, Any]], address: str) -> float:
    """Return the milliseconds that scripts of ours took of one task, in the task that they took the most of."""
    ours = [event for event in events if event.get("name") in _SCRIPT and _is_ours(event, address)]
    if not ours:
        raise Void("the trace holds no script of ours")
    ours.sort(key=lambda event: event["ts"])
    times = [_spent(task, ours) for task in events if task.get("name") == "RunTask" and task.get("dur", 0) > 1000]
    return max(times, default=0.0)


def _spent(task: dict[str, Any], ours: list[dict[str, Any]]) -> float:
    """Return the milliseconds of the processor, which other programs on this machine do not add to."""
    until = task["ts"]
    spent = 0.0
    for event in ours:
        end = event["ts"] + event["dur"]
        inside = event["tid"] == task["tid"] and event["pid"] == task["pid"] and end <= task["ts"] + task["dur"]
        # Calls within calls count once.
        if inside and event["ts"] >= until:
            spent += event.get("tdur", event["dur"]) / 1000
            until = end
    return spent


def _is_ours(event: dict[str, Any], address: str) -> bool:
    url = event.get("args", {}).get("data", {}).get("url", "")
    return event.get("ph") == "X" and url.startswith(address) and File(url.removeprefix(address), 0).is_ours


def _bare(project: Path, target: Path) -> Path:
    """Write the project's expanded pages for Material as it comes."""
    run(["-m", "tests.bench.expand", str(project), str(target)], PROJECT)
    file = target / "mkdocs.yml"
    settings = yaml.safe_load(file.read_text(encoding="utf-8"))
    for key in _OURS:
        settings.pop(key, None)
    for key in ("custom_dir", "static_templates", "favicon"):
        settings["theme"].pop(key, None)
    settings["plugins"] = [plugin for plugin in settings["plugins"] if plugin != _PLUGIN]
    file.write_text(yaml.safe_dump(settings, allow_unicode=True), encoding="utf-8")
    return target
