"""One recorded expression as text: in the author's order, with the fewest brackets that keep its meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .quantity import Quantity

_SIGNS = {"+": " + ", "-": " − ", "*": " × ", "/": " ÷ "}
_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2}
_POWER = 3
_ATOM = 4
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def expression_text(q: Quantity) -> str:
    """Write how a quantity was made, down to inputs, constants and steps: `⌈needed ÷ per replica⌉`."""
    return _text(q)[0]


def _text(q: Quantity) -> tuple[str, int]:
    """Return the text of a quantity and how strongly it holds together (4 never needs brackets)."""
    q = _without_bounds(q)
    if q.origin is not None:
        # Where it cannot be left out, as in 1 ÷ step, it is said after all.
        return q.origin.text or "1", _ATOM
    if q.op in ("*", "/"):
        left, right = q.args
        # The one that goes without saying (one token per step) is left out with its sign.
        if _unsaid(right):
            return _text(left)
        if _unsaid(left) and q.op == "*":
            return _text(right)
    if q.op in _SIGNS:
        left, right = q.args
        strength = _STRENGTH[q.op]
        # a − (b − c) and a ÷ (b × c) need brackets; a + (b − c) and a × (b ÷ c) read the same without.
        tight = strength + 1 if q.op in ("-", "/") else strength
        return _bracketed(left, strength) + _SIGNS[q.op] + _bracketed(right, tight), strength
    if q.op == "pow":
        return _raised(*q.args), _POWER
    if q.op == "geom":
        base, last = q.args
        return f"1 + {_bracketed(base, _ATOM)} + … + {_raised(base, last)}", _STRENGTH["+"]
    inside = ", ".join(_text(arg)[0] for arg in q.args)
    return {"ceil": f"⌈{inside}⌉", "floor": f"⌊{inside}⌋", "sqrt": f"√({inside})"}.get(q.op, f"{q.op}({inside})"), _ATOM


def _raised(base: Quantity, exponent: Quantity) -> str:
    text = _in_one_piece(base)
    if exponent.op == "constant":
        return text + _text(exponent)[0].translate(_SUPERSCRIPTS)
    return f"{text}^{_in_one_piece(exponent)}"


def _in_one_piece(q: Quantity) -> str:
    text = _bracketed(q, _ATOM)
    # `head dim²` reads as if the square were of its last word.
    return f"({text})" if _without_bounds(q).origin is not None and " " in text else text


def _bracketed(q: Quantity, at_least: int) -> str:
    text, strength = _text(q)
    return text if strength >= at_least else f"({text})"


def _unsaid(q: Quantity) -> bool:
    origin = _without_bounds(q).origin
    return origin is not None and origin.text == ""


def _without_bounds(q: Quantity) -> Quantity:
    """Return what is shown for a value that is refused out of its bounds: they are no part of how it is computed."""
    while q.op in ("upto", "nonneg"):
        q = q.args[0]
    return q
