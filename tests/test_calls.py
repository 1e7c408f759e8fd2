"""Texts whose macros are filled in: compiled once, and again after each change."""

from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FileSystemBytecodeCache

from macros.checks.calls import Calls
from macros.checks.mistakes import Mistakes


def n(id: str) -> str:
    return f"<b>{id}</b>"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were compiled, in order."""
    found: list[str] = []
    original = Environment.compile

    def noted(self: Environment, source: Any, *args: Any, **named: Any) -> Any:
        found.append(str(source))
        return original(self, source, *args, **named)

    monkeypatch.setattr(Environment, "compile", noted)
    return found


def filled(store: Path, *texts: str, name: str = "docs/a.md") -> list[str]:
    """Fill texts in as one build does, all under one name."""
    calls = Calls(Environment(), [n], Mistakes(), FileSystemBytecodeCache(str(store)))
    notes: list[object] = []
    found = [calls.fill(text, {}, lambda line, told: notes.append(told), name) for text in texts]
    assert not notes
    return found


def test_a_text_is_compiled_once_for_all_builds(tmp_path: Path, compiled: list[str]) -> None:
    text = 'A {{ n("gpus") }}'
    assert filled(tmp_path, text) == filled(tmp_path, text) == ["A <b>gpus</b>"]
    assert compiled == [text]


def test_a_changed_text_is_compiled_again(tmp_path: Path, compiled: list[str]) -> None:
    before, after = 'A {{ n("gpus") }}', 'A {{ n("users") }}'
    assert filled(tmp_path, before, after) == ["A <b>gpus</b>", "A <b>users</b>"]
    assert filled(tmp_path, before) == ["A <b>gpus</b>"]
    assert compiled == [before, after, before]


def test_a_text_without_a_name_is_not_kept(tmp_path: Path, compiled: list[str]) -> None:
    text = 'A {{ n("gpus") }}'
    assert filled(tmp_path, text, name="") == filled(tmp_path, text, name="") == ["A <b>gpus</b>"]
    assert compiled == [text, text]
    assert not list(tmp_path.iterdir())
