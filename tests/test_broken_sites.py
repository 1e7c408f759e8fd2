"""Each mistake in a page stops the strict build: its exact message, and nothing published."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.broken.sites import CASES, Builds, built


@pytest.fixture(scope="module")
def builds(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Builds]:
    """The builds of the cases that were asked for, two at a time."""
    names = {item.name for item in request.session.items}
    chosen = [case for case in CASES if f"{test_mistake.__name__}[{case.name}]" in names]
    builds = Builds(tmp_path_factory.mktemp("broken sites"), chosen)
    yield builds
    builds.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_mistake(case: Path, builds: Builds) -> None:
    code, told = builds.result(case)
    golden = case / "message.txt"
    if not golden.exists() or golden.read_text(encoding="utf-8") != told:
        # Nothing overwrites a golden text: whoever changes a message renames the new one.
        golden.with_suffix(".txt.new").write_text(told, encoding="utf-8", newline="\n")
    assert told == golden.read_text(encoding="utf-8")
    assert code == 1
    project = builds.folder / case.name
    assert str(project) not in told
    assert list((project / "site").rglob("*.html")) == []


def test_the_site_without_a_mistake_builds(tmp_path: Path) -> None:
    assert built(tmp_path, "") == (0, "\n")
    assert (tmp_path / "site/designs/chat.html").exists()


def test_every_mistake_has_its_message() -> None:
    assert [case.name for case in CASES if not (case / "message.txt").exists()] == []
