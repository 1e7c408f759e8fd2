"""A larger project of the same kind: a copy in which one design stands again and again under other names.

Each copy has a block, a module, a page and a diagram of its own, and another title and audience. So its numbers are its
own as well, and no text or number of one page answers for another.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from macros.assumptions import parse
from macros.chains import module_name

from .result import Void

ID = "chatgpt"
DATA = "data/assumptions.yml"
PARTS = ("data", "docs", "macros", "overrides", "tests/bench")
# Moves every number that depends on the audience, and keeps a thousand copies within its range.
_MORE_USERS = 1_000

BLOCK = re.compile(rf"^  {ID}:\n(?:    .*\n)+", re.MULTILINE)
_ORDER = re.compile(r"(?<=^    order: )\d+$", re.MULTILINE)
_USERS = re.compile(r"(?<= value: )[\d_]+(?= user$)", re.MULTILINE)
_TITLE = re.compile(r"^(?:title:|#) .+$", re.MULTILINE)


def grow(project: Path, target: Path, more: int) -> None:
    """Copy a project into a new folder `target` and add so many designs after its own.

    Raises Void for a project without the block that is repeated.
    """
    for part in PARTS:
        shutil.copytree(project / part, target / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("mkdocs.yml", "tests/__init__.py"):
        shutil.copy(project / file, target / file)
    source = (target / DATA).read_text(encoding="utf-8")
    block = BLOCK.search(source)
    if block is None or any(len(pattern.findall(block[0])) != 1 for pattern in (_ORDER, _USERS)):
        raise Void(f"{project / DATA}: expected a block `{ID}` with one order and one number of users")
    first = max(data.order for data in parse(source.encode()).designs.values()) + 1
    numbers = range(first, first + more)
    blocks = [_another(block[0], number) for number in numbers]
    (target / DATA).write_text("".join([source[: block.end()], *blocks, source[block.end() :]]), encoding="utf-8")
    for number in numbers:
        _add_files(target, number)


def _another(block: str, number: int) -> str:
    named = block.replace(f"  {ID}:", f"  {ID}-{number}:", 1)
    ordered = _ORDER.sub(str(number), named)
    return _USERS.sub(lambda users: f"{int(users[0]) + number * _MORE_USERS:_}", ordered)


def _add_files(project: Path, number: int) -> None:
    id = f"{ID}-{number}"
    modules, pages = project / "macros" / "designs", project / "docs" / "designs"
    shutil.copy(modules / f"{module_name(ID)}.py", modules / f"{module_name(id)}.py")
    # The drawing last: a build draws an older one again, to compare it with its source.
    for ending in (".diagram.yml", ".svg"):
        shutil.copy(pages / f"{ID}{ending}", pages / f"{id}{ending}")
    page = (pages / f"{ID}.md").read_text(encoding="utf-8")
    (pages / f"{id}.md").write_text(_TITLE.sub(rf"\g<0> {number}", page), encoding="utf-8")
