"""Numbers of the twelve designs and of The Path, worked out before their pages: each from the library alone."""

import pytest

from macros import formulas as f

HOUR, DAY, MONTH = 3600.0, 86400.0, 730 * 3600.0
PRICE = 4 / HOUR
DEEPSEEK_KV = f.latent_kv_bytes_per_token(61.0, 512.0, 64.0, 2.0)
KV_70B = f.kv_bytes_per_token(80.0, 8.0, 128.0, 2.0)
NODE_ROOM = f.room_for_caches(0.9, 8.0, 141e9, 671e9)
COPIED = f.weights_with_copies(671e9, 11.41e9, 8.0)
FLUX_LINEAR = f.denoise_linear_flops(6.455e9, 4608.0)
FLUX_ATTENTION = f.denoise_attention_flops(57.0, 3072.0, 4608.0)
LORA = f.lora_parameters(80.0, 16.0, 8192.0, 8192.0, 1024.0, 28672.0)
RUN = f.training_flops(7e9, 1e12)


def attention_seconds(layers: float, heads: float, tokens: float) -> float:
    return f.attention_flops(layers, heads, 128.0, tokens) / 400e12


def session_attention() -> float:
    """GPU-seconds of attention in a session that caches its prefix: the first prompt, then 39 turns of 1,600 tokens."""
    first = f.attention_flops(80.0, 64.0, 128.0, 8000.0)
    # The mean prefix of the turns behind the first: 8,400 tokens growing by 2,000, 38 times.
    later = 39 * f.attention_flops_after(80.0, 64.0, 128.0, 8400.0 + 2000 * 19, 1600.0)
    return (first + later) / 400e12


@pytest.mark.parametrize(
    ("found", "expected", "tolerance"),
    [
        pytest.param(f.prefill_gpu_seconds(8.03e9, 6000.0, 400e12), 0.241, 0.01, id="code-completion first token"),
        pytest.param(
            f.prefill_gpu_seconds(8.03e9, 6000.0, 400e12) + attention_seconds(32.0, 32.0, 6000.0),
            0.265,
            0.03,
            id="code-completion first token with attention",
        ),
        pytest.param(
            6000 * f.kv_bytes_per_token(32.0, 8.0, 128.0, 2.0), 786e6, 0.01, id="code-completion warm context"
        ),
        pytest.param(
            f.flat_index_bytes(1e9, f.bytes_per_vector(1024.0, 4.0, 0.0), 1.0), 4.10e12, 0.01, id="rag vectors fp32"
        ),
        pytest.param(
            f.flat_index_bytes(1e9, f.bytes_per_vector(1024.0, 1.0, 0.0), 1.0), 1.02e12, 0.01, id="rag vectors int8"
        ),
        pytest.param(f.flat_index_bytes(1e9, 64.0, 1.0), 64e9, 0, id="rag product codes"),
        pytest.param(1e9 * f.graph_link_bytes(32.0, 4.0), 0.256e12, 0, id="rag links"),
        pytest.param(f.session_prompt_tokens(40.0, 8000.0, 2000.0), 1_880_000, 0, id="agent prompt tokens"),
        pytest.param(
            f.prefill_gpu_seconds(70e9, f.session_prompt_tokens(40.0, 8000.0, 2000.0), 400e12) * 15_000 / HOUR,
            2_742,
            0.01,
            id="agent GPUs uncached",
        ),
        pytest.param(
            (
                f.prefill_gpu_seconds(70e9, 1_880_000.0, 400e12)
                + f.session_attention_flops(80.0, 64.0, 128.0, 40.0, 8000.0, 2000.0) / 400e12
            )
            * 15_000
            / HOUR,
            4_240,
            0.03,
            id="agent GPUs uncached with attention",
        ),
        pytest.param(
            (f.prefill_gpu_seconds(70e9, 70_400.0, 400e12) + session_attention()) * 15_000 / HOUR,
            185,
            0.03,
            id="agent GPUs cached with attention",
        ),
        pytest.param(f.concurrency(15_000 / HOUR, 20 * 60.0), 5_000, 0.01, id="agent sessions"),
        pytest.param(
            f.sequences_that_fit(0.9, 4.0, 80e9, 70e9, 4300 * KV_70B), 154, 0, id="batch-inference largest batch"
        ),
        pytest.param(DEEPSEEK_KV, 70_272, 0, id="contract-analyst KV per token"),
        pytest.param(f.sequences_over_ranks(1.0, NODE_ROOM, DEEPSEEK_KV * 1e5), 48, 0, id="contract-analyst per node"),
        pytest.param(f.replicas(2000.0, 48.0), 42, 0, id="contract-analyst nodes"),
        pytest.param(
            f.sequences_over_ranks(8.0, f.room_for_caches(0.9, 8.0, 141e9, COPIED), DEEPSEEK_KV * 1e5),
            32,
            0,
            id="contract-analyst data-parallel attention",
        ),
        pytest.param(
            f.latent_attention_flops(61.0, 128.0, 192.0, 128.0, 1e5), 25.0e15, 0.03, id="contract-analyst attention"
        ),
        pytest.param(
            (2 * 37e9 * 1e5 + f.latent_attention_flops(61.0, 128.0, 192.0, 128.0, 1e5)) / 400e12,
            81,
            0.03,
            id="contract-analyst prefill",
        ),
        pytest.param(
            20e6 * f.api_price_per_request(1500.0, 2e-6, 300.0, 10e-6), 120_000, 0.01, id="gateway API at 2 and 10"
        ),
        pytest.param(
            20e6 * f.api_price_per_request(1500.0, 0.1e-6, 300.0, 0.32e-6), 4_920, 0.01, id="gateway open model"
        ),
        pytest.param(f.fleet_bill(8.0, PRICE) * MONTH, 23_360, 0.02, id="gateway own fleet"),
        pytest.param(
            f.break_even_volume(f.fleet_bill(8.0, PRICE), f.api_price_per_request(1500.0, 2e-6, 300.0, 10e-6), 0.0)
            * MONTH,
            3.9e6,
            0.02,
            id="gateway break-even",
        ),
        pytest.param(FLUX_LINEAR, 59.5e12, 0.01, id="image linear"),
        pytest.param(FLUX_ATTENTION, 14.9e12, 0.01, id="image attention"),
        pytest.param(
            f.gpu_seconds_per_image(f.image_flops(FLUX_LINEAR, FLUX_ATTENTION, 28.0, 1.0), 400e12),
            5.21,
            0.01,
            id="image GPU-seconds",
        ),
        pytest.param(
            f.cost_per_1000(
                f.gpu_seconds_per_image(f.image_flops(FLUX_LINEAR, FLUX_ATTENTION, 28.0, 1.0), 400e12), PRICE
            )
            * 1000,
            5.79,
            0.01,
            id="image cost per 1,000",
        ),
        pytest.param(f.training_gpu_time(RUN, 400e12) / HOUR, 29_167, 0.01, id="fine-tuning GPU-hours"),
        pytest.param(
            8 * f.whole_nodes(f.gpus_for_deadline(f.training_gpu_time(RUN, 400e12), 14 * DAY), 8.0),
            88,
            0,
            id="fine-tuning GPUs in nodes",
        ),
        pytest.param(
            f.gpus_for_deadline(f.training_gpu_time(RUN, f.achieved_flops(989e12, 0.35)), 14 * DAY),
            101,
            0,
            id="fine-tuning GPUs at 35 %",
        ),
        pytest.param(
            f.gpus_for_deadline(f.training_gpu_time(RUN, f.achieved_flops(989e12, 0.5)), 14 * DAY),
            71,
            0,
            id="fine-tuning GPUs at 50 %",
        ),
        pytest.param(f.training_state_bytes(70e9, 16.0), 1.12e12, 0.01, id="fine-tuning full state"),
        pytest.param(LORA, 207_093_760, 0, id="fine-tuning adapter"),
        pytest.param(280 * f.weight_bytes(LORA, 2.0), 116e9, 0.01, id="fine-tuning 280 adapters"),
        pytest.param(f.prompt_within(0.2, 1.0, 400e12, 8.03e9), 4981, 1e-4, id="path prompt on 8B"),
        pytest.param(f.prompt_within(0.2, 1.0, 400e12, 70e9), 571, 1e-3, id="path prompt on 70B"),
        pytest.param(f.prompt_within(0.2, 4.0, 400e12, 70e9), 2286, 1e-3, id="path prompt on 70B with four GPUs"),
        pytest.param(f.ridge_point(989e12, 3.35e12), 295, 0.002, id="path ridge bf16"),
        pytest.param(f.ridge_point(1979e12, 3.35e12), 591, 0.002, id="path ridge fp8"),
        pytest.param(f.latent_attention_intensity(128.0, 512.0, 64.0, 2.0), 242, 0.002, id="path latent intensity"),
        pytest.param(0.1 * f.attention_meets_weights(8.03e9, 32.0, 32.0, 128.0), 6e3, 0.03, id="a tenth on 8B"),
        pytest.param(0.1 * f.attention_meets_weights(70e9, 80.0, 64.0, 128.0), 11e3, 0.03, id="a tenth on 70B"),
        pytest.param(RUN, 4.2e22, 0, id="path 6ND"),
        pytest.param(32 * 4096 * KV_70B, 42.9e9, 0.002, id="path KV at batch 32"),
        # One bad message in a thousand, 99 % of both kinds told right: nine of ten flagged ones are good.
        pytest.param(f.precision(0.001, 0.99, 0.01), 0.0902, 0.001, id="moderation precision"),
    ],
)
def test_number(found: float, expected: float, tolerance: float) -> None:
    assert found == pytest.approx(expected, rel=tolerance or 1e-12)


def test_the_whole_training_state_in_its_parts() -> None:
    # Weights and gradients in two bytes, master weight and two moments in four each.
    assert f.training_state_bytes(1.0, 2.0 + 2 + 4 + 4 + 4) == 16
    # A frozen base in two bytes, adapters in 16.
    assert f.lora_state_bytes(70e9, 2.0, LORA, 16.0) == 140e9 + 16 * LORA


def test_failures_of_a_cluster() -> None:
    # A node fails every 50,000 hours; 1,000 of them every 50. Five minutes a checkpoint: save every 2.9 hours.
    between = f.time_between_failures(50_000 * HOUR, 1000.0)
    assert between == 50 * HOUR
    interval = f.checkpoint_interval(300.0, between)
    assert interval == pytest.approx((2 * 300 * 180_000) ** 0.5)
    assert f.lost_share(300.0, interval, between) == pytest.approx(0.0577, abs=0.0001)


def test_experts_of_a_step() -> None:
    # 8 of 256 experts: a batch of 64 tokens touches 87 % of them.
    assert f.share_of_experts_touched(8.0, 256.0, 64.0) == pytest.approx(1 - (1 - 8 / 256) ** 64, rel=1e-12)
    assert f.distinct_experts(8.0, 256.0, 64.0) == pytest.approx(222.4, abs=0.05)
    # Taking every expert for another one: twice as many as there are.
    assert 8 * 64 == 2 * 256


def test_a_hybrid_model() -> None:
    # 12 of 48 layers with two KV heads of 256; 36 with a state of 32 × 128 × 128 numbers, all in two bytes.
    state = f.state_bytes_per_sequence(36.0, 32 * 128 * 128.0, 2.0)
    assert state == 37_748_736
    assert f.hybrid_bytes_per_sequence(12.0, 2.0, 256.0, 2.0, 32_768.0, state) == 2 * 12 * 2 * 256 * 2 * 32_768 + state


def test_a_fleet_by_requests() -> None:
    assert f.replicas_for_requests(100.0, 7.0) == 15
    assert f.weight_bytes_in_blocks(70e9, 32.0, 34.0) == 70e9 * 1.0625
    # 4.5 bits a parameter.
    assert f.weight_bytes(70e9, 4.5 / 8) == 39.375e9
    assert f.attention_intensity(64.0, 8.0, 2.0) == 8
    assert f.whole_speedup(0.25, 1e6) == pytest.approx(4 / 3, rel=1e-6)
    # A guard that sees all, a model that sees 5 % of them, one that sees 8 % of those.
    assert f.cascade_cost(1.0, 0.05, f.cascade_cost(10.0, 0.08, 100.0)) == pytest.approx(1.9)
