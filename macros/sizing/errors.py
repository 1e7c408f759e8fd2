"""Mistakes that an author or an editor can make, worded so that the message alone is enough to mend them."""

from __future__ import annotations

import inspect
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ENGINE = str(Path(__file__).parent)
_FORMULAS = str(Path(__file__).parent.parent / "formulas")
_PROJECT = Path(__file__).parent.parent.parent

_computing: ContextVar[object] = ContextVar("computing", default="outside a chain")


class SizingError(Exception):
    """A number that must not be made. The text says what was found, where, and what to do."""


class NoResultError(SizingError):
    """An operation that has no result for these values; `why` says so in a few words."""

    why = ""


@contextmanager
def computing(what: object) -> Iterator[None]:
    """Name what is being computed, for the messages of mistakes made meanwhile: `chatgpt`, or what has that text."""
    token = _computing.set(what)
    try:
        yield
    finally:
        _computing.reset(token)


def now_computing(what: str) -> None:
    """Move on to the next step (`chatgpt.replicas`) inside an enclosing `computing` block."""
    _computing.set(what)


def fault(found: str, *details: str, fix: str, at: str = "") -> SizingError:
    """Build the error for a mistake on the author's line: what was found, its details, where, and the fix.

    `at` is the place (`file:line`) where it is not the line that is being run.
    """
    lines = [f"{_computing.get()}: {found}", *(f"  {detail}" for detail in details)]
    if place := at or authors_line():
        lines.append(f"  at {place}")
    lines.append(f"  fix: {fix}")
    return SizingError("\n".join(lines))


def no_result(why: str, *details: str, fix: str) -> NoResultError:
    """Build the error for an operation without a result; the browser has no number there either."""
    error = NoResultError(str(fault(why, *details, fix=fix)))
    error.why = why
    return error


def authors_line() -> str:
    """Return `file:line` of the innermost code outside the engine, and of its caller when that is a formula."""
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(_ENGINE):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return ""
    place = f"{relative(frame.f_code.co_filename)}:{frame.f_lineno}"
    if not frame.f_code.co_filename.startswith(_FORMULAS):
        return place
    formula = f"{frame.f_code.co_name}, {place}"
    while frame is not None and frame.f_code.co_filename.startswith((_ENGINE, _FORMULAS)):
        frame = frame.f_back  # type: ignore[assignment]
    return f"{relative(frame.f_code.co_filename)}:{frame.f_lineno} (in {formula})" if frame else formula


def place_of(function: Callable[..., object]) -> str:
    """Return `file:line` of a function's first line."""
    code = inspect.unwrap(function).__code__
    return f"{relative(code.co_filename)}:{code.co_firstlineno}"


def relative(path: str | Path) -> str:
    """Return a path as the author writes it, from the project's root where it lies inside."""
    path = Path(path)
    return path.relative_to(_PROJECT).as_posix() if path.is_relative_to(_PROJECT) else str(path)
