"""What YAML would make of an unquoted text: `no` is false, `1:30` is 90. Refused by name, never converted."""

from __future__ import annotations

import math
import re
from functools import lru_cache

import yaml
from yaml.resolver import Resolver

_TAG = "tag:yaml.org,2002:"
_TYPED = {_TAG + name: name for name in ("null", "bool", "int", "float")}

# PyYAML takes these for text, other readers of YAML 1.1 (first part) or 1.2 (the rest) do not.
_ELSEWHERE = re.compile(r"[yYnN]|0o[0-7]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+")

_resolver = Resolver()


@lru_cache(maxsize=1024)
def implicit_type(text: str) -> str:
    """Return what an unquoted text is to YAML: `null`, `bool`, `int`, `float`, or an empty text for a text.

    Dates are texts here: they are checked as such where one is expected.
    """
    if " " in text:
        # The only values with a space are points in time, texts here.
        return ""
    tag: str = _resolver.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    if tag in _TYPED:
        return _TYPED[tag]
    if _ELSEWHERE.fullmatch(text):
        return "bool" if text.isalpha() else "float"
    return ""


def reading(text: str) -> str:
    """Return `, which YAML reads as …` for an unquoted text of a type; empty where both look alike."""
    try:
        value = yaml.safe_load(text)
    except ValueError:
        # A number of thousands of digits, or digits that PyYAML's own pattern lets through (`0b_`).
        return ", which YAML reads as a number"
    if isinstance(value, str):
        if text.isalpha():
            return f", which YAML 1.1 reads as {'true' if text in 'yY' else 'false'}"
        return ", which YAML 1.1 reads as a text and YAML 1.2 as a number"
    words = _words(value)
    return "" if words == text else f", which YAML reads as {words}"


def _words(value: float | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "infinity" if value > 0 else "minus infinity"
    return repr(value)
