"""`python -m macros new NAME`: all parts of one more design, as a round that builds and waits for its words.

The files beside this one are what it writes. They are real: the chain is checked like every other module, and a test
builds the page.
"""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from macros import diagrams
from macros.accepted import LEDGERS
from macros.assumptions import add_block, parse
from macros.assumptions.fields import DASHED, HIGHEST_ORDER, as_id
from macros.assumptions.load import DATA_FILE
from macros.chains import Program, module_name
from macros.new.chain import chain
from macros.sizing import SizingError, ledger
from macros.sizing.errors import relative

if TYPE_CHECKING:
    from macros.assumptions import Assumptions

# In every sentence that is there to be replaced.
INSTRUCTION = re.compile(r"\bsay here\b", re.IGNORECASE)

_HERE = Path(__file__).parent
_PROJECT = _HERE.parent.parent


def parts(id: str) -> dict[str, Path]:
    """Return the files of a design by what they hold; its block stands in the data file."""
    page = _PROJECT / "docs" / "designs" / f"{id}.md"
    return {
        "module": _PROJECT / "macros" / "designs" / f"{module_name(id)}.py",
        "page": page,
        "diagram's source": page.with_suffix(".diagram.yml"),
        "drawing": page.with_suffix(".svg"),
        "ledger": LEDGERS / "designs" / f"{id}.txt",
    }


def write(id: str, assumptions: Assumptions) -> list[Path]:
    """Write a new design and return the files, the data file first.

    Its order is the next free one, and its own numbers are accepted; those of other chains are left alone. Raises
    SizingError, with nothing written, for a name that is malformed or taken.
    """
    files = parts(id)
    _check_name(id, assumptions)
    _check_free(id, files)
    order = max((data.order for data in assumptions.designs.values()), default=0) + 1
    if order > HIGHEST_ORDER:
        raise SizingError(f"new {id}: found order {HIGHEST_ORDER} taken; expected a free one after the last: lower it")

    def filled(name: str) -> str:
        text = (_HERE / name).read_text(encoding="utf-8")
        return Template(text).substitute(id=id, title=id.replace("-", " "), order=order)

    # All that can be refused is made before anything is written.
    data = add_block(DATA_FILE, "designs", filled("block.yml"))
    checked = parse(data.encode(), relative(DATA_FILE))
    texts = {
        DATA_FILE: data,
        files["module"]: filled("chain.py"),
        files["page"]: filled("page.md"),
        files["diagram's source"]: filled("diagram.yml"),
        files["ledger"]: ledger.write(Program(checked, checked.designs[id], chain).chain),
    }
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return [*texts, diagrams.write(files["diagram's source"])]


def _check_name(id: str, assumptions: Assumptions) -> None:
    if not re.fullmatch(DASHED, id):
        guess = as_id(id, DASHED)
        fix = f"write `{guess}`" if guess else "begin with a letter a to z"
        raise SizingError(f"new {id}: found the name `{id}`; expected lower-case words joined by -; {fix}")
    for data in [*assumptions.designs.values(), *assumptions.path.values(), *assumptions.workbench.values()]:
        # Macros tell a chain from an entry in use by its name alone: `chatgpt.replicas`, `model.layers`.
        if id == data.id or id in data.uses:
            what = f"`{data.group}: {id}:`" if id == data.id else f"a use of `{data.id}`"
            raise SizingError(f"new {id}: the name is taken by {what} ({data.place}); expected a name of its own")


def _check_free(id: str, files: dict[str, Path]) -> None:
    there = [relative(path) for path in files.values() if path.exists()]
    if there:
        raise SizingError(f"new {id}: found {', '.join(there)} already; expected no part of it: remove or rename that")
