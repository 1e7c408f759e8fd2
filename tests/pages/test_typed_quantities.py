"""No page types a quantity: every number with a unit comes from a chain, so that it follows its inputs."""

import pytest

from macros.checks.typed import message, typed_quantities
from tests.conftest import PROJECT

PAGES = sorted((PROJECT / "docs").rglob("*.md"))

CAUGHT = [
    ("A step takes 11.17 ms.", "11.17 ms"),
    ("The card has 80 GB.", "80 GB"),
    ("The card has 80GB.", "80GB"),
    ("An 80-GB card", "80-GB"),
    ("The card has 80 GiB.", "80 GiB"),
    ("It reads 3.35 TB/s.", "3.35 TB"),
    ("At 989 TFLOP/s", "989 TFLOP"),
    ("1,000,000 tokens", "1,000,000 tokens"),
    ("1_000 tokens", "1_000 tokens"),
    ("1 token", "1 token"),
    ("1e9 bytes", "1e9 bytes"),
    ("2.5e+3 requests/s", "2.5e+3 requests"),
    ("468 GPUs", "468 GPUs"),
    ("468 gpus", "468 gpus"),
    ("4 GPU-seconds", "4 GPU"),
    ("117 replicas", "117 replicas"),
    ("10 million users", "10 million users"),
    ("10M users", "10M users"),
    ("10 M users", "10 M users"),
    ("128k tokens", "128k tokens"),
    ("70B parameters", "70B parameters"),
    ("10,000,000 daily users", "10,000,000 daily users"),
    ("8 KV heads", "8 KV heads"),
    ("80 layers", "80 layers"),
    ("15 %", "15 %"),
    ("15%", "15%"),
    ("15\N{NO-BREAK SPACE}%", "15 %"),
    ("15 percent", "15 percent"),
    ("$4", "$4"),
    ("$ 0.155 per request", "$ 0.155"),
    ("$2.58–6.16", "$2.58–6.16"),
    ("4 USD", "4 USD"),
    ("45 minutes", "45 minutes"),
    ("45 min", "45 min"),
    ("24 h", "24 h"),
    ("24 hours", "24 hours"),
    ("5-10 ms", "5-10 ms"),
    ("5–10 ms", "5–10 ms"),
    ("a step of 5\nms", "5 ms"),
    ("> for 10,000,000\n> users", "10,000,000 users"),
    ("**80** and 8 users", "8 users"),
    ("[80 GB of memory](numbers.md)", "80 GB"),
    ("---\ntitle: For 10 users\n---\n", "10 users"),
    ("---\nload_test: |\n  run\ntitle: For 10 users\n---\n", "10 users"),
    ("---\ntitle: A page\n---\n\nload_test: for 10 users", "10 users"),
    ("---\nquiz:\n  fits:\n    right: All 4 GPUs.\n---\n", "4 GPUs"),
]
PASSED = [
    "Llama 3 70B on an H100 at p95, in fp8, with int4 weights",
    "the 8B, the 70B and the 405B model",
    "Llama-3.1-70B, GPT-4 users and A100 hours",
    "the 95th percentile",
    "HTTP/2 requests",
    "2026-11-30 is a day",
    "Say it in 2 or 3 sentences.",
    "five hundred prompts, one byte per weight",
    "Section 3. Tokens are next.",
    "1. GPU memory\n2. GPU bandwidth",
    "in 2026 the users",
    "version 1.5 of the plugin",
    "`80 GB`, ``80 GB`` and\n```sh\nrun --for 10 min\n```\n",
    "~~~\n4 GPUs\n~~~",
    '[[= n("batch") =]] sequences',
    '8 [[= n("batch") =]] tokens',
    '[[= at("gpus", batch="8 GPU") =]]',
    "[[# 80 GB #]]",
    "[the sheet](numbers-80-GB.md) and <https://example.org/80-GB> and https://example.org/4-GPU",
    '<span style="width:50 %">half</span>',
    "---\nload_test: |\n  run --for 10 min\n---\n",
    "---\nload_test: |-\n\n  # For 4 GPUs\n\n  run --for 10 min\ntitle: A page\n---\n",
    "no number of GPUs",
    "95 as users know",
    "step 2, tokens",
]


@pytest.mark.parametrize(("text", "typed"), CAUGHT)
def test_a_typed_quantity_is_caught(text: str, typed: str) -> None:
    assert [found for _, found in typed_quantities(text)] == [typed]


@pytest.mark.parametrize("text", PASSED)
def test_what_is_no_typed_quantity_passes(text: str) -> None:
    assert list(typed_quantities(text)) == []


def test_the_line_is_the_one_where_the_number_stands() -> None:
    text = "---\ntitle: A page\nload_test: |\n  a\n  b\n---\n\n```\n4 GPUs\n```\n\nand 80\nGB, and 8 GPUs"
    assert list(typed_quantities(text)) == [(12, "80 GB"), (13, "8 GPUs")]


def test_the_message_says_what_to_write() -> None:
    assert message("80 GB") == (
        '"80 GB" is typed\n'
        '  fix: give the number an id in data/assumptions.yml or in the chain, and quote it: [[= n("its_id") =]]'
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(PROJECT).as_posix())
def test_no_page_types_a_quantity(page) -> None:
    found = typed_quantities(page.read_text(encoding="utf-8"))
    told = [f"{page.relative_to(PROJECT).as_posix()}:{line}: {message(typed)}" for line, typed in found]
    assert not told, "\n" + "\n".join(told)
