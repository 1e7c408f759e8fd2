"""`numbers.json` and one `numbers.csv` a chain: every number of the site, for other programs.

    {"schema": 1,
     "designs": {"chatgpt": {"title": "Design ChatGPT", "headline": "replicas", "binds": "bandwidth",
                             "rows": [{"id", "label", "kind", "value", "unit", "display", "how", "inputs"}, …],
                             "program": {…}}},
     "path": {…}, "workbench": {…}}

`value` is in `unit`; `kind` is fact, assumption, target, measured or computed; `inputs` are the ids that `how` names.
`program` computes every row from the inputs; its shape is told in `macros/sizing/export.py` and on the numbers sheet.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from macros.pages import DOCS, about
from macros.render.rows import Row, all_rows
from macros.sizing import export

if TYPE_CHECKING:
    from pathlib import Path

    from macros.chains import Program
    from macros.sizing import Chain

_COLUMNS = ("id", "label", "kind", "value", "unit", "display", "how", "inputs")


def write(programs: dict[str, dict[str, Program]], site: Path) -> list[Path]:
    """Write the files into a built site and return their paths."""
    data: dict[str, Any] = {"schema": 1}
    tables = {}
    for group, chains in programs.items():
        data[group] = {}
        for id, program in chains.items():
            rows = [_row(row, program.chain) for row in all_rows(program.chain)]
            data[group][id] = {
                "title": about(DOCS / group / f"{id}.md").title,
                "headline": program.chain.headline,
                "binds": program.data.binds,
                "rows": rows,
                "program": export.program(program.chain),
            }
            tables[site / group / id / "numbers.csv"] = _csv(rows)
    files = {
        site / "numbers.json": json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n",
        **tables,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return list(files)


def _row(row: Row, chain: Chain) -> dict[str, Any]:
    return {
        "id": row.id,
        "label": row.label,
        "kind": row.kind,
        "value": row.value,
        "unit": row.unit,
        "display": str(row.shown),
        "how": chain.steps[row.id].text if row.id in chain.steps else str(row.note or row.how),
        "inputs": list(row.inputs),
    }


def _csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "inputs": " ".join(row["inputs"])} for row in rows)
    return text.getvalue()
