"""Contract analyst: long sessions held by a latent cache, sized by memory, and the prefill that comes before them."""

from macros import formulas as f
from macros.sizing import Builder, Constant, ceil, floor, implied, maximum, no_more_than, not_negative

_MULTIPLY_AND_ADD = Constant(2, "FLOP/parameter/token", shown="2")
# A multiply-add for each number of a latent, for each number of the key or value that is rebuilt from it.
_REBUILD = Constant(2, "FLOP*layer/value/value/token", shown="2")
_ONE_NODE = implied("replica")
_ANOTHER_NODE = Constant(1, "replica", shown="1")
_ANOTHER_CHUNK = Constant(1, "", shown="1")
_NO_SESSION = Constant(0, "request", shown="0")
_GPUS_OF_A_RANK = implied("GPU*GPU/replica/replica")
_COPY_PER_GPU = implied("replica/GPU")
_PER_HEAD = implied("layer/head")
_HOUR = Constant(1, "hour", shown="1 hour")
# A reader may try a smaller model and leave its routed part as it is.
_NO_WEIGHTS = Constant(0, "byte", shown="0")


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
    always = behind.step("always_read", "Weights that every step reads, copies included", "GB", short="always read").of(
        f.weights_with_copies(maximum(_NO_WEIGHTS, weights - routed), attention_weights, given.attention_ranks)
        * _ONE_NODE
    )

    kv_per_token = numbers.step("kv_per_token", "Latent cache per token", "byte/token", short="KV per token").of(
        f.latent_kv_bytes_per_token(model.layers, model.latent, model.rope, given.kv_bytes)
    )
    kv = numbers.step("kv_per_session", "Cache of one session", "GB/sequence", short="KV").of(
        kv_per_token * given.context
    )
    # Ranks and copies share the GPUs out between them. What does not come out whole is no layout, and has no number.
    cache_gpus = behind.step(
        "cache_gpus", "Decode context parallel size, GPUs that share a cache", "GPU/replica", short="GPUs per cache"
    ).of(tp / given.attention_ranks / given.cache_copies * _GPUS_OF_A_RANK)
    kv_in_node = behind.step(
        "kv_in_node", "What a session takes in its node, copies included", "GB/sequence", short="KV with copies"
    ).of(kv * given.cache_copies * no_more_than(ceil(cache_gpus) / cache_gpus, 1) * _COPY_PER_GPU)
    held = numbers.step("held_weights", "Weights that a node holds", "GB/replica", short="weights held").of(
        f.weights_with_copies(weights, attention_weights, given.attention_ranks)
    )
    room = numbers.step("room", "Room for caches in a node", "GB/replica", short="room").of(
        f.room_for_caches(given.usable_memory, tp, gpu.memory, held)
    )
    fit = numbers.step("sessions_that_fit", "Sessions that fit in a node", "sequence/replica", short="sessions fit").of(
        f.sequences_over_ranks(given.attention_ranks, room, kv_in_node)
    )
    # The two other layouts, whatever the reader chose.
    binds.step(
        "copied_fit", "Sessions that fit with a copy of each cache on every GPU", "sequence/replica", short="copied fit"
    ).of(f.sequences_that_fit(given.usable_memory, tp, gpu.memory, weights, kv * tp * _COPY_PER_GPU))
    ranks_room = behind.step(
        "ranks_room", "Room for caches with the attention's weights on every GPU", "GB/replica", short="room of ranks"
    ).of(f.room_for_caches(given.usable_memory, tp, gpu.memory, f.weights_with_copies(weights, attention_weights, tp)))
    binds.step(
        "ranks_fit", "Sessions that fit with every GPU a rank of its own", "sequence/replica", short="ranks fit"
    ).of(f.sequences_over_ranks(tp, ranks_room, kv))
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
        f.cache_read_time(fit, kv_in_node, tp, gpu.bandwidth)
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

    # Prefill, mostly attention: the upload once, and the whole context when its cache is lost.
    uploaded = behind.step("uploaded", "Tokens that are uploaded", "token/sequence", short="uploaded").of(
        not_negative(given.context - given.output_tokens * given.kept_share)
    )
    shape = (model.layers, model.query_heads, model.key_dim, model.value_dim)
    weight_flops = bill.step(
        "prefill_weight_flops",
        "Prefill of a whole session, the weights' FLOPs",
        "PFLOP/sequence",
        short="weights' FLOPs",
    ).of(_MULTIPLY_AND_ADD * model.active * given.context)
    attention_flops = bill.step(
        "prefill_attention_flops",
        "Prefill of a whole session, attention's FLOPs",
        "PFLOP/sequence",
        short="attention's FLOPs",
    ).of(f.latent_attention_flops(*shape, given.context))
    whole = numbers.step(
        "prefill_gpu_seconds", "Prefill of a whole session, after a lost cache", "GPU*s/sequence", short="whole prefill"
    ).of((weight_flops + attention_flops) / given.prefill_flops)
    bill.step(
        "prefill_weights_time",
        "Prefill of a whole session, the weights alone",
        "GPU*s/sequence",
        short="weights' prefill",
    ).of(f.prefill_gpu_seconds(model.active, given.context, given.prefill_flops))
    bill.step("rebuild_time", "Prefill of a whole session, on an idle node", "s", short="another prefill").of(
        f.first_token_alone(whole, tp)
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
    upload_weights = behind.step(
        "upload_weights_time", "Prefill of an upload, the weights", "GPU*s/sequence", short="upload's weights"
    ).of(f.prefill_gpu_seconds(model.active, uploaded, given.prefill_flops))
    upload_attention = behind.step(
        "upload_attention_flops",
        "Prefill of an upload, attention's FLOPs",
        "PFLOP/sequence",
        short="upload's attention",
    ).of(f.latent_attention_flops(*shape, uploaded))
    prefill = numbers.step("upload_gpu_seconds", "Prefill of an upload", "GPU*s/sequence", short="upload's prefill").of(
        upload_weights + upload_attention / given.prefill_flops
    )
    first = numbers.step("first_token", "First token on an idle node", "s", short="first token").of(
        f.first_token_alone(prefill, tp)
    )

    # Why not in chunks between decode steps: each chunk looks back, and rebuilds what it looks back at.
    chunk_weights = behind.step(
        "chunk_weights_time", "A chunk through the weights", "GPU*s/sequence", short="weights' time of a chunk"
    ).of(f.prefill_gpu_seconds(model.active, given.chunk, given.prefill_flops))
    first_chunk_attention = behind.step(
        "first_chunk_attention",
        "Attention's FLOPs of the first chunk",
        "TFLOP/sequence",
        short="attention's FLOPs, first chunk",
    ).of(f.attention_flops(model.layers, model.query_heads, mean_dim, given.chunk))
    before_last = behind.step("before_last", "Tokens before the last chunk", "token/sequence", short="before").of(
        not_negative(uploaded - given.chunk)
    )
    last_chunk_attention = behind.step(
        "last_chunk_attention",
        "Attention's FLOPs of the last chunk",
        "TFLOP/sequence",
        short="attention's FLOPs, last chunk",
    ).of(f.attention_flops_after(model.layers, model.query_heads, mean_dim, before_last, given.chunk))
    # A key's rotary part is kept as it is.
    rebuild = behind.step(
        "rebuild_per_token", "Rebuilding a token's keys and values from its latents", "GFLOP/token", short="rebuilding"
    ).of(_REBUILD * model.layers * model.latent * model.query_heads * (model.head_dim + model.value_dim))
    last_rebuild = behind.step(
        "last_rebuild", "Rebuilding for the last chunk", "GPU*s/sequence", short="rebuilding for the last"
    ).of(rebuild * before_last / given.prefill_flops)
    bill.step("first_chunk", "First chunk of an upload, on a whole node", "ms", short="first chunk").of(
        f.first_token_alone(chunk_weights + first_chunk_attention / given.prefill_flops, tp)
    )
    bill.step("last_chunk", "Last chunk of an upload, rebuilding included", "ms", short="last chunk").of(
        f.first_token_alone(chunk_weights + last_chunk_attention / given.prefill_flops + last_rebuild, tp)
    )
    bill.step("last_rebuild_time", "Its rebuilding alone, at any size of the chunk", "ms", short="rebuilding alone").of(
        f.first_token_alone(last_rebuild, tp)
    )
    # The chunks before the first, second, third and so on: an arithmetic series.
    chunks = behind.step("chunks", "Chunks of an upload", "", short="chunks").of(ceil(uploaded / given.chunk))
    bill.step("rebuild_share", "Rebuilding for all chunks, against the prefill without", "%", short="rebuilding").of(
        rebuild * given.chunk * chunks * (chunks - _ANOTHER_CHUNK) / 2 / given.prefill_flops / prefill
    )
    wider = bill.step(
        "absorbed_ratio", "Attention's FLOPs on latents, over those on keys and values", "", short="latents over keys"
    ).of((2 * model.latent + model.rope) / (model.key_dim + model.value_dim) * _PER_HEAD)
    bill.step("absorbed_first_token", "First token with attention on latents", "s", short="first token, latents").of(
        f.first_token_alone(upload_weights + upload_attention * wider / given.prefill_flops, tp)
    )

    # The other pool, the places held back, and what all of it costs.
    arrivals = bill.step("arrivals", "Sessions that start per second", "sequence/s", short="arrivals").of(
        given.sessions / given.session_time
    )
    prefill_gpus = bill.step("prefill_gpus", "GPUs busy with prefill", "GPU", short="prefill GPUs").of(
        f.gpus_for_gpu_seconds(arrivals, prefill)
    )
    bill.step("shared_load", "Time that the sessions' nodes would prefill", "%", short="prefill's share").of(
        prefill_gpus / gpus
    )
    prefill_nodes = bill.step(
        "prefill_nodes", "Nodes for prefill at the planned load", "replica", short="prefill nodes"
    ).of(ceil(prefill_gpus / given.planned_load / tp))
    bill.step("prefill_pool_hour", "Those nodes, for an hour", "USD", short="prefill pool, an hour").of(
        prefill_nodes * tp * given.price * _HOUR
    )
    # Whole nodes are less busy than planned, a small pool above all.
    load = bill.step("prefill_load", "Load of the prefill pool, nodes rounded up", "%", short="load").of(
        arrivals * prefill / (prefill_nodes * tp)
    )
    wait = bill.step("upload_wait", "Queue before prefill, p95", "s", short="queue").of(
        given.wait_tail * f.queue_wait(first, prefill_nodes, load)
    )
    answer = numbers.step("first_answer", "First answer after an average upload, p95", "s", short="first answer").of(
        given.parse_time + wait + first
    )
    with_room = numbers.step(
        "nodes_with_room", "Nodes for all sessions, with places held back", "replica", short="nodes with room"
    ).of(ceil(given.sessions / (fit * given.places_used)))
    bill.step("room_hour", "The places held back, for an hour", "USD", short="places held back, an hour").of(
        (with_room - nodes) * tp * given.price * _HOUR
    )
    all_nodes = numbers.step("all_nodes", "Nodes of both pools", "replica", short="all nodes").of(
        with_room + prefill_nodes
    )
    all_gpus = bill.step("all_gpus", "GPUs of both pools", "GPU", short="all GPUs").of(f.gpus(all_nodes, tp))
    bill.step("fleet_hour", "Both pools, for an hour", "USD", short="cost per hour").of(all_gpus * given.price * _HOUR)
    bill.step("session_cost", "Both pools, per session", "USD/sequence", short="cost per session").of(
        all_gpus * given.price / arrivals
    )
    needed = behind.step("tokens_needed", "Output tokens per second needed", "token/s", short="tokens/s needed").of(
        f.tokens_needed(arrivals, given.output_tokens)
    )
    # Writing has no queue, since every session has its place: it must only fit into the session.
    writing = bill.step("writing_time", "Writing of a session, at a full node's pace", "min", short="writing").of(
        f.decode_time(given.output_tokens, step)
    )
    numbers.step("writing_share", "Share of a session spent writing, at most", "%", short="writing's share").of(
        writing / given.session_time
    )

    # A session that pauses: hold, evict, or move out. Neither pool is planned to be full.
    bill.step(
        "session_hour", "Holding a session in GPU memory for an hour", "USD/sequence", short="holding a session"
    ).of(tp * given.price * _HOUR / (fit * given.places_used))
    bill.step("prefill_cost", "Prefill of a whole session once more", "USD/sequence", short="prefill cost").of(
        whole * given.price / given.planned_load
    )
    bill.step(
        "break_even", "Pause after which holding costs more than another prefill", "min", short="break-even pause"
    ).of(whole / given.planned_load * fit * given.places_used / tp)
    bill.step("move_time", "Moving a session's cache in or out, on all links of a node", "ms", short="move").of(
        f.transfer_time(kv, tp, given.link)
    )
    host = bill.step(
        "host_sessions",
        "Paused sessions that fit in a node's host memory",
        "sequence/replica",
        short="paused sessions fit",
    ).of(floor(given.host_memory / kv))

    # A node dies: the places that are left, and what its sessions ask of the prefill pool.
    bill.step("homeless", "Without a place if a node of the bare fleet dies", "sequence", short="without place").of(
        maximum(_NO_SESSION, given.sessions - (nodes - _ANOTHER_NODE) * fit)
    )
    spare = behind.step("spare_gpus", "GPUs of the prefill pool that are not busy", "GPU", short="spare GPUs").of(
        prefill_nodes * tp - prefill_gpus
    )
    bill.step("recovery", "Prefilling a lost node's sessions again on them", "s", short="recovery").of(
        fit * whole / spare * _ONE_NODE
    )
    bill.step("recovery_all", "The same, with the paused ones of its host memory", "min", short="full recovery").of(
        (fit + host) * whole / spare * _ONE_NODE
    )

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
    by_compute = binds.step("gpus_by_compute", "GPUs if compute were the only limit, prefill included", "GPU").of(
        prefill_gpus + decode_by_compute
    )
    by_bandwidth = binds.step("gpus_by_bandwidth", "GPUs if memory bandwidth were the only limit", "GPU").of(
        f.gpus_by_bandwidth(needed, f.tokens_per_replica(fit, memory_step), tp)
    )
    c.ceiling("capacity", by_capacity)
    c.ceiling("compute", by_compute)
    c.ceiling("bandwidth", by_bandwidth)

    c.require("first-answer", "The first answer meets its target", answer, at_most=given.first_token_target)
    c.require("per-token", "The time per token meets its target", step, at_most=given.token_target)
    c.require("writing", "Writing fits into the session", writing, at_most=given.session_time)
