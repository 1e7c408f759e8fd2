"""The fixtures that the other browser tests stand on."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.conftest import PROJECT


def test_the_site_opens_from_its_server_and_from_disk(page: Page, site: Path, served: str) -> None:
    page.goto(served)
    title = page.title()
    assert title
    page.goto((site / "index.html").as_uri())
    assert page.title() == title


def test_a_page_has_the_size_and_the_scheme_that_were_asked_for(new_page: Callable[..., Page]) -> None:
    seen = "() => [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches]"
    assert new_page().evaluate(seen) == [1280, 800, False]
    assert new_page(width=360, height=640, color_scheme="dark").evaluate(seen) == [360, 640, True]


def test_each_page_has_a_store_of_its_own(new_page: Callable[..., Page], served: str) -> None:
    first, second = new_page(), new_page()
    first.goto(served)
    second.goto(served)
    first.evaluate("localStorage.setItem('mine', '1')")
    assert first.evaluate("localStorage.getItem('mine')") == "1"
    assert second.evaluate("localStorage.getItem('mine')") is None


@pytest.mark.parametrize(
    ("address", "html"),
    [
        ("http://example.com/a.png", '<img src="http://example.com/a.png">'),
        ("https://example.com/a.js", '<script src="https://example.com/a.js"></script>'),
        ("https://example.com/a.css", '<style>@import "https://example.com/a.css"</style>'),
        ("https://example.com/a.html", '<iframe src="https://example.com/a.html"></iframe>'),
        ("https://example.com/a.json", "<script>fetch('https://example.com/a.json').catch(() => 0)</script>"),
        ("wss://example.com/a", "<script>new WebSocket('wss://example.com/a')</script>"),
        ("http://192.0.2.1/a.png", '<img src="http://192.0.2.1/a.png">'),
        ("http://localhost.example.com/a.png", '<img src="http://localhost.example.com/a.png">'),
    ],
)
def test_a_request_to_another_host_is_seen(page: Page, outside_requests: list[str], address, html) -> None:
    page.set_content(html)
    for _ in range(500):
        if outside_requests:
            break
        page.wait_for_timeout(10)
    assert outside_requests == [address]
    # Seen as it should be, so it is no failure of this test.
    outside_requests.clear()


def test_a_request_to_another_host_gets_no_answer(page: Page, outside_requests: list[str]) -> None:
    answer = page.evaluate("fetch('https://example.com/').then(() => 'an answer', error => error.message)")
    assert answer == "Failed to fetch"
    outside_requests.clear()


def test_a_test_that_needs_another_host_fails(tmp_path: Path) -> None:
    """The one above empties the list; this one leaves it to a run of its own."""
    test = tmp_path / "test_outside.py"
    test.write_text("def test(page):\n    page.set_content('<img src=\"http://example.com/a.png\">')\n")
    alone = ["--numprocesses=0", "-p", "tests.browser.conftest", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *alone]
    run = subprocess.run([*command, "--rootdir", str(tmp_path), str(test)], cwd=PROJECT, capture_output=True, text=True)
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "requests to other hosts:\nhttp://example.com/a.png\n" in run.stdout
