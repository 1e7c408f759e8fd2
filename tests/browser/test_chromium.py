"""Which browser is found, what is installed where there is none, and what is said where nothing helps."""

import os
import sys
from pathlib import Path

import pytest

from tests.browser import chromium

# Said where nothing is found, with the commands and with Playwright's and the distribution's browser in mind.
NOTHING = (
    "Found no Chrome or Chromium that starts: none on PATH (chromium, chromium-browser, google-chrome, "
    "google-chrome-stable), among the applications or among Playwright's downloads. "
    "Install one, or set CHROMIUM to the path of one."
)
PLAYWRIGHT = "python -m playwright install --no-shell chromium"
APT = ["apt-get update", "apt-get install -y chromium"]


class Machine:
    """A machine whose programs are stubs: a browser exits with 0, an installer adds such a browser."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        (folder / "bin").mkdir()

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def program(self, name: str, then: str = "") -> None:
        path = self.folder / name
        path.write_text(f'#!/bin/sh\nPATH=/usr/bin:/bin\necho "${{0##*/}} $*" >> "{self.log}"\n{then}\n')
        path.chmod(0o755)

    def installer(self, name: str, browser: str | None) -> None:
        """Add an installer that adds `browser`, or fails where there is none to add."""
        path = self.path(browser) if browser else "/nowhere/browser"
        install = f'echo "#!/bin/sh" > "{path}" && chmod +x "{path}"'
        self.program(name, then=f'case "$*" in *--version) exit 0 ;; esac\n{install}')

    def ran(self) -> list[str]:
        return [line for line in self.log.read_text().splitlines() if "--version" not in line]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine with Python and nothing else, and no right to install."""
    folder = tmp_path / "a machine"
    folder.mkdir()
    machine = Machine(folder)
    monkeypatch.setenv("PATH", machine.path("bin"))
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(chromium, "APPLICATIONS", (machine.path("application"),))
    monkeypatch.setattr(chromium, "_playwrights_own", lambda: machine.path("own"))
    monkeypatch.setattr(sys, "executable", machine.path("python"))
    machine.installer("python", browser=None)
    return machine


@pytest.mark.parametrize(
    ("there", "found"),
    [
        (["bin/chromium"], "bin/chromium"),
        (["bin/chromium-browser"], "bin/chromium-browser"),
        (["bin/google-chrome"], "bin/google-chrome"),
        (["bin/google-chrome-stable"], "bin/google-chrome-stable"),
        (["application"], "application"),
        (["own"], "own"),
        (["own", "application", "bin/google-chrome", "bin/chromium"], "bin/chromium"),
        (["own", "application", "bin/google-chrome"], "bin/google-chrome"),
        (["own", "application"], "application"),
    ],
)
def test_the_first_that_is_there_is_found(machine: Machine, there: list[str], found: str) -> None:
    for name in there:
        machine.program(name)
    assert chromium.find() == chromium.find_or_install() == machine.path(found)
    assert machine.ran() == []


def test_one_that_does_not_start_is_passed_over(machine: Machine) -> None:
    machine.program("bin/chromium", then="echo install the snap; exit 1")
    machine.program("bin/google-chrome")
    assert chromium.find() == machine.path("bin/google-chrome")


def test_a_file_that_is_no_program_is_passed_over(machine: Machine) -> None:
    (machine.folder / "application").write_text("")
    machine.program("own")
    assert chromium.find() == machine.path("own")


def test_the_variable_wins(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.program("bin/chromium")
    machine.program("mine")
    monkeypatch.setenv("CHROMIUM", machine.path("mine"))
    assert chromium.find() == chromium.find_or_install() == machine.path("mine")


@pytest.mark.parametrize("function", [chromium.find, chromium.find_or_install])
def test_a_wrong_variable_is_an_error_even_if_another_browser_is_there(machine, monkeypatch, function) -> None:
    machine.program("bin/chromium")
    monkeypatch.setenv("CHROMIUM", "/nowhere/chrome")
    with pytest.raises(chromium.ChromiumError) as error:
        function()
    assert str(error.value) == (
        "CHROMIUM is '/nowhere/chrome', which does not start. Set it to the path of a Chrome or Chromium, or unset it."
    )


def test_an_empty_variable_names_none(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.program("bin/chromium")
    monkeypatch.setenv("CHROMIUM", "")
    assert chromium.find() == machine.path("bin/chromium")


def test_finding_installs_nothing(machine: Machine) -> None:
    machine.installer("python", browser="own")
    with pytest.raises(chromium.ChromiumError) as error:
        chromium.find()
    assert str(error.value) == NOTHING
    assert not machine.log.exists()


@pytest.mark.parametrize(
    ("user", "playwrights", "packaged", "found", "ran"),
    [
        pytest.param(1000, "own", None, "own", [PLAYWRIGHT], id="Playwright's own"),
        pytest.param(0, "own", "bin/chromium", "own", [PLAYWRIGHT], id="Playwright's own, for root too"),
        pytest.param(0, None, "bin/chromium", "bin/chromium", [PLAYWRIGHT, *APT], id="the package, for root"),
    ],
)
def test_one_is_installed(machine, monkeypatch, user, playwrights, packaged, found, ran) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    machine.installer("python", playwrights)
    machine.installer("bin/apt-get", packaged)
    assert chromium.find_or_install() == machine.path(found)
    assert machine.ran() == ran


def test_the_package_is_installed_if_playwrights_own_lacks_its_libraries(machine, monkeypatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    machine.program("own", then="exit 127")
    machine.installer("bin/apt-get", "bin/chromium")
    assert chromium.find_or_install() == machine.path("bin/chromium")


def test_the_library_that_playwright_lacks_is_installed(machine, monkeypatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    machine.program("bin/chromium")
    library = machine.path("library")
    machine.program("python", then=f'test -e "{library}"')
    machine.program("bin/apt-get", then=f'> "{library}"')
    assert chromium.find_or_install() == machine.path("bin/chromium")
    assert machine.ran() == ["apt-get update", "apt-get install -y libatomic1"]


def test_what_keeps_playwright_from_starting_is_said(machine: Machine) -> None:
    machine.program("bin/chromium")
    machine.program("python", then="echo 'node: libatomic.so.1: cannot open shared object file' >&2; exit 127")
    with pytest.raises(chromium.ChromiumError) as error:
        chromium.find_or_install()
    assert str(error.value) == (
        "Playwright, which drives the browser, does not start: "
        "node: libatomic.so.1: cannot open shared object file. "
        "Install what it names; libatomic.so.1 is in the package libatomic1 of Debian and Ubuntu."
    )


@pytest.mark.parametrize(
    ("user", "apt", "ran"),
    [
        pytest.param(1000, True, [PLAYWRIGHT], id="not root"),
        pytest.param(0, False, [PLAYWRIGHT], id="no apt-get"),
        pytest.param(0, True, [PLAYWRIGHT, APT[0]], id="no network"),
    ],
)
def test_nothing_helps(machine, monkeypatch, user, apt, ran) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    if apt:
        machine.installer("bin/apt-get", browser=None)
    with pytest.raises(chromium.ChromiumError) as error:
        chromium.find_or_install()
    assert str(error.value) == NOTHING
    assert machine.ran() == ran
