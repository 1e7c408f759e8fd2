"""A command's edit changes a value's own characters and nothing else."""

from pathlib import Path

import pytest

from macros.assumptions import DataError, add_block, parse, splice
from tests.assumptions.cases import BASE, replaced

USERS = "designs.chat.assumptions.users"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "assumptions.yml"
    text = replaced(BASE, "        value: 15 %\n", '        value: "15 %"    # é × 😀, and a comment   \n')
    path.write_text("# ü\n\n" + text, encoding="utf-8", newline="\n")
    return path


@pytest.mark.parametrize(
    ("changes", "edits"),
    [
        ({}, {}),
        ({f"{USERS}.value": "7_000_000 user"}, {"value: 10_000_000 user": "value: 7_000_000 user"}),
        ({f"{USERS}.range[1]": "30_000_000 user"}, {", 20_000_000 user]": ", 30_000_000 user]"}),
        ({"designs.chat.assumptions.peak_share.value": "8 %"}, {'"15 %"': "8 %"}),
        ({"designs.chat.order": "3"}, {"order: 1": "order: 3"}),
        ({"designs.chat.follow_ups.kv-heads.changes.model.kv_heads": "1 head/layer"}, {"64 head": "1 head"}),
        (
            {
                f"{USERS}.value": "7 user",
                f"{USERS}.range[0]": "6 user",
                "shared.price.value": "3 USD/GPU/hour",
            },
            {
                "value: 10_000_000 user": "value: 7 user",
                "[5_000_000 user": "[6 user",
                "value: 4 USD": "value: 3 USD",
            },
        ),
        ({"designs.chat.assumptions.target.label": "é 😀"}, {"Time per token": "é 😀"}),
    ],
)
def test_only_the_value_changes(file: Path, changes: dict[str, str], edits: dict[str, str]) -> None:
    expected = file.read_text(encoding="utf-8")
    for old, new in edits.items():
        assert expected.count(old) == 1
        expected = expected.replace(old, new)
    assert splice(file, changes) == expected
    parse(expected.encode())


def test_a_mistaken_path(file: Path) -> None:
    with pytest.raises(DataError) as error:
        splice(file, {"designs.chat.assumptions.user.value": "7 user"})
    assert str(error.value) == (
        f"{file}: found no value at `designs.chat.assumptions.user.value` "
        f"(did you mean `{USERS}.value`?); expected the path of one"
    )


def test_a_value_that_the_loader_refuses(file: Path) -> None:
    with pytest.raises(DataError) as error:
        splice(file, {f"{USERS}.value": "7_000_000"})
    assert str(error.value).startswith(f"{file}: 1 mistake\n{file}:55:16: {USERS}.value: found `7_000_000`")


@pytest.mark.parametrize("written", ["Daily # users", "Daily users\n        part: bill", '"Daily users"'])
def test_a_value_that_says_something_else(file: Path, written: str) -> None:
    with pytest.raises(DataError, match="expected values that stand for themselves; edit the file by hand"):
        splice(file, {f"{USERS}.label": written})


def test_a_value_with_an_alias(file: Path) -> None:
    text = file.read_text(encoding="utf-8").replace("label: Daily users", "label: &l Daily users")
    file.write_text(text.replace("short: users", "short: *l"), encoding="utf-8")
    with pytest.raises(DataError):
        splice(file, {f"{USERS}.short": "people"})


BLOCK = """\
  second-chat:
    order: 2
    binds: money
    assumptions:
      users:
        label: Users
        short: users
        value: 5 user
"""


@pytest.mark.parametrize("last", ["          other: {reads: gpus}\n", "          other: {reads: gpus}  # the last\n"])
def test_a_block_follows_the_last_of_its_group(file: Path, last: str) -> None:
    text = replaced(file.read_text(encoding="utf-8"), "          other: {reads: gpus}\n", last)
    file.write_text(text, encoding="utf-8", newline="\n")
    added = add_block(file, "designs", BLOCK)
    assert added == replaced(text, last, last + BLOCK)
    assert parse(added.encode()).designs["second-chat"].order == 2
    assert file.read_text(encoding="utf-8") == text


def test_a_group_without_a_block_to_follow(file: Path) -> None:
    with pytest.raises(DataError) as error:
        add_block(file, "path", BLOCK)
    assert str(error.value) == (
        f"{file}: found no block in `path`; expected one to write another below; add it by hand"
    )


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (BLOCK.replace("5 user", "5"), r"found `5`"),
        (BLOCK.replace("order: 2", "order: 1"), r"found `1`, the order of `chat` as well; "),
        (BLOCK.replace("second-chat", "second_chat"), r"expected lower-case words joined by -; write `second-chat`"),
    ],
)
def test_a_block_that_the_loader_refuses(file: Path, block: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        add_block(file, "designs", block)
