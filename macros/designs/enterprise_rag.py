"""Design enterprise RAG: an index tier sized by memory, a search that obeys permissions, and the bill around it."""

from macros import formulas as f
from macros.sizing import Builder, Constant, ceil, implied, maximum, minimum

# Number formats by definition; what the design itself stores is an input.
_FP32 = Constant(4, "byte/value")
_ONE_BIT_A_NUMBER = Constant(0.125, "byte/value")
_ONE_BIT = Constant(1, "bit/document")

_TWO_PER_NUMBER = Constant(2, "FLOP/value", shown="2")
_TWO_PER_PARAMETER = Constant(2, "FLOP/parameter/token", shown="2")
# More than all chunks nobody is permitted.
_ALL = Constant(1, "", shown="1")
# A reader may give the table more than the model has.
_NOTHING = Constant(0, "parameter", shown="0")
# What a 95th percentile leaves out, split among the servers that a scan waits for.
_ONE_IN_TWENTY = Constant(0.05, "", shown="0.05")
_PER_COPY = implied("1/replica")
_ONE_AT_A_TIME = implied("1/request")
_ONE_SERVER = implied("1/node")
_SERVERS = implied("node/replica")
_RECORD_PER_CHUNK = implied("document/vector")


def chain(c: Builder) -> None:
    """From documents to servers, then the permission filter, the ceilings, the models around it and the whole bill."""
    given, gpu, model, small = c.given, c.given.gpu, c.given.model, c.given.embedder
    behind, numbers, bill, binds = (c.part(name) for name in ("behind", "numbers", "bill", "binds"))
    vector = given.dimension * given.vector_bytes
    tp = given.gpus_per_replica

    peak = numbers.step("peak_questions", "Peak questions per second", "request/s", short="peak questions").of(
        f.arrival_rate_at_peak(given.staff, given.questions_per_user, given.peak_share)
    )

    # The index: its memory, and the servers that hold it.
    chunks = numbers.step("chunks", "Chunks, and so vectors", "vector", short="chunks").of(
        given.documents * given.chunks_per_document
    )
    numbers.step("vectors_memory", "Vectors alone, int8", "TB", short="vectors alone").of(chunks * vector)
    numbers.step("links_memory", "Graph links", "TB", short="links").of(
        chunks * f.graph_link_bytes(given.links, given.link_bytes)
    )
    copy = numbers.step("index_copy", "One copy of the index", "TB", short="index copy").of(
        f.graph_index_bytes(chunks, vector + given.extra_bytes, given.links, given.link_bytes, given.index_overhead)
    )
    usable = behind.step("usable_per_node", "Memory of a server for the index", "GB/node", short="usable memory").of(
        given.usable_node_share * given.node_memory
    )
    per_copy = numbers.step("nodes_per_copy", "Servers for one copy", "node/replica", short="servers per copy").of(
        ceil(copy * _PER_COPY / usable)
    )
    nodes = numbers.step("nodes", "Index servers, all copies", "node", short="index servers").of(
        per_copy * ceil(given.copies)
    )
    c.headline(nodes)

    # Permissions after the search, and before it.
    numbers.step("survivors", "Left if the filter comes after the search", "vector/request", short="left").of(
        given.candidates * given.permitted_share
    )
    to_fetch = numbers.step(
        "to_fetch", "To fetch so that enough are left, 95 times in 100", "vector/request", short="to fetch"
    ).of(f.candidates_to_fetch(given.candidates, given.permitted_share))
    permitted = numbers.step(
        "permitted_chunks", "Chunks that the average asker may read", "vector", short="permitted chunks"
    ).of(chunks * given.permitted_share)
    # Reading and multiplying overlap, so the slower of them is the scan. Short vectors are read faster than multiplied.
    scan = numbers.step("scan_time", "Exact scan of those, on one copy", "ms", short="scan").of(
        maximum(
            f.scan_time(permitted, vector, per_copy, given.node_bandwidth),
            permitted * given.dimension * _TWO_PER_NUMBER / (per_copy * given.node_flops) * _PER_COPY,
        )
    )
    scan_load = numbers.step("scan_load", "How busy the scans keep one copy at the peak", "%", short="scan load").of(
        f.concurrency(peak, scan) * _ONE_AT_A_TIME
    )

    # Each ceiling of the index tier alone, before the rounding to whole copies. Any one copy must do for all three:
    # hold everything within the planned memory, and carry the peak within the planned load.
    scanned = peak * permitted * given.dimension * _ONE_AT_A_TIME
    planned = scanned / given.planned_load * given.copies * _PER_COPY
    by_capacity = binds.step("nodes_by_capacity", "Servers if memory capacity were the only limit", "node").of(
        ceil(copy * given.copies * _PER_COPY / usable)
    )
    by_bandwidth = binds.step("nodes_by_bandwidth", "Servers if memory bandwidth were the only limit", "node").of(
        ceil(planned * given.vector_bytes / given.node_bandwidth)
    )
    by_compute = binds.step("nodes_by_compute", "Servers if compute were the only limit", "node").of(
        ceil(planned * _TWO_PER_NUMBER / given.node_flops)
    )
    c.ceiling("capacity", by_capacity)
    c.ceiling("bandwidth", by_bandwidth)
    c.ceiling("compute", by_compute)

    # Where the two ways to filter change places.
    binds.step("nothing_left", "Chance that a filter after the search leaves nothing", "%", short="nothing left").of(
        f.chance_of_none(given.permitted_share, given.candidates)
    )
    on_average = binds.step(
        "fetch_on_average", "To fetch so that enough are left on average", "vector/request", short="mean fetch"
    ).of(given.candidates / given.permitted_share)
    binds.step(
        "compared", "Vectors that the graph compares, filter after the walk", "vector/request", short="compared after"
    ).of(f.compared_in_graph(to_fetch, given.links_followed))
    walked = binds.step(
        "walked", "Vectors that the graph compares, filter during the walk", "vector/request", short="compared during"
    ).of(f.compared_in_graph(on_average, given.links_followed))
    binds.step("scan_per_walk", "Vectors of the scan, as a multiple of those", "", short="scan over walk").of(
        permitted / walked * _ONE_AT_A_TIME
    )
    binds.step("walked_bytes", "Bytes that such a walk reads", "GB/request", short="read by the walk").of(
        walked * vector
    )
    binds.step("scanned_bytes", "Bytes that the scan reads", "GB", short="read by the scan").of(permitted * vector)
    binds.step("equal_share", "Permitted share where scan and such a walk compare alike", "%", short="equal share").of(
        f.share_where_scan_meets_graph(given.links_followed, given.candidates, chunks)
    )
    binds.step(
        "widest_share", "Average permitted share at which scans fill one copy's planned load", "%", short="widest share"
    ).of(minimum(_ALL, given.planned_load / scan_load * given.permitted_share))
    binds.step("cutoff_scan", "Exact scan at the largest share that is scanned", "ms", short="longest scan").of(
        scan * given.scan_cutoff / given.permitted_share
    )
    binds.step("fetch_beyond", "To fetch from the graph beyond that share", "vector/request", short="fetch beyond").of(
        f.candidates_to_fetch(given.candidates, given.scan_cutoff)
    )
    binds.step("scan_by_department", "The average scan, if one server holds it all", "ms", short="scan, one server").of(
        permitted * vector / given.node_bandwidth * _ONE_SERVER
    )
    binds.step("server_percentile", "Percentile of a server, for the scan's 95th", "%", short="server percentile").of(
        1 - _ONE_IN_TWENTY / per_copy * _SERVERS
    )
    binds.step("permission_set", "A bit for each document, for one asker", "MB").of(given.documents * _ONE_BIT)

    # The same index in other number formats, and without its graph.
    for id, name, size in (
        ("fp32", "fp32", given.dimension * _FP32),
        ("binary", "one bit", given.dimension * _ONE_BIT_A_NUMBER),
        ("pq", "PQ codes", given.pq_code),
    ):
        binds.step(f"vectors_{id}", f"Vectors alone, {name}", "TB", short=f"{name}, vectors").of(chunks * size)
        other = binds.step(f"index_{id}", f"One copy of the index, {name}", "TB", short=f"{name}, copy").of(
            f.graph_index_bytes(chunks, size + given.extra_bytes, given.links, given.link_bytes, given.index_overhead)
        )
        binds.step(f"nodes_{id}", f"Index servers, {name}", "node", short=f"{name}, servers").of(
            ceil(other * _PER_COPY / usable) * given.copies
        )
    flat = binds.step("index_flat", "One copy without the graph, int8", "TB", short="index copy without graph").of(
        f.flat_index_bytes(chunks, vector + given.extra_bytes, given.index_overhead)
    )
    binds.step("nodes_flat", "Index servers without the graph", "node", short="servers without graph").of(
        ceil(flat * _PER_COPY / usable) * given.copies
    )
    flat_codes = binds.step("index_pq_flat", "One copy of PQ codes without a graph", "TB", short="PQ codes alone").of(
        f.flat_index_bytes(chunks, given.pq_code + given.extra_bytes, given.index_overhead)
    )
    binds.step("nodes_pq_flat", "Index servers for PQ codes without a graph", "node", short="PQ codes, no graph").of(
        ceil(flat_codes * _PER_COPY / usable) * given.copies
    )
    binds.step("disk_reads", "Reads from SSD per second, one for each candidate", "vector/s", short="SSD reads").of(
        peak * to_fetch
    )
    binds.step("nodes_by_disk", "Servers if the scans read int8 vectors from SSD", "node", short="servers by SSD").of(
        ceil(planned * given.vector_bytes / given.disk_bandwidth)
    )

    # The LLM: one long prompt a question, then few sequences with long caches.
    prompt = behind.step("prompt_tokens", "Prompt tokens", "token/request", short="prompt tokens").of(
        given.prompt_chunks * given.chunk_tokens + given.question_tokens
    )
    prefill = bill.step(
        "prefill_gpu_seconds", "Prefill of one question, weights alone", "GPU*s/request", short="prefill"
    ).of(f.prefill_gpu_seconds(model.nominal, prompt, given.prefill_flops))
    numbers.step("prefill_gpus", "GPUs busy with prefill at the peak, weights alone", "GPU", short="prefill GPUs").of(
        f.gpus_for_gpu_seconds(peak, prefill)
    )
    attention = bill.step(
        "attention_share", "Attention's own FLOPs, beside those of the weights", "%", short="attention share"
    ).of(prompt / f.attention_meets_weights(model.nominal, model.layers, model.query_heads, model.head_dim))
    busy = bill.step("prefill_busy", "GPUs busy with prefill, attention counted", "GPU", short="busy with prefill").of(
        peak * prefill * (1 + attention)
    )
    prefill_replicas = behind.step(
        "prefill_replicas", "Replicas for prefill at the planned load", "replica", short="prefill replicas"
    ).of(ceil(busy / given.planned_load / tp))
    prefill_fleet = bill.step(
        "prefill_fleet", "GPUs for prefill, whole replicas at the planned load", "GPU", short="prefill fleet"
    ).of(f.gpus(prefill_replicas, tp))
    weights = behind.step("model_weights", "Weights of one replica", "GB", short="weights").of(
        f.weight_bytes(model.nominal, given.weights.bytes)
    )
    kv = behind.step("kv_per_request", "KV cache per question", "GB/request", short="KV").of(
        f.kv_bytes_per_sequence(
            model.layers, model.kv_heads, model.head_dim, given.kv_bytes, prompt + given.output_tokens
        )
    )
    fit = behind.step(
        "sequences_that_fit", "Most sequences that fit", "sequence/replica", short="sequences that fit"
    ).of(f.sequences_that_fit(given.usable_memory, tp, gpu.memory, weights, kv))
    step = behind.step("decode_step", "Decode step", "ms", short="step").of(
        f.decode_step(given.batch, kv, weights, model.nominal, tp, gpu.bandwidth, gpu.weights_flops)
    )
    needed = behind.step(
        "tokens_needed", "Output tokens per second needed at the peak", "token/s", short="tokens/s needed"
    ).of(f.tokens_needed(peak, given.output_tokens))
    decode_gpus = bill.step(
        "decode_gpus", "GPUs for decode, whole replicas at the planned load", "GPU", short="decode GPUs"
    ).of(f.gpus(f.replicas(needed / given.planned_load, f.tokens_per_replica(given.batch, step)), tp))
    bill.step("handoff", "Cache that prefill hands to decode, per question", "GB/request", short="hand-off").of(
        f.kv_bytes_per_sequence(model.layers, model.kv_heads, model.head_dim, given.kv_bytes, prompt)
    )
    llm_gpus = bill.step("llm_gpus", "GPUs for the LLM, both phases", "GPU", short="LLM GPUs").of(
        prefill_fleet + decode_gpus
    )

    # The small models that judge chunks, sized like the embedder. Its token table is looked up and multiplies nothing.
    multiplied = behind.step(
        "multiplied", "Parameters of a small model that multiply", "Bparam", short="small model's parameters"
    ).of(maximum(_NOTHING, small.parameters - small.table))
    pair = behind.step("pair_length", "Tokens of a chunk that a small model judges", "token/vector", short="pair").of(
        given.chunk_tokens + given.pair_tokens
    )
    rerank = bill.step("rerank_gpu_seconds", "Re-ranking of one question", "GPU*s/request", short="re-ranking").of(
        f.prefill_gpu_seconds(multiplied, given.candidates * pair, given.small_flops)
    )
    rerank_gpus = bill.step(
        "rerank_gpus", "GPUs for re-ranking, whole groups at the planned load", "GPU", short="re-ranking GPUs"
    ).of(f.gpus(ceil(peak * rerank / given.planned_load / given.rerank_width), given.rerank_width))
    check = f.prefill_gpu_seconds(multiplied, given.claims * pair, given.small_flops)
    bill.step("check_busy", "GPUs busy with citation checks", "GPU", short="busy with checks").of(peak * check)
    check_gpus = bill.step("check_gpus", "GPUs for citation checks", "GPU", short="check GPUs").of(
        f.gpus_for_gpu_seconds(peak / given.planned_load, check)
    )
    check_by_llm = f.prefill_gpu_seconds(model.nominal, given.claims * pair, given.prefill_flops)
    bill.step("check_gpus_llm", "GPUs for citation checks by the LLM itself", "GPU", short="check GPUs, LLM").of(
        f.gpus(ceil(peak * check_by_llm / given.planned_load / tp), tp)
    )

    # The first token: its stages one after the other, and what the target leaves for waiting.
    rerank_time = bill.step("rerank_time", "Re-ranking, nothing waiting", "ms", short="re-ranking time").of(
        f.first_token_alone(rerank, given.rerank_width)
    )
    prefill_time = bill.step("prefill_time", "Prefill, nothing waiting", "ms", short="prefill time").of(
        f.first_token_alone(prefill * (1 + attention), tp)
    )
    first_token = numbers.step("first_token", "First token, nothing waiting", "ms", short="first token").of(
        given.front_time + scan + rerank_time + given.assemble_time + prefill_time
    )
    bill.step("left_for_waiting", "What the target leaves for waiting", "ms", short="left for waiting").of(
        given.first_token_target - first_token
    )
    bill.step("prefill_wait", "Mean wait before prefill, at most", "ms", short="prefill wait").of(
        f.queue_wait(prefill_time, prefill_replicas, busy / prefill_fleet)
    )
    writing = bill.step("writing_time", "From the first token of an answer to its last", "s", short="writing").of(
        f.decode_time(given.output_tokens, step)
    )
    bill.step("last_token", "Last token, nothing waiting", "s", short="last token").of(first_token + writing)

    # Freshness: embedding everything once, the changes of a day, and a withdrawn permission.
    embedding = bill.step("embed_time", "Embedding all chunks once", "GPU*hour", short="embedding all").of(
        _TWO_PER_PARAMETER * multiplied * chunks * given.chunk_tokens / given.small_flops
    )
    bill.step("embed_cost", "Cost of embedding all chunks once", "USD", short="its cost").of(embedding * given.price)
    bill.step("embed_time_daily", "Embedding what changes in a day", "GPU*hour", short="embedding a day").of(
        embedding * given.changed_share
    )
    revocation = numbers.step(
        "revocation_time", "Until a moved folder is hidden, permissions kept per document", "s", short="revocation"
    ).of(given.event_delay + given.moved_documents / given.permission_rate + given.set_lifetime)
    bill.step("group_time", "Until someone who left a group is locked out", "s", short="leaving a group").of(
        given.event_delay + given.set_lifetime
    )
    bill.step(
        "revocation_time_per_chunk",
        "Until it is hidden, permissions kept with each chunk",
        "s",
        short="revocation by chunk",
    ).of(
        given.event_delay
        + given.moved_documents * given.chunks_per_document * _RECORD_PER_CHUNK / given.permission_rate
        + given.set_lifetime
    )

    # Money: each tier by the hour, then the whole for a question and for a person.
    llm_cost = bill.step("llm_cost", "LLM, by the hour", "USD/hour", short="LLM cost").of(llm_gpus * given.price)
    small_cost = bill.step(
        "small_cost", "Re-ranking and citation checks, by the hour", "USD/hour", short="small models' cost"
    ).of((rerank_gpus + check_gpus) * given.price)
    index_cost = bill.step("index_cost", "Index servers, by the hour", "USD/hour", short="index cost").of(
        nodes * given.node_price
    )
    total = bill.step("total_cost", "All tiers, by the hour", "USD/hour", short="total cost").of(
        llm_cost + small_cost + index_cost
    )
    bill.step("llm_share", "The LLM's share of that", "%").of(llm_cost / total)
    bill.step("index_share", "The index servers' share of that", "%").of(index_cost / total)
    bill.step("cost_per_1000", "Cost at the peak", "USD/krequest").of(total / peak)
    bill.step("average_cost_per_1000", "Cost with the fleet paid around the clock", "USD/krequest").of(
        total / (given.staff * given.questions_per_user * given.working_days)
    )
    bill.step("cost_per_person", "Cost per person and month, paid around the clock", "USD/user/month").of(
        total / given.staff
    )

    c.require("one-copy", "One copy alone carries the scans of the peak", scan_load, at_most=given.planned_load)
    c.require("first-token", "The first token meets its target", first_token, at_most=given.first_token_target)
    c.require("batch-fits", "The batch fits in memory", given.batch, at_most=fit)
    c.require("revocation", "A withdrawn permission holds in time", revocation, at_most=given.revocation_target)
