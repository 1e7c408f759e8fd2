"""What a reader's browser holds, as tests put it there."""

import json
from typing import Any

# Fills the storage up to some characters, as another application on the same host might.
FILL = """(room) => {
  localStorage.setItem("filler", "x".repeat(room));
  for (let size = 2 ** 22; size >= 1; size /= 2) {
    for (let at = 0; ; at++) {
      try {
        localStorage.setItem(`filler ${size} ${at}`, "x".repeat(size));
      } catch {
        break;
      }
    }
  }
  localStorage.removeItem("filler");
}"""


def attempt(**others: Any) -> dict[str, Any]:
    """An attempt at a round, as it is stored."""
    plain = {"id": "a", "at": 10**12, "score": 4, "of": 8, "minutes": 45}
    return plain | {"ticks": [], "notes": {}, "predictions": {}, "pad": {}} | others


def entry(data: Any, version: int = 1) -> str:
    """The text of a stored entry."""
    return json.dumps({"v": version, "data": data}, separators=(",", ":"), ensure_ascii=False)
