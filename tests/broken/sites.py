"""Copies of the small site with an edit made, and their builds.

An edit (`edit.diff`) names a file of the project, then lines that are replaced there (`-` and `+`), or lines that are
added at its end (`+` alone), or that it is removed. A file that does not exist is made.
"""

import re
import shutil
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tests.assumptions.cases import replaced
from tests.conftest import PROJECT, build

HERE = Path(__file__).parent
SOUND = HERE / "site"
CASES = sorted(path.parent for path in HERE.glob("*/edit.diff"))

_HUNK = re.compile(r"(?P<old>(?:^-.*\n)*)(?P<new>(?:^\+.*\n)*)", re.MULTILINE)


def copy_to(project: Path) -> Path:
    """Copy the small site into a folder, with the project's own macros, theme and settings."""
    for part in ("macros", "overrides"):
        ignored = shutil.ignore_patterns("designs") if part == "macros" else None
        shutil.copytree(PROJECT / part, project / part, ignore=ignored)
    shutil.copy(PROJECT / "mkdocs.yml", project)
    shutil.copytree(SOUND, project, dirs_exist_ok=True)
    return project


def edit(project: Path, text: str) -> None:
    """Make an edit. Fails where a line that it replaces does not stand there exactly once."""
    for name, body in re.findall(r"^([^-+\n].*)\n((?:[-+].*\n)*)", text, re.MULTILINE):
        file = project / name.removeprefix("remove ")
        if name.startswith("remove "):
            file.unlink()
            continue
        content = file.read_text(encoding="utf-8") if file.exists() else ""
        for hunk in _HUNK.finditer(body):
            old, new = (re.sub(r"^.", "", hunk[side], flags=re.MULTILINE) for side in ("old", "new"))
            content = replaced(content, old, new) if old else content + new
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8", newline="\n")


def built(project: Path, text: str) -> tuple[int, str]:
    """Build the small site with an edit; return the exit code and what was printed, without mkdocs' progress."""
    edit(copy_to(project), text)
    code, told = build(project, project / "site")
    return code, "".join(line for line in told.splitlines(keepends=True) if not line.startswith("INFO ")).strip() + "\n"


class Builds:
    """Builds of cases, as many at once as the machine has time for."""

    def __init__(self, folder: Path, cases: list[Path]) -> None:
        self.folder = folder
        self._pool = ThreadPoolExecutor(2)
        self._runs: dict[Path, Future[tuple[int, str]]] = {
            case: self._pool.submit(built, folder / case.name, (case / "edit.diff").read_text(encoding="utf-8"))
            for case in cases
        }

    def result(self, case: Path) -> tuple[int, str]:
        """Wait for a case's build."""
        return self._runs[case].result()

    def close(self) -> None:
        """Start no build any more."""
        self._pool.shutdown(cancel_futures=True)
