"""What must hold for every input."""

from math import inf

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from macros import formulas as f
from macros.sizing.rounding import TOLERANCE

counts = st.integers(1, 10**7).map(float)
few = st.integers(1, 64).map(float)
batches = st.integers(1, 4096).map(float)
shares = st.floats(0.01, 0.99)
factors = st.floats(1, 100)
bytes_ = st.floats(1e6, 1e13)
seconds = st.floats(1e-4, 1e3)
rates = st.floats(1e-3, 1e9)
flops = st.floats(1e12, 1e16)
bandwidths = st.floats(1e11, 1e14)
parameters = st.floats(1e8, 2e12)
prices = st.floats(1e-5, 0.1)


def fleet(users: float, share: float, step: float, batch: float) -> float:
    needed = f.tokens_needed(f.arrival_rate_at_peak(users, 8.0, share), 400.0)
    return f.gpus(f.replicas(needed, f.tokens_per_replica(batch, step)), 4.0)


@given(counts, factors, shares, seconds, batches)
def test_more_users_never_need_fewer_gpus(users: float, more: float, share: float, step: float, batch: float) -> None:
    assert fleet(users * more, share, step, batch) >= fleet(users, share, step, batch)


@given(counts, shares, seconds, factors, batches)
def test_a_slower_step_never_needs_fewer_gpus(users, share, step, slower, batch) -> None:
    assert fleet(users, share, step * slower, batch) >= fleet(users, share, step, batch)


@given(shares, few, bytes_, bytes_, bytes_, factors)
def test_a_larger_cache_never_fits_more_often(usable, gpus, memory, weights, kv, larger) -> None:
    fit = f.sequences_that_fit(usable, gpus, memory, weights, kv)
    assert f.sequences_that_fit(usable, gpus, memory, weights, kv * larger) <= fit
    assert f.sequences_that_fit(usable, gpus, memory, weights * larger, kv) <= fit
    assert f.sequences_that_fit(usable, gpus, memory * larger, weights, kv) >= fit


@given(shares, few, bytes_, bytes_, bytes_)
def test_what_fits_does_fit_and_one_more_does_not(usable, gpus, memory, weights, kv) -> None:
    room = usable * gpus * memory - weights
    fit = f.sequences_that_fit(usable, gpus, memory, weights, kv)
    assume(fit < 1e8)
    if room < 0:
        assert fit == 0
    else:
        assert fit * kv <= room * (1 + 2 * TOLERANCE)
        assert (fit + 1) * kv > room


@given(rates, rates)
def test_a_whole_number_of_replicas_is_enough_and_one_fewer_is_not(needed: float, per_replica: float) -> None:
    assume(needed / per_replica < 1e8)
    replicas = f.replicas(needed, per_replica)
    assert replicas == int(replicas)
    assert replicas * per_replica >= needed * (1 - 2 * TOLERANCE)
    assert (replicas - 1) * per_replica < needed


@given(batches, bytes_, parameters, st.sampled_from([0.5, 1.0, 2.0]), few, bandwidths, flops)
def test_the_decode_step_is_the_simple_form_up_to_the_critical_batch(
    batch, kv, parameters, width, gpus, bandwidth, flops
) -> None:
    weights = parameters * width
    critical = f.critical_batch(weights, parameters, flops, bandwidth)
    assume(abs(batch / critical - 1) > 1e-9)
    step = f.decode_step(batch, kv, weights, parameters, gpus, bandwidth, flops)
    simple = f.memory_step(weights, batch, kv, gpus, bandwidth)
    if batch < critical:
        assert step == pytest.approx(simple, rel=1e-12)
    else:
        cache = batch * kv / gpus / bandwidth
        assert step > simple * (1 - 1e-12)
        assert step - cache == pytest.approx((simple - cache) * batch / critical, rel=1e-3, abs=1e-9 * step)


@given(parameters, st.sampled_from([0.5, 1.0, 2.0]), few, bandwidths, flops)
def test_at_the_critical_batch_reading_and_arithmetic_take_the_same_time(
    parameters, width, gpus, bandwidth, flops
) -> None:
    weights = parameters * width
    critical = f.critical_batch(weights, parameters, flops, bandwidth)
    assert f.weights_compute_time(parameters, critical, gpus, flops) == pytest.approx(
        f.weights_read_time(weights, gpus, bandwidth), rel=1e-9
    )


@given(batches, bytes_, parameters, few, bandwidths, flops, factors)
def test_more_gpus_shorten_a_step_in_proportion(batch, kv, parameters, gpus, bandwidth, flops, more) -> None:
    step = f.decode_step(batch, kv, parameters, parameters, gpus, bandwidth, flops)
    shorter = f.decode_step(batch, kv, parameters, parameters, gpus * more, bandwidth, flops)
    assert step / shorter == pytest.approx(more, rel=1e-9)


@given(seconds, prices, factors)
def test_cost_grows_with_price_and_time_in_proportion(gpu_seconds: float, price: float, factor: float) -> None:
    cost = f.cost_per_1000(gpu_seconds, price)
    assert f.cost_per_1000(gpu_seconds, price * factor) == pytest.approx(cost * factor, rel=1e-9)
    assert f.cost_per_1000(gpu_seconds * factor, price) == pytest.approx(cost * factor, rel=1e-9)


@given(counts, prices, counts, few, factors)
def test_a_fixed_fleet_costs_less_a_request_the_more_requests_there_are(gpus, price, users, requests, factor) -> None:
    cost = f.average_cost_per_1000(gpus, price, users, requests)
    assert f.average_cost_per_1000(gpus * factor, price, users, requests) == pytest.approx(cost * factor, rel=1e-9)
    assert f.average_cost_per_1000(gpus, price, users * factor, requests) == pytest.approx(cost / factor, rel=1e-9)
    # The day's bill ÷ the day's requests, whatever is in between.
    assert cost * users * requests == pytest.approx(gpus * price * 86400, rel=1e-9)


@given(counts, few, shares)
def test_at_a_flat_peak_a_fleet_in_use_costs_what_its_work_costs(users: float, requests: float, share: float) -> None:
    # A day whose every hour is the peak hour: the fleet is never idle, so both costs are the same.
    gpu_seconds, price = 0.5, 4 / 3600
    rate = f.arrival_rate_at_peak(users, requests, 1 / 24)
    busy = f.average_cost_per_1000(rate * gpu_seconds, price, users, requests)
    assert busy == pytest.approx(f.cost_per_1000(gpu_seconds, price), rel=1e-9)
    # And at any other share it is dearer by how far the peak stands above the average.
    rate = f.arrival_rate_at_peak(users, requests, share)
    idle = f.average_cost_per_1000(rate * gpu_seconds, price, users, requests)
    assert idle / busy == pytest.approx(24 * share, rel=1e-9)


@given(counts, counts)
def test_at_the_share_for_equal_fleets_they_are_equal(decode_gpus: float, prefill_gpus: float) -> None:
    assume(decode_gpus <= prefill_gpus)
    share = f.share_for_equal_fleets(decode_gpus, prefill_gpus)
    assert f.uncached(prefill_gpus, share) == pytest.approx(decode_gpus, rel=1e-6)


@given(rates, seconds, st.floats(0, 1), st.floats(0, 1))
def test_more_hits_never_need_more_gpus(rate: float, gpu_seconds: float, hits: float, more: float) -> None:
    fewer, most = sorted((hits, more))
    assert f.gpus_for_gpu_seconds(rate, f.uncached(gpu_seconds, most)) <= f.gpus_for_gpu_seconds(
        rate, f.uncached(gpu_seconds, fewer)
    )


@given(few, few, few, st.sampled_from([1.0, 2.0]), counts, few)
def test_query_heads_in_place_of_kv_heads_cost_their_ratio(layers, kv_heads, dim, width, tokens, group) -> None:
    cache = f.kv_bytes_per_sequence(layers, kv_heads, dim, width, tokens)
    assert f.kv_bytes_per_sequence(layers, kv_heads * group, dim, width, tokens) == group * cache
    assert cache == tokens * f.kv_bytes_per_token(layers, kv_heads, dim, width)


@given(rates, seconds)
def test_little_s_law_both_ways(rate: float, duration: float) -> None:
    inside = f.concurrency(rate, duration)
    assert 0 < inside < inf
    assert inside / duration == pytest.approx(rate, rel=1e-9)
