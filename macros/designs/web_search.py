"""Design web search: embedding all pages again in a day, the index that takes them in, and what an answer costs."""

from macros import formulas as f
from macros.sizing import Builder, Constant, ceil, floor, implied, maximum, power

# Number formats by definition.
_TWO_BYTES = Constant(2, "byte/value", shown="2")

_TWO_PER_PARAMETER = Constant(2, "FLOP/parameter/token", shown="2")
# A reader may give the model more parameters than its name says.
_NOTHING = Constant(0, "parameter", shown="0")
_IN_A_DAY = Constant(1, "1/day", shown="")
_A_DAY = Constant(1, "day", shown="1 day")
_NO_SHARE = Constant(0, "", shown="0")
_PER_COPY = implied("1/replica")
_PER_GPU = implied("1/GPU")
_ONE_AT_A_TIME = implied("node")
_A_COPY = implied("replica")
_ONE_NODE = implied("node/replica")
_EACH_SERVER = implied("1/node")
_EACH_PAGE = implied("page/request")
_PAGE_BY_PAGE = implied("request/page")


def chain(c: Builder) -> None:
    """From pages to GPUs for a day, the index on both sides of a migration, then a query stage by stage."""
    given, gpu, model, small = c.given, c.given.gpu, c.given.model, c.given.embedder
    behind, numbers, bill, binds = (c.part(name) for name in ("behind", "numbers", "bill", "binds"))
    tp = given.gpus_per_replica
    tokens = given.pages * given.tokens_per_page

    # Every page through the embedder, in time.
    flops = numbers.step("embed_flops", "FLOPs to embed every page", "ZFLOP", short="FLOPs").of(
        _TWO_PER_PARAMETER * small.nominal * tokens
    )
    embedding = numbers.step("embed_time", "GPU time to embed every page", "GPU*hour", short="embedding").of(
        flops / given.small_flops
    )
    gpus = numbers.step("gpus", "Fleet that embeds every page in time", "GPU", short="embedding GPUs").of(
        ceil(embedding / given.deadline)
    )
    c.headline(gpus)
    embed_cost = numbers.step("embed_cost", "Cost of embedding every page", "USD", short="embedding cost").of(
        embedding * given.price
    )

    # The count above is busy to the last minute. With room for failures it is a larger fleet, rented to the end.
    with_room = numbers.step("gpus_with_room", "GPUs that leave time for failures", "GPU", short="GPUs with room").of(
        ceil(embedding / (given.deadline * given.planned_time))
    )
    embed_rent = bill.step(
        "embed_rent", "Embedding fleet with room, rented until the deadline", "USD", short="embedding rent"
    ).of(with_room * given.deadline * given.price)

    # The new index beside the old one: inserts, memory, servers.
    vectors = given.pages * given.vectors_per_page
    inserts = numbers.step(
        "inserts", "Inserts per second into each copy of the new index", "vector/s", short="inserts"
    ).of(vectors / given.deadline)
    copy = numbers.step("index_copy", "One copy of an index", "TB", short="index copy").of(
        f.graph_index_bytes(
            vectors,
            given.dimension * given.vector_bytes + given.extra_bytes,
            given.links,
            given.link_bytes,
            given.index_overhead,
        )
    )
    per_copy = numbers.step("nodes_per_copy", "Servers for one copy", "node/replica", short="servers per copy").of(
        ceil(copy * _PER_COPY / (given.usable_node_share * given.node_memory))
    )
    changed = behind.step("changed_pages", "Pages that change in a day", "page/day", short="changed pages").of(
        given.pages * given.changed_share * _IN_A_DAY
    )
    change_inserts = bill.step("change_inserts", "Changed vectors per second", "vector/s", short="changed vectors").of(
        changed * given.vectors_per_page
    )
    per_node = numbers.step(
        "inserts_per_node",
        "Inserts per second on each new server, at the pace with room",
        "vector/s/node",
        short="inserts per server",
    ).of((inserts / given.planned_time + change_inserts) * _PER_COPY / per_copy)
    nodes = behind.step("nodes", "Servers of one index, all copies", "node", short="servers").of(
        per_copy * given.copies
    )
    numbers.step("nodes_both", "Servers while both indexes are live", "node", short="servers for both").of(2 * nodes)

    # What changes meanwhile goes into both.
    refresh = bill.step("refresh_time", "GPU time to embed a day's changes", "GPU*hour/day", short="refresh").of(
        embedding * given.changed_share * _IN_A_DAY
    )
    both_live = behind.step("both_live", "How long both indexes exist", "hour", short="both live").of(
        given.deadline + given.side_by_side
    )
    server_cost = bill.step("second_index_cost", "Servers of the second index", "USD", short="second index").of(
        nodes * given.node_price * both_live
    )
    twice_cost = bill.step("twice_cost", "Embedding the changes a second time", "USD", short="changes twice").of(
        refresh * both_live * given.price
    )
    migration = numbers.step("migration_cost", "Cost of the whole migration", "USD", short="migration cost").of(
        embed_rent + server_cost + twice_cost
    )

    # Keeping up with the web.
    visits = bill.step("visits", "Visits to pages per second", "page/s", short="visits").of(given.pages / given.revisit)
    bill.step("found_share", "Share of visits that find a change, at most", "%", short="found changed").of(
        changed / visits
    )
    bill.step("crawl_traffic", "Traffic of the crawl", "MB/s", short="crawl traffic").of(visits * given.fetch_bytes)
    unseen = bill.step("stale_share", "Pages whose change is not yet seen, at most", "%", short="unseen changes").of(
        given.changed_share * _IN_A_DAY * given.revisit / 2
    )
    # A page that changes at some time of a day is visited in the rest of it, half a day in the mean.
    bill.step(
        "seen_in_a_day", "Changes of a day that the crawler sees within it", "%", short="changes seen in a day"
    ).of(_A_DAY / (2 * maximum(_A_DAY, given.revisit)))

    # Each change leaves a dead vector behind until a merge, in memory that the living have nearly filled.
    used = bill.step("room_used", "Planned memory of the index servers in use", "%", short="room used").of(
        copy * _PER_COPY / (per_copy * given.usable_node_share * given.node_memory)
    )
    bill.step("room_lasts", "Until dead vectors fill that memory, if nothing is merged", "day", short="room lasts").of(
        (1 / used - 1) / (given.changed_share * _IN_A_DAY)
    )
    bill.step(
        "memory_lasts", "Until dead vectors fill all memory, if nothing is merged", "day", short="memory lasts"
    ).of((1 / (used * given.usable_node_share) - 1) / (given.changed_share * _IN_A_DAY))

    bill.step("merge_room", "Memory of a server beside its part of the index", "GB/node", short="room to merge").of(
        given.node_memory - copy * _PER_COPY / per_copy
    )

    # What 2 × parameters × tokens leaves out, on both sides: the table multiplies nothing, attention is not in it.
    multiplied = behind.step("multiplied", "Parameters of the embedder that multiply", "Bparam", short="multiplied").of(
        small.parameters - small.table
    )
    weights_flops = binds.step("weights_flops", "FLOPs of the parameters that multiply", "ZFLOP", short="weights").of(
        _TWO_PER_PARAMETER * multiplied * tokens
    )
    attention = binds.step("attention_flops", "FLOPs of attention", "ZFLOP", short="attention").of(
        f.attention_flops(small.layers, small.query_heads, small.head_dim, given.tokens_per_page * _EACH_PAGE)
        * given.pages
        * _PAGE_BY_PAGE
    )
    binds.step("gpus_with_attention", "GPUs with both of these counted", "GPU", short="GPUs with attention").of(
        ceil((weights_flops + attention) / given.small_flops / given.deadline)
    )
    binds.step("bound_up_to", "Page length up to which the simple count is the larger", "token/page", short="bound").of(
        f.attention_meets_weights(
            maximum(_NOTHING, small.nominal - multiplied), small.layers, small.query_heads, small.head_dim
        )
        * _PAGE_BY_PAGE
    )

    # Each ceiling alone, for the same pages in the same time.
    embedder = behind.step("embedder_weights", "Weights of the embedder", "GB", short="embedder").of(
        f.weight_bytes(small.nominal, given.embedder_weights.bytes)
    )
    batch_tokens = behind.step("batch_tokens", "Tokens in one batch of pages", "token/GPU", short="batch tokens").of(
        given.embed_batch * given.tokens_per_page
    )
    moved = binds.step("moved_bytes", "Bytes moved in GPU memory per token", "MB/token", short="moved").of(
        small.layers * given.moved_values * _TWO_BYTES + embedder / batch_tokens * _PER_GPU
    )
    batch_time = binds.step("batch_time", "Time of one batch of pages", "ms", short="batch time").of(
        _TWO_PER_PARAMETER * small.nominal * batch_tokens / given.small_flops
    )
    in_flight = binds.step("in_flight", "Pages inside the embedders at once", "page", short="in flight").of(
        given.pages / given.deadline * batch_time
    )
    fit = binds.step("pages_that_fit", "Most pages that fit in a GPU", "page/GPU", short="pages that fit").of(
        floor(
            (given.usable_memory * gpu.memory - embedder * _PER_GPU)
            / (given.live_values * _TWO_BYTES * given.tokens_per_page)
        )
    )
    by_compute = binds.step("gpus_by_compute", "GPUs if compute were the only limit", "GPU").of(
        ceil(embedding / given.deadline)
    )
    by_bandwidth = binds.step("gpus_by_bandwidth", "GPUs if memory bandwidth were the only limit", "GPU").of(
        ceil(tokens * moved / gpu.bandwidth / given.deadline)
    )
    by_capacity = binds.step("gpus_by_capacity", "GPUs if memory capacity were the only limit", "GPU").of(
        ceil(in_flight / fit)
    )
    c.ceiling("compute", by_compute)
    c.ceiling("bandwidth", by_bandwidth)
    c.ceiling("capacity", by_capacity)
    binds.step("embedder_rate", "Tokens that a GPU embeds per second", "token/s/GPU", short="embedder's rate").of(
        given.small_flops / (_TWO_PER_PARAMETER * small.nominal)
    )
    binds.step("gpus_at_peak", "GPUs if the embedder ran at the dense peak", "GPU", short="GPUs at the peak").of(
        ceil(flops / gpu.embedder_weights_flops / given.deadline)
    )
    binds.step(
        "multiply_time", "GPU time of a token's arithmetic, at its peak", "GPU*µs/token", short="multiplying"
    ).of(_TWO_PER_PARAMETER * small.nominal / gpu.embedder_weights_flops)
    binds.step("move_time", "GPU time to move a token's bytes, at its peak", "GPU*µs/token", short="moving").of(
        moved / gpu.bandwidth
    )
    binds.step(
        "by_turns", "FLOP/s if arithmetic and memory took turns, each at its peak", "TFLOP/s/GPU", short="by turns"
    ).of(
        _TWO_PER_PARAMETER
        * small.nominal
        / (_TWO_PER_PARAMETER * small.nominal / gpu.embedder_weights_flops + moved / gpu.bandwidth)
    )
    # The index has ceilings of its own, with servers for their unit.
    binds.step("vectors_per_node", "Vectors on each server", "vector/node", short="vectors per server").of(
        vectors * _PER_COPY / per_copy
    )
    binds.step("insert_margin", "What the inserts leave of a server's rate", "%", short="insert margin").of(
        1 - per_node / given.insert_rate
    )
    alone = binds.step(
        "searches_alone", "Searches at once on a server, one copy alone", "request/node", short="searches, one copy"
    ).of(f.concurrency(given.queries, given.search_time) * _EACH_SERVER)
    binds.step(
        "searches_at_once", "Searches at once on a server, all copies", "request/node", short="searches at once"
    ).of(alone / given.copies * _A_COPY)
    binds.step(
        "searches_with_hits",
        "Searches at once, one copy alone, hits taken off",
        "request/node",
        short="searches with hits",
    ).of(alone * (1 - given.cached_share))
    binds.step("real_cores", "Real cores of a server, two virtual ones each", "request/node", short="real cores").of(
        given.searches_per_node / 2
    )
    binds.step("text_read", "Text that the embedders read per second", "MB/s", short="text read").of(
        tokens * given.text_bytes / given.deadline
    )
    binds.step("nodes_rolling", "Servers if the shards change over one by one", "node", short="servers, rolling").of(
        nodes + given.copies * _ONE_NODE
    )
    binds.step("rolling_time", "How long that takes, by the inserts of one server", "hour", short="rolling time").of(
        vectors / (given.insert_rate * _ONE_AT_A_TIME)
    )

    # A query, stage by stage: the re-ranker reads candidates, the writer reads the best and writes.
    pairs = behind.step("pair_length", "Tokens of a candidate that the re-ranker reads", "token/page", short="pair").of(
        given.passage_tokens + given.pair_tokens
    )
    rerank = bill.step("rerank_gpu_seconds", "Re-ranking of one query", "GPU*s/request", short="re-ranking").of(
        f.prefill_gpu_seconds(given.rerank_parameters, given.candidates * pairs, given.small_flops)
    )
    rerank_gpus = numbers.step("rerank_gpus", "GPUs for re-ranking", "GPU", short="re-ranker GPUs").of(
        f.gpus_for_gpu_seconds(given.queries, rerank)
    )
    bill.step(
        "pages_reread", "Until the re-ranker has read as many tokens as all pages have", "hour", short="pages read"
    ).of(tokens / (given.queries * given.candidates * pairs))
    prompt = behind.step("prompt_tokens", "Prompt tokens", "token/request", short="prompt tokens").of(
        given.prompt_pages * given.passage_tokens + given.question_tokens
    )
    prefill = bill.step("prefill_gpu_seconds", "Prefill of one query", "GPU*s/request", short="prefill").of(
        f.prefill_gpu_seconds(model.nominal, prompt, given.prefill_flops)
    )
    prefill_gpus = numbers.step("prefill_gpus", "GPUs for prefill", "GPU", short="prefill GPUs").of(
        f.gpus_for_gpu_seconds(given.queries, prefill)
    )
    weights = behind.step("model_weights", "Weights of one replica", "GB", short="weights of a replica").of(
        f.weight_bytes(model.nominal, given.weights.bytes)
    )
    kv = behind.step("kv_per_request", "KV cache per query", "GB/request", short="KV").of(
        f.kv_bytes_per_sequence(
            model.layers, model.kv_heads, model.head_dim, given.kv_bytes, prompt + given.output_tokens
        )
    )
    sequences = behind.step(
        "sequences_that_fit", "Most sequences that fit", "sequence/replica", short="sequences that fit"
    ).of(f.sequences_that_fit(given.usable_memory, tp, gpu.memory, weights, kv))
    step = behind.step("decode_step", "Decode step", "ms", short="step").of(
        f.decode_step(given.batch, kv, weights, model.nominal, tp, gpu.bandwidth, gpu.weights_flops)
    )
    per_replica = behind.step(
        "tokens_per_replica", "Output tokens per second, per replica", "token/s/replica", short="tokens/s per replica"
    ).of(f.tokens_per_replica(given.batch, step))
    bill.step("handoff", "Cache that prefill hands to decode, per query", "GB/request", short="hand-off").of(
        f.kv_bytes_per_sequence(model.layers, model.kv_heads, model.head_dim, given.kv_bytes, prompt)
    )
    needed = behind.step("tokens_needed", "Output tokens per second needed", "token/s", short="tokens/s needed").of(
        f.tokens_needed(given.queries, given.output_tokens)
    )
    decode_gpus = bill.step("decode_gpus", "GPUs for decode, in whole replicas", "GPU", short="decode GPUs").of(
        f.gpus(f.replicas(needed, per_replica), tp)
    )
    query_gpus = bill.step("query_gpus", "GPUs for all stages of a query", "GPU", short="query GPUs").of(
        rerank_gpus + prefill_gpus + decode_gpus
    )

    # What it costs, and how the pages' side compares.
    rerank_cost = bill.step("rerank_cost_per_1000", "Cost of re-ranking", "USD/krequest", short="re-ranking cost").of(
        f.cost_per_1000(rerank, given.price)
    )
    prefill_cost = bill.step("prefill_cost_per_1000", "Cost of prefill", "USD/krequest", short="prefill cost").of(
        f.cost_per_1000(prefill, given.price)
    )
    decode_cost = bill.step("decode_cost_per_1000", "Cost of decode", "USD/krequest", short="decode cost").of(
        f.cost_per_1000(tp * given.output_tokens / per_replica, given.price)
    )
    cost = numbers.step("cost_per_1000", "Cost of queries, nothing cached", "USD/krequest", short="query cost").of(
        rerank_cost + prefill_cost + decode_cost
    )
    bill.step("cached_cost_per_1000", "Cost of queries with the answer cache", "USD/krequest", short="with hits").of(
        cost * (1 - given.cached_share)
    )
    hourly = bill.step(
        "query_cost", "All stages of queries, busy in the busiest hour", "USD/hour", short="busiest hour"
    ).of(query_gpus * given.price)
    mean = bill.step(
        "mean_query_cost", "All stages of queries in a mean hour, hits taken off", "USD/hour", short="mean hour"
    ).of(hourly * (1 - given.cached_share) * given.mean_load)
    rented = bill.step(
        "rented_gpus", "GPUs to rent for queries: with hits, at the planned load", "GPU", short="rented"
    ).of(ceil(query_gpus * (1 - given.cached_share) / given.planned_load))
    bill.step(
        "load_without_hits", "Load of the rented fleet in the busiest hour without hits", "%", short="load without hits"
    ).of(query_gpus / rented)
    rent = bill.step("query_rent", "Rent of the queries' fleet, by the hour", "USD/hour", short="query rent").of(
        rented * given.price
    )
    bill.step("average_cost_per_1000", "Cost of queries, the rented fleet paid all day", "USD/krequest").of(
        rent / (given.queries * given.mean_load)
    )
    pages_cost = bill.step(
        "pages_cost", "Index and a day's changes, by the hour", "USD/hour", short="pages' side", digits=4
    ).of(nodes * given.node_price + refresh * given.price)
    bill.step("pages_share", "Share of index and changes, beside the rented fleet", "%", short="pages' share").of(
        pages_cost / (pages_cost + rent)
    )
    bill.step(
        "pages_share_busy", "Share of index and changes, beside a mean hour's busy GPUs", "%", short="share, busy GPUs"
    ).of(pages_cost / (pages_cost + mean))
    bill.step(
        "embed_in_queries",
        "Time in which queries cost as much as embedding, busiest hour",
        "min",
        short="against queries",
    ).of(embed_cost / hourly)
    bill.step(
        "embed_in_mean_queries",
        "Time in which queries cost as much as embedding, mean hour",
        "min",
        short="against mean queries",
    ).of(embed_cost / mean)
    bill.step(
        "migration_in_queries", "Time in which the queries' rent pays a migration", "min", short="migration in queries"
    ).of(migration / rent)
    bill.step("stale_answers", "Answers a day old of which a page has changed", "%", short="stale answers").of(
        1 - power(1 - given.changed_share, given.prompt_pages)
    )
    bill.step(
        "stale_when_fresh", "Fresh answers that rest on an unseen change, at most", "%", short="stale when fresh"
    ).of(1 - power(maximum(_NO_SHARE, 1 - unseen), given.prompt_pages))

    # The first token: one stage after the other, and what the target leaves for waiting.
    rerank_time = bill.step("rerank_time", "Re-ranking, nothing waiting", "ms", short="re-ranking time").of(
        f.first_token_alone(rerank, given.rerank_width)
    )
    prefill_time = bill.step("prefill_time", "Prefill, nothing waiting", "ms", short="prefill time").of(
        f.first_token_alone(prefill, tp)
    )
    first_token = numbers.step("first_token", "First token, nothing waiting", "ms", short="first token").of(
        given.front_time + given.search_time + given.fetch_time + rerank_time + prefill_time
    )
    bill.step("left_for_waiting", "What the target leaves for waiting", "ms", short="left for waiting").of(
        given.first_token_target - first_token
    )

    c.require("inserts", "The new index's servers keep up with the inserts", per_node, at_most=given.insert_rate)
    c.require("searches", "One copy alone carries the searches", alone, at_most=given.searches_per_node)
    c.require("first-token", "The first token meets its target", first_token, at_most=given.first_token_target)
    c.require("batch-fits", "The batch fits in memory", given.batch, at_most=sequences)
