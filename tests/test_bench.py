"""What `make bench` measures with: a project grown by more designs, and a process that says why it failed."""

import json
from pathlib import Path

import pytest

from macros.assumptions import load, parse
from tests.bench import grown
from tests.bench.process import run
from tests.bench.result import Void
from tests.conftest import PROJECT, edit

MORE = 2


@pytest.fixture(scope="module")
def larger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with two designs more."""
    folder = tmp_path_factory.mktemp("bench") / "larger"
    grown.grow(PROJECT, folder, MORE)
    return folder


def test_more_designs_stand_after_the_project_s_own(larger: Path) -> None:
    before, after = load().designs, parse((larger / grown.DATA).read_bytes()).designs
    added = [id for id in after if id not in before]
    assert len(added) == MORE
    assert {id: data.order for id, data in after.items() if id in before} == {id: d.order for id, d in before.items()}
    assert min(after[id].order for id in added) > max(data.order for data in before.values())
    assert len({data.order for data in after.values()}) == len(after)


def test_no_design_s_audience_or_title_is_that_of_another(larger: Path) -> None:
    designs = parse((larger / grown.DATA).read_bytes()).designs
    copies = [id for id in designs if id.startswith(grown.ID)]
    assert len(copies) == 1 + MORE
    assert len({designs[id].own["daily_users"].amount.base for id in copies}) == len(copies)
    pages = [(larger / "docs" / "designs" / f"{id}.md").read_text(encoding="utf-8") for id in copies]
    for begin in ("title: ", "# "):
        assert len({line for page in pages for line in page.splitlines() if line.startswith(begin)}) == len(copies)


def test_every_chain_of_a_larger_project_is_recorded_and_accepted(larger: Path) -> None:
    spent = json.loads(run(["-m", "tests.bench.every_chain"], larger))
    assert list(spent) == [
        "load and check",
        "build the programs",
        "record",
        "export",
        "write the ledgers",
        "check the ledgers",
    ]


def test_a_project_without_the_design_that_is_repeated(copied: Path, tmp_path: Path) -> None:
    for part in ("tests/bench", "tests/__init__.py"):
        target = copied / part
        target.parent.mkdir(exist_ok=True)
        target.symlink_to(PROJECT / part)
    edit(copied / grown.DATA, f"\n  {grown.ID}:\n", "\n  chats:\n")
    with pytest.raises(Void, match=f"expected a block `{grown.ID}`"):
        grown.grow(copied, tmp_path / "larger", MORE)


def test_a_process_that_fails_tells_all_that_it_said(tmp_path: Path) -> None:
    with pytest.raises(Void) as reason:
        run(["-c", "import sys; print('one'); sys.exit('two')"], tmp_path)
    assert str(reason.value).endswith("ended with 1:\none\ntwo\n")
    assert run(["-c", "import sys; print('one'); print('two', file=sys.stderr)"], tmp_path) == "one\n"
