"""Nothing imports upward, and nothing reads what is beside the project."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT

# Made by tools, or not ours.
SKIPPED = {".git", ".venv", "site", "node_modules", "__pycache__"}
TEXT = {".py", ".js", ".css", ".html", ".md", ".yml", ".yaml", ".toml", ".txt", ".in", ".json", ".cfg", ""}


@pytest.mark.parametrize(
    ("package", "foreign"),
    [
        (
            "macros.sizing",
            [
                "mkdocs",
                "mkdocs_macros",
                "jinja2",
                "macros.render",
                "macros.assumptions",
                "macros.chains",
                "macros.formulas",
            ],
        ),
        (
            "macros.formulas",
            ["mkdocs", "mkdocs_macros", "jinja2", "macros.render", "macros.assumptions", "macros.chains"],
        ),
        ("macros.chains", ["mkdocs", "mkdocs_macros", "jinja2", "macros.render"]),
    ],
)
def test_a_package_imports_nothing_of_those_who_use_it(package: str, foreign: list[str]) -> None:
    # In a process of its own: here, other tests have imported everything.
    code = f"import sys, {package}; print(*sorted(sys.modules), sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True)
    loaded = run.stdout.split()
    assert package in loaded
    assert [name for name in loaded if any(name == one or name.startswith(one + ".") for one in foreign)] == []


def files() -> list[Path]:
    """The project's own text files, this one aside."""
    return [
        path
        for path in PROJECT.rglob("*")
        if path.is_file()
        and path.suffix in TEXT
        and path != Path(__file__)
        and not any(part in SKIPPED or part.endswith("_cache") for part in path.relative_to(PROJECT).parts)
        and ".hypothesis" not in path.parts
        and ".cache" not in path.parts
    ]


def test_no_file_names_what_is_beside_the_project() -> None:
    found = files()
    assert PROJECT / "macros" / "chains.py" in found
    for path in found:
        text = path.read_text(encoding="utf-8")
        assert "../shared" not in text, path
        assert str(PROJECT.parent / "shared") not in text, path


def test_no_file_beside_the_project_is_read() -> None:
    code = """
import sys
opened = set()
sys.addaudithook(lambda event, args: opened.add(str(args[0])) if event == "open" else None)
from macros.assumptions import load
from macros.chains import programs
for chains in programs(load()).values():
    for program in chains.values():
        program.chain
print(*sorted(opened), sep="\\n")
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True)
    opened = [Path(name) for name in run.stdout.splitlines() if name.startswith(str(PROJECT.parent))]
    assert PROJECT / "data" / "assumptions.yml" in opened
    assert [path for path in opened if path.is_relative_to(PROJECT.parent / "shared")] == []
