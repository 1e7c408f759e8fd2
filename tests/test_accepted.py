"""The accepted numbers: the real ledgers are current, and a change is told with its cause by name and line."""

import shutil
from pathlib import Path

import pytest

from macros import accepted
from macros.assumptions import load, parse
from macros.assumptions.load import DATA_FILE
from macros.chains import Program, programs
from macros.sizing import SizingError
from tests.assumptions.cases import BASE, replaced
from tests.sizing.author import chain_of

ADVICE = (
    "If this is meant: run `make accept` and commit the ledgers with the change, so that a reviewer sees it.\n"
    "If not: undo the change named above."
)


def test_the_ledgers_are_current() -> None:
    report = accepted.check(programs(load()))
    if report:
        pytest.fail(report, pytrace=False)


LINES = [
    "peak = numbers.step('peak_requests', 'Peak requests', 'request/s', short='peak')"
    ".of(given.users * Constant(8, 'request/user') * given.peak_share / Constant(3600, 's'))",
    "step = numbers.step('decode_step', 'Decode step', 'ms', short='step')"
    ".of(given.model.nominal * given.weights.bytes / Constant(4, 'GPU') / given.gpu.bandwidth)",
    "busy = numbers.step('in_flight', 'In flight', 'request').of(peak * 400 * step)",
    "replicas = numbers.step('replicas', 'Replicas', 'replica').of(ceil(busy / Constant(128, 'request/replica')))",
    "c.headline(replicas)",
    "c.require('per-token', 'The time per token meets its target', step, at_most=given.target)",
]
# The data file measures the decode step, so that nothing behind it moves what is computed from it.
MEASURED = "40 ms measured (engine benchmark, 2026-10-01, 4 × H100), computed"
WIDTH = len(f"{MEASURED} 10.4 ms")
RENAMED = ("'in_flight', 'In flight'", "'decoding', 'In flight'")
MORE = "numbers.step('spare', 'Spare', 'replica').of(replicas * 0.1)"


def small(*edits: tuple[str, str], lines: list[str] = LINES) -> dict[str, dict[str, Program]]:
    """The chain of the sound data file, with edits of the file's text."""
    text = BASE
    for old, new in edits:
        text = replaced(text, old, new)
    assumptions = parse(text.encode())
    return {"designs": {"chat": Program(assumptions, assumptions.designs["chat"], chain_of(*lines))}}


@pytest.fixture
def ledgers(tmp_path: Path) -> Path:
    """A folder with the accepted ledger of the small chain."""
    folder = tmp_path / "ledgers"
    assert accepted.accept(small(), folder) == [folder / "designs" / "chat.txt"]
    return folder


@pytest.mark.parametrize(
    ("edits", "lines", "report"),
    [
        pytest.param(
            [("        value: 10_000_000 user\n", "        value: 20_000_000 user\n")],
            LINES,
            """\
chat: 4 numbers are not as accepted
  users          10,000,000 users → 20,000,000 users  × 2  because of users
  peak_requests  3,333 requests/s → 6,667 requests/s  × 2  because of users
  in_flight      53,333 requests → 106,667 requests   × 2  because of users
  replicas       417 replicas → 834 replicas          × 2  because of users
  because of users 10,000,000 users → 20,000,000 users (data/assumptions.yml:53)""",
            id="an assumption",
        ),
        pytest.param(
            [("    bandwidth: 3.35 TB/s/GPU\n", "    bandwidth: 4.8 TB/s/GPU\n")],
            LINES,
            "chat: 2 numbers are not as accepted\n"
            f"  gpu.bandwidth  {'3.35 TB/s/GPU → 4.8 TB/s/GPU':{2 * WIDTH + 3}}  × 1.433  because of gpu.bandwidth\n"
            f"  decode_step    {MEASURED} 10.4 ms → {MEASURED} 7.29 ms           because of gpu.bandwidth\n"
            "  because of gpu.bandwidth 3.35 TB/s/GPU → 4.8 TB/s/GPU (data/assumptions.yml:9)",
            id="a fact",
        ),
        pytest.param(
            [],
            [*LINES, MORE],
            "chat: 1 number is not as accepted\n  spare  step added, 41.7 replicas",
            id="a step added",
        ),
        pytest.param(
            [],
            [line.replace(*RENAMED) for line in LINES],
            "chat: 1 number is not as accepted\n  decoding  renamed, was in_flight",
            id="a step renamed",
        ),
        pytest.param(
            [],
            [line.replace("peak * 400", "400 * peak") for line in LINES],
            "chat: 1 number is not as accepted\n"
            "  in_flight  the formula, not the value    because of the formula of in_flight\n"
            "  because of the formula of in_flight: peak × 400 × step → 400 × peak × step",
            id="the formula only",
        ),
    ],
)
def test_a_change_is_told_and_accepted(ledgers: Path, edits, lines: list[str], report: str) -> None:
    changed = small(*edits, lines=lines)
    assert accepted.check(changed, ledgers) == f"{report}\n\n{ADVICE}"
    assert accepted.accept(changed, ledgers) == [ledgers / "designs" / "chat.txt"]
    assert accepted.check(changed, ledgers) == ""
    assert accepted.accept(changed, ledgers) == []


def test_a_step_removed(ledgers: Path) -> None:
    accepted.accept(small(lines=[*LINES, MORE]), ledgers)
    assert accepted.check(small(), ledgers) == (
        f"chat: 1 number is not as accepted\n  spare  step removed, 41.7 replicas\n\n{ADVICE}"
    )


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([*LINES[:4], "c.headline(busy)", LINES[5]], id="headline"),
        pytest.param([*LINES[:5], "given.target"], id="constraint"),
        pytest.param([LINES[1], LINES[0], *LINES[2:]], id="order"),
    ],
)
def test_what_no_number_shows_is_told_as_well(ledgers: Path, lines: list[str]) -> None:
    assert accepted.check(small(lines=lines), ledgers) == (
        f"{ledgers / 'designs' / 'chat.txt'}: the numbers are as accepted, but their order, constraints or headline "
        f"changed\n\n{ADVICE}"
    )


def test_a_chain_without_a_ledger(tmp_path: Path) -> None:
    assert accepted.check(small(), tmp_path) == (
        f"{tmp_path / 'designs' / 'chat.txt'}: no ledger yet, so none of the 4 numbers of chat is accepted\n\n{ADVICE}"
    )


def test_a_ledger_without_a_chain_is_told_and_removed(ledgers: Path) -> None:
    orphans = [ledgers / "designs" / "gone.txt", ledgers / "elsewhere" / "chat.txt"]
    for orphan in orphans:
        orphan.parent.mkdir(exist_ok=True)
        orphan.write_text("headline replicas\n")
    told = [f"{orphan}: a ledger without a chain\n  fix: `make accept` removes it" for orphan in orphans]
    assert accepted.check(small(), ledgers) == "\n\n".join([*told, ADVICE])
    assert accepted.accept(small(), ledgers) == orphans
    assert not any(orphan.exists() for orphan in orphans)
    assert accepted.check(small(), ledgers) == ""


def test_a_line_that_is_not_of_a_ledger(ledgers: Path) -> None:
    ledger = ledgers / "designs" / "chat.txt"
    ledger.write_text("<<<<<<< HEAD\n" + ledger.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(SizingError) as error:
        accepted.check(small(), ledgers)
    assert str(error.value) == f"{ledger}:1: not a line of a ledger: '<<<<<<< HEAD'\n  fix: run `make accept`"
    accepted.accept(small(), ledgers)
    assert accepted.check(small(), ledgers) == ""


def test_twice_the_users_of_design_chatgpt(tmp_path: Path) -> None:
    data, folder = tmp_path / "assumptions.yml", tmp_path / "ledgers"
    text = DATA_FILE.read_text(encoding="utf-8")
    before, after = "        value: 10_000_000 user\n", "        value: 20_000_000 user\n"
    assert text.count(before) == 1
    data.write_text(text.replace(before, after), encoding="utf-8")
    shutil.copytree(accepted.LEDGERS, folder)
    accepted.accept(programs(load()), folder)

    changed = programs(load(data))
    report = accepted.check(changed, folder)
    rows = {row.split()[0]: " ".join(row.split()[1:]) for row in report.splitlines()[1:] if row.startswith("  ")}
    line = text[: text.index(before)].count("\n") + 1
    assert rows.pop("because") == (f"of daily_users 10,000,000 users → 20,000,000 users ({data}:{line})")
    assert all(row.endswith(" because of daily_users") for row in rows.values())
    assert {
        "daily_users": "10,000,000 users → 20,000,000 users × 2 because of daily_users",
        "peak_requests": "3,333 requests/s → 6,667 requests/s × 2 because of daily_users",
        "tokens_needed": "1,333,333 tokens/s → 2,666,667 tokens/s × 2 because of daily_users",
        "replicas": "117 replicas → 233 replicas × 1.991 because of daily_users",
        "gpus": "468 GPUs → 932 GPUs × 1.991 because of daily_users",
        "total_average_cost_per_1000": "$2.662 per 1,000 requests → $2.659 per 1,000 requests × 0.9991 "
        "because of daily_users",
    }.items() <= rows.items()
    assert rows.keys().isdisjoint({"kv_per_request", "sequences_that_fit", "decode_step", "cost_per_1000"})
    accepted.accept(changed, folder)
    assert accepted.check(changed, folder) == ""
