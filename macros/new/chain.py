"""Design $title: a fleet that serves one model, sized by decode."""

from macros import formulas as f
from macros.sizing import Builder


def chain(c: Builder) -> None:
    """From daily users to replicas and cost, then prefill, and what each ceiling alone would demand."""
    given, gpu, model = c.given, c.given.gpu, c.given.model
    behind, numbers, bill, binds = (c.part(name) for name in ("behind", "numbers", "bill", "binds"))
    tp = given.gpus_per_replica

    weights = behind.step("model_weights", "Weights of one replica", "GB", short="weights").of(
        f.weight_bytes(model.nominal, given.weights.bytes)
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

    # What the headline leaves out: the other phase, and the night.
    prefill = bill.step(
        "prefill_gpu_seconds", "Prefill of one request", "GPU*s/request", short="prefill GPU-seconds"
    ).of(f.prefill_gpu_seconds(model.nominal, given.input_tokens, given.prefill_flops))
    prefill_gpus = bill.step("prefill_gpus", "GPUs for prefill at the peak", "GPU", short="prefill GPUs").of(
        f.gpus_for_gpu_seconds(peak, prefill)
    )
    both_gpus = bill.step("both_gpus", "GPUs for both phases", "GPU", short="GPUs of both phases").of(
        gpus + prefill_gpus
    )
    bill.step("total_cost_per_1000", "Both phases at the peak", "USD/krequest").of(
        decode_cost + f.cost_per_1000(prefill, given.price)
    )
    bill.step("total_average_cost_per_1000", "Both phases, the peak's fleet paid all day", "USD/krequest").of(
        f.average_cost_per_1000(both_gpus, given.price, given.daily_users, given.requests_per_user)
    )

    # Each ceiling alone, before the rounding to whole replicas.
    binds.step("weights_step", "Reading the weights in one step", "ms", short="weights read").of(
        f.weights_read_time(weights, tp, gpu.bandwidth)
    )
    memory = binds.step("memory_step", "Decode step, simple form", "ms", short="memory step", digits=4).of(
        f.memory_step(weights, given.batch, kv, tp, gpu.bandwidth)
    )
    in_flight = binds.step("in_flight", "Requests decoding at once, at the peak", "request", short="in flight").of(
        f.concurrency(peak, f.decode_time(given.output_tokens, step))
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

    c.require("batch-fits", "The batch fits in memory", given.batch, at_most=fit)
    c.require("per-token", "The time per token meets its target", step, at_most=given.token_target)
