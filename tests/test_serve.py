"""Live reload: what is edited shows without a restart, and a mistake in a page does not end the server."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

import pytest

from tests.conftest import edit, mkdocs_environment
from tests.pages.designs import how_texts, shown_number, value_text
from tests.pages.dom import by_id, parse

WAIT = 20.0  # seconds; an edit takes about two to show


class Server:
    """`mkdocs serve` of a copy of the project."""

    def __init__(self, project: Path, log: Path) -> None:
        self.project = project
        self.log = log
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/"
        environment = mkdocs_environment()
        # As on the author's machine: Python writes compiled modules.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        with log.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", f"127.0.0.1:{port}"],
                cwd=project,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def wait_for(self, what: str, happened: Callable[[], bool]) -> None:
        """Wait until something happens; fail with the server's log if it does not, or if the server ends."""
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            assert self.process.poll() is None, f"the server ended while waiting for {what}:\n{self.log.read_text()}"
            if happened():
                return
            time.sleep(0.1)
        pytest.fail(f"no {what} within {WAIT} s:\n{self.log.read_text()}", pytrace=False)

    def page(self, path: str) -> str:
        """A page as served now, or nothing while a broken build keeps it back."""
        try:
            # Past a proxy that the environment may name.
            with build_opener(ProxyHandler({})).open(self.address + path, timeout=1) as answer:
                return str(answer.read().decode())
        except (URLError, TimeoutError):
            return ""

    def row(self, id: str) -> tuple[str, str]:
        """How a number of the design page is computed and what it shows, as served now."""
        html = self.page("designs/chatgpt.html")
        if not html:
            return "", ""
        row = by_id(parse(html), f"row-{id}")
        return how_texts(row)[0], value_text(row)

    def builds(self) -> int:
        """How often the site was built."""
        return self.log.read_text().count("Documentation built in")


@pytest.fixture
def server(copied: Path, tmp_path: Path) -> Iterator[Server]:
    """The copy, served; its process is ended with the test."""
    server = Server(copied, tmp_path / "serve.log")
    try:
        server.wait_for("first page", lambda: server.page("index.html") != "")
        yield server
    finally:
        server.process.terminate()
        server.process.wait(timeout=WAIT)


def test_what_is_edited_shows_without_a_restart(server: Server) -> None:
    project = server.project

    # A formula module: the conversion of the price.
    how, cost = server.row("cost_per_1000")
    assert how.endswith("× 1,000 ÷ 3,600 × price")
    edit(
        project / "macros/formulas/cost.py",
        'Constant(1000, "request/krequest", shown="1,000")',
        'Constant(2000, "request/krequest", shown="2,000")',
    )
    server.wait_for("formula", lambda: server.row("cost_per_1000")[0].endswith("× 2,000 ÷ 3,600 × price"))
    _, doubled = server.row("cost_per_1000")
    assert shown_number(doubled) == pytest.approx(2 * shown_number(cost), rel=0.01)

    # The data file: the price, and the cost that follows from it.
    shared = "    short: price\n    value: {} USD/GPU/hour"
    edit(project / "data/assumptions.yml", f"\n{shared.format(4)}", f"\n{shared.format(5)}")
    server.wait_for("price", lambda: server.row("price")[1] == "$5 per GPU-hour")
    assert shown_number(server.row("cost_per_1000")[1]) == pytest.approx(2.5 * shown_number(cost), rel=0.01)

    # A page, and the front matter of another.
    edit(project / "docs/index.md", "## The five steps\n", "## The five edited steps\n")
    server.wait_for("page", lambda: "The five edited steps" in server.page("index.html"))
    edit(project / "docs/designs/chatgpt.md", "  peak: Derived", "  peak: Plainly derived")
    server.wait_for("front matter", lambda: "Plainly derived" in server.page("designs/chatgpt.html"))

    # A template of the macros, and one of the theme.
    edit(project / "macros/render/templates/board.html", " min</span>", " edited minutes</span>")
    server.wait_for("template", lambda: "edited minutes" in server.page("index.html"))
    edit(project / "overrides/partials/logo.html", "{{ config.site_name }}", "Edited name")
    server.wait_for("theme", lambda: "Edited name" in server.page("index.html"))


def test_a_mistake_in_a_page_does_not_end_the_server(server: Server) -> None:
    page = server.project / "docs/index.md"
    edit(page, "[[= board() =]]", "[[= bored() =]]")
    server.wait_for("message", lambda: "'bored' is undefined (did you mean `board`?)" in server.log.read_text())
    server.wait_for("next step", lambda: "An error happened during the rebuild" in server.log.read_text())
    edit(page, "[[= bored() =]]", "[[= board() =]]\n\nMended.")
    server.wait_for("mended page", lambda: "Mended." in server.page("index.html"))


def test_a_build_does_not_cause_the_next_one(server: Server) -> None:
    """Python writes compiled modules beside their sources, into a folder that is watched."""
    formulas = server.project / "macros/formulas/cost.py"
    formulas.write_text(formulas.read_text() + "\n# Edited.\n")
    server.wait_for("second build", lambda: server.builds() == 2)
    # Longer than the server takes to notice an edit and to build.
    time.sleep(2.5)
    assert server.builds() == 2, server.log.read_text()
