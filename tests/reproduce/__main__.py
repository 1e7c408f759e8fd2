"""Builds the last commit twice and compares every byte: `python -m tests.reproduce`.

The two builds stand in different folders, one with a space in its name, and run on different days, in time zones whose
dates never agree, and with different hash seeds. Exit codes: 0 alike; 1 something differs; 2 a build was not to be had.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[2]


class Difference(NamedTuple):
    """A file that differs, and how."""

    file: str
    what: str


class Failed(Exception):
    """A build that cannot be compared; the text says why."""


def differences(first: Path, second: Path) -> list[Difference]:
    """Return what differs between two folders, by the names of their files."""
    one, other = (
        {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
        for site in (first, second)
    )
    found = []
    for file in sorted(one.keys() | other.keys()):
        if file not in one or file not in other:
            found.append(Difference(file, f"only in the {'first' if file in one else 'second'} build"))
        elif one[file] != other[file]:
            found.append(Difference(file, _first_difference(one[file], other[file])))
    return found


def _first_difference(one: bytes, other: bytes) -> str:
    pairs = enumerate(zip(one, other, strict=False))
    at = next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))
    line = one[:at].count(b"\n") + 1
    sides = (side[max(at - 20, 0) : at + 40].decode(errors="replace") for side in (one, other))
    return f"line {line}: " + " against ".join(map(repr, sides))


def unpack(commit: str, folder: Path) -> None:
    """Write the files of a commit into a folder. Raises Failed where there is no such commit."""
    run = subprocess.run(["git", "archive", commit], cwd=PROJECT, capture_output=True)
    if run.returncode:
        raise Failed(f"found no commit to build; expected a checkout of version control: {run.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(run.stdout)) as archive:
        archive.extractall(folder, filter="data")


def commit_time(commit: str) -> str:
    """Return when a commit was made, in seconds since 1970."""
    run = subprocess.run(["git", "log", "-1", "--format=%ct", commit], cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    return run.stdout.strip()


def build(project: Path, days: int, zone: str, seed: str, epoch: str) -> Path:
    """Build a project strictly, `days` ahead of today, and return the built site. Raises Failed with what was said."""
    environment = os.environ | {
        "PYTHONHASHSEED": seed,
        # Its own modules are the commit's; the clock is moved by this one.
        "PYTHONPATH": str(PROJECT / "tests" / "reproduce"),
        "SOURCE_DATE_EPOCH": epoch,
        "TZ": zone,
    }
    command = [sys.executable, "-m", "later", str(days), "mkdocs", "build", "--strict"]
    run = subprocess.run(
        command,
        cwd=project,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if run.returncode:
        raise Failed(f"mkdocs build --strict ended with {run.returncode} in {project}:\n{run.stdout}")
    return project / "site"


def main(commit: str = "HEAD") -> int:
    """Build, compare, print what differs, and return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "first"), Path(folder, "a second", "place")
        try:
            for project in (first, second):
                unpack(commit, project)
            epoch = commit_time(commit)
            sites = [
                build(first, 0, "Etc/GMT+12", "1", epoch),
                build(second, 40, "Pacific/Kiritimati", "2", epoch),
            ]
        except Failed as error:
            print(f"reproduce: {error}", file=sys.stderr)
            return 2
        found = differences(*sites)
        count = sum(path.is_file() for path in sites[0].rglob("*"))
    for difference in found:
        print(f"{difference.file}: {difference.what}", file=sys.stderr)
    if not found:
        print(f"{count} files of two builds are alike, byte for byte")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
