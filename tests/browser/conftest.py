"""Fixtures for tests in a browser: pages in a fresh context each, and no request to another host."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import chromium

# The last list of features wins, so what Playwright switches off stands here again, where it matters to these tests.
NOT_NEEDED = [
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "PreconnectToSearch",
    # The address bar's lists are pages of their own, which each new window loads: a third of the time of a short test.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
]
# What Playwright does not already pass.
FLAGS = [
    f"--disable-features={','.join(NOT_NEEDED)}",
    "--disable-gpu",
    "--disable-quic",
    # Also stops what is not a request of the page, such as resolving a host in advance.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]
LOOPBACK = {"localhost", "127.0.0.1"}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser, started once."""
    # Looked for first: looking starts a Playwright of its own.
    path = chromium.find()
    with sync_playwright() as playwright:
        # Root may not use the sandbox.
        browser = playwright.chromium.launch(executable_path=path, chromium_sandbox=os.geteuid() != 0, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def outside_requests() -> Iterator[list[str]]:
    """The addresses on other hosts that the test's pages asked for; one left at its end fails the test."""
    addresses: list[str] = []
    yield addresses
    if addresses:
        pytest.fail("requests to other hosts:\n" + "\n".join(addresses), pytrace=False)


@pytest.fixture
def new_page(browser: Browser, outside_requests: list[str]) -> Iterator[Callable[..., Page]]:
    """A function that opens an empty page in a new context, whose storage is empty too.

    Width and height are in CSS px. Other options are those of Playwright's `Browser.new_context`:
    `new_page(width=360, color_scheme="dark", java_script_enabled=False)`.
    """
    contexts = []

    def record(address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in LOOPBACK:
            outside_requests.append(address)

    def open_page(width: int = 1280, height: int = 800, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        context.on("request", lambda request: record(request.url))
        page = context.new_page()
        page.on("websocket", lambda socket: record(socket.url))
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A light page of 1280 × 800 px."""
    return new_page()


@pytest.fixture(params=["disk", "server"])
def at(request: pytest.FixtureRequest, site: Path, served: str) -> Callable[[str], str]:
    """A function from a page's path to its address: from disk, then served."""
    return lambda path: f"{site.as_uri()}/{path}" if request.param == "disk" else served + path


@pytest.fixture
def from_disk(site: Path) -> Callable[[str], str]:
    """A function from a page's path to its address on disk."""
    return lambda path: f"{site.as_uri()}/{path}"


@pytest.fixture
def complaints(page: Page) -> Iterator[list[str]]:
    """What the console says, that of other tabs included; anything but silence fails the test."""
    told: list[str] = []
    page.context.on("console", lambda message: told.append(f"{message.type}: {message.text}"))
    page.context.on("weberror", lambda error: told.append(f"error: {error.error}"))
    yield told
    assert told == []
