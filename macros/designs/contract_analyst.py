"""Contract analyst: long sessions held by a latent cache, sized by memory, and the prefill that comes before them."""

from macros import formulas as f
from macros.sizing import Builder, Constant, ceil, floor, implied, maximum

_MULTIPLY_AND_ADD = Constant(2, "FLOP/parameter/token", shown="2")
# One session moves at a time, over all links of its node.
_ONE_SESSION = implied("request/replica")
_ONE_NODE = implied("replica")
_HOUR = Constant(1, "hour", shown="1 hour")
# Readers change inputs one at a time; until the others follow, a part may be larger than its whole.
_NO_WEIGHTS = Constant(0, "byte", shown="0")
_NO_TOKENS = Constant(0, "token/request", shown="0")


def chain(c: Builder) -> None:
    """From a token's cache to the nodes that hold all sessions; then prefill, pauses and the ceilings."""
    given, gpu, model, grouped = c.given, c.given.gpu, c.given.model, c.given.grouped
    behind, numbers, bill, binds = (c.part(name) for name in ("behind", "numbers", "bill", "binds"))
    tp = given.gpus_per_replica

    # What a node holds.
    weights = behind.step("model_weights", "Weights of one copy, all experts", "GB", short="weights").of(
        f.weight_bytes(model.nominal, given.weights.bytes)
    )
    behind.step("bf16_weights", "The same in bf16", "GB", short="weights in bf16").of(
        f.weight_bytes(model.nominal, given.attention.bytes)
    )
    attention_weights = behind.step(
        "attention_weights", "Weights of the attention", "GB", short="attention's weights"
    ).of(f.weight_bytes(model.attention, given.weights.bytes))
    routed = behind.step("routed_weights", "Weights of the routed experts", "GB", short="routed weights").of(
        f.weight_bytes(model.routed, given.weights.bytes)
    )
    always = behind.step("always_read", "Weights that every step reads", "GB", short="always read").of(
        maximum(_NO_WEIGHTS, weights - routed)
    )

    kv_per_token = numbers.step("kv_per_token", "Latent cache per token", "byte/token", short="KV per token").of(
        f.latent_kv_bytes_per_token(model.layers, model.latent, model.rope, given.kv_bytes)
    )
    kv = numbers.step("kv_per_session", "Cache of one session", "GB/sequence", short="KV").of(
        kv_per_token * given.context
    )
    kv_in_node = behind.step(
        "kv_in_node", "What a session takes in its node, copies included", "GB/sequence", short="KV with copies"
    ).of(kv * tp / given.cache_gpus)
    held = numbers.step("held_weights", "Weights that a node holds", "GB/replica", short="weights held").of(
        f.weights_with_copies(weights, attention_weights, given.attention_ranks)
    )
    room = numbers.step("room", "Room for caches in a node", "GB/replica", short="room").of(
        f.room_for_caches(given.usable_memory, tp, gpu.memory, held)
    )
    fit = numbers.step("sessions_that_fit", "Sessions that fit in a node", "sequence/replica", short="sessions fit").of(
        f.sequences_over_ranks(given.attention_ranks, room, kv_in_node)
    )
    nodes = numbers.step("replicas", "Nodes for all sessions", "replica", short="nodes").of(ceil(given.sessions / fit))
    gpus = numbers.step("gpus", "GPUs of these nodes", "GPU", short="GPUs").of(f.gpus(nodes, tp))
    c.headline(nodes)

    # A decode step of a full node: attention waits for arithmetic, the weights for memory.
    intensity = binds.step(
        "attention_intensity", "FLOPs of attention for each byte of cache", "FLOP/byte", short="intensity"
    ).of(f.latent_attention_intensity(model.query_heads, model.latent, model.rope, given.kv_bytes))
    binds.step("ridge", "FLOPs for each byte at which both take the same time", "FLOP/byte", short="ridge").of(
        f.ridge_point(gpu.attention_flops, gpu.bandwidth)
    )
    cache_step = binds.step("cache_step", "Reading the caches in one step", "ms", short="caches read").of(
        f.cache_read_time(fit, kv, given.cache_gpus, gpu.bandwidth)
    )
    cache_math = binds.step(
        "cache_math", "Arithmetic of attention in one step", "ms", short="attention's arithmetic"
    ).of(f.cache_compute_time(fit, kv, intensity, tp, gpu.attention_flops))
    attention_step = binds.step(
        "attention_step", "Attention in one step, the slower of the two", "ms", short="attention"
    ).of(maximum(cache_step, cache_math))
    binds.step(
        "touched_share", "Share of the routed experts that a step of a full node touches", "%", short="experts touched"
    ).of(f.share_of_experts_touched(model.experts_per_token, model.experts, fit))
    read = binds.step("weights_read", "Weights that such a step reads", "GB", short="weights read").of(
        f.touched_weight_bytes(always, routed, model.experts_per_token, model.experts, fit)
    )
    weights_step = binds.step("weights_step", "Reading them", "ms", short="time to read weights").of(
        f.weights_read_time(read, tp, gpu.bandwidth)
    )
    weights_math = binds.step(
        "weights_math", "Arithmetic of the weights in one step", "ms", short="weights' arithmetic"
    ).of(f.weights_compute_time(model.active, fit, tp, gpu.weights_flops))
    step = numbers.step("decode_step", "Decode step with all of a node's sessions writing", "ms", short="step").of(
        attention_step + maximum(weights_step, weights_math)
    )

    binds.step(
        "kernel_step",
        "Decode step with attention at a published kernel's rate",
        "ms",
        short="step at the kernel's rate",
    ).of(
        maximum(cache_step, f.cache_compute_time(fit, kv, intensity, tp, given.kernel_flops))
        + maximum(weights_step, weights_math)
    )

    # Prefill: a whole context once, mostly attention.
    weight_flops = bill.step(
        "prefill_weight_flops", "Prefill of one session, the weights' FLOPs", "PFLOP/sequence", short="weights' FLOPs"
    ).of(_MULTIPLY_AND_ADD * model.active * given.context)
    attention_flops = bill.step(
        "prefill_attention_flops",
        "Prefill of one session, attention's FLOPs",
        "PFLOP/sequence",
        short="attention's FLOPs",
    ).of(f.latent_attention_flops(model.layers, model.query_heads, model.key_dim, model.value_dim, given.context))
    prefill = numbers.step(
        "prefill_gpu_seconds", "Prefill of one session", "GPU*s/sequence", short="prefill GPU-seconds"
    ).of((weight_flops + attention_flops) / given.prefill_flops)
    first = numbers.step("first_token", "First token on an idle node", "s", short="first token").of(
        f.first_token_alone(prefill, tp)
    )
    bill.step(
        "session_hour", "Holding a session in GPU memory for an hour", "USD/sequence", short="holding a session"
    ).of(gpus * given.price * _HOUR / given.sessions)
    bill.step(
        "prefill_weights_time", "Prefill of one session, the weights alone", "GPU*s/sequence", short="weights' prefill"
    ).of(weight_flops / given.prefill_flops)
    bill.step("attention_share", "Share of prefill that is attention", "%", short="attention's share").of(
        attention_flops / (weight_flops + attention_flops)
    )
    # Key and value differ in size; their mean stands for the one head dim of the formula.
    mean_dim = behind.step("mean_dim", "Mean of key and value dimension", "value/head", short="mean dim").of(
        (model.key_dim + model.value_dim) / 2
    )
    bill.step(
        "equal_length",
        "Length at which attention takes as many FLOPs as the weights",
        "token/sequence",
        short="equal length",
    ).of(f.attention_meets_weights(model.active, model.layers, model.query_heads, mean_dim))
    chunk_weights = behind.step(
        "chunk_weights_time", "A chunk through the weights", "GPU*s/sequence", short="weights' time of a chunk"
    ).of(f.prefill_gpu_seconds(model.active, given.chunk, given.prefill_flops))
    first_chunk_attention = behind.step(
        "first_chunk_attention",
        "Attention's FLOPs of the first chunk",
        "TFLOP/sequence",
        short="attention's FLOPs, first chunk",
    ).of(f.attention_flops(model.layers, model.query_heads, mean_dim, given.chunk))
    last_chunk_attention = behind.step(
        "last_chunk_attention",
        "Attention's FLOPs of the last chunk",
        "TFLOP/sequence",
        short="attention's FLOPs, last chunk",
    ).of(
        f.attention_flops_after(
            model.layers, model.query_heads, mean_dim, maximum(_NO_TOKENS, given.context - given.chunk), given.chunk
        )
    )
    bill.step("first_chunk", "First chunk of a prompt, on a whole node", "ms", short="first chunk").of(
        f.first_token_alone(chunk_weights + first_chunk_attention / given.prefill_flops, tp)
    )
    bill.step("last_chunk", "Last chunk of a prompt, on a whole node", "ms", short="last chunk").of(
        f.first_token_alone(chunk_weights + last_chunk_attention / given.prefill_flops, tp)
    )
    bill.step(
        "shared_first_token",
        "First token if prefill only gets what the time per token leaves of each step",
        "s",
        short="first token if shared",
    ).of(first / (1 - step / given.token_target))

    # The other pool, and what both cost.
    arrivals = bill.step("arrivals", "Sessions that start per second", "sequence/s", short="arrivals").of(
        given.sessions / given.session_time
    )
    prefill_gpus = bill.step("prefill_gpus", "GPUs busy with prefill", "GPU", short="prefill GPUs").of(
        f.gpus_for_gpu_seconds(arrivals, prefill)
    )
    prefill_nodes = bill.step(
        "prefill_nodes", "Nodes for prefill at the planned load", "replica", short="prefill nodes"
    ).of(ceil(prefill_gpus / given.planned_load / tp))
    bill.step("prefill_pool_hour", "Those nodes, for an hour", "USD", short="prefill pool, an hour").of(
        prefill_nodes * tp * given.price * _HOUR
    )
    all_nodes = numbers.step("all_nodes", "Nodes of both pools", "replica", short="all nodes").of(nodes + prefill_nodes)
    all_gpus = bill.step("all_gpus", "GPUs of both pools", "GPU", short="all GPUs").of(f.gpus(all_nodes, tp))
    bill.step("fleet_hour", "Both pools, for an hour", "USD", short="cost per hour").of(all_gpus * given.price * _HOUR)
    bill.step("session_cost", "Both pools, per session", "USD/sequence", short="cost per session").of(
        all_gpus * given.price / arrivals
    )
    needed = bill.step("tokens_needed", "Output tokens per second needed", "token/s", short="tokens/s needed").of(
        f.tokens_needed(arrivals, given.output_tokens)
    )
    per_node = bill.step(
        "tokens_per_node", "Output tokens per second of a full node", "token/s/replica", short="tokens/s per node"
    ).of(f.tokens_per_replica(fit, step))
    decode_load = numbers.step("decode_load", "Load of the nodes that hold the sessions", "%", short="decode load").of(
        f.load(needed, nodes, per_node)
    )
    bill.step("shared_load", "Their load if they prefilled as well", "%", short="load with both phases").of(
        prefill_gpus / gpus + decode_load
    )

    # A session that pauses: hold, evict, or move out.
    bill.step("prefill_cost", "Prefill of a session once more", "USD/sequence", short="prefill cost").of(
        prefill * given.price
    )
    bill.step(
        "break_even", "Pause after which holding costs more than another prefill", "min", short="break-even pause"
    ).of(prefill * fit / tp)
    bill.step("move_time", "Moving a session's cache in or out, on all links of a node", "ms", short="move").of(
        kv / tp / given.link * _ONE_SESSION
    )
    bill.step(
        "host_sessions",
        "Paused sessions that fit in a node's host memory",
        "sequence/replica",
        short="paused sessions fit",
    ).of(floor(given.host_memory / kv))
    bill.step(
        "recovery", "Prefilling a lost node's sessions again on what the pool has to spare", "s", short="recovery"
    ).of(fit * prefill / (prefill_nodes * tp - prefill_gpus) * _ONE_NODE)

    # The same sessions on a dense model with a grouped-query cache.
    grouped_weights = binds.step("grouped_weights", "Weights of the 70B", "GB", short="70B weights").of(
        f.weight_bytes(grouped.nominal, given.weights.bytes)
    )
    grouped_kv = binds.step(
        "grouped_kv_per_token", "Cache per token of the 70B, grouped-query", "byte/token", short="70B's KV per token"
    ).of(f.kv_bytes_per_token(grouped.layers, grouped.kv_heads, grouped.head_dim, given.kv_bytes))
    grouped_session = binds.step(
        "grouped_kv_per_session", "Cache of one session of the 70B", "GB/sequence", short="70B's KV"
    ).of(grouped_kv * given.context)
    grouped_fit = binds.step(
        "grouped_fit", "Sessions of the 70B that fit in a node", "sequence/replica", short="70B sessions fit"
    ).of(f.sequences_that_fit(given.usable_memory, tp, gpu.memory, grouped_weights, grouped_session))
    binds.step("grouped_nodes", "Nodes for all sessions of the 70B", "replica", short="70B nodes").of(
        ceil(given.sessions / grouped_fit)
    )

    # Each ceiling alone, before the rounding to whole nodes.
    memory_step = binds.step("memory_step", "Decode step by memory alone", "ms", short="memory step").of(
        cache_step + weights_step
    )
    compute_step = binds.step("compute_step", "Decode step by arithmetic alone", "ms", short="compute step").of(
        cache_math + weights_math
    )
    by_capacity = binds.step("gpus_by_capacity", "GPUs if memory capacity were the only limit", "GPU").of(
        f.gpus_by_capacity(given.sessions, fit, tp)
    )
    decode_by_compute = binds.step(
        "decode_by_compute", "GPUs for the arithmetic of decode", "GPU", short="decode's arithmetic"
    ).of(ceil(needed / f.tokens_per_replica(fit, compute_step) * tp))
    by_compute = binds.step("gpus_by_compute", "GPUs if compute were the only limit, both phases", "GPU").of(
        prefill_gpus + decode_by_compute
    )
    by_bandwidth = binds.step("gpus_by_bandwidth", "GPUs if memory bandwidth were the only limit", "GPU").of(
        f.gpus_by_bandwidth(needed, f.tokens_per_replica(fit, memory_step), tp)
    )
    c.ceiling("capacity", by_capacity)
    c.ceiling("compute", by_compute)
    c.ceiling("bandwidth", by_bandwidth)

    c.require("first-token", "The first answer meets its target", first, at_most=given.first_token_target)
    c.require("per-token", "The time per token meets its target", step, at_most=given.token_target)
    c.require("decode-load", "Decode stays within the planned load", decode_load, at_most=given.planned_load)
