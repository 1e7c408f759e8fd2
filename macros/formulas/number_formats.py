"""Number formats that store values in blocks."""

from typing import Annotated

from macros.sizing import In, N, formula

_BLOCKS = "ggml block formats, ggml-org/llama.cpp, ggml/src/ggml-common.h"


@formula("byte/value", "bytes per value in blocks", source=_BLOCKS)
def bytes_per_value_in_blocks(
    block_bytes: Annotated[N, In("byte/block", "bytes per block")],
    block_values: Annotated[N, In("value/block", "values per block")],
) -> N:
    """What a value takes in a format that scales values in blocks.

    A block stores its values in few bits and one scale for all of them. Divide everything that it stores by the
    values in it: a q8_0 block has 32 values of a byte and a scale of two bytes.

    Trap: reading the bits from the format's name. The 8 of q8_0 leaves the scales out, and they add a sixteenth.
    """
    return block_bytes / block_values


@formula("byte", "weights in blocks", source=_BLOCKS)
def weight_bytes_in_blocks(
    parameters: Annotated[N, In("parameter", "parameters")],
    block_parameters: Annotated[N, In("parameter/block", "parameters per block")],
    block_bytes: Annotated[N, In("byte/block", "bytes per block")],
) -> N:
    """Memory of one copy of the weights in a block format.

    Parameters ÷ parameters per block are blocks, and each block takes its bytes. A format that is told in bits per
    value, such as 4.5, needs no blocks: that is its average, scales included.

    Trap: four-bit weights are not half a byte. With a scale of two bytes for every 32 of them they are an eighth more.
    """
    return parameters / block_parameters * block_bytes
