"""Design code completion: the batch that a deadline allows, the fleet that follows, the memory of reused prefixes."""

from macros import formulas as f
from macros.sizing import Builder, Constant, floor, implied, maximum

# A reader may give all GPUs of a node to prefill, or more than there are.
_NONE_LEFT = Constant(0, "GPU/node", shown="0")
# What a fleet is divided by: a deadline that allows no batch at all is no reason to divide by zero.
_ONE = Constant(1, "sequence/replica", shown="1")
_ONE_SERVER = Constant(1, "replica", shown="1")
# What is left of a deadline that the stages before have used up.
_NOTHING = Constant(0, "s", shown="0")
_A_PASS_EACH = implied("replica/request")
_READ_BY_EACH = implied("1/request")
_FROM_EACH = implied("request/user")
# A factor of one that names the hours in the formula, as the row for a day does.
_MONTH = Constant(730, "hour/month", shown="730 h")


def chain(c: Builder) -> None:
    """From triggers to GPUs under a deadline, then the stages, the memory, the levers, cancelled work and money."""
    given, gpu, model = c.given, c.given.gpu, c.given.model
    behind, numbers, bill, binds = (c.part(name) for name in ("behind", "numbers", "bill", "binds"))
    tp = given.gpus_per_replica

    weights = behind.step("model_weights", "Weights of one replica", "GB", short="weights", digits=4).of(
        f.weight_bytes(model.nominal, given.weights.bytes)
    )
    behind.step("kv_per_token", "KV cache per token", "byte/token", short="KV per token").of(
        f.kv_bytes_per_token(model.layers, model.kv_heads, model.head_dim, given.kv_bytes)
    )
    cached = behind.step("cached_tokens", "Tokens found in the cache, warm", "token/request", short="cached tokens").of(
        given.input_tokens - given.new_tokens
    )
    achieved = behind.step(
        "achieved_bandwidth", "Achieved memory bandwidth", "TB/s/GPU", short="achieved bandwidth"
    ).of(given.bandwidth_share * gpu.bandwidth)
    cold_work = behind.step(
        "cold_gpu_seconds", "Prefill of the whole context", "GPU*ms/request", short="cold prefill GPU-seconds"
    ).of(f.prefill_gpu_seconds(model.nominal, given.input_tokens, given.prefill_flops))
    # A pass reads the weights while it multiplies by them, so the slower of the two counts.
    warm_work = behind.step(
        "warm_gpu_seconds", "Prefill of the new tokens", "GPU*ms/request", short="prefill GPU-seconds"
    ).of(
        maximum(
            f.prefill_gpu_seconds(model.nominal, given.new_tokens, given.prefill_flops),
            weights / gpu.bandwidth * _READ_BY_EACH,
        )
    )
    looking_back = behind.step(
        "attention_gpu_seconds", "Attention of the new tokens", "GPU*ms/request", short="attention GPU-seconds"
    ).of(
        f.attention_flops_after(model.layers, model.query_heads, model.head_dim, cached, given.new_tokens)
        / given.prefill_flops
    )
    context = behind.step("warm_context", "KV cache of a warm context", "MB/request", short="warm context").of(
        f.kv_bytes_per_sequence(model.layers, model.kv_heads, model.head_dim, given.kv_bytes, given.input_tokens)
    )

    servers = behind.step(
        "queue_servers", "Prefill replicas that share one queue", "replica", short="prefill replicas"
    ).of(maximum(_ONE_SERVER, floor(given.queue_gpus / tp)))

    # The stages that come before the steps; the main table shows their sum.
    attention = bill.step("attention_time", "Attention of the new tokens", "ms", short="attention").of(
        f.first_token_alone(looking_back, tp)
    )
    queue = bill.step("queue_wait", "Queue before prefill, p95", "ms", short="queue").of(
        given.wait_tail * f.queue_wait(f.first_token_alone(warm_work + looking_back, tp), servers, given.queue_load)
    )
    fetch = bill.step("fetch_time", "Fetch of the warm context from another GPU", "ms", short="fetch").of(
        f.transfer_time(
            given.fetched_share
            * f.kv_bytes_per_sequence(model.layers, model.kv_heads, model.head_dim, given.kv_bytes, cached),
            tp,
            given.link_bandwidth,
        )
    )
    handoff = bill.step("handoff_time", "Hand-off of the cache to a decode GPU", "ms", short="hand-off").of(
        f.transfer_time(context, tp, given.link_bandwidth)
    )

    peak = numbers.step("peak_requests", "Peak triggers per second", "request/s", short="peak triggers").of(
        f.arrival_rate_at_peak(given.daily_users, given.requests_per_user, given.peak_share)
    )
    cold = bill.step("cold_prefill", "Prefill, cold", "ms", short="cold prefill").of(f.first_token_alone(cold_work, tp))
    warm = numbers.step("prefill_time", "Prefill, warm", "ms", short="prefill").of(f.first_token_alone(warm_work, tp))
    kv = numbers.step("kv_per_request", "KV cache of one request", "MB/request", short="KV").of(
        f.kv_bytes_per_sequence(
            model.layers, model.kv_heads, model.head_dim, given.kv_bytes, given.input_tokens + given.output_tokens
        )
    )
    step = numbers.step("decode_step", "Decode step", "ms", short="step").of(
        f.decode_step(given.batch, kv, weights, model.nominal, tp, gpu.bandwidth, gpu.weights_flops)
    )
    steps = numbers.step("decode_time", "Steps of one suggestion", "ms", short="steps").of(
        f.decode_time(given.output_tokens, step)
    )
    model_time = behind.step("model_time", "Prefill, warm, and all steps", "ms", short="model time").of(warm + steps)
    at_server = numbers.step("server_time", "Whole suggestion at the server, p95", "ms", short="server time").of(
        given.front_time + queue + fetch + attention + handoff + model_time
    )
    left = binds.step("time_for_steps", "Time that the deadline leaves for the steps", "ms", short="time for steps").of(
        maximum(_NOTHING, given.deadline - (at_server - steps))
    )
    largest = numbers.step(
        "deadline_batch", "Largest batch that the deadline allows", "sequence/replica", short="deadline's batch"
    ).of(f.batch_within(left, given.output_tokens, weights, kv, tp, gpu.bandwidth))
    decode_work = behind.step(
        "decode_gpu_seconds", "GPU time of the steps", "GPU*ms/request", short="decode GPU-seconds"
    ).of(tp * steps / given.batch)
    prefill_gpus = numbers.step("prefill_gpus", "GPUs for prefill, warm", "GPU", short="prefill GPUs").of(
        f.gpus_for_gpu_seconds(peak, warm_work)
    )
    decode_gpus = numbers.step("decode_gpus", "GPUs for decode", "GPU", short="decode GPUs").of(
        f.gpus_for_gpu_seconds(peak, decode_work)
    )
    gpus = numbers.step("gpus", "Fleet for both phases, contexts warm, peak bandwidth", "GPU", short="GPUs").of(
        prefill_gpus + decode_gpus
    )
    c.headline(gpus)

    # The same deadline at the bandwidth that steps achieve: first without help, then with speculation.
    slow_batch = binds.step(
        "achieved_batch", "Largest batch in time, achieved bandwidth", "sequence/replica", short="batch, achieved"
    ).of(f.batch_within(left, given.output_tokens, weights, kv, tp, achieved))
    slow_ample = maximum(_ONE, slow_batch)
    slow_step = binds.step("achieved_step", "Decode step at that batch", "ms", short="step, achieved").of(
        f.memory_step(weights, slow_ample, kv, tp, achieved)
    )
    numbers.step("achieved_gpus", "Fleet at the achieved bandwidth, batch re-solved", "GPU", short="GPUs, achieved").of(
        f.gpus_for_gpu_seconds(peak, warm_work + tp * f.decode_time(given.output_tokens, slow_step) / slow_ample)
    )
    speedup = binds.step("speedup", "Speed-up of decode by speculation, mean", "", short="speed-up").of(
        f.speculative_speedup(given.draft_acceptance, given.draft_tokens, given.draft_cost)
    )
    slow_speedup = binds.step("slow_speedup", "Speed-up of decode by speculation, slow", "", short="slow speed-up").of(
        f.speculative_speedup(given.slow_acceptance, given.draft_tokens, given.draft_cost)
    )
    drafted_batch = numbers.step(
        "drafted_batch", "Batch allowed there, with speculation", "sequence/replica", short="drafted batch"
    ).of(f.batch_within(left * slow_speedup, given.output_tokens, weights, kv, tp, achieved))
    drafted_ample = maximum(_ONE, drafted_batch)
    drafted_step = binds.step(
        "drafted_step", "Decode step at the batch with speculation", "ms", short="drafted step"
    ).of(f.memory_step(weights, drafted_ample, kv, tp, achieved))
    drafted_steps = f.decode_time(given.output_tokens, drafted_step)
    slow_steps = drafted_steps / slow_speedup
    binds.step("drafted_time", "Whole suggestion with speculation, p95", "ms", short="drafted time").of(
        at_server - steps + slow_steps
    )
    drafted_work = binds.step(
        "drafted_gpu_seconds", "GPU time of the steps with speculation", "GPU*ms/request", short="drafted GPU-seconds"
    ).of(tp * drafted_steps / speedup / drafted_ample)
    numbers.step("drafted_gpus", "Fleet with speculation, achieved bandwidth", "GPU", short="GPUs with speculation").of(
        f.gpus_for_gpu_seconds(peak, warm_work + drafted_work)
    )
    cost = numbers.step("cost_per_1000", "Cost at the peak, that fleet", "USD/krequest", short="cost").of(
        f.cost_per_1000(warm_work + drafted_work, given.price)
    )
    keep_time = binds.step("keep_time", "How long a context is kept, mean", "s", short="keep time").of(
        given.warm_share * given.typing_pause + (1 - given.warm_share) * given.timeout
    )
    kept = numbers.step("warm_held", "Warm contexts to keep at the peak", "TB", short="warm contexts").of(
        f.concurrency(peak, keep_time) * context
    )

    # What the deadline does not show: the way to the editor, the memory's real speed, a cold cache, shared GPUs.
    bill.step("editor_time", "From the last keystroke to the suggestion", "ms", short="editor's wait").of(
        given.debounce + given.round_trip + at_server
    )
    bill.step("achieved_time", "Whole suggestion at the achieved bandwidth", "ms", short="server time, achieved").of(
        at_server - steps + steps / given.bandwidth_share
    )
    cold_first = bill.step("cold_first_token", "First token, cold, with attention", "ms", short="cold first token").of(
        cold
        + f.first_token_alone(
            f.attention_flops(model.layers, model.query_heads, model.head_dim, given.input_tokens)
            / given.prefill_flops,
            tp,
        )
    )
    # Its own short cache spares the fetch, nearly all of the hand-off, and more of the steps than its attention takes.
    bill.step("cold_tokens", "Context that a cold trigger can afford", "token/request", short="cold context").of(
        f.prompt_within(
            maximum(_NOTHING, given.deadline - (given.front_time + queue + slow_steps)),
            tp,
            given.prefill_flops,
            model.nominal,
        )
    )
    bill.step("shared_stall", "Stall by others' prefill on shared GPUs", "ms", short="stall").of(
        (given.batch - _ONE) * (warm_work + looking_back) / tp
    )
    bill.step("cold_prefill_gpus", "GPUs for prefill, all cold", "GPU", short="cold prefill GPUs").of(
        f.gpus_for_gpu_seconds(peak, cold_work)
    )
    # The fleet as it would be rented: attention and misses counted, queues with room, nodes split by phase.
    warm_roomy = bill.step(
        "warm_gpus_with_room", "GPUs for warm prefill, at the planned load", "GPU", short="warm prefill GPUs"
    ).of(f.gpus_for_gpu_seconds(peak, (warm_work + looking_back) / given.queue_load))
    decode_roomy = bill.step(
        "decode_gpus_with_room", "GPUs for decode with speculation, at the planned load", "GPU", short="drafting GPUs"
    ).of(f.gpus_for_gpu_seconds(peak, drafted_work / given.slot_load))
    lane = bill.step("lane_gpus", "GPUs for the lane of misses, at the planned load", "GPU", short="lane GPUs").of(
        f.gpus_for_gpu_seconds(peak, (1 - given.warm_share) * tp * cold_first * _A_PASS_EACH / given.lane_load)
    )
    drafting_per_node = maximum(_NONE_LEFT, given.gpus_per_node - given.prefill_per_node)
    serving = bill.step("serving_nodes", "Nodes for warm prefill and decode", "node", short="serving nodes").of(
        maximum(
            f.whole_nodes(warm_roomy, given.prefill_per_node),
            f.whole_nodes(decode_roomy, drafting_per_node),
        )
    )
    lane_nodes = f.whole_nodes(lane, given.gpus_per_node)
    bill.step("lane_sent", "Contexts that each node of the lane sends", "GB/s/node", short="sent by the lane").of(
        peak * (1 - given.warm_share) * context / lane_nodes
    )
    nodes = bill.step("nodes", "Nodes, those of the lane included", "node", short="nodes").of(serving + lane_nodes)
    roomy = bill.step("gpus_with_room", "GPUs in those nodes", "GPU", short="GPUs to rent").of(
        nodes * given.gpus_per_node
    )

    # The memory that reuse takes.
    fit = binds.step(
        "sequences_that_fit", "Most sequences that fit", "sequence/replica", short="sequences that fit"
    ).of(f.sequences_that_fit(given.usable_memory, tp, gpu.memory, weights, kv))
    spare = bill.step("spare_memory", "Spare GPU memory for contexts", "TB", short="spare memory").of(
        (fit * given.prefill_per_node + f.sequences_to_spare(fit, drafted_batch) * drafting_per_node)
        * serving
        / tp
        * context
    )
    # Without the lane's: a context has to lie where its developer is sent.
    tier = bill.step("host_tier", "Host memory of the serving nodes for contexts", "TB", short="host tier").of(
        serving * given.gpus_per_node * given.host_memory
    )
    room = bill.step("context_room", "Room for contexts in both", "TB", short="room for contexts").of(spare + tier)
    bill.step("longest_timeout", "Longest timeout for which that is enough", "s", short="longest timeout").of(
        (f.residence_time(room / context, peak) - given.warm_share * given.typing_pause) / (1 - given.warm_share)
    )
    bill.step("long_pause", "Mean of the pauses that end cold", "s", short="long pause").of(
        (given.daily_users / peak * _FROM_EACH - given.warm_share * given.typing_pause) / (1 - given.warm_share)
    )
    bill.step("host_load", "Loading a context from host memory", "ms", short="host load").of(
        f.transfer_time(context, tp, given.host_bandwidth)
    )

    # Work that nobody sees, and what a line costs that somebody keeps.
    bill.step("cancelled_gpus", "GPUs for decode if a cancel stops the steps", "GPU", short="GPUs with cancels").of(
        f.gpus_for_gpu_seconds(
            peak, drafted_work * (1 - given.cancelled_share * (1 - given.cancel_point)) / given.slot_load
        )
    )
    accepted = bill.step("accepted_tokens", "Accepted tokens per trigger", "token/request", short="accepted tokens").of(
        given.output_tokens * (1 - given.cancelled_share) * given.shown_share * given.acceptance_share
    )
    bill.step("line_cost", "1,000 accepted lines, at the peak", "USD", short="cost of lines").of(
        cost / accepted * given.thousand_lines
    )
    all_day = bill.step("average_cost_per_1000", "GPUs to rent, paid all day", "USD/krequest", short="cost all day").of(
        f.average_cost_per_1000(roomy, given.price, given.daily_users, given.requests_per_user)
    )
    bill.step("average_line_cost", "1,000 accepted lines, paid all day", "USD").of(
        all_day / accepted * given.thousand_lines
    )
    bill.step("developer_cost", "A developer, paid all month", "USD/user/month").of(
        f.fleet_bill(roomy, given.price * _MONTH) / given.daily_users
    )

    # Each ceiling alone, before the rounding of the two fleets.
    binds.step("sequence_price", "What one more sequence adds to everyone's steps", "ms", short="price of one more").of(
        f.decode_time(given.output_tokens, f.transfer_time(kv, tp, gpu.bandwidth))
    )
    binds.step(
        "critical_batch",
        "Critical batch, where the weights' arithmetic takes as long as their reading",
        "sequence/replica",
        short="critical batch",
    ).of(f.critical_batch(weights, model.nominal, gpu.weights_flops, gpu.bandwidth))
    binds.step("weights_step", "Reading the weights in one step", "ms", short="weights read").of(
        f.weights_read_time(weights, tp, gpu.bandwidth)
    )
    ample = maximum(_ONE, largest)
    allowed = binds.step("deadline_step", "Decode step at the deadline's batch", "ms", short="deadline's step").of(
        f.memory_step(weights, ample, kv, tp, gpu.bandwidth)
    )
    by_latency = binds.step("gpus_by_latency", "GPUs at the batch that the deadline allows", "GPU").of(
        f.gpus_for_gpu_seconds(peak, warm_work + tp * f.decode_time(given.output_tokens, allowed) / ample)
    )
    full = binds.step("full_step", "Decode step with the most that fit", "ms", short="full step").of(
        f.memory_step(weights, fit, kv, tp, gpu.bandwidth)
    )
    full_pass = binds.step("full_pass", "Prefill's reads in one pass for as many", "ms", short="full pass").of(
        f.memory_step(
            weights,
            fit,
            f.kv_bytes_per_sequence(model.layers, model.kv_heads, model.head_dim, given.kv_bytes, cached),
            tp,
            gpu.bandwidth,
        )
    )
    by_bandwidth = binds.step("gpus_by_bandwidth", "GPUs if memory bandwidth were the only limit", "GPU").of(
        f.gpus_for_gpu_seconds(peak, tp * (f.decode_time(given.output_tokens, full) + full_pass) / fit)
    )
    by_capacity = binds.step("gpus_by_capacity", "GPUs if holding what is in flight were the only limit", "GPU").of(
        f.gpus_by_capacity(f.concurrency(peak, model_time), fit, tp)
    )
    by_compute = binds.step("gpus_by_compute", "GPUs if compute were the only limit", "GPU").of(
        prefill_gpus + f.gpus_by_compute(model.nominal, f.tokens_needed(peak, given.output_tokens), gpu.weights_flops)
    )
    binds.step("gpus_to_keep", "GPUs to hold the warm contexts as well", "GPU").of(
        f.gpus_by_capacity(f.concurrency(peak, keep_time + model_time), fit, tp)
    )
    c.ceiling("latency", by_latency)
    c.ceiling("compute", by_compute)
    c.ceiling("bandwidth", by_bandwidth)
    c.ceiling("capacity", by_capacity)

    c.require("batch-fits", "The batch fits in memory", given.batch, at_most=fit)
    c.require("deadline", "The whole suggestion meets its deadline", at_server, at_most=given.deadline)
    c.require("drafts-fit", "The batch with speculation fits in memory", drafted_batch, at_most=fit)
    c.require("tier-holds", "The warm contexts fit in spare GPU memory and host memory", kept, at_most=room)
