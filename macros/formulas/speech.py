"""Speech: from real-time factors to GPUs."""

from typing import Annotated

from macros.sizing import In, N, ceil, formula, implied

_EACH = implied("GPU/request")
_ONE_GPU = implied("GPU")


@formula("", "real-time factor", source="definition")
def real_time_factor(
    processing: Annotated[N, In("s", "processing time")],
    audio: Annotated[N, In("s", "audio")],
) -> N:
    """Seconds of processing for each second of audio.

    Below one a GPU keeps up with a live stream; one ÷ it is how many streams keep it busy.

    Trap: offline figures batch whole files. A live stream arrives in small pieces and reaches a fraction of them.
    """
    return processing / audio


@formula("GPU", "GPUs for streams", source="Little's law on GPU-seconds")
def gpus_for_streams(
    streams: Annotated[N, In("request", "streams")],
    factor: Annotated[N, In("", "real-time factor", most=100)],
    planned_load: Annotated[N, In("", "planned load", most=1)],
) -> N:
    """Whole GPUs for live streams at a planned load.

    Each stream keeps its factor of a GPU busy. Plan for less than all of the GPUs' time, so that a burst does not wait.

    Trap: at full load every stream falls behind together; a caller hears that as silence.
    """
    return ceil(streams * factor / planned_load * _EACH)


@formula("GPU*hour", "GPU-hours for recordings", source="definition")
def recording_gpu_time(
    audio: Annotated[N, In("hour", "audio")],
    factor: Annotated[N, In("", "real-time factor", most=100)],
) -> N:
    """GPU time that recordings take, with nobody waiting for them.

    Hours of audio × real-time factor.

    Trap: the factor belongs to a model, a GPU and a batch; none of the three carries over.
    """
    return audio * factor * _ONE_GPU
