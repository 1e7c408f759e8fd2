"""Vector indexes: what vectors, links and pages take, and what a search costs that has to obey permissions."""

from typing import Annotated

from macros.sizing import Constant, In, N, ceil, floor, formula, implied, power, sqrt

# Up to as many links in each direction: the bottom layer of the graph allows twice M.
_BOTH_WAYS = Constant(2, "", shown="2")

# The 95th percentile of the normal distribution, in standard deviations above its mean.
_P95 = Constant(1.645, "", shown="1.645")
_ONE_CANDIDATE = implied("vector/request")
_VECTOR_PER_LINK = implied("vector/link")
_ONE_OF_EACH = implied("vector*request/link")
_ONE_COPY = implied("1/replica")

_HNSW = "Malkov and Yashunin 2018, arXiv:1603.09320; OpenSearch k-NN, memory estimation"
_BINOMIAL = "binomial distribution, in its normal approximation"


@formula("byte/vector", "bytes per vector", source="definition")
def bytes_per_vector(
    dimension: Annotated[N, In("value/vector", "dimension")],
    bytes_per_value: Annotated[N, In("byte/value", "bytes per value")],
    extra: Annotated[N, In("byte/vector", "id and header")],
) -> N:
    """What one stored vector takes.

    Its numbers, in four bytes each as floats or in one as int8, and what the store keeps beside them. A product
    quantiser states its bytes per vector itself.

    Trap: quantised vectors are often kept beside the originals, for a second look. Then both count.
    """
    return dimension * bytes_per_value + extra


@formula("byte", "flat index", source="Qdrant, capacity planning; definition")
def flat_index_bytes(
    vectors: Annotated[N, In("vector", "vectors")],
    bytes_per_vector: Annotated[N, In("byte/vector", "bytes per vector")],
    overhead: Annotated[N, In("", "overhead factor", most=10)],
) -> N:
    """Memory for vectors alone, with a store's rule of thumb for all else.

    Vectors × bytes of each × a factor, which is one for the bare vectors.

    Trap: every store has a factor of its own. Say which rule it is, and whether its result is in GB or GiB.
    """
    return vectors * bytes_per_vector * overhead


@formula("byte/vector", "graph links per vector", source=_HNSW)
def graph_link_bytes(
    links: Annotated[N, In("link/vector", "M")],
    bytes_per_link: Annotated[N, In("byte/link", "bytes per link")],
) -> N:
    """Bytes that a navigable graph (HNSW) keeps for the links of one vector.

    The bottom layer allows 2 × M links a vector. The layers above hold few vectors and are left out.

    Trap: quantising vectors does not shrink the links. Beside short codes they are the larger part.
    """
    return _BOTH_WAYS * links * bytes_per_link


@formula("byte", "graph index", source=_HNSW)
def graph_index_bytes(
    vectors: Annotated[N, In("vector", "vectors")],
    bytes_per_vector: Annotated[N, In("byte/vector", "bytes per vector")],
    links: Annotated[N, In("link/vector", "M")],
    bytes_per_link: Annotated[N, In("byte/link", "bytes per link")],
    overhead: Annotated[N, In("", "overhead factor", most=10)],
) -> N:
    """Memory of a graph index: vectors and links, with a store's overhead.

    Each vector takes its bytes and those of its links.

    Trap: a search that waits for a disk at every hop is slow, so all of it has to be in memory, not just a part.
    """
    return overhead * vectors * (bytes_per_vector + graph_link_bytes(links, bytes_per_link))


@formula("byte", "inverted index", source="OpenSearch k-NN, memory estimation")
def inverted_index_bytes(
    vectors: Annotated[N, In("vector", "vectors")],
    centroids: Annotated[N, In("vector", "centroids")],
    bytes_per_vector: Annotated[N, In("byte/vector", "bytes per vector")],
    overhead: Annotated[N, In("", "overhead factor", most=10)],
) -> N:
    """Memory of an inverted-file index (IVF): the vectors and the centroids of their lists.

    A centroid is a vector too. There are no links.

    Trap: the centroids are next to nothing; probing more lists is what it costs to find as much as a graph does.
    """
    return overhead * (vectors + centroids) * bytes_per_vector


@formula("byte", "index in pages", source="pgvector/pgvector issues 745 and 370")
def paged_index_bytes(
    vectors: Annotated[N, In("vector", "vectors")],
    page: Annotated[N, In("byte/page", "page size")],
    bytes_per_vector: Annotated[N, In("byte/vector", "bytes per vector")],
) -> N:
    """Space of an index in a store that keeps whole vectors in pages of fixed size.

    See how many vectors go into a page, and how many pages all of them take.

    Trap: a vector of a little more than half a page wastes the rest of it, and fewer links do not shrink the index.
    """
    return ceil(vectors / floor(page / bytes_per_vector)) * page


@formula("", "chance that nothing is left", source="binomial distribution", most=1)
def chance_of_none(
    share: Annotated[N, In("", "permitted share", most=1)],
    fetched: Annotated[N, In("vector/request", "fetched", whole=True)],
) -> N:
    """Chance that a filter after the search leaves nothing at all.

    Each fetched result is permitted with the same chance, independently of the others. All of them fail with the
    product of their chances to fail.

    Trap: permissions follow topics, so results are not independent. Whoever asks about another department's matters
    is left with nothing more often than this says.
    """
    return power(1 - share, fetched)


@formula("vector/request", "candidates to fetch", source=_BINOMIAL)
def candidates_to_fetch(
    wanted: Annotated[N, In("vector/request", "wanted")],
    share: Annotated[N, In("", "permitted share", most=1)],
) -> N:
    """Candidates that a search must fetch so that a filter after it leaves enough, for 95 of 100 requests.

    Of n candidates n × share are left on average, with a standard deviation of √(n × share × (1 − share)). Set the
    mean less 1.645 deviations equal to what is wanted: a quadratic equation in √(n × share), solved here.

    Trap: wanted ÷ share is the mean. Fetching that many leaves too few for about every second request.
    """
    spread = _P95 * sqrt((1 - share) * _ONE_CANDIDATE)
    root = (spread + sqrt(power(spread, 2) + 4 * wanted)) / 2
    return power(root, 2) / share


@formula("vector/request", "vectors compared in the graph", source="apache/lucene PR 656, measured; definition")
def compared_in_graph(
    candidates: Annotated[N, In("vector/request", "candidates")],
    followed: Annotated[N, In("link/vector", "links followed")],
) -> N:
    """Vectors that a graph search compares with the question to keep a number of candidates.

    The search expands each candidate, permitted or not, and compares the neighbours that it has not seen yet.

    Trap: a graph search is called logarithmic, which is true of the way to the neighbourhood. Fetching many candidates
    from it is linear in them.
    """
    return candidates * followed * _VECTOR_PER_LINK


@formula("", "share at which scan and graph compare alike", source="vectors × share = links × wanted ÷ share, solved")
def share_where_scan_meets_graph(
    followed: Annotated[N, In("link/vector", "links followed")],
    wanted: Annotated[N, In("vector/request", "wanted")],
    vectors: Annotated[N, In("vector", "vectors")],
) -> N:
    """Permitted share at which scanning what is permitted compares as many vectors as a graph walk filtered on the way.

    The scan grows with the share. The walk sees wanted ÷ share candidates on average, so it grows with one over it. Set
    them equal and solve for the share: a square root, so even a factor of four in what the graph costs moves it by two.

    Trap: it counts comparisons. A scan streams whole documents while a graph waits for memory at every hop, so the
    scan is quicker for a while beyond this share.
    """
    return sqrt(followed * wanted / vectors * _ONE_OF_EACH)


@formula("s", "exact scan", source="definition")
def scan_time(
    scanned: Annotated[N, In("vector", "scanned")],
    bytes_per_vector: Annotated[N, In("byte/vector", "bytes per vector")],
    nodes: Annotated[N, In("node/replica", "nodes per copy")],
    bandwidth: Annotated[N, In("byte/s/node", "bandwidth")],
) -> N:
    """Time of an exact search: every permitted vector is read once, by all nodes of a copy at the same time.

    The bytes of the permitted vectors ÷ what the nodes of one copy read in a second. A multiply-add per value runs
    while the next vectors are read.

    Trap: the nodes split the bytes evenly only if the documents of every reader lie on all of them. Shards by
    department put one department's scan on one node.
    """
    return scanned * bytes_per_vector / (nodes * bandwidth) * _ONE_COPY
