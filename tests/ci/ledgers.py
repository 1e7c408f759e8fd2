"""Prints the accepted numbers that changed since a commit, as Markdown: `python -m tests.ci.ledgers COMMIT`.

For the summary of a CI run, where a reviewer reads it. It judges nothing: whether the numbers are as accepted is
checked by `python -m macros check`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path, PurePosixPath

from macros.sizing import ledger

PROJECT = Path(__file__).parents[2]
FOLDER = "tests/ledgers"


def summary(base: str, project: Path = PROJECT) -> str:
    """Return what changed between a commit and the files as they are; `base` may name no commit."""
    lines = ["## Accepted numbers", ""]
    if _git(project, "cat-file", "-e", f"{base}^{{commit}}") is None:
        return "\n".join([*lines, "There is no earlier commit to compare with."]) + "\n"
    # Of a branch that has moved on since, only this side's changes.
    start = (_git(project, "merge-base", base, "HEAD") or base).strip()
    names = (_git(project, "diff", "--name-only", "--no-renames", "-z", start, "--", FOLDER) or "").split("\0")
    for name in sorted(filter(None, names)):
        lines += _changes(name, _git(project, "show", f"{start}:{name}") or "", _text(project / name))
    if not any(names):
        lines.append("No accepted number changed.")
    return "\n".join(lines) + "\n"


def _changes(name: str, before: str, now: str) -> list[str]:
    old, new = (ledger.read(text, name) for text in (before, now))
    rows = []
    for id in [*new, *(id for id in old if id not in new)]:
        was, is_now = old.get(id), new.get(id)
        if was != is_now:
            formula = is_now.formula if is_now else ""
            rows.append((id, was.shown if was else "new", is_now.shown if is_now else "removed", formula))
    path = PurePosixPath(name)
    lines = [f"### {path.parent.name}/{path.stem}", ""]
    if not rows:
        return [*lines, "The numbers are the same; their order, constraints or headline changed.", ""]
    lines += ["| number | before | now | how it is computed now |", "|---|---|---|---|"]
    return [*lines, *("| " + " | ".join(map(_cell, row)) + " |" for row in rows), ""]


def _cell(text: str) -> str:
    """Write a text so that it can end neither its cell nor its row, and is no markup."""
    text = text.replace("\\", "\\\\")
    for character in "|`<*_[":
        text = text.replace(character, f"\\{character}")
    return text.replace("\n", " ")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _git(project: Path, *arguments: str) -> str | None:
    run = subprocess.run(
        ["git", *arguments], cwd=project, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
    )
    return run.stdout if run.returncode == 0 else None


if __name__ == "__main__":
    print(summary(sys.argv[1]), end="")
