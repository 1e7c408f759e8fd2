"""Fine-tuning: what is trained, and the memory that training it takes."""

from typing import Annotated

from macros.sizing import In, N, formula, implied

_EACH = implied("parameter/layer/value/value")

_ZERO = "Rajbhandari et al. 2020, arXiv:1910.02054, section 3.1"
_LORA = "Hu et al. 2021, arXiv:2106.09685, section 4.1"


@formula("byte", "training state", source=_ZERO)
def training_state_bytes(
    parameters: Annotated[N, In("parameter", "parameters")],
    bytes_per_parameter: Annotated[N, In("byte/parameter", "bytes per trained parameter")],
) -> N:
    """Memory for weights, gradients and optimiser when every parameter is trained.

    Mixed precision with Adam keeps two bytes of weight and two of gradient, and four bytes each of master weight and
    both moments: 16 in all. Other recipes differ, so the bytes are an argument.

    Trap: taking the two bytes of the weights for all of it. Activations come on top and grow with the batch.
    """
    return parameters * bytes_per_parameter


@formula("byte", "training state with LoRA", source=_LORA)
def lora_state_bytes(
    parameters: Annotated[N, In("parameter", "base parameters")],
    bytes_per_parameter: Annotated[N, In("byte/parameter", "bytes per base parameter")],
    adapter_parameters: Annotated[N, In("parameter", "adapter parameters")],
    bytes_per_trained: Annotated[N, In("byte/parameter", "bytes per trained parameter")],
) -> N:
    """Memory for weights, gradients and optimiser when only adapters are trained.

    The base is kept as for serving; gradients and moments exist for the adapters alone.

    Trap: forgetting the base. It is still there in full, and is most of what is left.
    """
    return parameters * bytes_per_parameter + adapter_parameters * bytes_per_trained


@formula("parameter", "adapter parameters", source=_LORA)
def lora_parameters(
    layers: Annotated[N, In("layer", "layers")],
    rank: Annotated[N, In("value", "rank")],
    hidden: Annotated[N, In("value", "hidden size")],
    query_width: Annotated[N, In("value", "query width")],
    kv_width: Annotated[N, In("value", "KV width")],
    mlp_width: Annotated[N, In("value", "MLP width")],
) -> N:
    """Parameters of LoRA adapters on all linear layers of a gated transformer.

    An adapter beside a matrix is two thin ones, rank × inputs and outputs × rank. Query and output projection join
    hidden size and query width, key and value projection hidden size and KV width, and three matrices hidden size
    and MLP width.

    Trap: with grouped-query attention the key and value projections are narrow; hidden × hidden counts too much.
    """
    attention = 2 * (hidden + query_width) + 2 * (hidden + kv_width)
    return layers * rank * (attention + 3 * (hidden + mlp_width)) * _EACH
