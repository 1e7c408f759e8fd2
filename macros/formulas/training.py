"""Training: FLOPs of a run, the GPU time that they take, and how much of the peak that is."""

from typing import Annotated

from macros.sizing import Constant, In, N, ceil, formula

_FORWARD_AND_BACKWARD = Constant(6, "FLOP/parameter/token", shown="6")
_FROZEN_WEIGHTS = Constant(4, "FLOP/parameter/token", shown="4")

_KAPLAN = "Kaplan et al. 2020, arXiv:2001.08361, section 2.1"
_PALM = "Chowdhery et al. 2022, arXiv:2204.02311, appendix B"


@formula("FLOP/run", "training FLOPs", source=_KAPLAN)
def training_flops(
    parameters: Annotated[N, In("parameter", "active parameters")],
    tokens: Annotated[N, In("token/run", "training tokens")],
) -> N:
    """FLOPs of a training run, known as 6ND.

    Forward, each token meets each parameter with a multiplication and an addition. Backward there are two such
    products, one for the activations' gradients and one for the weights': six FLOPs in all.

    Trap: for a mixture of experts the active parameters count. All of them have to be in memory, few of them multiply.
    """
    return _FORWARD_AND_BACKWARD * parameters * tokens


@formula("FLOP/run", "training FLOPs with LoRA", source=f"{_KAPLAN}; Hu et al. 2021, arXiv:2106.09685")
def lora_training_flops(
    parameters: Annotated[N, In("parameter", "active parameters")],
    tokens: Annotated[N, In("token/run", "training tokens")],
) -> N:
    """FLOPs of a run that trains small adapters on frozen weights.

    Forward and the activations' gradients run through the whole model as ever. The frozen weights need no gradient of
    their own, so two of the six FLOPs fall away; the adapters' FLOPs are below a percent.

    Trap: few trained parameters save memory, not two thirds of the time.
    """
    return _FROZEN_WEIGHTS * parameters * tokens


@formula("FLOP/s/GPU", "achieved FLOP/s", source=_PALM)
def achieved_flops(
    peak: Annotated[N, In("FLOP/s/GPU", "peak FLOP/s")],
    mfu: Annotated[N, In("", "MFU", most=1)],
) -> N:
    """Useful FLOP/s of a GPU in training.

    The dense peak × the share of it that goes into the model's own FLOPs.

    Trap: a utilisation that was measured against one peak belongs to that peak, its number format included.
    """
    return peak * mfu


@formula("GPU*hour/run", "GPU-hours of a run", source="definition")
def training_gpu_time(
    flops: Annotated[N, In("FLOP/run", "FLOPs of the run")],
    achieved: Annotated[N, In("FLOP/s/GPU", "achieved FLOP/s")],
) -> N:
    """GPU time that a run takes, however many GPUs share it.

    FLOPs ÷ the FLOP/s that a GPU achieves.

    Trap: restarts, evaluations and stopped nodes are paid too; an achieved rate over all hours includes them.
    """
    return flops / achieved


@formula("", "model FLOPs utilisation", source=_PALM, most=1)
def model_flops_utilisation(
    flops: Annotated[N, In("FLOP/run", "FLOPs of the run")],
    gpu_time: Annotated[N, In("GPU*hour/run", "GPU time of the run")],
    peak: Annotated[N, In("FLOP/s/GPU", "peak FLOP/s")],
) -> N:
    """MFU: the model's own FLOPs as a share of what the GPUs could have done in the hours paid.

    What the run needed ÷ GPU time × dense peak. Both sides are of the same run; a value above one is refused, since it
    says that they are not, or that the peak is another GPU's.

    Trap: the sparse peak halves it, and hours of several runs dilute it. Neither looks wrong by itself.
    """
    return flops / (gpu_time * peak)


@formula("GPU", "GPUs for a deadline", source="definition")
def gpus_for_deadline(
    gpu_time: Annotated[N, In("GPU*hour/run", "GPU time of the run")],
    deadline: Annotated[N, In("day/run", "deadline")],
) -> N:
    """Whole GPUs that finish a run in time.

    GPU time ÷ time.

    Trap: it takes for granted that twice the GPUs take half the time; communication and failures grow with them.
    """
    return ceil(gpu_time / deadline)
