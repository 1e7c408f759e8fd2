"""The house around the site: workflows, reproducible builds, what contributors read, licences."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import pytest
import yaml

from tests.ci import articles, ledgers, with_zensical
from tests.conftest import PROJECT, edit
from tests.reproduce import __main__ as reproduce

WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
CONTRIBUTING = PROJECT / "docs" / "contributing.md"


# ---------------------------------------------------------------- workflows
def jobs(workflow: Path) -> dict[str, dict[str, Any]]:
    """The jobs of a workflow by their ids."""
    return dict(yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"])


def test_there_are_three_workflows() -> None:
    assert [workflow.name for workflow in WORKFLOWS] == ["pages.yml", "test.yml", "zensical.yml"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_every_action_is_pinned_by_its_whole_digest(workflow: Path) -> None:
    used = re.findall(r"uses: (.*)", workflow.read_text(encoding="utf-8"))
    assert used
    for action in used:
        assert action == "./.github/workflows/test.yml" or re.fullmatch(
            r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action
        )


def test_an_action_has_the_same_digest_everywhere() -> None:
    text = "\n".join(workflow.read_text(encoding="utf-8") for workflow in WORKFLOWS)
    pins = set(re.findall(r"uses: (actions/[a-z-]+)@(.*)", text))
    assert len(dict(pins)) == len(pins)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_a_job_has_only_the_rights_that_it_names_and_an_end(workflow: Path) -> None:
    whole = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    assert whole["permissions"] == {}
    assert whole["concurrency"]["group"]
    for name, job in jobs(workflow).items():
        rights = {"pages": "write", "id-token": "write"} if name == "deploy" else {"contents": "read"}
        assert job["permissions"] == rights
        assert "uses" in job or 0 < job["timeout-minutes"] <= 60


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_nothing_from_outside_reaches_a_shell_but_through_its_environment(workflow: Path) -> None:
    assert "pull_request_target" not in workflow.read_text(encoding="utf-8")
    for job in jobs(workflow).values():
        for step in job.get("steps", []):
            assert "${{" not in step.get("run", "")
            if "checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_ci_runs_what_everyone_runs() -> None:
    steps = jobs(PROJECT / ".github/workflows/test.yml")["test"]["steps"]
    assert "bash .ci/run" in [step.get("run") for step in steps]
    assert jobs(PROJECT / ".github/workflows/pages.yml")["build"]["needs"] == "test"
    assert jobs(PROJECT / ".github/workflows/zensical.yml")["compare"]["continue-on-error"] is True


def test_every_module_that_ci_runs_exists() -> None:
    text = "\n".join(workflow.read_text(encoding="utf-8") for workflow in WORKFLOWS)
    modules = set(re.findall(r"-m (tests\.[\w.]+)", text))
    assert modules == {"tests.ci.ledgers", "tests.ci.articles", "tests.ci.with_zensical"}
    assert all((PROJECT / f"{module.replace('.', '/')}.py").is_file() for module in modules)


@pytest.mark.parametrize("key", ["number", "expected", "source"])
def test_an_issue_about_a_number_asks_for_it(key: str) -> None:
    form = yaml.safe_load((PROJECT / ".github/ISSUE_TEMPLATE/number.yml").read_text(encoding="utf-8"))
    field = next(field for field in form["body"] if field["id"] == key)
    assert field["validations"]["required"] is True


def test_hooks_run_commands_of_the_project_and_fetch_nothing() -> None:
    config = yaml.safe_load((PROJECT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    hooks = config["repos"][0]["hooks"]
    assert {hook["language"] for hook in hooks} == {"system"}
    assert [hook["entry"] for hook in hooks] == [
        "make lint",
        "make types",
        ".venv/bin/python -m macros check",
        "make test",
    ]


# ---------------------------------------------------------------- the summary of numbers
ACCEPTED = """\
# Every number of chat, as accepted.
input users = 10.0 user | 10 users
step replicas = 2.0 replica | 2 replicas | ⌈users ÷ 5⌉
headline replicas
"""


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """A project under version control with one accepted chain."""
    folder = tmp_path / "history"
    (folder / ledgers.FOLDER / "designs").mkdir(parents=True)
    ledger_of(folder, "chat").write_text(ACCEPTED, encoding="utf-8")
    git(folder, "init", "--quiet")
    commit(folder)
    return folder


def ledger_of(folder: Path, id: str) -> Path:
    return folder / ledgers.FOLDER / "designs" / f"{id}.txt"


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=Tests", "-c", "user.email=tests@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder: Path) -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "A change")
    return git(folder, "rev-parse", "HEAD").strip()


def test_no_change_of_numbers(history: Path) -> None:
    assert ledgers.summary("HEAD", history) == "## Accepted numbers\n\nNo accepted number changed.\n"


@pytest.mark.parametrize("base", ["", "0" * 40, "no-such-branch", "--help"])
def test_no_commit_to_compare_with(history: Path, base: str) -> None:
    assert ledgers.summary(base, history) == "## Accepted numbers\n\nThere is no earlier commit to compare with.\n"


def test_changed_added_and_removed_numbers(history: Path) -> None:
    base = commit_of_another_branch(history)
    text = ACCEPTED.replace("input users = 10.0 user | 10 users", "input users = 20.0 user | 20 users")
    text = text.replace("step replicas = 2.0 replica | 2 replicas", "step spare_part = 4.0 replica | 4 replicas")
    ledger_of(history, "chat").write_text(text, encoding="utf-8")
    ledger_of(history, "new").write_text("input users = 1.0 user | 1 user\nheadline users\n", encoding="utf-8")
    commit(history)
    assert ledgers.summary(base, history) == (
        "## Accepted numbers\n\n"
        "### designs/chat\n\n"
        "| number | before | now | how it is computed now |\n"
        "|---|---|---|---|\n"
        "| users | 10 users | 20 users |  |\n"
        "| spare\\_part | new | 4 replicas | ⌈users ÷ 5⌉ |\n"
        "| replicas | 2 replicas | removed |  |\n\n"
        "### designs/new\n\n"
        "| number | before | now | how it is computed now |\n"
        "|---|---|---|---|\n"
        "| users | new | 1 user |  |\n\n"
    )


def commit_of_another_branch(history: Path) -> str:
    """Return a later commit beside this branch, whose changes are none of ours."""
    git(history, "checkout", "--quiet", "-b", "other")
    ledger_of(history, "chat").write_text(ACCEPTED.replace("2 replicas", "3 replicas"), encoding="utf-8")
    base = commit(history)
    git(history, "checkout", "--quiet", "-")
    return base


def test_a_ledger_whose_numbers_are_the_same(history: Path) -> None:
    ledger_of(history, "chat").write_text(ACCEPTED.replace("headline replicas", "headline users"), encoding="utf-8")
    assert ledgers.summary("HEAD", history).endswith(
        "### designs/chat\n\nThe numbers are the same; their order, constraints or headline changed.\n\n"
    )


def test_a_text_cannot_end_its_cell() -> None:
    assert ledgers._cell("a|b `c` <d> \\ *e* [f]\ng_h") == "a\\|b \\`c\\` \\<d> \\\\ \\*e\\* \\[f] g\\_h"


# ---------------------------------------------------------------- two builds
PAGE = "<!doctype html><html><body><header>{0}</header><article><h1>One</h1>\n<p>{1}</p></article></body></html>"


def sites(tmp_path: Path, *pages: dict[str, str]) -> list[Path]:
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder, texts in zip(folders, pages, strict=True):
        for name, text in texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    return folders


def test_articles_that_say_the_same(tmp_path: Path) -> None:
    first = {"index.html": PAGE.format("a", "some  words")}
    second = {"index.html": PAGE.format("b", "some <b>words</b>")}
    assert articles.compare(*sites(tmp_path, first, second)) == (
        "The article of 1 of 1 pages says the same, word for word.\n",
        True,
    )


def test_articles_that_differ_and_pages_that_are_missing(tmp_path: Path) -> None:
    first = {"index.html": PAGE.format("", "two words"), "a/b.html": PAGE.format("", "")}
    second = {"index.html": PAGE.format("", "three words"), "c.html": PAGE.format("", "")}
    assert articles.compare(*sites(tmp_path, first, second)) == (
        "The article of 0 of 3 pages says the same, word for word.\n\n"
        "### a/b.html\n\nNot in the second build.\n\n"
        "### c.html\n\nNot in the first build.\n\n"
        "### index.html\n\n````diff\n@@ -1,3 +1,3 @@\n One\n-two\n+three\n words\n````\n",
        False,
    )


def test_a_long_difference_is_cut(tmp_path: Path) -> None:
    first = {"index.html": PAGE.format("", " ".join(f"a{n}" for n in range(100)))}
    second = {"index.html": PAGE.format("", "")}
    report, same = articles.compare(*sites(tmp_path, first, second))
    assert not same
    # A head line, the heading's word, and a hundred words that are gone.
    assert f"\n(and {102 - articles.MOST_LINES} lines more)\n" in report


def test_zensical_s_objects_get_the_names_that_the_macros_use(monkeypatch: pytest.MonkeyPatch) -> None:
    config = {f"j2_{name}": sign for name, sign in zip(with_zensical.DELIMITERS, SIGNS, strict=True)}
    Page = type("Page", (), {"path": "designs/chatgpt.md"})
    MacroEnv = type("MacroEnv", (), {"config": config, "macros": {"n": lambda id: f"<b>{id}</b>"}})
    monkeypatch.setitem(sys.modules, "zensical.extensions.context", SimpleNamespace(Page=Page))
    monkeypatch.setitem(sys.modules, "zensical.extensions.macros", SimpleNamespace(MacroEnv=MacroEnv))
    with_zensical.add_missing_names()
    page: Any = Page()
    env: Any = MacroEnv()
    assert page.file.src_uri == "designs/chatgpt.md"
    assert (env.has_j2("a [[= b =]]"), env.has_j2("a [[b]] {{ c }}")) == (True, False)
    assert env.env.from_string('a [[= n("b") =]] {{ c }}').render() == "a <b>b</b> {{ c }}"
    with pytest.raises(jinja2.UndefinedError):
        env.env.from_string("[[= m =]]").render()


SIGNS = ["[[=", "=]]", "[[%", "%]]", "[[#", "#]]"]


def test_what_differs_between_two_builds_is_named(tmp_path: Path) -> None:
    first, second = sites(
        tmp_path,
        {"same.txt": "a", "longer.txt": "one\ntwo", "changed.txt": "one\ntwo\nthree", "gone.txt": ""},
        {"same.txt": "a", "longer.txt": "one\ntwo\n", "changed.txt": "one\n2\nthree", "new.txt": ""},
    )
    assert reproduce.differences(first, second) == [
        ("changed.txt", r"line 2: 'one\ntwo\nthree' against 'one\n2\nthree'"),
        ("gone.txt", "only in the first build"),
        ("longer.txt", r"line 2: 'one\ntwo' against 'one\ntwo\n'"),
        ("new.txt", "only in the second build"),
    ]
    assert reproduce.differences(first, first) == []


def test_a_build_can_be_made_on_another_day(tmp_path: Path) -> None:
    """Else the comparison would say nothing of what a date does to the site."""
    (tmp_path / "dates.py").write_text(
        "import time\nfrom datetime import date, datetime, timezone\nfrom mkdocs.utils import get_build_date\n"
        "print(date.today(), datetime.now().date(), datetime.now(timezone.utc).date(), get_build_date(),\n"
        "      date.fromtimestamp(time.time()))\n"
    )
    told = []
    for days in ("0", "40"):
        run = subprocess.run(
            [sys.executable, "-m", "later", days, "dates"],
            cwd=tmp_path,
            env={"PATH": "", "PYTHONPATH": str(PROJECT / "tests" / "reproduce"), "TZ": "UTC"},
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
        told.append(run.stdout.split())
    assert len(set(told[0])) == 1
    assert len(set(told[1])) == 1
    assert told[0] != told[1]


def test_two_builds_of_a_commit_are_alike() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.reproduce"],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert run.returncode == 0, run.stdout
    assert re.fullmatch(r"\d+ files of two builds are alike, byte for byte\n", run.stdout)


def test_what_cannot_be_built_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert reproduce.main("no-such-commit") == 2
    assert capsys.readouterr().err.startswith("reproduce: found no commit to build; expected a checkout of ")


def test_make_site_carries_the_time_of_the_last_commit() -> None:
    run = subprocess.run(["make", "--dry-run", "site"], cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True)
    time = git(PROJECT, "log", "-1", "--format=%ct").strip()
    assert f"SOURCE_DATE_EPOCH={time} .venv/bin/python -m mkdocs build --strict\n" in run.stdout


def test_the_packed_site_unpacks_into_a_folder_with_its_first_page(tmp_path: Path) -> None:
    command = re.search(
        r"^zip: .*\n\t\$\(RUN\) (.*)$", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert command
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("first")
    subprocess.run([sys.executable, "-m", *command[1].split()], cwd=tmp_path, check=True)
    with zipfile.ZipFile(tmp_path / "site.zip") as packed:
        assert packed.read("site/index.html") == b"first"


# ---------------------------------------------------------------- what contributors read
def test_the_failed_check_in_contributing_is_what_the_command_prints(copied: Path) -> None:
    text = CONTRIBUTING.read_text(encoding="utf-8")
    example = re.search(r"^```text\n\$ \.venv/bin/python -m macros check\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert example
    for ledger in (PROJECT / "tests" / "ledgers").rglob("*.txt"):
        target = copied / ledger.relative_to(PROJECT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(ledger.read_bytes())
    label = "        label: Share of prompt tokens found in the prefix cache\n        short: hit share\n"
    edit(copied / "data/assumptions.yml", f"{label}        value: 80 %\n", f"{label}        value: 60 %\n")
    run = subprocess.run([sys.executable, "-m", "macros", "check"], cwd=copied, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 1
    # Where the line stands moves with every line that is added above it.
    assert lines_aside(example[1]) == lines_aside(run.stderr)


def lines_aside(text: str) -> str:
    return re.sub(r"\.yml:\d+", ".yml:N", text)


@pytest.mark.parametrize("page", ["README.md", "docs/contributing.md"])
def test_paths_and_commands_that_are_named_exist(page: str) -> None:
    text = (PROJECT / page).read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)`", text)) <= targets
    help = subprocess.run([sys.executable, "-m", "macros", "--help"], cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    for command in re.findall(r"-m macros ([a-z]+)", text):
        assert f"\n    {command} " in help.stdout
    for path in re.findall(r"`((?:data|docs|macros|tests|overrides)/[\w./-]*)`", text):
        # The example of a new design is none that exists.
        assert "code" in path or "NAME" in path or (PROJECT / path).exists(), path


def test_licences_are_whole_and_named() -> None:
    code, text = ((PROJECT / name).read_text(encoding="utf-8") for name in ("LICENSE", "LICENSE-text"))
    assert code.startswith("MIT License\n\nCopyright (c) 2026 GenAI Design Rounds contributors\n")
    assert code.endswith("DEALINGS IN THE\nSOFTWARE.\n")
    assert text.startswith("Attribution 4.0 International\n")
    assert [int(number) for number in re.findall(r"^Section (\d) -- ", text, re.MULTILINE)] == list(range(1, 9))
    assert text.rstrip().endswith("Creative Commons may be contacted at creativecommons.org.")
    assert yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))["license"] == ["MIT", "CC-BY-4.0"]


def test_the_picture_of_the_readme_is_small() -> None:
    picture = PROJECT / ".github" / "first-screen.png"
    assert picture.stat().st_size < 100_000
    assert picture.relative_to(PROJECT).as_posix() in (PROJECT / "README.md").read_text(encoding="utf-8")
