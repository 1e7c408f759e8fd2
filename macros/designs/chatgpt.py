"""Design ChatGPT: a chat fleet sized by decode, and the bill of what that leaves out."""

from macros import formulas as f
from macros.sizing import Builder


def chain(c: Builder) -> None:
    """From daily users to replicas and cost, then prefill, average load, the ceilings and a fuller batch."""
    given, gpu, model = c.given, c.given.gpu, c.given.model
    behind, numbers, bill, binds = (c.part(name) for name in ("behind", "numbers", "bill", "binds"))
    tp = given.gpus_per_replica

    weights = behind.step("model_weights", "Weights of one replica", "GB", short="weights").of(
        f.weight_bytes(model.nominal, given.weights.bytes)
    )

    behind.step("kv_per_token", "KV cache per token", "byte/token", short="KV per token").of(
        f.kv_bytes_per_token(model.layers, model.kv_heads, model.head_dim, given.kv_bytes)
    )

    peak = numbers.step("peak_requests", "Peak requests per second", "request/s", short="peak requests").of(
        f.arrival_rate_at_peak(given.daily_users, given.requests_per_user, given.peak_share)
    )
    kv = numbers.step("kv_per_request", "KV cache per request", "MB/request", short="KV").of(
        f.kv_bytes_per_sequence(
            model.layers, model.kv_heads, model.head_dim, given.kv_bytes, given.input_tokens + given.output_tokens
        )
    )
    fit = numbers.step(
        "sequences_that_fit", "Most sequences that fit", "sequence/replica", short="sequences that fit"
    ).of(f.sequences_that_fit(given.usable_memory, tp, gpu.memory, weights, kv))
    step = numbers.step("decode_step", "Decode step", "ms", short="step", digits=4).of(
        f.decode_step(given.batch, kv, weights, model.nominal, tp, gpu.bandwidth, gpu.weights_flops)
    )
    per_replica = numbers.step(
        "tokens_per_replica", "Output tokens per second, per replica", "token/s/replica", short="tokens/s per replica"
    ).of(f.tokens_per_replica(given.batch, step))
    needed = numbers.step(
        "tokens_needed", "Output tokens per second needed at the peak", "token/s", short="tokens/s needed"
    ).of(f.tokens_needed(peak, given.output_tokens))
    replicas = numbers.step("replicas", "Replicas for decode", "replica", short="replicas").of(
        f.replicas(needed, per_replica)
    )
    gpus = numbers.step("gpus", "GPUs for decode", "GPU", short="decode GPUs").of(f.gpus(replicas, tp))
    decode_cost = numbers.step("cost_per_1000", "Decode cost at the peak", "USD/krequest", short="decode cost").of(
        f.cost_per_1000(tp * given.output_tokens / per_replica, given.price)
    )
    c.headline(replicas)

    # Prefill, cold and with cached prefixes.
    prefill = bill.step(
        "prefill_gpu_seconds", "Prefill of one request, cache cold", "GPU*s/request", short="prefill GPU-seconds"
    ).of(f.prefill_gpu_seconds(model.nominal, given.input_tokens, given.prefill_flops))
    prefill_gpus = bill.step(
        "prefill_gpus", "GPUs for prefill at the peak, cache cold", "GPU", short="prefill GPUs"
    ).of(f.gpus_for_gpu_seconds(peak, prefill))
    cached_gpus = bill.step(
        "prefill_gpus_cached", "GPUs for prefill at the assumed hit share", "GPU", short="prefill GPUs with hits"
    ).of(f.gpus_for_gpu_seconds(peak, f.uncached(prefill, given.cached_share)))
    bill.step("equal_hit_share", "Hit share at which both phases need the same fleet", "%", short="equal hit share").of(
        f.share_for_equal_fleets(gpus, prefill_gpus)
    )
    bill.step("kept_seconds", "How long the idle GPU memory keeps a conversation", "s", short="kept").of(
        f.residence_time(f.sequences_to_spare(fit, given.batch) * replicas, peak)
    )
    both_gpus = bill.step("both_gpus", "GPUs for both phases, cache cold", "GPU", short="GPUs of both phases").of(
        gpus + prefill_gpus
    )
    both_cached = bill.step(
        "both_gpus_cached", "GPUs for both phases at the assumed hit share", "GPU", short="GPUs with hits"
    ).of(gpus + cached_gpus)

    # Money, at the peak and around the clock.
    prefill_cost = bill.step(
        "prefill_cost_per_1000", "Prefill cost at the peak, cache cold", "USD/krequest", short="prefill cost"
    ).of(f.cost_per_1000(prefill, given.price))
    bill.step("total_cost_per_1000", "Both phases at the peak, cache cold", "USD/krequest").of(
        decode_cost + prefill_cost
    )
    bill.step("average_cost_per_1000", "Decode, the peak's fleet paid all day", "USD/krequest").of(
        f.average_cost_per_1000(gpus, given.price, given.daily_users, given.requests_per_user)
    )
    bill.step("total_average_cost_per_1000", "Both phases, cache cold, paid all day", "USD/krequest").of(
        f.average_cost_per_1000(both_gpus, given.price, given.daily_users, given.requests_per_user)
    )
    bill.step("cached_average_cost_per_1000", "Both phases at the assumed hit share, paid all day", "USD/krequest").of(
        f.average_cost_per_1000(both_cached, given.price, given.daily_users, given.requests_per_user)
    )

    # What the reader of an answer waits for, and the room that a real fleet needs.
    first_token = bill.step("first_token", "First token on an idle replica, cache cold", "ms", short="first token").of(
        f.first_token_alone(prefill, tp)
    )
    decoding = bill.step("decode_time", "Time that a request spends decoding", "s", short="decode time").of(
        f.decode_time(given.output_tokens, step)
    )
    bill.step("peak_load", "How busy those replicas are at the peak", "%", short="load at the peak").of(
        f.load(needed, replicas, per_replica)
    )
    bill.step("replicas_with_room", "Replicas at the planned load", "replica", short="replicas with room").of(
        f.replicas(needed / given.planned_load, per_replica)
    )

    # Each ceiling alone, before the rounding to whole replicas.
    binds.step("cache_step", "Reading the caches in one step", "ms", short="caches read").of(
        f.cache_read_time(given.batch, kv, tp, gpu.bandwidth)
    )
    binds.step("weights_step", "Reading the weights in one step", "ms", short="weights read").of(
        f.weights_read_time(weights, tp, gpu.bandwidth)
    )
    binds.step("compute_step", "Arithmetic of the weights in one step", "ms", short="weights' arithmetic").of(
        f.weights_compute_time(model.nominal, given.batch, tp, gpu.weights_flops)
    )
    memory = binds.step("memory_step", "Decode step, simple form", "ms", short="memory step", digits=4).of(
        f.memory_step(weights, given.batch, kv, tp, gpu.bandwidth)
    )
    binds.step(
        "critical_batch",
        "Critical batch, where the weights' arithmetic takes as long as their reading",
        "sequence/replica",
        short="critical batch",
    ).of(f.critical_batch(weights, model.nominal, gpu.weights_flops, gpu.bandwidth))
    in_flight = binds.step("in_flight", "Requests decoding at once, at the peak", "request", short="in flight").of(
        f.concurrency(peak, decoding)
    )
    by_bandwidth = binds.step("gpus_by_bandwidth", "GPUs if memory bandwidth were the only limit", "GPU").of(
        f.gpus_by_bandwidth(needed, f.tokens_per_replica(given.batch, memory), tp)
    )
    by_capacity = binds.step("gpus_by_capacity", "GPUs if memory capacity were the only limit", "GPU").of(
        f.gpus_by_capacity(in_flight, fit, tp)
    )
    by_compute = binds.step("gpus_by_compute", "GPUs if compute were the only limit", "GPU").of(
        f.gpus_by_compute(model.nominal, needed, gpu.weights_flops)
    )
    c.ceiling("bandwidth", by_bandwidth)
    c.ceiling("capacity", by_capacity)
    c.ceiling("compute", by_compute)

    # The same fleet with memory filled to the last sequence, by both forms of the step.
    full_memory = binds.step(
        "full_memory_step", "Decode step with the most that fit, simple form", "ms", short="full memory step"
    ).of(f.memory_step(weights, fit, kv, tp, gpu.bandwidth))
    binds.step(
        "full_memory_replicas", "Replicas with the most that fit, simple form", "replica", short="full, simple form"
    ).of(f.replicas(needed, f.tokens_per_replica(fit, full_memory)))
    full = binds.step("full_step", "Decode step with the most that fit", "ms", short="full step").of(
        f.decode_step(fit, kv, weights, model.nominal, tp, gpu.bandwidth, gpu.weights_flops)
    )
    binds.step("full_replicas", "Replicas with the most that fit", "replica", short="full replicas").of(
        f.replicas(needed, f.tokens_per_replica(fit, full))
    )

    c.require("batch-fits", "The batch fits in memory", given.batch, at_most=fit)
    c.require("first-token", "The first token meets its target", first_token, at_most=given.first_token_target)
    c.require("per-token", "The time per token meets its target", step, at_most=given.token_target)
