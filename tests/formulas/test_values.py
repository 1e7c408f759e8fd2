"""Published answers and answers worked out by hand. The arithmetic stands here in numbers, as a reader would do it.

Formulas take and give base units: bytes, seconds, tokens, FLOPs, dollars.
"""

import pytest

from macros import formulas as f

GB, GiB = 1e9, 2.0**30
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0


@pytest.mark.parametrize(
    ("formula", "arguments", "expected"),
    [
        # Design ChatGPT: 1e7 users × 8 requests × 15 % ÷ 3,600 s.
        (f.arrival_rate_at_peak, (1e7, 8.0, 0.15), 12e6 / 3600),
        # A flat day puts a 24th into each hour, and the peak is the average.
        (f.arrival_rate_at_peak, (86400.0, 1.0, 1 / 24), 1.0),
        # Little: 10 arrive each second, each stays 2.5 s.
        (f.concurrency, (10.0, 2.5), 25),
        # 3,333.3 requests/s × 400 steps of 11.171 ms.
        (f.concurrency, (12e6 / 3600, 400 * 0.011171028), 14894.7),
        (f.weight_bytes, (70e9, 1.0), 70 * GB),
        (f.weight_bytes, (70e9, 2.0), 140 * GB),
        (f.weight_bytes, (70e9, 0.5), 35 * GB),
        (f.decode_time, (400.0, 0.05), 20),
        (f.tokens_needed, (12e6 / 3600, 400.0), 4.8e9 / 3600),
        (f.tokens_per_replica, (128.0, 0.0128), 10_000),
        (f.replicas, (1000.0, 300.0), 4),
        (f.replicas, (900.0, 300.0), 3),
        (f.replicas, (0.1 * 3, 0.1), 3),
        (f.gpus, (117.0, 4.0), 468),
        (f.gpus_for_gpu_seconds, (10.0, 0.25), 3),
        (f.gpus_by_bandwidth, (1000.0, 300.0, 4.0), 14),
        # 2 × 70e9 FLOPs for each of 1,333,333 tokens/s at 1,979e12 FLOP/s.
        (f.gpus_by_compute, (70e9, 4e6 / 3, 1979e12), 95),
        (f.gpus_by_capacity, (14894.7, 350.0, 4.0), 171),
        (f.share_for_equal_fleets, (468.0, 1750.0), 1282 / 1750),
        (f.share_for_equal_fleets, (300.0, 200.0), -0.5),
        (f.uncached, (0.525, 0.8), 0.105),
        (f.uncached, (0.525, 0.0), 0.525),
        (f.uncached, (0.525, 1.0), 0),
        (f.first_token_alone, (0.525, 4.0), 0.131250),
        (f.load, (900.0, 4.0, 300.0), 0.75),
        (f.sequences_to_spare, (350.0, 128.0), 222),
        (f.sequences_to_spare, (43.0, 128.0), 0),
        # 25,974 places beside the batches of 117 replicas, 3,333.3 newcomers a second.
        (f.residence_time, (222 * 117.0, 12e6 / 3600), 7.7922),
        (f.cache_read_time, (128.0, 622_592_000.0, 4.0, 3.35e12), 0.0059471475),
        # One server, half busy: half a service. Four that share the queue, 60 % busy: 10 ms × 0.6 ÷ (2 × 4 × 0.4).
        (f.queue_wait, (0.010, 1.0, 0.5), 0.005),
        (f.queue_wait, (0.010, 4.0, 0.6), 0.001875),
        # 800 MB at 400 GB/s; two GPUs with a link each take half as long.
        (f.transfer_time, (800e6, 1.0, 400 * GB), 0.002),
        (f.transfer_time, (800e6, 2.0, 400 * GB), 0.001),
        # 100 ms for 10 tokens: 10 ms a step, 30 GB at 3 TB/s. Less 20 GB of weights that is 4 caches of 2.4 GB.
        (f.batch_within, (0.1, 10.0, 20 * GB, 2.4 * GB, 1.0, 3000 * GB), 4),
        (f.batch_within, (0.1, 10.0, 31 * GB, 2.4 * GB, 1.0, 3000 * GB), 0),
        # 100 caches of 10 GB at 200 FLOP/byte are 200 TFLOP; four GPUs at 1 PFLOP/s take 50 ms.
        (f.cache_compute_time, (100.0, 10e9, 200.0, 4.0, 1e15), 0.05),
        # The first 8,000 tokens, then 39 turns with 1,600 new ones.
        (f.session_new_tokens, (40.0, 8000.0, 1600.0), 70_400),
        # Two turns of one layer, head and number: 2 × 10² FLOPs, then 4 × 3 × (12 + 3 ÷ 2) behind a prefix of 12.
        (f.session_attention_flops_after, (1.0, 1.0, 1.0, 2.0, 10.0, 5.0, 3.0), 362),
        # A cache of 20 GB takes half of a GPU that has room for 40, so 15 s of prefill are 30 s of keeping.
        (f.break_even_wait, (15.0, 20 * GB, 40 * GB), 30),
        # 0.5 GPU-seconds each, 1,000 of them: 500 GPU-seconds at $3.6 an hour are 50 cents.
        (f.cost_per_1000, (0.5, 3.6 / HOUR), 0.0005),
        # 10 GPUs × $2.4 × 24 h = $576 a day for 200 × 18 = 3,600 requests: 16 cents each.
        (f.average_cost_per_1000, (10.0, 2.4 / HOUR, 200.0, 18.0), 0.16),
    ],
)
def test_by_hand(formula, arguments: tuple[float, ...], expected: float) -> None:
    assert formula(*arguments) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("layers", "kv_heads", "head_dim", "width", "expected"),
    [
        pytest.param(80, 8, 128, 2, 327_680, id="Llama-3-70B and Qwen2.5-72B"),
        pytest.param(126, 8, 128, 2, 516_096, id="Llama-3.1-405B"),
        pytest.param(32, 8, 128, 2, 131_072, id="Llama-3.1-8B"),
        pytest.param(28, 4, 128, 2, 57_344, id="Qwen2.5-7B, int8 weights and bf16 KV"),
        pytest.param(64, 8, 128, 2, 262_144, id="Qwen3-32B"),
        pytest.param(36, 8, 128, 2, 147_456, id="Qwen3-4B"),
        pytest.param(36, 8, 64, 2, 73_728, id="gpt-oss-120b, every layer in full"),
        pytest.param(48, 4, 128, 1, 49_152, id="fp8 KV"),
        pytest.param(80, 8, 128, 1, 163_840, id="70B, int8 KV"),
    ],
)
def test_kv_bytes_per_token(layers: float, kv_heads: float, head_dim: float, width: float, expected: int) -> None:
    assert f.kv_bytes_per_token(layers, kv_heads, head_dim, width) == expected


def test_a_cache_of_many_tokens() -> None:
    # Qwen2.5-7B, 3,072 tokens: 176.2 MB, which is 0.164 GiB.
    cache = f.kv_bytes_per_sequence(28.0, 4.0, 128.0, 2.0, 3072.0)
    assert cache == 57_344 * 3072 == 176_160_768
    assert cache / GiB == pytest.approx(0.164, abs=0.0005)
    # The measured growth, 0.16 GB a request from 5 to 20 of them.
    assert cache == pytest.approx((13.0 - 10.6) / (20 - 5) * GB, rel=0.11)
    # One full context of Qwen3-4B's 5,384 usable blocks of 16 tokens.
    assert f.kv_bytes_per_sequence(36.0, 8.0, 128.0, 2.0, 16.0) == 2.25 * 2**20
    assert f.kv_bytes_per_sequence(36.0, 8.0, 128.0, 2.0, 5385.0 * 16) / 2**20 == pytest.approx(12_116, abs=0.5)


def test_the_traps_of_the_kv_cache_give_the_published_wrong_answers() -> None:
    # 28 query heads in place of 4 KV heads, and bits in place of bytes: 28 times too much.
    assert f.kv_bytes_per_token(28.0, 28.0, 128.0, 8.0) == 1_605_632 == 28 * 57_344
    # Qwen3-32B with hidden size ÷ query heads = 5,120 ÷ 64 as head dim.
    assert f.kv_bytes_per_token(64.0, 8.0, 5120 / 64, 2.0) == 163_840
    # Mistral-Small-24B, 5,120 ÷ 32 in place of 128: 25 % more; gpt-oss-20b, 2,880 ÷ 64 in place of 64: 30 % less.
    assert f.kv_bytes_per_token(40.0, 8.0, 5120 / 32, 2.0) / f.kv_bytes_per_token(40.0, 8.0, 128.0, 2.0) == 1.25
    assert f.kv_bytes_per_token(24.0, 8.0, 2880 / 64, 2.0) / f.kv_bytes_per_token(
        24.0, 8.0, 64.0, 2.0
    ) == pytest.approx(0.70, abs=0.005)


@pytest.mark.parametrize(
    ("memory", "weights", "fit"),
    [
        pytest.param(80 * GB, 70 * GB, 350, id="decimal units throughout"),
        pytest.param(80 * GiB, 70 * GB, 384, id="80 taken as GiB: a tenth too many"),
        pytest.param(80 * GB, 70.553706496 * GB, 349, id="the exact parameter count"),
        pytest.param(80 * GB, 140 * GB, 237, id="16-bit weights"),
        pytest.param(80 * GB, 288 * GB, 0, id="weights that fill the memory"),
        pytest.param(80 * GB, 400 * GB, 0, id="weights that do not fit"),
    ],
)
def test_sequences_that_fit(memory: float, weights: float, fit: int) -> None:
    assert f.sequences_that_fit(0.9, 4.0, memory, weights, 622_592_000.0) == fit


def test_less_than_one_sequence_is_none() -> None:
    # The 24 GB card at a context of 29,000: 2.89 GiB hold 0.82 of a cache. 20,000: 3.81 GiB hold 1.56.
    cache_29k, cache_20k = (f.kv_bytes_per_sequence(32.0, 8.0, 128.0, 2.0, tokens) for tokens in (29_000.0, 20_000.0))
    assert 2.89 * GiB / cache_29k == pytest.approx(0.82, abs=0.005)
    assert f.sequences_that_fit(1.0, 1.0, 2.89 * GiB, 0.0, cache_29k) == 0
    assert 3.81 * GiB / cache_20k == pytest.approx(1.56, abs=0.005)
    assert f.sequences_that_fit(1.0, 1.0, 3.81 * GiB, 0.0, cache_20k) == 1


class TestABatchOf32On70BInt8:
    """Scaling book, applied inference: 70e9 int8 parameters, int8 KV, 32 sequences of 8,192 tokens, 8.1e11 B/s."""

    weights, kv = 70e9, 2 * 80 * 8 * 128 * 1 * 8192.0

    def test_memory(self) -> None:
        assert f.kv_bytes_per_sequence(80.0, 8.0, 128.0, 1.0, 8192.0) == self.kv == 163_840 * 8192
        assert 32 * self.kv == pytest.approx(42.95e9, rel=1e-4)
        assert self.weights + 32 * self.kv == pytest.approx(112.95e9, rel=1e-4)
        # In print: 41.9 and 112 GB, after rounding 160 kB.
        assert 32 * self.kv == pytest.approx(41.9e9, rel=0.03)

    def test_chips(self) -> None:
        # 112.95 ÷ 16 = 7.06, so 8 chips; rounded to 112 first it would be 7.
        assert f.replicas(self.weights + 32 * self.kv, 16e9) == 8
        assert f.replicas(112e9, 16e9) == 7
        # 240 sequences of 32,768 tokens on the same page: 85 exactly, 86 in print.
        assert f.replicas(self.weights + 240 * 163_840 * 32_768.0, 16e9) == 85

    def test_step_and_rate(self) -> None:
        step = f.memory_step(self.weights, 32.0, self.kv, 8.0, 8.1e11)
        assert step == pytest.approx(17.43e-3, rel=1e-3)
        assert f.tokens_per_replica(32.0, step) == pytest.approx(1836, rel=1e-3)
        assert f.tokens_per_replica(32.0, step) == pytest.approx(1882, rel=0.03)


class TestAStepOn16Chips:
    """Scaling book, pop quiz: 30e9 int8 parameters in bf16 arithmetic, 100 kB × 8,192 tokens, batch 4 and 256."""

    weights, parameters, kv, chips, bandwidth, flops = 30e9, 30e9, 100e3 * 8192.0, 16.0, 8.1e11, 1.97e14

    def step(self, batch: float) -> float:
        return f.decode_step(batch, self.kv, self.weights, self.parameters, self.chips, self.bandwidth, self.flops)

    def test_the_steps(self) -> None:
        assert self.step(4.0) == pytest.approx(2.57e-3, abs=0.005e-3)
        assert self.step(256.0) == pytest.approx(21.1e-3, abs=0.05e-3)
        assert self.step(256.0) == pytest.approx(
            256 * 819.2e6 / 16 / 8.1e11 + 2 * 256 * 30e9 / (16 * 1.97e14), rel=1e-12
        )

    def test_the_simple_form_is_too_fast_past_the_critical_batch(self) -> None:
        simple = f.memory_step(self.weights, 256.0, self.kv, self.chips, self.bandwidth)
        assert simple == pytest.approx(18.5e-3, abs=0.05e-3)
        assert 1 - simple / self.step(256.0) == pytest.approx(0.12, abs=0.005)
        assert f.memory_step(self.weights, 4.0, self.kv, self.chips, self.bandwidth) == self.step(4.0)

    def test_the_critical_batch(self) -> None:
        critical = f.critical_batch(self.weights, self.parameters, self.flops, self.bandwidth)
        assert critical == pytest.approx(120, rel=0.02)
        assert critical == pytest.approx(1.97e14 / (2 * 8.1e11), rel=1e-12)


@pytest.mark.parametrize(
    ("bytes_per_parameter", "peak", "batch"),
    [pytest.param(2.0, 989e12, 295.2, id="bf16"), pytest.param(1.0, 1979e12, 295.4, id="fp8")],
)
def test_the_critical_batch_of_an_h100(bytes_per_parameter: float, peak: float, batch: float) -> None:
    # The ridge is 295 FLOP/byte in bf16 and 591 in fp8; one byte a weight halves what a byte is used for.
    assert f.critical_batch(70e9 * bytes_per_parameter, 70e9, peak, 3.35e12) == pytest.approx(batch, abs=0.05)


def test_the_prefill_of_a_long_prompt() -> None:
    # Scaling book: 70e9 parameters, 8,192 tokens, 16 chips at 40 % of 1.97e14.
    seconds = f.prefill_gpu_seconds(70e9, 8192.0, 0.4 * 1.97e14) / 16
    assert seconds == pytest.approx(0.91, abs=0.005)
    # Decode of 512 tokens in steps of 19 ms: prefill to decode 2.99 at batch 32, 4.02 at 43.
    for batch, ratio in ((32, 2.99), (43, 4.02)):
        assert batch * seconds / f.decode_time(512.0, 0.019) == pytest.approx(ratio, abs=0.005)


@pytest.mark.parametrize(
    ("parameters", "gpus", "tokens"),
    [(8.03e9, 1, 4981), (70e9, 1, 571), (70e9, 4, 2286)],
)
def test_the_prompt_within_a_first_token_of_200_ms(parameters: float, gpus: int, tokens: int) -> None:
    seconds = f.prefill_gpu_seconds(parameters, float(tokens), 400e12) / gpus
    assert seconds == pytest.approx(0.2, rel=1e-3)


def test_the_cost_of_the_seed_design() -> None:
    # 11.171 ms a step of 128: 11,458.2 tokens/s; 4 GPUs × 400 tokens ÷ that × 1,000 ÷ 3,600 × $4.
    per_replica = 128 / ((70e9 + 128 * 622_592_000) / (4 * 3.35e12))
    cost = f.cost_per_1000(4 * 400 / per_replica, 4 / HOUR) * 1000
    assert cost == pytest.approx(0.155, abs=0.0005)
    assert cost == pytest.approx(4 * 400 / 11458.211 * 1000 / 3600 * 4, rel=1e-6)


def test_a_price_per_hour_is_not_a_price_per_second() -> None:
    assert f.cost_per_1000(1.0, 3600 / HOUR) == pytest.approx(1.0)
    assert f.average_cost_per_1000(1.0, 24 / DAY, 1.0, 1.0) == pytest.approx(24)
    assert f.average_cost_per_1000(1.0, 1 / MINUTE, 1.0, 1440.0) == pytest.approx(1.0)
