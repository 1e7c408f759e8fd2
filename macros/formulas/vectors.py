"""Vector indexes: what vectors, links and pages take."""

from typing import Annotated

from macros.sizing import Constant, In, N, ceil, floor, formula

# Up to as many links in each direction: the bottom layer of the graph allows twice M.
_BOTH_WAYS = Constant(2, "", shown="2")

_HNSW = "Malkov and Yashunin 2018, arXiv:1603.09320; OpenSearch k-NN, memory estimation"


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
