"""What a reader may type for a number, and what is said about the rest."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.conftest import PROJECT

Read = Callable[..., dict[str, Any]]

USERS = {"scale": [1, 1], "unit": ["", "user", "users", " "]}
SHARE = {"scale": [100, 1], "unit": ["", "%", "%", " "], "share": True}
GROWTH = {"scale": [100, 1], "unit": ["", "%", "%", " "]}
TIME = {"scale": [1000, 1], "unit": ["", "ms", "ms", " "]}
MEMORY = {"scale": [1, 10**9], "unit": ["", "GB/GPU", "GB/GPU", " "]}
PRICE = {"scale": [3600, 1], "unit": ["$", " per GPU-hour", " per GPU-hour", ""]}
WEIGHTS = {"scale": [1, 10**9], "unit": ["", "B", "B", ""]}
FACTOR = {"scale": [1, 1], "unit": ["", "", "", ""]}


@pytest.fixture(scope="module")
def read(browser: Browser) -> Any:
    """A function from a text and how a number is shown to what is read from it."""
    page: Page = browser.new_page()
    page.set_content("<!doctype html><title>Amounts</title>")
    page.add_script_tag(path=PROJECT / "overrides/assets/scripts/amount.js")
    yield lambda text, how=USERS: page.evaluate(
        "([text, how]) => gdr.amount(text, JSON.parse(how))", [text, json.dumps(how)]
    )
    page.close()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("20M", 2e7),
        ("20 M", 2e7),
        ("8 * 1.5 k", 12_000),
        ("2e7", 2e7),
        ("2E7", 2e7),
        ("2e+7", 2e7),
        ("20_000_000", 2e7),
        ("20,000,000", 2e7),
        ("20000000", 2e7),
        ("1,234.5", 1234.5),
        ("1.5k", 1500),
        ("1.5K", 1500),
        ("3G", 3e9),
        ("3B", 3e9),
        ("2T", 2e12),
        (".5", 0.5),
        ("5e-1", 0.5),
        ("0", 0),
        ("  20M  ", 2e7),
        # Calculations.
        ("8*1.2", 9.6),
        ("8 × 1.2", 9.6),
        ("9 ÷ 2", 4.5),
        ("9:2", 4.5),
        ("1M + 500k", 1.5e6),
        ("10 − 2 – 3", 5),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("((2))*(3 - (1))", 4),
        ("12 / 2 / 3", 2),
        ("-2 * -3", 6),
        ("8*(-1) + 9", 1),
        # The field's own unit.
        ("20M users", 2e7),
        ("20Musers", 2e7),
        ("1 user", 1),
        ("4 * 2 users", 8),
    ],
)
def test_a_number_is_read_as_people_write_it(read: Read, text: str, number: float) -> None:
    assert read(text) == {"base": number}


@pytest.mark.parametrize(
    ("text", "how", "base"),
    [
        ("15 %", SHARE, 15 / 100),
        ("15%", SHARE, 15 / 100),
        ("15", SHARE, 15 / 100),
        ("100 %", SHARE, 1),
        ("150 %", GROWTH, 1.5),
        ("800 ms", TIME, 0.8),
        ("0.8k", TIME, 0.8),
        ("141 GB/GPU", MEMORY, 141e9),
        ("$4", PRICE, 4 / 3600),
        ("4", PRICE, 4 / 3600),
        ("$ 4.00 per GPU-hour", PRICE, 4 / 3600),
        # Here B is the unit, and no factor on top of it.
        ("70B", WEIGHTS, 70e9),
        ("70", WEIGHTS, 70e9),
        ("1.3", FACTOR, 1.3),
    ],
)
def test_a_number_is_in_the_unit_of_its_field(read: Read, text: str, how: dict[str, Any], base: float) -> None:
    assert read(text, how) == {"base": base}


def no_number(text: str, unit: str = "users") -> str:
    return f"“{text}” is not a number of {unit}; try 20M, 1.5k or 8*1.2."


@pytest.mark.parametrize("text", ["", " ", "\u00a0", "\t\n"])
def test_nothing_is_refused(read: Read, text: str) -> None:
    assert read(text) == {"reason": "Nothing here; type a number."}


@pytest.mark.parametrize(
    "text",
    [
        # A comma stands between thousands only.
        *("1,5", "1,50", "1,5000", "1234,567", "20.000.000", "1,234_567", "1_5"),
        *("NaN", "Infinity", "-Infinity", "∞", "1/0", "0/0", "1e999", "1/(2-2)"),
        *("many", "users", "x", "12x", "20Q", "1k5", "1e3k", "2e", "0x10", "0b11", "١٢", "1 2", "k"),
        *("20M requests", "20 %", "$20", "800 ms", "20 users users"),
        *("8*", "*8", "(8", "8)", "()", "8**2", "8^2", "8 % 3", "+8", "1.2.3"),
        *("alert(1)", "constructor", "__proto__", "toString", "this", "[1]", "{}", "`8`", "'8'", "8;9", "8,", "8//9"),
        *("<img src=x onerror=alert(1)>", "javascript:alert(1)", "globalThis.x=1", "1\u0000", "\u202e8"),
    ],
)
def test_what_is_no_number_is_refused_in_its_own_words(read: Read, text: str) -> None:
    assert read(text) == {"reason": no_number(text)}


@pytest.mark.parametrize(
    ("text", "how", "reason"),
    [
        ("-5", USERS, "It cannot be negative."),
        ("−5", USERS, "It cannot be negative."),
        ("3 - 8", USERS, "It cannot be negative."),
        ("$-4", PRICE, "It cannot be negative."),
        ("100.1", SHARE, "A share is at most 100 %."),
        ("150 %", SHARE, "A share is at most 100 %."),
        ("1e300", MEMORY, "That is too large."),
        ("0.8 s", TIME, no_number("0.8 s", "ms")),
        ("80 GB", MEMORY, no_number("80 GB", "GB/GPU")),
        ("80 TB/GPU", MEMORY, no_number("80 TB/GPU", "GB/GPU")),
        ("€4", PRICE, no_number("€4", "per GPU-hour")),
        ("15 ‰", SHARE, no_number("15 ‰", "%")),
        ("many", FACTOR, "“many” is not a number; try 20M, 1.5k or 8*1.2."),
    ],
)
def test_what_no_number_can_be_is_refused_by_unit(read: Read, text: str, how: dict[str, Any], reason: str) -> None:
    assert read(text, how) == {"reason": reason}


@pytest.mark.parametrize("piece", ["(", "-", "9", "1+", "(1+", "1,000", "<b>", "\u0301"])
def test_a_text_without_end_is_refused_at_once(read: Read, piece: str) -> None:
    text = piece * 200_000
    assert read(text) == {"reason": no_number(text[:100])}


def test_a_share_survives_its_own_text(read: Read) -> None:
    for thousandths in range(0, 1001):
        base = read(f"{thousandths / 10:g} %", SHARE)["base"]
        assert math.isclose(base, thousandths / 1000, rel_tol=1e-15)
