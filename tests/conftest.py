"""Fixtures for every test: the site as it is published, and a server for it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import hypothesis
import pytest

PROJECT = Path(__file__).parent.parent

# A busy machine is no failure: no test depends on how long one example takes.
hypothesis.settings.register_profile("untimed", hypothesis.settings.default, deadline=None)
hypothesis.settings.load_profile("untimed")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built strictly, once for all tests that read it."""
    # With a space, since a reader may keep the site in such a folder.
    folder = tmp_path_factory.mktemp("built site")
    code, told = build(PROJECT, folder)
    if code:
        pytest.fail(f"mkdocs build --strict ended with {code}:\n{told}", pytrace=False)
    return folder


def build(project: Path, site: Path) -> tuple[int, str]:
    """Build a project strictly into a folder; return the exit code and what was printed."""
    run = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=project,
        env=mkdocs_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return run.returncode, run.stdout


def mkdocs_environment() -> dict[str, str]:
    """The environment that tests run mkdocs in."""
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    # Dates of a surrounding build would end up in the pages.
    environment.pop("SOURCE_DATE_EPOCH", None)
    return environment


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of all that the site is built from, for a test to change; in a folder with a space."""
    folder = tmp_path / "a copy"
    for part in ("data", "docs", "macros", "overrides"):
        shutil.copytree(PROJECT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "mkdocs.yml", folder)
    return folder


def edit(file: Path, before: str, after: str) -> None:
    """Replace a text that a file holds exactly once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{file.name} holds {before!r} {text.count(before)} times"
    file.write_text(text.replace(before, after), encoding="utf-8")


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files and logs nothing: a failing test shows its own output only."""

    def log_message(self, format: str, *args: object) -> None:
        """Drop the line."""


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """The address of the built site, with a slash at its end, on a free loopback port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=site)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
