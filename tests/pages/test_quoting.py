"""Numbers inside sentences, as the macros of a page print them."""

import re

import pytest

from macros.assumptions import load
from macros.chains import Program, programs
from macros.render import quoting
from macros.sizing import SizingError


@pytest.fixture(scope="module")
def program() -> Program:
    """Design ChatGPT."""
    return programs(load())["designs"]["chatgpt"]


def plain_text(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html)


def test_a_number_is_a_link_to_its_row(program: Program) -> None:
    chain = program.chain
    assert quoting.number(chain, "gpu.memory") == (
        '<a class="gdr-n" href="#row-gpu-memory" data-step="gpu.memory"><b>80</b> <span class="gdr-u">GB/GPU</span></a>'
    )
    assert quoting.number(chain, "gpu.memory", "designs/chatgpt.html").startswith(
        '<a class="gdr-n" href="designs/chatgpt.html#row-gpu-memory"'
    )


def test_a_number_without_link_or_unit(program: Program) -> None:
    chain = program.chain
    assert (
        quoting.number(chain, "gpu.memory", link=False, unit=False)
        == '<span class="gdr-v" data-n="gpu.memory"><b>80</b></span>'
    )
    assert plain_text(quoting.number(chain, "price")) == "$4 per GPU-hour"
    assert plain_text(quoting.number(chain, "price", unit=False)) == "$4"
    assert plain_text(quoting.number(chain, "model.nominal")) == "70B"


def test_a_number_at_an_end_of_a_range(program: Program) -> None:
    assert quoting.number_at(program, "batch", {"batch": "low"}).startswith(
        '<span class="gdr-v" data-n="batch" data-at="batch=low">'
    )
    low, high = (plain_text(quoting.number_at(program, "batch", {"batch": end})) for end in ("low", "high"))
    assert (low, high) == ("64 sequences/replica", "350 sequences/replica")
    assert plain_text(quoting.number_at(program, "batch", {"batch": "low"}, unit=False)) == "64"
    steps = [plain_text(quoting.number_at(program, "peak_requests", {"daily_users": end})) for end in ("low", "high")]
    assert steps == ["1,667 requests/s", "6,667 requests/s"]


def test_what_a_card_changes_an_input_to(program: Program) -> None:
    assert plain_text(quoting.changed_to(program, "peak", "peak_share")) == "30 %"
    assert plain_text(quoting.changed_to(program, "peak", "peak_share", unit=False)) == "30"


def test_digits_for_a_command_line(program: Program) -> None:
    assert quoting.plain(program.chain, "input_tokens") == "1500"
    assert quoting.plain(program.chain, "gpu.bandwidth") == "3.35"


MISTAKES = [
    (
        lambda p: quoting.number(p.chain, "replica"),
        "chatgpt has no number `replica` (did you mean `replicas`?)\n"
        "  fix: quote one that `python -m macros show chatgpt` lists",
    ),
    (
        lambda p: quoting.number_at(p, "zzz", {}),
        "chatgpt has no number `zzz`\n  fix: quote one that `python -m macros show chatgpt` lists",
    ),
    (
        lambda p: quoting.plain(p.chain, "bach"),
        "chatgpt has no number `bach` (did you mean `batch`?)\n"
        "  fix: quote one that `python -m macros show chatgpt` lists",
    ),
    (
        lambda p: quoting.changed_to(p, "peak", "batch"),
        "chatgpt has no follow-up card `peak` that sets `batch` to an amount\n"
        "  fix: choose one of kv-heads (model.kv_heads), kv-heads-batch-cut (model.kv_heads, batch), "
        "context (input_tokens), reasoning (output_tokens), weights-16-bit (weights), newer-gpu (gpu), "
        "peak (peak_share), exact-count (model.nominal)",
    ),
]


@pytest.mark.parametrize(("call", "told"), MISTAKES, ids=["n", "at", "plain", "to"])
def test_a_mistake_says_what_to_write(program: Program, call, told) -> None:
    with pytest.raises(SizingError) as error:
        call(program)
    assert str(error.value) == told


@pytest.mark.parametrize("ends", [{"batch": "middle"}, {"gpu.memory": "low"}, {"bach": "low"}])
def test_an_end_needs_an_input_with_a_range(program: Program, ends) -> None:
    (name, end), *_ = ends.items()
    expected = (
        f'{name}="{end}" is no end of a range; expected an input with a range, at its "low" or "high" end\n'
        "  fix: choose one of daily_users, "
    )
    with pytest.raises(SizingError, match=f"^{re.escape(expected)}"):
        quoting.number_at(program, "replicas", ends)
