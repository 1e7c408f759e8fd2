"""Fixtures for every test: the site as it is published, and a server for it."""

import os
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
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    # Dates of a surrounding build would end up in the pages.
    environment.pop("SOURCE_DATE_EPOCH", None)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    build = subprocess.run(
        command,
        cwd=PROJECT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if build.returncode:
        pytest.fail(f"mkdocs build --strict ended with {build.returncode}:\n{build.stdout}", pytrace=False)
    return folder


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
