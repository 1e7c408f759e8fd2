"""Image generation with a diffusion transformer: FLOPs of a pass, a step, an image."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula, power

_MULTIPLY_AND_ADD = Constant(2, "FLOP/parameter/token", shown="2")
_SCORES_AND_VALUES = Constant(4, "FLOP*pass/value/token/token", shown="4")
_MATRICES = Constant(12, "parameter*layer/value/value", shown="12")

_DIT = "Peebles and Xie 2023, arXiv:2212.09748; facebookresearch/DiT issue 14"


@formula("parameter", "block parameters", source=_DIT)
def block_parameters(
    layers: Annotated[N, In("layer", "layers")],
    width: Annotated[N, In("value/layer", "width")],
) -> N:
    """Parameters of plain transformer blocks that multiply every token.

    Four attention matrices of width × width, and two of width × 4 × width for the MLP: twelve widths squared.

    Trap: modulation weights are a large part of the file, and run once per image and step instead of once per token.
    """
    return _MATRICES * layers * power(width, 2)


@formula("FLOP/pass", "linear FLOPs of a pass", source=_DIT)
def denoise_linear_flops(
    parameters: Annotated[N, In("parameter", "parameters per token")],
    tokens: Annotated[N, In("token/pass", "tokens")],
) -> N:
    """FLOPs of the weights in one forward pass over the tokens of an image.

    Each token meets the parameters that multiply it with a multiplication and an addition.

    Trap: papers print multiply-adds as "Gflops". One GMAC is two GFLOP.
    """
    return _MULTIPLY_AND_ADD * parameters * tokens


@formula("FLOP/pass", "attention FLOPs of a pass", source=_DIT)
def denoise_attention_flops(
    layers: Annotated[N, In("layer", "layers")],
    width: Annotated[N, In("value/layer", "width")],
    tokens: Annotated[N, In("token/pass", "tokens")],
) -> N:
    """FLOPs of attention in one forward pass, where every token sees every other.

    A score and a weighted sum for each pair of tokens: two multiply-adds per number of the width, four FLOPs. Nothing
    is masked, so all pairs count.

    Trap: twice the side of an image is four times the tokens and sixteen times this.
    """
    return _SCORES_AND_VALUES * layers * width * power(tokens, 2)


@formula("FLOP/image", "FLOPs of an image", source="Ho and Salimans 2022, arXiv:2207.12598, for guidance")
def image_flops(
    linear: Annotated[N, In("FLOP/pass", "linear FLOPs")],
    attention: Annotated[N, In("FLOP/pass", "attention FLOPs")],
    steps: Annotated[N, In("step/image", "steps")],
    passes: Annotated[N, In("pass/step", "passes per step")],
) -> N:
    """FLOPs of one image: steps × passes per step × FLOPs of a pass.

    Guidance runs the model with and without the prompt: two passes a step. A model that has guidance distilled into it
    needs one.

    Trap: guidance doubles the bill without showing in the number of steps.
    """
    return steps * passes * (linear + attention)


@formula("GPU*s/image", "GPU-seconds of an image", source="definition")
def gpu_seconds_per_image(
    flops: Annotated[N, In("FLOP/image", "FLOPs of an image")],
    achieved: Annotated[N, In("FLOP/s/GPU", "achieved FLOP/s")],
) -> N:
    """GPU time of one image.

    FLOPs ÷ the FLOP/s that a GPU achieves: a pass over thousands of tokens is bound by arithmetic.

    Trap: text encoder, decoder and safety filter come on top; beside a model of few steps they are no small part.
    """
    return flops / achieved
