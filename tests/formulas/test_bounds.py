"""Bounds and directions of the library beyond the fleet's: what must hold for every input."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from macros import formulas as f
from macros.sizing import SizingError

few = st.integers(1, 128).map(float)
layers = st.integers(1, 128).map(float)
heads = st.sampled_from([1.0, 2.0, 4.0, 8.0, 32.0, 64.0])
dims = st.sampled_from([64.0, 80.0, 128.0, 256.0])
widths = st.sampled_from([0.5625, 1.0, 1.0625, 2.0])
tokens = st.integers(1, 200_000).map(float)
counts = st.integers(1, 4096).map(float)
shares = st.floats(0, 1)
factors = st.floats(1, 50)
sizes = st.floats(1e6, 1e13)
rates = st.floats(1e11, 1e16)
drafts = st.integers(0, 32).map(float)


@given(heads, few, few)
def test_no_gpu_has_less_than_a_head(kv_heads: float, gpus: float, more: float) -> None:
    each = f.kv_heads_per_gpu(kv_heads, gpus)
    assert each >= 1
    assert f.kv_heads_per_gpu(kv_heads, gpus * more) <= each
    # All GPUs together hold every head at least once.
    assert each * gpus >= kv_heads * (1 - 1e-12)


@given(layers, heads, dims, widths, few)
def test_the_cache_per_gpu_is_the_cache_split_until_there_are_as_many_gpus_as_heads(
    layers, kv_heads, dim, width, gpus
) -> None:
    whole = f.kv_bytes_per_token(layers, kv_heads, dim, width)
    each = f.kv_bytes_per_token_per_gpu(layers, kv_heads, dim, width, gpus)
    assert each == pytest.approx(whole / min(gpus, kv_heads), rel=1e-12)


@given(layers, layers, heads, dims, widths, tokens, tokens)
def test_windows_never_take_more_than_full_reservation(full, windowed, kv_heads, dim, width, length, window) -> None:
    reserved = f.kv_full_reservation(full, windowed, kv_heads, dim, width, length)
    low = f.kv_windowed(full, windowed, kv_heads, dim, width, length, window)
    assert low <= reserved * (1 + 1e-12)
    # A window that no sequence fills saves nothing, and neither does a model without window layers.
    assert f.kv_windowed(full, windowed, kv_heads, dim, width, length, length) == pytest.approx(reserved, rel=1e-12)
    assert f.kv_windowed(full, 0.0, kv_heads, dim, width, length, window) == pytest.approx(
        f.kv_bytes_per_sequence(full, kv_heads, dim, width, length), rel=1e-12
    )
    assert reserved == f.kv_bytes_per_sequence(full + windowed, kv_heads, dim, width, length)


@given(layers, heads, dims, widths, tokens, sizes)
def test_a_hybrid_s_state_is_there_at_any_length(kv_layers, kv_heads, dim, width, length, state) -> None:
    short = f.hybrid_bytes_per_sequence(kv_layers, kv_heads, dim, width, 0.0, state)
    assert short == state
    assert f.hybrid_bytes_per_sequence(kv_layers, kv_heads, dim, width, length, state) > state


@given(layers, st.floats(64, 1024), st.floats(0, 128), widths)
def test_the_latent_cache_is_one_kv_head_of_half_the_width(layers, latent, rope, width) -> None:
    cache = f.latent_kv_bytes_per_token(layers, latent, rope, width)
    assert cache == pytest.approx(f.kv_bytes_per_token(layers, 1.0, (latent + rope) / 2, width), rel=1e-12)


@given(sizes, shares, sizes, sizes, sizes, sizes, factors)
def test_the_room_for_kv_never_grows_with_what_is_taken_from_it(
    memory, usable, weights, activations, outside, graphs, more
) -> None:
    room = f.kv_room_per_gpu(memory, usable, weights, activations, outside, graphs)
    assert 0 <= room <= memory
    assert f.kv_room_per_gpu(memory, usable, weights, activations * more, outside, graphs) <= room
    assert f.kv_room_per_gpu(memory, usable, weights, activations, outside, graphs * more) <= room
    assert f.kv_room_per_gpu(memory * more, usable, weights, activations, outside, graphs) >= room


@given(sizes, st.sampled_from([1.0, 16.0, 256.0]), st.floats(1e3, 1e6), tokens)
def test_a_concurrency_below_one_is_a_sequence_that_does_not_fit(room, block, kv, length) -> None:
    found = f.kv_blocks(room, block, kv)
    concurrency = f.concurrency_at_length(f.cached_tokens(found, block), length)
    needed = f.kv_bytes_in_blocks(length, block, kv)
    # One billionth is forgiven in the rounding to blocks.
    if concurrency < 1:
        assert needed > room * (1 - 1e-8)
    else:
        assert length * kv <= room * (1 + 1e-8)
    assert needed >= length * kv * (1 - 1e-8)


@given(sizes, st.floats(1e3, 1e6), tokens, tokens, factors)
def test_a_shared_prefix_counts_once(room, kv, shared, own, more) -> None:
    fit = f.sequences_with_shared_prefix(room, shared, own, kv)
    assume(fit < 1e8)
    assert (shared + fit * own) * kv <= max(room, shared * kv) * (1 + 1e-8)
    # It is never fewer than when each keeps the prefix for itself, where one of them fits at all.
    alone = f.sequences_with_shared_prefix(room, 0.0, shared + own, kv)
    assert fit >= alone
    assert f.sequences_with_shared_prefix(room, shared, own * more, kv) <= fit


@given(st.floats(1e8, 1e12), few, sizes, sizes)
def test_sequences_over_ranks_are_never_more_than_in_one_room(weights, ranks, room, kv) -> None:
    assume(room / kv < 1e6)
    apart = f.sequences_over_ranks(ranks, room, kv)
    assert apart <= f.sequences_over_ranks(1.0, room, kv)
    assert apart % ranks == 0
    assert f.weights_with_copies(weights, 0.0, ranks) == f.weights_with_copies(weights, weights, 1.0) == weights


@given(layers, heads, dims, tokens, tokens)
def test_a_prompt_in_two_parts_takes_the_attention_of_the_whole(layers, heads, dim, cached, new) -> None:
    whole = f.attention_flops(layers, heads, dim, cached + new)
    parts = f.attention_flops(layers, heads, dim, cached) + f.attention_flops_after(layers, heads, dim, cached, new)
    assert parts == pytest.approx(whole, rel=1e-9)
    assert f.attention_flops_after(layers, heads, dim, 0.0, new) == pytest.approx(
        f.attention_flops(layers, heads, dim, new), rel=1e-12
    )
    assert f.latent_attention_flops(layers, heads, dim, dim, new) == f.attention_flops(layers, heads, dim, new)


@given(st.floats(1e8, 1e12), layers, heads, dims)
def test_where_attention_meets_the_weights_both_take_the_same(parameters, layers, heads, dim) -> None:
    length = f.attention_meets_weights(parameters, layers, heads, dim)
    assert f.attention_flops(layers, heads, dim, length) == pytest.approx(2 * parameters * length, rel=1e-9)


@given(st.integers(1, 200), tokens, st.integers(0, 20_000).map(float), layers, heads, dims)
def test_a_session_is_the_sum_of_its_turns(turns, first, growth, layers, heads, dim) -> None:
    contexts = [first + growth * turn for turn in range(turns)]
    assert f.session_prompt_tokens(float(turns), first, growth) == pytest.approx(sum(contexts), rel=1e-9)
    flops = f.session_attention_flops(layers, heads, dim, float(turns), first, growth)
    assert flops == pytest.approx(sum(f.attention_flops(layers, heads, dim, c) for c in contexts), rel=1e-9)


@given(st.integers(1, 200), tokens, st.integers(0, 20_000).map(float), layers, heads, dims)
def test_a_session_with_cached_prefixes_is_the_sum_of_its_turns(turns, first, new, layers, heads, dim) -> None:
    # What the model wrote itself makes the growth larger than what is new.
    growth = new + 400
    cached = [first + growth * turn - new for turn in range(1, turns)]
    new_tokens = f.session_new_tokens(float(turns), first, new)
    assert new_tokens == pytest.approx(first + new * len(cached), rel=1e-9)
    assert new_tokens <= f.session_prompt_tokens(float(turns), first, growth)
    flops = f.session_attention_flops_after(layers, heads, dim, float(turns), first, growth, new)
    later = sum(f.attention_flops_after(layers, heads, dim, before, new) for before in cached)
    assert flops == pytest.approx(f.attention_flops(layers, heads, dim, first) + later, rel=1e-9)


@given(st.floats(0, 1), drafts, shares)
@example(1.0, 5.0, 0.0)
def test_a_round_gives_one_token_to_one_more_than_are_drafted(acceptance, drafted, cost) -> None:
    per_round = f.tokens_per_round(acceptance, drafted)
    assert 1 <= per_round <= (drafted + 1) * (1 + 1e-12)
    assert f.tokens_per_round(1.0, drafted) == drafted + 1
    assert f.tokens_per_round(0.0, drafted) == 1
    assert f.tokens_per_round(acceptance, drafted + 1) >= per_round * (1 - 1e-12)
    # A free draft gives its tokens, a draft as slow as the model gains nothing.
    assert f.speculative_speedup(acceptance, drafted, 0.0) == per_round
    assert f.speculative_speedup(acceptance, drafted, 1.0) <= 1 + 1e-12
    assert f.speculative_speedup(acceptance, drafted, cost) <= per_round


@given(st.integers(1, 8), st.integers(8, 512), st.integers(1, 4096))
def test_touched_experts_lie_between_one_token_s_and_all(active, experts, batch) -> None:
    a, e, b = float(active), float(experts), float(batch)
    distinct = f.distinct_experts(a, e, b)
    assert a * (1 - 1e-9) <= distinct <= min(e, a * b) * (1 + 1e-9)
    assert f.distinct_experts(a, e, b + 1) >= distinct * (1 - 1e-12)
    assert f.distinct_experts(a, e, 1.0) == pytest.approx(a, rel=1e-9)
    assert f.distinct_experts(a, e, 0.0) == 0
    assert f.touched_weight_bytes(1e9, 1e10, e, e, b) == pytest.approx(1.1e10)


@given(rates, st.floats(1e20, 1e26))
def test_at_the_peak_the_utilisation_is_one_and_above_it_there_is_none(peak: float, flops: float) -> None:
    hours = f.training_gpu_time(flops, f.achieved_flops(peak, 1.0))
    assert f.model_flops_utilisation(flops, hours, peak) == pytest.approx(1, rel=1e-12)
    with pytest.raises(SizingError, match="is more than 1"):
        f.model_flops_utilisation(flops, hours / 1.01, peak)


@given(rates, st.floats(1e20, 1e26), st.floats(0.05, 1), st.floats(1, 400))
def test_utilisation_goes_both_ways_and_a_deadline_is_met(peak, flops, mfu, days) -> None:
    time = f.training_gpu_time(flops, f.achieved_flops(peak, mfu))
    assert f.model_flops_utilisation(flops, time, peak) == pytest.approx(mfu, rel=1e-9)
    gpus = f.gpus_for_deadline(time, days * 86400)
    assume(gpus < 1e8)
    assert gpus * days * 86400 >= time * (1 - 1e-8)
    assert (gpus - 1) * days * 86400 < time
    assert f.whole_nodes(gpus, 8.0) * 8 >= gpus


@given(st.floats(1e8, 1e12), st.floats(1e9, 1e13))
def test_adapters_save_a_third_of_the_flops(parameters: float, run_tokens: float) -> None:
    full, adapters = f.training_flops(parameters, run_tokens), f.lora_training_flops(parameters, run_tokens)
    assert adapters / full == pytest.approx(2 / 3, rel=1e-12)
    assert f.lora_state_bytes(parameters, 2.0, parameters / 1000, 16.0) < f.training_state_bytes(parameters, 16.0)


@given(layers, st.floats(1e5, 1e10), st.floats(1e3, 3e5), st.floats(64, 20_000))
def test_tied_models_are_smaller_and_multiply_as_much(layers, per_layer, vocabulary, hidden) -> None:
    tied = f.tied_parameters(layers, per_layer, vocabulary, hidden)
    untied = f.untied_parameters(layers, per_layer, vocabulary, hidden)
    assert tied < untied
    assert untied - tied == pytest.approx(vocabulary * hidden, rel=1e-3)
    assert f.multiplied_parameters(layers, per_layer, vocabulary, hidden) == pytest.approx(tied - hidden, rel=1e-9)


@given(st.floats(1, 3600), st.floats(600, 1e7), st.floats(0.1, 10))
def test_young_s_interval_loses_the_least(cost: float, between: float, other: float) -> None:
    best = f.checkpoint_interval(cost, between)
    assert f.lost_share(cost, best, between) <= f.lost_share(cost, best * other, between) * (1 + 1e-12)
    # At the best interval both halves are alike.
    assert f.lost_share(cost, best, between) == pytest.approx(2 * cost / best, rel=1e-9)


@given(st.integers(1, 10**7), st.floats(16, 8000), few, factors)
def test_an_index_is_never_smaller_than_its_vectors(vectors, each, links, overhead) -> None:
    flat = f.flat_index_bytes(float(vectors), each, 1.0)
    assert f.graph_index_bytes(float(vectors), each, links, 4.0, min(overhead, 10.0)) > flat
    assert f.graph_index_bytes(float(vectors), each, 0.0, 4.0, 1.0) == pytest.approx(flat)
    assert f.inverted_index_bytes(float(vectors), 1.0, each, 1.0) > flat
    assert f.paged_index_bytes(float(vectors), 8192.0, each) >= flat * (1 - 1e-8)


@given(layers, st.floats(64, 8192), st.integers(16, 20_000).map(float), counts)
def test_guidance_and_steps_multiply_an_image(layers, width, image_tokens, steps) -> None:
    linear = f.denoise_linear_flops(f.block_parameters(layers, width), image_tokens)
    attention = f.denoise_attention_flops(layers, width, image_tokens)
    once = f.image_flops(linear, attention, 1.0, 1.0)
    assert f.image_flops(linear, attention, steps, 2.0) == pytest.approx(2 * steps * once, rel=1e-12)
    assert f.gpu_seconds_per_image(once, once) == 1
    # Every token sees every other: twice what a token that looks back only does.
    assert attention == pytest.approx(2 * f.attention_flops(layers, 1.0, width, image_tokens), rel=1e-12)


@given(few, st.floats(0.001, 5), st.floats(0.05, 1))
def test_streams_keep_their_share_of_gpus_busy(streams: float, factor: float, load: float) -> None:
    gpus = f.gpus_for_streams(streams, factor, load)
    assert gpus * load >= streams * factor * (1 - 1e-8)
    assert f.gpus_for_streams(streams, factor, 1.0) <= gpus
    assert f.recording_gpu_time(3600.0, factor) == pytest.approx(3600 * factor)
    assert f.real_time_factor(factor * 60, 60.0) == pytest.approx(factor)


@given(st.floats(1e-6, 1), st.floats(0, 1), st.floats(1e-6, 1))
def test_a_cascade_costs_at_least_its_first_tier_and_at_most_both(own: float, share: float, rest: float) -> None:
    cost = f.cascade_cost(own, share, rest)
    assert own <= cost <= own + rest


@given(st.floats(1, 1e6), st.floats(1e-4, 1), st.floats(0, 0.9))
def test_at_the_break_even_volume_both_cost_the_same(fixed: float, api: float, part: float) -> None:
    own = api * part
    volume = f.break_even_volume(fixed, api, own)
    assert volume * api == pytest.approx(fixed + volume * own, rel=1e-9)
    # A request that saves nothing gives a volume that no business has.
    assert f.break_even_volume(fixed, own, api) < 0


@given(st.floats(1e-4, 10), counts, counts, st.floats(1e-4, 0.1))
def test_in_balance_prefill_and_decode_pass_on_the_same(prefill, batch, output, step) -> None:
    ratio = f.prefill_per_decode(prefill, batch, output, step)
    # Requests per second of so many prefill replicas, and of one that decodes.
    assert ratio / prefill == pytest.approx(batch / f.decode_time(output, step), rel=1e-9)
    assert f.cache_tokens_freed(batch, 0.0, output) == pytest.approx(batch, rel=1e-12)


@given(st.floats(0.01, 5), few, rates, st.floats(1e8, 1e12))
def test_the_longest_prompt_takes_just_the_deadline(deadline, gpus, flops, parameters) -> None:
    length = f.prompt_within(deadline, gpus, flops, parameters)
    assert f.first_token_alone(f.prefill_gpu_seconds(parameters, length, flops), gpus) == pytest.approx(deadline)


@given(counts, st.sampled_from([0.5, 1.0, 2.0]), st.floats(1e9, 1e12), sizes)
def test_caches_lower_the_intensity_of_decode(batch, width, parameters, kv) -> None:
    weights = f.weights_intensity(batch, width)
    assert f.decode_intensity(parameters, batch, parameters * width, 0.0) == pytest.approx(weights, rel=1e-12)
    assert f.decode_intensity(parameters, batch, parameters * width, kv) < weights
    assert f.decode_intensity(parameters, batch, parameters * width, kv) < 2 * parameters / kv


@given(st.floats(1e-3, 0.999), st.floats(1, 1e6))
def test_a_part_cannot_speed_up_more_than_the_whole_it_is_of(share: float, speedup: float) -> None:
    whole = f.whole_speedup(share, speedup)
    assert 1 - 1e-12 <= whole <= min(speedup, 1 / (1 - share)) * (1 + 1e-12)


@given(st.floats(1e-4, 0.5), st.floats(0.01, 1), st.floats(0, 1))
def test_precision_falls_with_false_positives(base: float, recall: float, wrong: float) -> None:
    assert f.precision(base, recall, 0.0) == 1
    assert f.precision(base, recall, wrong) <= 1
    assert f.precision(base, 1.0, 1.0) == pytest.approx(base)
