"""Design a coding agent: what growing contexts cost to read again, what they cost to keep, and the wait between."""

from macros import formulas as f
from macros.sizing import Builder, Constant, ceil, floor, implied, maximum, minimum, power, sqrt

_PEAK_HOUR = Constant(3600, "s", shown="3,600 s")
_DAY = Constant(24, "hour")
_FIRST = Constant(1, "request", shown="1")
# A context that grows by less than what the model writes brings nothing new.
_NOTHING = Constant(0, "token/request", shown="0")
# A context that does not grow never gets anywhere; a reader may say so, and must not divide by nothing.
_A_TOKEN = Constant(1, "token/request", shown="1 token")
_NO_TURN = Constant(0, "request", shown="0")
# Nor may a reader's target leave a step no time for new tokens.
_A_MOMENT = Constant(1, "ms", shown="1 ms")
_TWO = Constant(2, "FLOP/parameter/token", shown="2")
_EACH_TOKEN = implied("request/token")
# A session is one run of the agent, each of its turns one request, and its cache that of one sequence.
_EACH_RUN = implied("1/run")
_ONE_RUN = implied("run")
_ITS_CACHE = implied("request/run")
_ONE_COPY = implied("1/replica")
_ONE_REPLICA = Constant(1, "replica", shown="1")
_ONE_TURN = implied("request")
_PER_TURN = implied("1/request")


def chain(c: Builder) -> None:
    """From a session's prompts to GPUs with nothing kept, with every cache kept, and with a tier between."""
    given, gpu, model = c.given, c.given.gpu, c.given.model
    behind, numbers, bill, binds = (c.part(name) for name in ("behind", "numbers", "bill", "binds"))
    tp, flops = given.gpus_per_replica, given.prefill_flops
    attending = (model.layers, model.query_heads, model.head_dim)
    caching = (model.layers, model.kv_heads, model.head_dim, given.kv_bytes)

    weights = behind.step("model_weights", "Weights of one replica", "GB", short="weights").of(
        f.weight_bytes(model.nominal, given.weights.bytes)
    )
    kv_per_token = behind.step("kv_per_token", "KV cache per token", "byte/token", short="KV per token").of(
        f.kv_bytes_per_token(*caching)
    )
    room = behind.step("room_per_gpu", "Room for caches on a GPU", "GB/GPU", short="room per GPU").of(
        f.room_for_caches(given.usable_memory, tp, gpu.memory, weights * _ONE_COPY) / tp
    )
    new = behind.step("new_per_turn", "New prompt tokens of a later turn", "token/request", short="new tokens").of(
        maximum(_NOTHING, given.growth - given.output_tokens)
    )

    # Nothing kept: every turn reads the whole context again.
    peak = numbers.step("peak_sessions", "Sessions that start at the peak", "run/s", short="peak sessions").of(
        given.sessions * given.peak_share / _PEAK_HOUR
    )
    tokens = numbers.step("session_tokens", "Prompt tokens of a session", "token", short="prompt tokens").of(
        f.session_prompt_tokens(given.turns, given.first_context, given.growth)
    )
    mean = numbers.step("mean_prompt", "Mean prompt", "token/request").of(tokens / given.turns)
    weights_work = numbers.step(
        "weights_work", "Prefill of a session, the weights", "GPU*s/run", short="weights' prefill"
    ).of(f.prefill_gpu_seconds(model.nominal, mean, flops) * given.turns * _EACH_RUN)
    attention_work = numbers.step(
        "attention_work", "Prefill of a session, attention", "GPU*s/run", short="attention's prefill"
    ).of(f.session_attention_flops(*attending, given.turns, given.first_context, given.growth) / flops * _EACH_RUN)
    gpus = numbers.step("gpus", "Prefill fleet with nothing kept", "GPU", short="cold GPUs").of(
        ceil(peak * (weights_work + attention_work))
    )
    c.headline(gpus)

    # Every prefix kept: the new tokens alone are read, and look back at all of it.
    new_tokens = numbers.step(
        "new_tokens", "New prompt tokens of a session", "token", short="new tokens of a session"
    ).of(f.session_new_tokens(given.turns, given.first_context, new))
    new_work = behind.step("new_work", "Prefill of the new tokens, the weights", "GPU*s/run", short="new prefill").of(
        f.prefill_gpu_seconds(model.nominal, new_tokens / given.turns, flops) * given.turns * _EACH_RUN
    )
    look_back = behind.step("look_back", "Prefill of the new tokens, attention", "GPU*s/run", short="looking back").of(
        f.session_attention_flops_after(*attending, given.turns, given.first_context, given.growth, new)
        / flops
        * _EACH_RUN
    )
    warm_gpus = numbers.step("warm_gpus", "Prefill fleet with every prefix kept", "GPU", short="warm GPUs").of(
        ceil(peak * (new_work + look_back))
    )

    # What keeping takes: a cache for every session that is open, whether it computes or waits.
    at_once = numbers.step("sessions_at_once", "Sessions open at the peak", "run", short="open sessions").of(
        peak * given.session_time
    )
    kv = numbers.step("kv_per_session", "Cache of a session at its mean prompt", "GB/sequence", short="KV").of(
        f.kv_bytes_per_sequence(*caching, mean)
    )
    held = numbers.step("held", "Caches of all open sessions", "TB", short="caches").of(at_once * kv * _ITS_CACHE)
    held_gpus = numbers.step("held_gpus", "GPUs to hold all caches", "GPU", short="GPUs to hold caches").of(
        f.gpus_to_hold(held, room)
    )
    again = behind.step("again", "Prefill of a mean prompt once more", "GPU*s/request", short="prefill once more").of(
        f.prefill_gpu_seconds(model.nominal, mean, flops) + f.attention_flops(*attending, mean) / flops
    )
    behind.step("cache_share", "Part of a GPU that this cache takes", "GPU/sequence", short="its part of a GPU").of(
        kv / room
    )
    break_even = numbers.step("break_even", "Break-even wait of a kept cache", "s", short="break-even wait").of(
        f.break_even_wait(again, kv, room)
    )

    # What the parts of prefill are, and where prefill and holding meet.
    cold_work = bill.step("cold_work", "Prefill of a session, nothing kept", "GPU*s/run", short="cold prefill").of(
        weights_work + attention_work
    )
    warm_work = bill.step("warm_work", "Prefill of a session, every prefix kept", "GPU*s/run", short="warm prefill").of(
        new_work + look_back
    )
    bill.step(
        "weights_gpus", "Prefill fleet with nothing kept, the weights alone", "GPU", short="cold GPUs, weights alone"
    ).of(ceil(peak * weights_work))
    bill.step("warm_weights_gpus", "Prefill fleet with every prefix kept, the weights alone", "GPU").of(
        ceil(peak * new_work)
    )
    bill.step("attention_share", "Attention's share of prefill, nothing kept", "%", short="attention's share").of(
        attention_work / cold_work
    )
    bill.step(
        "look_back_share", "Attention's share of prefill, every prefix kept", "%", short="attention's share, warm"
    ).of(look_back / warm_work)
    bill.step(
        "equal_length",
        "Prompt at which attention takes as many FLOPs as the weights",
        "token/request",
        short="equal length",
    ).of(f.attention_meets_weights(model.nominal, *attending))
    bill.step(
        "best_hit_share", "Share of prompt tokens that hit if every prefix is kept", "%", short="best hit share"
    ).of(1 - new_tokens / tokens)
    bill.step("in_per_out", "Prompt tokens for each token that is written", "", short="in per out").of(
        mean / given.output_tokens
    )
    bill.step(
        "equal_warm_share",
        "Warm share above which holding that share takes more GPUs than prefill",
        "%",
        short="equal warm share",
    ).of(gpus / (held_gpus + gpus - warm_gpus))
    bill.step("missed_gpus", "Prefill at the warm share, in both pools", "GPU", short="prefill with misses").of(
        ceil(peak * (warm_work + (1 - given.warm_share) * (cold_work - warm_work)))
    )
    bill.step("hit_share", "Share of prompt tokens that hit at the warm share", "%", short="hit share").of(
        given.warm_share * (tokens - new_tokens) / tokens
    )
    bill.step("scattered_gpus", "Prefill fleet if turns go to replicas at random", "GPU", short="GPUs at random").of(
        ceil(peak * (cold_work - _ONE_REPLICA / (held_gpus / tp) * (cold_work - warm_work)))
    )

    # Decode, at the batch that memory allows.
    fit = binds.step("sequences_that_fit", "Most sequences that fit", "sequence/replica", short="batch").of(
        f.sequences_that_fit(given.usable_memory, tp, gpu.memory, weights, kv)
    )
    step = binds.step("decode_step", "Decode step at that batch", "ms", short="step").of(
        f.decode_step(fit, kv, weights, model.nominal, tp, gpu.bandwidth, gpu.weights_flops)
    )
    decode_time = bill.step("decode_time", "Decoding of a turn", "s", short="decode time").of(
        f.decode_time(given.output_tokens, step)
    )
    peak_turns = bill.step("peak_turns", "Turns per second at the peak", "request/s", short="peak turns").of(
        peak * given.turns * _EACH_RUN
    )
    decode_gpus = bill.step("decode_gpus", "Fleet for decode at the peak", "GPU", short="decode GPUs").of(
        f.gpus_for_gpu_seconds(peak_turns, tp * decode_time / fit)
    )

    # A turn on the clock: the model's part, then the wait for a tool or a person.
    cached = behind.step("mean_cached", "Cached part of a mean prompt", "token/request", short="cached").of(mean - new)
    cold_first = bill.step("cold_first_token", "First token of a mean prompt, prefix lost", "s", short="cold wait").of(
        f.first_token_alone(again, tp)
    )
    warm_first = bill.step("warm_first_token", "First token of a mean prompt, prefix kept", "s", short="warm wait").of(
        f.first_token_alone(
            f.prefill_gpu_seconds(model.nominal, new, flops) + f.attention_flops_after(*attending, cached, new) / flops,
            tp,
        )
    )
    # The two pools: first turns and misses read alone, the new tokens of warm turns ride along with decode.
    first_work = behind.step("first_work", "Prefill of the first prompt", "GPU*s/run", short="first prefill").of(
        (
            f.prefill_gpu_seconds(model.nominal, given.first_context, flops)
            + f.attention_flops(*attending, given.first_context) / flops
        )
        * _ONE_TURN
        * _EACH_RUN
    )
    riding = bill.step(
        "riding_gpus", "GPUs for new tokens that ride along with decode", "GPU", short="GPUs for riding along"
    ).of(peak * given.warm_share * (warm_work - first_work))
    prefill_pool = bill.step("prefill_pool", "Prefill pool, first turns and misses", "GPU", short="prefill pool").of(
        ceil(peak * (first_work + (1 - given.warm_share) * (cold_work - first_work)))
    )
    decode_pool = bill.step("decode_pool", "Decode replicas, new tokens included", "GPU", short="decode pool").of(
        ceil(decode_gpus + riding)
    )
    shared_step = bill.step("shared_step", "Mean time per token beside that reading", "ms", short="shared step").of(
        step * decode_pool / decode_gpus
    )
    pieces = bill.step("pieces", "Steps over which a turn's new tokens are spread", "", short="steps").of(
        warm_first / maximum(_A_MOMENT, given.token_target - step)
    )
    spread = bill.step("spread_first_token", "First token of a warm turn, spread so", "s", short="spread wait").of(
        pieces * given.token_target
    )
    load = bill.step("host_load", "Loading a cache from host memory", "ms", short="host load").of(
        f.transfer_time(kv, tp, given.host_bandwidth)
    )
    loaded = bill.step(
        "loaded_first_token", "First token of a warm turn, loaded and spread", "s", short="loaded wait"
    ).of(load + spread)
    writing = bill.step("writing_time", "Writing of a turn beside that reading", "s", short="writing time").of(
        f.decode_time(given.output_tokens, shared_step)
    )
    bill.step("in_hand", "Turns that decode replicas work on at once, all warm", "request", short="in hand").of(
        f.concurrency(peak_turns, spread + writing)
    )
    bill.step("places", "Places for caches beside the weights of decode replicas", "sequence", short="places").of(
        decode_pool / tp * fit
    )

    # What the first-token target lets through at p95: a cold prompt is quick enough up to a length, attention included.
    by_weights = f.prompt_within(given.first_token_target, tp, flops, model.nominal)
    alike = f.attention_meets_weights(model.nominal, *attending)
    quick = bill.step(
        "quick_prompt", "Longest cold prompt within the target", "token/request", short="quick prompt"
    ).of((sqrt(power(alike, 2) + 4 * alike * by_weights) - alike) / 2)
    grows = maximum(_A_TOKEN, given.growth)
    quick_turns = behind.step("quick_turns", "Turns whose prompt is that short", "request", short="quick turns").of(
        minimum(given.turns, maximum(_NO_TURN, floor((quick - given.first_context) / grows * _ONE_TURN) + _FIRST))
    )
    slow_share = bill.step("slow_share", "Turns that are cold and longer", "%", short="slow turns").of(
        (_FIRST - minimum(_FIRST, quick_turns) + (1 - given.warm_share) * (given.turns - maximum(_FIRST, quick_turns)))
        / given.turns
    )
    turn_time = behind.step("turn_time", "A turn on the clock", "s", short="turn").of(
        given.session_time / given.turns * _ONE_TURN
    )
    wait = bill.step("wait", "Rest of a turn, for tools and people", "s", short="wait").of(turn_time - spread - writing)
    bill.step("idle_share", "Share of the time that a cache waits", "%", short="idle share").of(wait / turn_time)

    # How long to keep: the same wait for any length, but for attention.
    last = behind.step("last_prompt", "Last prompt", "token/request").of(
        given.first_context + (given.turns - _FIRST) * given.growth * _PER_TURN
    )
    longest = behind.step(
        "longest", "Context at the end of the last turn", "token/request", short="longest context"
    ).of(last + given.output_tokens)
    bill.step("break_even_first", "Break-even wait for the first context", "s", short="break-even, first context").of(
        f.break_even_wait(first_work / _ONE_TURN / _EACH_RUN, kv_per_token * given.first_context, room)
    )
    bill.step(
        "break_even_weights", "Break-even wait without attention, for any length", "s", short="break-even by weights"
    ).of(f.break_even_wait(f.prefill_gpu_seconds(model.nominal, mean, flops), kv, room))
    bill.step("break_even_last", "Break-even wait for the last prompt", "s", short="break-even, last prompt").of(
        f.break_even_wait(
            f.prefill_gpu_seconds(model.nominal, last, flops) + f.attention_flops(*attending, last) / flops,
            kv_per_token * last,
            room,
        )
    )

    # A tier in host memory: caches that wait leave the GPUs.
    tiered = numbers.step("tiered_gpus", "Fleet for both phases with a host tier", "GPU", short="GPUs with a tier").of(
        prefill_pool + decode_pool
    )
    bill.step("held_busy", "GPUs that reading and writing keep busy, every prefix kept", "GPU", short="busy GPUs").of(
        warm_gpus + decode_gpus
    )
    host = bill.step("host_tier", "Host memory of the decode replicas", "TB", short="host tier").of(
        decode_pool * given.host_memory
    )
    bill.step("host_least", "Host memory per GPU that just holds all caches", "GB/GPU", short="least host memory").of(
        held / decode_pool
    )
    bill.step("link_load", "Load of the links from host memory, every turn loaded", "%", short="link load").of(
        peak_turns * kv / (decode_pool * given.host_bandwidth)
    )
    bill.step("move_time", "Copying a cache to another node over one network card", "s", short="move").of(
        kv * _ONE_TURN / given.network_card
    )
    bill.step("kept_after", "How long the host tier keeps a session that has ended", "min", short="kept after").of(
        (host - held) / (peak * kv_per_token * longest * _ITS_CACHE)
    )

    # Compaction: halfway through, a summary takes the history's place.
    compacted = binds.step(
        "compacted_mean", "Mean prompt with a summary halfway", "token/request", short="compacted prompt"
    ).of(given.first_context + (given.turns / 2 - _FIRST) * given.growth / 2 * _PER_TURN + given.summary_tokens / 2)
    compacted_kv = binds.step(
        "compacted_kv", "Cache of a session at that prompt", "GB/sequence", short="smaller KV"
    ).of(f.kv_bytes_per_sequence(*caching, compacted))
    binds.step("compacted_held_gpus", "GPUs to hold all such caches", "GPU", short="GPUs to hold smaller caches").of(
        f.gpus_to_hold(at_once * compacted_kv * _ITS_CACHE, room)
    )
    compacted_fit = binds.step(
        "compacted_fit", "Most such sequences that fit", "sequence/replica", short="larger batch"
    ).of(f.sequences_that_fit(given.usable_memory, tp, gpu.memory, weights, compacted_kv))
    compacted_step = binds.step(
        "compacted_step", "Decode step at that batch, with a summary", "ms", short="its step"
    ).of(f.decode_step(compacted_fit, compacted_kv, weights, model.nominal, tp, gpu.bandwidth, gpu.weights_flops))
    binds.step(
        "compacted_decode_gpus", "Fleet for decode, summaries included", "GPU", short="decode GPUs with summaries"
    ).of(
        f.gpus_for_gpu_seconds(
            peak_turns,
            tp
            * f.decode_time(given.output_tokens + given.summary_tokens / given.turns * _ONE_TURN, compacted_step)
            / compacted_fit,
        )
    )
    binds.step("summary_time", "Writing the summary", "s", short="summary time").of(
        f.decode_time(given.summary_tokens, compacted_step)
    )

    # Money: a session by three fleets, all day, by an API, and for each task that is solved.
    bill.step("cold_cost", "A session with nothing kept", "USD").of(
        (gpus + decode_gpus) * given.price / peak * _ONE_RUN
    )
    bill.step("held_cost", "A session with all caches in GPU memory", "USD").of(
        held_gpus * given.price / peak * _ONE_RUN
    )
    cost = bill.step("tiered_cost", "A session with a host tier", "USD", short="cost of a session").of(
        tiered * given.price / peak * _ONE_RUN
    )
    looped = bill.step(
        "loop_factor", "Turns with loops, in percent of those without", "%", short="turns with loops"
    ).of(1 + given.loop_share * (given.loop_turns / given.turns - 1))
    roomy = bill.step(
        "gpus_with_room", "That fleet with loops, at the planned load", "GPU", short="GPUs with loops and room"
    ).of(ceil(tiered * looped / given.planned_load))
    bill.step("daily_cost", "A session, that fleet paid all day", "USD").of(
        roomy * given.price * _DAY / given.sessions * _ONE_RUN
    )
    api_output = given.turns * given.output_tokens * given.api_output_price
    bill.step("api_cost", "The same session by API, prefixes cached", "USD").of(
        new_tokens * given.api_input_price + (tokens - new_tokens) * given.api_cached_price + api_output
    )
    bill.step("api_cold_cost", "The same session by API, nothing cached", "USD").of(
        tokens * given.api_input_price + api_output
    )
    bill.step("turns_in_window", "Turns until the window is full", "request", short="turns in the window").of(
        floor((given.window - given.first_context - given.output_tokens) / grows * _ONE_TURN) + _FIRST
    )
    bill.step("loop_prompt", "Mean prompt of a loop that is compacted", "token/request", short="loop's prompt").of(
        (given.first_context + given.summary_tokens + last) / 2
    )
    bill.step("loop_bill", "Share of the turns paid for that go into loops", "%", short="loops' share").of(
        given.loop_share * given.loop_turns / given.turns / looped
    )
    bill.step("solved_cost", "A solved task, loops included", "USD", short="solved task").of(
        cost * looped / given.solved_share
    )
    bill.step("capped_cost", "A solved task, loops ended at the cap", "USD", short="solved task, capped").of(
        cost * (1 + given.loop_share * (given.turn_cap / given.turns - 1)) / given.solved_share
    )

    # Each ceiling alone, with nothing kept; then compute once more with every prefix kept.
    needed = binds.step("tokens_needed", "Output tokens per second needed", "token/s", short="tokens/s needed").of(
        f.tokens_needed(peak_turns, given.output_tokens)
    )
    memory = binds.step("memory_step", "Decode step, simple form", "ms", short="memory step").of(
        f.memory_step(weights, fit, kv, tp, gpu.bandwidth)
    )
    in_flight = binds.step("in_flight", "Turns that the model works on at once", "request", short="in flight").of(
        f.concurrency(peak_turns, cold_first + decode_time)
    )
    # Attention reads the cache once a token, and multiplies as often as its intensity says.
    attention = kv * f.attention_intensity(model.query_heads, model.kv_heads, given.kv_bytes) * _EACH_TOKEN
    decode_compute = behind.step(
        "decode_compute", "GPUs for the arithmetic of decode", "GPU", short="decode's arithmetic"
    ).of(ceil((_TWO * model.nominal + attention) * needed / gpu.weights_flops))
    by_compute = binds.step("gpus_by_compute", "GPUs if compute were the only limit", "GPU").of(gpus + decode_compute)
    by_capacity = binds.step("gpus_by_capacity", "GPUs if holding what is in flight were the only limit", "GPU").of(
        f.gpus_by_capacity(in_flight, fit, tp)
    )
    by_bandwidth = binds.step("gpus_by_bandwidth", "GPUs if memory bandwidth were the only limit", "GPU").of(
        f.gpus_by_bandwidth(needed, f.tokens_per_replica(fit, memory), tp)
    )
    binds.step("warm_by_compute", "GPUs for compute with every prefix kept", "GPU").of(warm_gpus + decode_compute)
    bill.step("tested", "Sessions of the load test that fit", "sequence/replica", short="sessions tested").of(
        floor(
            tp
            * (
                given.usable_memory * gpu.memory
                - f.weight_bytes(model.parameters, given.weights.bytes) * _ONE_COPY / tp
                - given.engine_memory
            )
            / (kv_per_token * (mean + given.output_tokens))
        )
    )
    c.ceiling("compute", by_compute)
    c.ceiling("capacity", by_capacity)
    c.ceiling("bandwidth", by_bandwidth)

    c.require("window", "The last context fits in the model's window", longest, at_most=given.window)
    c.require(
        "first-token", "The first token of a warm turn meets its target", loaded, at_most=given.first_token_target
    )
    c.require(
        "first-token-tail",
        "Cold turns past the first-token target are as few as p95 allows",
        slow_share,
        at_most=given.tail_share,
    )
    c.require("per-token", "The time per token meets its target", step, at_most=given.token_target)
    c.require("tier-holds", "All caches fit in the decode replicas' host memory", held, at_most=host)
    c.require("keeping-pays", "A turn's wait is shorter than the break-even wait", wait, at_most=break_even)
