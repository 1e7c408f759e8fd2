"""A vector search behind a permission filter, held to what was published, to tables and to the exact distribution."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from macros import formulas as f
from tests.formulas.cases import PRINTED, Case, agrees, names, solved

LUCENE = "apache/lucene PR 656, glove-100-angular at a filter selectivity of 0.01"
CHI_SQUARE = "chi-square table, 95th percentile at 200 degrees of freedom: 233.994"
COINS = "binomial distribution"

CASES = [
    # 118,891 visited for 100 results: as many as a walk to 10,000 candidates with 11.9 comparisons each.
    Case(
        "visited",
        LUCENE,
        f.compared_in_graph,
        {"candidates": "10_000 vector/request", "followed": "12 link/vector"},
        "118_891 vector/request",
        0.01,
    ),
    # The same collection: at one percent it lies far below this share, and an exact scan compares fewer.
    Case(
        "visited",
        LUCENE,
        f.share_where_scan_meets_graph,
        {"followed": "12 link/vector", "wanted": "100 vector/request", "vectors": "1_200_000 vector"},
        "3.16 %",
        PRINTED,
    ),
    # A small share is the Poisson limit, whose mean is half a percentile of the chi-square distribution.
    Case(
        "poisson",
        CHI_SQUARE,
        f.candidates_to_fetch,
        {"wanted": "100 vector/request", "share": "0.01 %"},
        "1_169_970 vector/request",
        0.01,
    ),
    Case(
        "nothing",
        COINS,
        f.chance_of_none,
        {"share": "1 %", "fetched": "100 vector/request"},
        "36.603 %",
        PRINTED,
    ),
    Case(
        "scan",
        "10.24 GB at 800 GB/s",
        f.scan_time,
        {
            "scanned": "10_000_000 vector",
            "bytes_per_vector": "1_024 B/vector",
            "nodes": "8 node/replica",
            "bandwidth": "100 GB/s/node",
        },
        "12.8 ms",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_right_answer(case: Case) -> None:
    value = solved(case.formula, case.given, case.answer)
    assert agrees(value, case.answer, case.tolerance), value


def chance_of_too_few(fetched: int, share: Fraction, wanted: int) -> float:
    """Exact chance that fewer than wanted of the fetched are permitted."""
    term = (1 - share) ** fetched
    total = term
    for left in range(1, wanted):
        term *= Fraction(fetched - left + 1, left) * share / (1 - share)
        total += term
    return float(total)


@pytest.mark.parametrize(("wanted", "percent"), [(20, 10), (50, 5), (100, 20)])
def test_the_approximation_errs_on_the_safe_side_and_by_little(wanted: int, percent: int) -> None:
    fetched = round(f.candidates_to_fetch(float(wanted), percent / 100))
    assert 0.03 < chance_of_too_few(fetched, Fraction(percent, 100), wanted) <= 0.05


@given(st.floats(1, 1000), st.floats(1e-4, 1))
def test_what_is_fetched_is_at_least_the_mean(wanted: float, share: float) -> None:
    assert f.candidates_to_fetch(wanted, share) >= wanted / share * (1 - 1e-12)


@given(st.floats(4, 128), st.floats(1, 1000), st.floats(1e6, 1e10))
def test_where_they_meet_scan_and_graph_compare_the_same(followed: float, wanted: float, vectors: float) -> None:
    share = f.share_where_scan_meets_graph(followed, wanted, vectors)
    assert f.compared_in_graph(wanted / share, followed) == pytest.approx(vectors * share, rel=1e-9)
