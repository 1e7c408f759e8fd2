"""What a sound data file gives: typed numbers with their places; YAML's own ways to write the same."""

import os
from fractions import Fraction
from pathlib import Path

import pytest
import yaml

import macros.assumptions
from macros.assumptions import DataError, load, parse
from macros.assumptions.syntax import _loader_class
from tests.assumptions.cases import BASE, edited, replaced

SOUND = parse(BASE.encode())
CHAT = SOUND.designs["chat"]


def after(edit: str) -> macros.assumptions.Assumptions:
    return parse(edited(edit).encode())


def test_public_names() -> None:
    assert macros.assumptions.__all__ == [
        "Assumptions",
        "DataError",
        "add_block",
        "load",
        "parse",
        "schema",
        "splice",
        "write_schema",
    ]


def test_the_project_loads() -> None:
    given = load()
    assert sum(step.minutes.number for step in given.steps) == 45
    assert given.chain_data("designs", "chatgpt").uses["model"].id == "llama3_70b"


def test_steps() -> None:
    framing, deep_dive = SOUND.steps
    assert (framing.id, framing.name, framing.minutes.number, framing.do) == (
        "framing",
        "Framing",
        Fraction(15),
        "Ask.",
    )
    assert (deep_dive.id, str(deep_dive.place), deep_dive.place.column) == (
        "deep-dive",
        "data/assumptions.yml:3",
        3,
    )


def test_facts() -> None:
    entry = SOUND.catalogues["gpus"]["h100"]
    assert list(entry.facts) == ["memory", "bandwidth", "dense_bf16"]
    memory = entry.facts["memory"]
    assert (memory.id, memory.label, memory.kind, memory.word) == ("memory", "GPU memory, H100", "fact", None)
    assert (memory.amount.number, memory.amount.unit.text, memory.amount.base) == (
        Fraction(80),
        "GB/GPU",
        80e9,
    )
    assert (memory.source, memory.read, str(memory.place)) == (
        "datasheet",
        "2026-09-30",
        "data/assumptions.yml:8",
    )
    words = [fact.word for fact in SOUND.catalogues["models"]["llama"].facts.values()]
    assert words == [None, None, "layers", "KV heads", "head dim"]
    assert SOUND.catalogues["dtypes"]["bf16"].arithmetic == "bf16"


def test_assumptions() -> None:
    price = SOUND.shared["price"]
    assert price.range is not None
    assert [end.number for end in price.range] == [2, 6]
    assert (price.kind, price.part, price.because, price.source) == (
        "assumption",
        "numbers",
        "list prices",
        "",
    )
    target = CHAT.own["target"]
    assert (target.kind, target.part, target.range, target.place.line) == ("target", "bill", None, 63)
    assert CHAT.own["peak_share"].amount.base == 0.15


def test_chain() -> None:
    assert (CHAT.group, CHAT.id, CHAT.order, CHAT.binds) == ("designs", "chat", 1, "bandwidth")
    assert CHAT.uses["gpu"] is SOUND.catalogues["gpus"]["h100"]
    measured = CHAT.measured["decode_step"]
    assert (measured.amount.number, measured.tool, measured.date) == (
        Fraction(40),
        "engine benchmark",
        "2026-10-01",
    )
    (follow_up,) = CHAT.follow_ups
    (change,) = follow_up.changes
    assert (follow_up.id, follow_up.asks, change.input) == ("kv-heads", "replicas", "model.kv_heads")
    assert isinstance(change.to, macros.assumptions.model.Amount)
    assert change.to.number == 64
    (question,) = CHAT.quiz
    assert [(slip.id, slip.reads, len(slip.changes)) for slip in question.slips] == [
        ("flat-day", None, 1),
        ("other", "gpus", 0),
    ]


def test_a_use_changes_to_an_entry() -> None:
    edit = "-        changes: {model.kv_heads: 64 head/layer}\n+        changes: {weights: dtypes.bf16}\n"
    given = after(edit)
    assert given.designs["chat"].follow_ups[0].changes[0].to is given.catalogues["dtypes"]["bf16"]


def test_an_own_assumption_overrides_a_shared_one() -> None:
    given = after(
        "-      peak_share:\n+      price: {label: Price, short: price, value: 3 USD/GPU/hour}\n+      peak_share:\n"
    )
    assert given.designs["chat"].own["price"].amount.number == 3
    assert given.shared["price"].amount.number == 4


def test_uses_and_further_blocks_may_be_left_out() -> None:
    (chain,) = after("-path: {}\n+path:\n+  first: {order: 1, binds: money, assumptions: {}}\n").path.values()
    assert (chain.group, chain.uses, chain.own, chain.measured) == ("path", {}, {}, {})
    assert (chain.follow_ups, chain.quiz) == ((), ())


@pytest.mark.parametrize(
    ("written", "number", "unit"),
    [
        ("10_000_000 user", 10_000_000, "user"),
        ("10000000 user", 10_000_000, "user"),
        ("1e7 user", 10_000_000, "user"),
        ("1.5e7 user", 15_000_000, "user"),
        ("+10_000_000 user", 10_000_000, "user"),
        ('"10_000_000 user"', 10_000_000, "user"),
        ("'10_000_000 user'", 10_000_000, "user"),
        ("10_000_000 user  # a comment", 10_000_000, "user"),
        ("&anchor 10_000_000 user", 10_000_000, "user"),
        ("10_000_000.1 user", Fraction(100_000_001, 10), "user"),
        (">-\n          10_000_000\n          user", 10_000_000, "user"),
    ],
)
def test_ways_to_write_a_quantity(written: str, number: Fraction, unit: str) -> None:
    amount = (
        after(
            "-        value: 10_000_000 user\n"
            + "".join(f"+{line}\n" for line in f"        value: {written}".split("\n"))
        )
        .designs["chat"]
        .own["users"]
        .amount
    )
    assert (amount.number, amount.unit.text) == (number, unit)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"no"', "no"),
        ("'70'", "70"),
        ("2026-09-30", "2026-09-30"),
        ("2026-09-30 10:00:00", "2026-09-30 10:00:00"),
        ("no more", "no more"),
        ("70B", "70B"),
        ("a | b {{ c }}", "a | b {{ c }}"),
        ('"a: b"', "a: b"),
        ("é × ü", "é × ü"),
    ],
)
def test_texts_are_what_the_author_wrote(written: str, text: str) -> None:
    edit = f"-    label: Price per GPU-hour\n+    label: {written}\n"
    assert after(edit).shared["price"].label == text


@pytest.mark.parametrize(
    "second",
    [
        "{<<: *h100, memory: 141 GB/GPU}",
        "{memory: 141 GB/GPU, <<: *h100}",
        "{<<: [*h200, *h100]}",
        "{<<: {memory: 141 GB/GPU}, name: H200, bandwidth: 1 TB/s/GPU, dense_bf16: 9 TFLOP/s/GPU, source: a, "
        "read: 2026-01-01}",
    ],
)
def test_a_merge_key_that_overrides(second: str) -> None:
    text = replaced(BASE, "  h100:\n", "  h100: &h100\n")
    text = replaced(text, "models:\n", f"  h200: &h200 {{<<: *h100, memory: 141 GB/GPU}}\n  other: {second}\nmodels:\n")
    facts = parse(text.encode()).catalogues["gpus"]
    assert facts["other"].facts["memory"].amount.number == 141
    assert facts["h100"].facts["memory"].amount.number == 80
    assert facts["h200"].facts["bandwidth"].amount.number == Fraction("3.35")


def test_a_file_is_read_again_only_when_it_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "assumptions.yml"
    file.write_text(BASE, encoding="utf-8")
    first = load(file)
    assert load(file) is first
    os.utime(file, ns=(1, 1))
    assert load(file) == first
    assert load(file) is not first
    file.write_text(replaced(BASE, "    binds: bandwidth\n", "    binds: money\n"), encoding="utf-8")
    assert load(file).designs["chat"].binds == "money"


@pytest.mark.parametrize(("name", "why"), [("missing.yml", "No such file or directory"), (".", "Is a directory")])
def test_no_file(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(DataError) as error:
        load(tmp_path / name)
    assert str(error.value) == (
        f"{tmp_path / name}: found no file that can be read ({why}); expected the data file; "
        "restore it from version control, or correct its permissions"
    )


def test_a_place_is_written_from_the_project() -> None:
    assert str(load().shared["price"].place).startswith("data/assumptions.yml:")


def test_pyyaml_without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    _loader_class.cache_clear()
    with pytest.raises(DataError, match="PyYAML was built without libyaml") as error:
        parse(BASE.encode())
    assert str(error.value).endswith("fix: install PyYAML from its wheel, as `make serve` and `make test` do")
