"""Named slips: readings of a question that are tempting and wrong, computed by the same public formulas.

Most put another number where an argument belongs; some compute something else. Like the formulas they run on floats
and on recorded quantities. Who made them, and the wrong values, is in the tests' tables of cases.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from macros.sizing import Constant, N, ceil, floor

from .attention import attention_flops
from .decode import decode_step, memory_step
from .diffusion import denoise_linear_flops, image_flops
from .engine_budget import concurrency_at_length, kv_blocks, kv_room_per_gpu
from .kv_cache import derived_head_dim, kv_full_reservation, kv_windowed, latent_kv_bytes_per_token
from .memory import gpus_to_hold, kv_bytes_per_token, sequences_that_fit, weight_bytes
from .parallel import kv_bytes_per_token_per_gpu, kv_heads_per_gpu
from .parameters import multiplied_parameters, tied_parameters, untied_parameters
from .phases import prefill_per_decode
from .prices import api_price_per_request
from .roofline import ridge_point
from .speculation import speculative_speedup, tokens_per_round
from .traffic import concurrency
from .training import model_flops_utilisation
from .vectors import flat_index_bytes, paged_index_bytes

_GIB_FOR_GB = Constant(1, "GiB/GB")
_GB = Constant(1, "GB")
_TOKEN = Constant(1, "token")


class Slip(NamedTuple):
    """A wrong reading of what `formula` answers, with the mistake in one sentence.

    `instead` says which number takes an argument's place; `reading`, where there is one, is computed in the formula's
    stead, from arguments of the same names.
    """

    id: str
    mistake: str
    formula: Callable[..., Any]
    instead: dict[str, str] = {}  # noqa: RUF012 (a default that nobody changes)
    reading: Callable[..., Any] | None = None

    def right_value(self, given: dict[str, Any]) -> Any:
        """Return what the formula gives; of `given`, what only the mistake reads is left out."""
        return _call(self.formula, given)

    def wrong_value(self, given: dict[str, Any]) -> Any:
        """Return what the mistake gives; of `given`, what only the formula takes is left out."""
        replaced = {argument: given[other] for argument, other in self.instead.items()}
        return _call(self.reading or self.formula, given | replaced)


def _call(function: Callable[..., Any], given: dict[str, Any]) -> Any:
    return function(**{name: given[name] for name in inspect.signature(function).parameters})


def _hidden_over_heads(layers: N, kv_heads: N, bytes_per_value: N, hidden: N, query_heads: N) -> N:
    return kv_bytes_per_token(layers, kv_heads, derived_head_dim(hidden, query_heads), bytes_per_value)


def _latent_split(layers: N, latent: N, rope: N, bytes_per_value: N, tensor_parallel: N) -> N:
    return latent_kv_bytes_per_token(layers, latent, rope, bytes_per_value) / tensor_parallel


def _all_gpus_memory(memory: N, utilisation: N, weights: N, activations: N, non_torch: N, graphs: N, gpus: N) -> N:
    return kv_room_per_gpu(memory * gpus, utilisation, weights, activations, non_torch, graphs)


def _acceptance_for_length(acceptance: N, draft_tokens: N, draft_cost: N) -> N:
    return tokens_per_round(acceptance, draft_tokens) / ((draft_cost * acceptance + 1) * _TOKEN)


_ALL = (
    # The cache.
    Slip("query-heads", "It takes the query heads for the KV heads.", kv_bytes_per_token, {"kv_heads": "query_heads"}),
    Slip(
        "query-heads-and-bits",
        "It takes the query heads for the KV heads, and bits for bytes.",
        kv_bytes_per_token,
        {"kv_heads": "query_heads", "bytes_per_value": "bits"},
    ),
    Slip(
        "weight-format-for-kv",
        "It gives the cache the weights' number format; the cache has a format of its own.",
        kv_bytes_per_token,
        {"bytes_per_value": "weight_bytes_per_value"},
    ),
    Slip(
        "hidden-over-heads",
        "It derives the head dim as hidden size ÷ query heads, where the config states another one.",
        kv_bytes_per_token,
        reading=_hidden_over_heads,
    ),
    Slip(
        "two-latents",
        "It doubles the latent for keys and values and leaves the rotary part out.",
        latent_kv_bytes_per_token,
        {"rope": "latent"},
    ),
    Slip(
        "latent-split",
        "It splits the latent over the tensor-parallel GPUs, each of which needs all of it.",
        latent_kv_bytes_per_token,
        reading=_latent_split,
    ),
    Slip(
        "window-layers-dropped",
        "It leaves the sliding-window layers out, as if they kept nothing.",
        kv_full_reservation,
        {"window_layers": "no_layers"},
    ),
    Slip(
        "windows-taken-for-granted",
        "It caps the window layers at their window, for an engine that reserves every token for every layer.",
        kv_full_reservation,
        reading=kv_windowed,
    ),
    Slip(
        "no-head-left",
        "It divides the KV heads by the GPUs in whole numbers, which leaves none.",
        kv_heads_per_gpu,
        reading=lambda kv_heads, tensor_parallel: floor(kv_heads / tensor_parallel),
    ),
    Slip(
        "split-past-the-heads",
        "It goes on dividing the cache when there are more GPUs than KV heads.",
        kv_bytes_per_token_per_gpu,
        reading=lambda layers, kv_heads, head_dim, bytes_per_value, tensor_parallel: (
            kv_bytes_per_token(layers, kv_heads, head_dim, bytes_per_value) / tensor_parallel
        ),
    ),
    Slip(
        "kv-not-divided",
        "It counts the whole cache of a token on each GPU, though each keeps its own heads only.",
        kv_blocks,
        {"kv_per_token": "undivided_kv_per_token"},
    ),
    # Memory.
    Slip(
        "active-for-memory",
        "It sizes a mixture of experts by its active parameters; all experts must be resident.",
        weight_bytes,
        {"parameters": "active_parameters"},
    ),
    Slip(
        "memory-of-all-gpus",
        "It subtracts one GPU's weights from the memory of all of them.",
        kv_room_per_gpu,
        reading=_all_gpus_memory,
    ),
    Slip(
        "activation-peak-left-out",
        "It leaves out the activations at the longest input, or takes those of a shorter one.",
        kv_room_per_gpu,
        {"activations": "other_activations"},
    ),
    Slip(
        "rounded-up-to-one",
        "It rounds a concurrency below one up, though not one request fits.",
        concurrency_at_length,
        reading=lambda tokens, length: ceil(concurrency_at_length(tokens, length)),
    ),
    Slip(
        "gib-for-gb",
        "It takes the card's GB for GiB and leaves the weights in GB.",
        sequences_that_fit,
        reading=lambda usable, gpus, memory, weights, kv: sequences_that_fit(
            usable, gpus, memory * _GIB_FOR_GB, weights, kv
        ),
    ),
    Slip(
        "rounded-first",
        "It rounds the bytes down to whole GB before it rounds the GPUs up.",
        gpus_to_hold,
        reading=lambda held, memory: gpus_to_hold(floor(held / _GB) * _GB, memory),
    ),
    # Load and time.
    Slip(
        "rate-for-concurrency",
        "It takes requests per second for requests at once, whatever time each stays.",
        concurrency,
        {"duration": "one_second"},
    ),
    Slip(
        "memory-only-step",
        "It uses the simple form past the critical batch, where the arithmetic takes longer.",
        decode_step,
        reading=memory_step,
    ),
    Slip(
        "batch-that-fits",
        "It takes the batch that fits in memory for the batch that runs.",
        prefill_per_decode,
        {"batch": "fit"},
    ),
    Slip(
        "kv-heads-in-attention",
        "It counts attention's arithmetic with the KV heads; sharing them saves memory only.",
        attention_flops,
        {"query_heads": "kv_heads"},
    ),
    Slip(
        "acceptance-for-length",
        "It puts the acceptance rate where the number of drafted tokens belongs, in the draft's cost.",
        speculative_speedup,
        reading=_acceptance_for_length,
    ),
    Slip(
        "own-token-left-out",
        "It leaves out the token that the model itself gives in every round.",
        tokens_per_round,
        reading=lambda acceptance, draft_tokens: tokens_per_round(acceptance, draft_tokens) - _TOKEN,
    ),
    # Training.
    Slip(
        "sparse-peak",
        "It divides by the peak for 2:4 sparsity, which is twice the dense one.",
        model_flops_utilisation,
        {"peak": "sparse_peak"},
    ),
    Slip(
        "hours-of-other-runs",
        "It divides the FLOPs of one model by the GPU-hours of several.",
        model_flops_utilisation,
        {"gpu_time": "all_gpu_time"},
    ),
    Slip(
        "sparse-ridge",
        "It takes the ridge point from the peak for 2:4 sparsity.",
        ridge_point,
        {"flops": "sparse_peak"},
    ),
    Slip(
        "tied-twice", "It counts a table twice that input and output share.", tied_parameters, reading=untied_parameters
    ),
    Slip(
        "tied-head-without-flops",
        "It drops the tied output head from the FLOPs, though its product is still computed.",
        multiplied_parameters,
        {"vocabulary": "no_tokens"},
    ),
    # Indexes, images, prices.
    Slip(
        "raw-bytes-in-pages",
        "It adds up the bytes of the vectors, though a page holds whole vectors only.",
        paged_index_bytes,
        reading=flat_index_bytes,
    ),
    Slip(
        "gib-printed-as-gb",
        "It divides by GiB and prints GB.",
        flat_index_bytes,
        reading=lambda vectors, bytes_per_vector, overhead: (
            flat_index_bytes(vectors, bytes_per_vector, overhead) / _GIB_FOR_GB
        ),
    ),
    Slip(
        "macs-for-flops",
        "It takes multiply-adds for FLOPs, and each of them is two.",
        denoise_linear_flops,
        reading=lambda parameters, tokens: denoise_linear_flops(parameters, tokens) / 2,
    ),
    Slip(
        "guidance-left-out",
        "It counts one pass a step, though guidance takes two.",
        image_flops,
        {"passes": "one_pass"},
    ),
    Slip(
        "million-not-divided",
        "It multiplies tokens by a price per million as if it were per token.",
        api_price_per_request,
        reading=lambda input_tokens, input_price, output_tokens, output_price: (
            api_price_per_request(input_tokens, input_price, output_tokens, output_price) * 1e6
        ),
    ),
    Slip(
        "price-of-another-row",
        "It takes the prices from another model's row of the table.",
        api_price_per_request,
        {"input_price": "other_input_price", "output_price": "other_output_price"},
    ),
)

SLIPS = {slip.id: slip for slip in _ALL}
