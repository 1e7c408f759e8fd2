"""Reads and checks the data file in phases, so that as many mistakes as possible are told at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from macros.sizing.errors import relative

from .build import build
from .fields import FILE
from .mistakes import DataError, Mistakes
from .rules import check_rules
from .shape import check_shape
from .syntax import compose, decode
from .tree import Mapping, Node, TreeBuilder
from .values import check_values

if TYPE_CHECKING:
    from .model import Assumptions

DATA_FILE = Path(__file__).parents[2] / "data" / "assumptions.yml"

_cache: dict[Path, tuple[int, int, Assumptions]] = {}


def load(path: Path = DATA_FILE) -> Assumptions:
    """Return the checked data file; read again only when its time or size has changed.

    Raises DataError, which lists every mistake with file, line, column and key.
    """
    try:
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if path in _cache and _cache[path][:2] == stamp:
            return _cache[path][2]
        source = path.read_bytes()
    except OSError as error:
        raise DataError(
            f"{relative(path)}: found no file that can be read ({error.strerror}); expected the data file; "
            "restore it from version control, or correct its permissions"
        ) from None
    assumptions = parse(source, relative(path))
    _cache[path] = (*stamp, assumptions)
    return assumptions


def parse(source: bytes, file: str = "data/assumptions.yml") -> Assumptions:
    """Return the checked content of a data file, which messages and places call `file`. Raises DataError."""
    mistakes = Mistakes(file)
    root = read_tree(decode(source, mistakes), mistakes)
    check_shape(root, mistakes)
    check_values(FILE, root, "", mistakes)
    if isinstance(root, Mapping):
        check_rules(root, mistakes)
    mistakes.check()
    return build(root, file)


def read_tree(text: str, mistakes: Mistakes) -> Node:
    """Return the tree of a text and note mistakes of its structure. Raises DataError when it is no YAML."""
    return TreeBuilder(text, mistakes).build(compose(text, mistakes), "", None)
