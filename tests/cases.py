"""The tables of cases that Python and the browser share."""

import json
import struct
from typing import Any

from tests.conftest import PROJECT

# As text, for the browser: on its way there a number could change.
DISPLAY_TEXT = (PROJECT / "tests" / "display_cases.json").read_text(encoding="utf-8")
ROUNDING_TEXT = (PROJECT / "tests" / "rounding_cases.json").read_text(encoding="utf-8")

DISPLAY: list[dict[str, Any]] = json.loads(DISPLAY_TEXT)
ROUNDING: list[dict[str, Any]] = json.loads(ROUNDING_TEXT)


def bits(value: float) -> str:
    """The 64 bits of a float in hexadecimal, so that −0 is not 0."""
    return struct.pack(">d", value).hex()
