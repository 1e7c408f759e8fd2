"""The command line: what it prints where, and its exit codes."""

import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import macros.__main__ as command
from macros import accepted
from macros.assumptions import load
from macros.assumptions.load import DATA_FILE
from macros.chains import programs
from macros.sizing.explain import derivation
from tests.conftest import PROJECT


class Run:
    """One run of the command in this process: exit code, output and errors."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        self._capsys.readouterr()
        try:
            code = command.main(list(arguments))
        except SystemExit as end:
            # argparse's own.
            code = int(str(end.code))
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the data file for the command, with current ledgers of its own."""
    path, ledgers = tmp_path / "assumptions.yml", tmp_path / "ledgers"
    shutil.copy(DATA_FILE, path)
    monkeypatch.setattr(command, "load", partial(load, path))
    monkeypatch.setattr(command, "write_schema", list)
    monkeypatch.setattr(accepted, "check", partial(accepted.check, folder=ledgers))
    monkeypatch.setattr(accepted, "accept", partial(accepted.accept, folder=ledgers))
    accepted.accept(programs(load(path)))
    return path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def row(output: str, id: str) -> str:
    """The line of one number, with single spaces."""
    return " ".join(next(line for line in output.splitlines() if line.startswith(f"{id} ")).split())


def test_check_that_passes(run: Run, data: Path) -> None:
    assert run("check") == (0, "every number is as accepted\n", "")


def test_check_that_fails_then_accept(run: Run, data: Path) -> None:
    edit(data, "        value: 10_000_000 user\n", "        value: 20_000_000 user\n")
    code, output, errors = run("check")
    assert (code, output) == (1, "")
    assert row(errors, "  replicas").startswith("replicas 117 replicas → 233 replicas × 1.991 because of daily_users")
    assert errors.endswith("If not: undo the change named above.\n")
    ledger = data.parent / "ledgers" / "designs" / "chatgpt.txt"
    assert run("accept") == (0, f"wrote {ledger}\n", "")
    assert run("accept") == (0, "nothing to accept: every number is as accepted\n", "")
    assert run("check") == (0, "every number is as accepted\n", "")


def test_accept_also_writes_the_schema(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = PROJECT / "data" / "assumptions.schema.json"
    monkeypatch.setattr(command, "write_schema", lambda: [schema])
    assert run("accept") == (0, "wrote data/assumptions.schema.json\n", "")


def test_a_mistake_in_the_data(run: Run, data: Path) -> None:
    edit(data, "        value: 10_000_000 user\n", "        value: 10,000,000 user\n")
    code, output, errors = run("check")
    assert (code, output) == (2, "")
    assert errors.startswith(f"{data}: 1 mistake\n{data}:")


def test_a_violated_constraint(run: Run, data: Path) -> None:
    edit(data, "        value: 128 sequence/replica\n", "        value: 351 sequence/replica\n")
    edit(data, "sequence/replica, 350 sequence/replica]", "sequence/replica, 360 sequence/replica]")
    for arguments in (["check"], ["accept"], ["show", "chatgpt"], ["explain", "chatgpt.replicas"]):
        code, output, errors = run(*arguments)
        assert (code, output) == (2, "")
        assert (
            "\n  The batch fits in memory: Concurrent sequences per replica, batch is 351 sequences/replica, " in errors
        )


def test_show(run: Run) -> None:
    code, output, errors = run("show", "chatgpt")
    assert (code, errors) == (0, "")
    assert "→" not in output
    assert row(output, "daily_users") == "daily_users 10,000,000 users (assumption)"
    assert row(output, "gpu.bandwidth") == "gpu.bandwidth 3.35 TB/s/GPU (fact)"
    assert row(output, "token_target") == "token_target 50 ms (target)"
    assert row(output, "replicas") == "replicas 117 replicas = ⌈tokens/s needed ÷ tokens/s per replica⌉"
    chain = programs(load())["designs"]["chatgpt"].chain
    assert [line.split()[0] for line in output.splitlines()] == [*chain.inputs, *chain.steps]


@pytest.mark.parametrize(
    ("setting", "rows"),
    [
        (
            "daily_users=2e7",
            {
                "daily_users": "10,000,000 users → 20,000,000 users (assumption)",
                "replicas": "117 replicas → 233 replicas = ⌈tokens/s needed ÷ tokens/s per replica⌉",
                "decode_step": "11.17 ms = ",
            },
        ),
        (
            "daily_users = 20_000_000 user",
            {"replicas": "117 replicas → 233 replicas = ⌈tokens/s needed ÷ tokens/s per replica⌉"},
        ),
        (
            "input_tokens=3 ktoken/request",
            {
                "input_tokens": "1,500 tokens/request → 3,000 tokens/request (assumption)",
                "replicas": "117 replicas → 166 replicas = ",
            },
        ),
        ("peak_share=30", {"peak_share": "15 % → 30 % (assumption)", "replicas": "117 replicas → 233 replicas = "}),
        ("peak_share=30 %", {"replicas": "117 replicas → 233 replicas = "}),
        (
            "weights=bf16",
            {
                "weights.bytes": "1 byte/parameter → 2 bytes/parameter (fact)",
                "gpu.weights_flops": "1,979 TFLOP/s/GPU → 989 TFLOP/s/GPU (fact)",
                "replicas": "117 replicas → 171 replicas = ",
            },
        ),
        ("weights=dtypes.bf16", {"replicas": "117 replicas → 171 replicas = "}),
        ("gpu=h200_sxm", {"gpu.memory": "80 GB/GPU → 141 GB/GPU (fact)", "replicas": "117 replicas → 82 replicas = "}),
        ("gpu.memory=80 GiB/GPU", {"sequences_that_fit": "350 sequences/replica → 384 sequences/replica = "}),
        ("price=4", {"cost_per_1000": "$0.155 per 1,000 requests = "}),
        ("price=8", {"cost_per_1000": "$0.155 per 1,000 requests → $0.31 per 1,000 requests = "}),
    ],
)
def test_show_with_a_change(run: Run, setting: str, rows: dict[str, str]) -> None:
    code, output, errors = run("show", "chatgpt", "--set", setting)
    assert (code, errors) == (0, "")
    for id, text in rows.items():
        assert row(output, id).startswith(f"{id} {text}")


def test_show_with_two_changes_and_what_they_violate(run: Run) -> None:
    code, output, errors = run("show", "chatgpt", "--set", "model.kv_heads=64", "--set", "batch=50")
    assert (code, errors) == (0, "")
    assert [line for line in output.splitlines() if line.startswith("violated")] == [
        "violated: The batch fits in memory: 50 sequences/replica, but sequences_that_fit is 43 sequences/replica"
    ]
    assert "64 KV heads" in row(output, "kv_per_request")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("daily_users", "--set daily_users: write INPUT=VALUE, such as --set daily_users=2e7"),
        ("daily_users=", "--set daily_users=: write INPUT=VALUE, such as --set daily_users=2e7"),
        ("daily_user=5", "--set daily_user=5: chatgpt has no input `daily_user` (did you mean `daily_users`?)"),
        ("gpus=h200_sxm", "--set gpus=h200_sxm: chatgpt has no input `gpus` (did you mean `gpu`?)"),
        ("zebra=5", "--set zebra=5: chatgpt has no input `zebra`"),
        ("replicas=5", "--set replicas=5: chatgpt has no input `replicas`"),
        ("daily_users=5 token", "--set daily_users=5 token: daily_users is a quantity in user; token is token"),
        ("gpu.memory=5 GB", "--set gpu.memory=5 GB: gpu.memory is a quantity in GB/GPU; GB is byte"),
        (
            "daily_users=2e7x",
            "--set daily_users=2e7x: `2e7x` is not a quantity; write a number, a space and a unit: `2e7 x`\n"
            "  fix: a bare number is in user",
        ),
        (
            "daily_users=1,000",
            "--set daily_users=1,000: `1,000` is not a quantity; write a number, a space and a unit; separate "
            "thousands by _\n  fix: a bare number is in user",
        ),
        (
            "daily_users=5 usr",
            "--set daily_users=5 usr: unknown unit `usr` (did you mean `user`?)\n  fix: a bare number is in user",
        ),
        (
            "price=nan",
            "--set price=nan: `nan` is not a quantity; write a number, a space and a unit, such as `10_000_000 user`\n"
            "  fix: a bare number is in USD/GPU/hour",
        ),
        (
            "daily_users=1" + "0" * 309,
            "--set daily_users=1" + "0" * 309 + ": `1" + "0" * 309 + " user` is too large for a number\n"
            "  fix: a bare number is in user",
        ),
        ("weights=bf17", "--set weights=bf17: `dtypes` has no entry `bf17` (did you mean `bf16`?)"),
        ("weights=2", "--set weights=2: `dtypes` has no entry `2`"),
        (
            "batch=-1",
            "chatgpt.decode_step: formula decode_step: argument batch is batch (−1 request/replica)\n"
            "  at macros/designs/chatgpt.py:N\n  fix: it must be a finite number, not negative",
        ),
        (
            "peak_share=150",
            "chatgpt.peak_requests: formula arrival_rate_at_peak: argument peak_share is peak share (1.5, a plain "
            "number)\n  at macros/designs/chatgpt.py:N\n  fix: it must be a finite number, not negative and at most 1",
        ),
        (
            "gpus_per_replica=0",
            "chatgpt.decode_step: batch × KV (79,691,776,000 byte/replica) divided by zero\n"
            "  the divisor is GPUs per replica (0 GPU/replica)\n"
            "  at macros/designs/chatgpt.py:N (in cache_read_time, macros/formulas/decode.py:N)\n"
            "  fix: find the input that is zero, or give it a range that leaves zero out",
        ),
    ],
)
def test_a_change_that_is_refused(run: Run, setting: str, message: str) -> None:
    code, output, errors = run("show", "chatgpt", "--set", setting)
    assert (code, output) == (2, "")
    assert re.sub(r"\.py:\d+", ".py:N", errors) == message + "\n"


def test_explain(run: Run) -> None:
    chain = programs(load())["designs"]["chatgpt"].chain
    code, output, errors = run("explain", "chatgpt.replicas")
    assert (code, output, errors) == (0, derivation(chain, "replicas") + "\n", "")
    assert output.startswith(
        "Replicas for decode [replicas] = 117 replicas\n  = ⌈tokens/s needed ÷ tokens/s per replica⌉\n├─ "
    )
    assert re.search(
        r"\[gpu\.bandwidth\] = 3\.35 TB/s/GPU · fact; .+; read \d{4}-\d\d-\d\d \(data/assumptions\.yml:\d+\)", output
    )
    assert re.search(
        r"\[daily_users\] = 10,000,000 users · assumption; range 5,000,000 users to 20,000,000 users, ", output
    )
    assert run("explain", "chatgpt.daily_users")[1].startswith("Daily active users [daily_users] = 10,000,000 users · ")
    assert run("explain", "chatgpt.gpu.memory")[1].startswith("GPU memory, H100 SXM [gpu.memory] = 80 GB/GPU · fact; ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["explain", "chatgtp.replicas"],
            r"there is no chain `chatgtp` \(did you mean `chatgpt`\?\); there is chatgpt.*",
        ),
        (["show", "zebra"], r"there is no chain `zebra`; there is chatgpt.*"),
        (
            ["explain", "chatgpt.replica"],
            r"chatgpt has no number `replica` \(did you mean `replicas`\?\); it has model_weights, .*daily_users, .*",
        ),
        (["explain", "chatgpt"], r"chatgpt has no number ``; it has model_weights, .*"),
    ],
)
def test_an_unknown_name(run: Run, arguments: list[str], message: str) -> None:
    code, output, errors = run(*arguments)
    assert (code, output) == (2, "")
    assert re.fullmatch(message + r"\n", errors)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "python -m macros: error: the following arguments are required: COMMAND"),
        (["accpt"], "python -m macros: error: argument COMMAND: invalid choice: 'accpt'"),
        (["check", "--fast"], "python -m macros: error: unrecognized arguments: --fast"),
        (["show"], "python -m macros show: error: the following arguments are required: chain"),
    ],
)
def test_a_command_that_is_not_one(run: Run, arguments: list[str], message: str) -> None:
    code, output, errors = run(*arguments)
    assert (code, output) == (2, "")
    assert message in errors


def test_the_exit_codes_are_documented(run: Run) -> None:
    code, output, errors = run("--help")
    assert (code, errors) == (0, "")
    assert "Exit codes: 0 all well; 1 numbers are not as accepted; 2 a mistake in data, chain or command." in " ".join(
        output.split()
    )


def test_as_a_program_and_into_a_pipe_that_closes_early() -> None:
    show = subprocess.Popen(
        [sys.executable, "-m", "macros", "show", "chatgpt"],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert show.stdout is not None
    assert show.stderr is not None
    show.stdout.close()
    assert show.stderr.read() == b""
    show.stderr.close()
    show.wait()
    explain = subprocess.run(
        [sys.executable, "-m", "macros", "explain", "chatgpt.zebra"], cwd=PROJECT, capture_output=True, text=True
    )
    assert (explain.returncode, explain.stdout) == (2, "")
    assert explain.stderr.startswith("chatgpt has no number `zebra`; it has ")
