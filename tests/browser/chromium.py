"""The Chrome or Chromium that the browser tests run in.

The tests call `find`. `python -m tests.browser.chromium` calls `find_or_install` and prints the path.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

from playwright.sync_api import sync_playwright

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


class ChromiumError(Exception):
    """No browser to test in. The message says where it was looked for and what to do."""


def find() -> str:
    """Return the path of the first browser that starts.

    Where the variable CHROMIUM names one, that one or none: whoever sets it wants it tested. Otherwise an
    installed one, otherwise Playwright's own.

    Raises:
        ChromiumError: none starts.
    """
    if path := _first_that_starts():
        return path
    raise ChromiumError(
        f"Found no Chrome or Chromium that starts: none on PATH ({', '.join(COMMANDS)}), "
        "among the applications or among Playwright's downloads. "
        "Install one, or set CHROMIUM to the path of one."
    )


def find_or_install() -> str:
    """Return the path of a browser as `find` does, installing one where there is none.

    First Playwright's own; then, as root where there is apt-get, the distribution's.

    Raises:
        ChromiumError: none starts, or nothing that could drive it, and none could be installed.
    """
    _make_sure_that_playwright_starts()
    for install in (_download, _install_package):
        if path := _first_that_starts():
            return path
        install()
    return find()


def _make_sure_that_playwright_starts() -> None:
    if _problem_of_playwright():
        # The one library that it needs and that Debian does not bring along.
        _apt_install("libatomic1")
    if problem := _problem_of_playwright():
        raise ChromiumError(
            f"Playwright, which drives the browser, does not start: {problem}. "
            "Install what it names; libatomic.so.1 is in the package libatomic1 of Debian and Ubuntu."
        )


def _problem_of_playwright() -> str | None:
    command = [sys.executable, "-m", "playwright", "--version"]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return None if run.returncode == 0 else run.stdout.strip() or f"exit status {run.returncode}"


def _first_that_starts() -> str | None:
    named = os.environ.get("CHROMIUM")
    if not named:
        return next(filter(_starts, _candidates()), None)
    if _starts(named):
        return named
    raise ChromiumError(
        f"CHROMIUM is {named!r}, which does not start. Set it to the path of a Chrome or Chromium, or unset it."
    )


def _candidates() -> Iterator[str]:
    yield from filter(None, map(shutil.which, COMMANDS))
    yield from APPLICATIONS
    yield _playwrights_own()


def _playwrights_own() -> str:
    """Return the path at which Playwright's own browser is once it was downloaded."""
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _starts(path: str) -> bool:
    """Tell a browser from a distribution's stub and from one whose libraries are missing."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _download() -> None:
    print("Found no Chrome or Chromium that starts: downloading Playwright's own", flush=True)
    subprocess.run([sys.executable, "-m", "playwright", "install", "--no-shell", "chromium"])


def _install_package() -> None:
    _apt_install("chromium")


def _apt_install(package: str) -> None:
    """Install a package of Debian or Ubuntu where that is possible."""
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return
    print(f"Installing the package {package}", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    if subprocess.run([apt, "update"], env=environment).returncode == 0:
        subprocess.run([apt, "install", "-y", package], env=environment)


if __name__ == "__main__":
    try:
        print(f"Chromium: {find_or_install()}")
    except ChromiumError as error:
        sys.exit(str(error))
