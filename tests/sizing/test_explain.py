"""The derivation of a number as a tree."""

import pytest

from macros.sizing import record
from macros.sizing.explain import derivation

from . import everything
from .everything import MEASURED

CHAIN = record("everything", everything.chain, everything.KNOWN, MEASURED)

KEPT = """\
Kept at night [kept] = 6 replicas
  = min(fleet, ⌊fleet × (1 − share)⌋)
├─ Fleet [fleet] = 7 replicas
│    = ⌈busiest ÷ 7 requests/s/replica⌉ + 2 replicas
│  ├─ Busiest [busiest] = 29.17 requests/s
│  │    = max(load × share, load − load × share)
│  │  ├─ Load [load] = 33.3 requests/s
│  │  │    = rate × users ÷ window
│  │  │  ├─ Rate [rate] = 3 requests/user · assumption (data.yml:4)
│  │  │  ├─ Users [users] = 1,000 users · assumption; range 500 users to 4,000 users, a small town, a large one \
(data.yml:5)
│  │  │  └─ Window [window] = 90 s · assumption (data.yml:6)
│  │  └─ Share [share] = 12.5 % · assumption; range 5 % to 25 %, a flat day, a steep one (data.yml:5)
│  └─ Speed [one.speed] = 7 requests/s/replica · fact; a book; read 2026-11-30 (data.yml:9)
└─ Share [share] = 12.5 % · assumption; range 5 % to 25 %, a flat day, a steep one (data.yml:5)"""

LEFT = """\
Left [left] = 0.00195 replicas
  = (fleet − kept at night) × odds
├─ Fleet [fleet] = 7 replicas
│    = ⌈busiest ÷ 7 requests/s/replica⌉ + 2 replicas"""


def test_a_step_down_to_facts_and_assumptions() -> None:
    assert derivation(CHAIN, "kept") == KEPT


def test_a_step_that_stands_in_two_places_is_unfolded_once() -> None:
    text = derivation(CHAIN, "left")
    assert text.startswith(LEFT)
    assert text.count("Busiest [busiest]") == 1
    assert "│  ├─ Fleet [fleet] = 7 replicas\n│  │    (unfolded above)\n" in text


def test_an_input_is_its_own_derivation() -> None:
    assert derivation(CHAIN, "wait_target") == "Wait target [wait_target] = 900 ms · target (data.yml:11)"


def test_an_unknown_number() -> None:
    with pytest.raises(KeyError, match="zebra"):
        derivation(CHAIN, "zebra")
