#!/usr/bin/env python3
"""The figures of tunecheck-gpu-figures for Triton's autotuner, on the same device and sizes.

Usage: triton_figures.py all|tune|first [--started SECONDS]
       triton_figures.py tuning --space FILE [--memory]

Prints one JSON object (`all`: one with those of a cold tuning, a dispatch and a bandwidth); needs PyTorch and Triton.
TRITON_CACHE_DIR names its cache folder. `tuning` is a cold tuning of one of the kernels that the adapter of Triton has
too, with the sizes and configs that `tunecheck-gpu-figures space` prints.
"""
import argparse
import json
import pathlib
import statistics
import sys
import threading
import time

STARTED = time.time()

import torch  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402

CONFIGS = [
    triton.Config({"BLOCK": block}, num_warps=warps)
    for block in (256, 512, 1024, 2048)
    for warps in (4, 8)
]


@triton.jit
def axpy(x, y, alpha, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(y + i, alpha * tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


def tuned_axpy():
    return triton.autotune(
        configs=CONFIGS, key=["n"], restore_value=["y"], cache_results=True
    )(axpy)


@triton.jit
def fused_add_rmsnorm_kernel(x, residual, weight, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    inside = c < cols
    at = row * cols + c
    total = tl.load(x + at, mask=inside, other=0).to(tl.float32) + tl.load(
        residual + at, mask=inside, other=0
    ).to(tl.float32)
    tl.store(residual + at, total, mask=inside)
    scale = tl.rsqrt(tl.sum(total * total) / cols + eps)
    tl.store(x + at, total * scale * tl.load(weight + c, mask=inside).to(tl.float32), mask=inside)


fused_add_rmsnorm = triton.autotune(
    configs=[
        triton.Config({}, num_warps=warps, num_stages=stages)
        for warps in (4, 8, 16, 32)
        for stages in (1, 2)
    ],
    key=["cols"],
    restore_value=["x", "residual"],
)(fused_add_rmsnorm_kernel)


def grid(n):
    return lambda meta: (triton.cdiv(n, meta["BLOCK"]),)


def enqueue_us(launch, launches=200, rounds=200):
    samples = []
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(launches):
            launch()
        samples.append((time.perf_counter() - begin) / launches * 1e6)
        torch.cuda.synchronize()
    return statistics.median(samples)


def dispatch():
    x, y = torch.ones(1, device="cuda"), torch.ones(1, device="cuda")
    tuned = tuned_axpy()
    tuned[grid(1)](x, y, 1.0, 1)
    axpy[(1,)](x, y, 1.0, 1, BLOCK=256)
    torch.cuda.synchronize()
    return {
        "tuned_us": enqueue_us(lambda: tuned[grid(1)](x, y, 1.0, 1)),
        "jit_us": enqueue_us(lambda: axpy[(1,)](x, y, 1.0, 1, BLOCK=256)),
    }


def tune():
    n = 1 << 24
    x, y = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")
    torch.cuda.synchronize()
    tuned = tuned_axpy()
    begin = time.perf_counter()
    tuned[grid(n)](x, y, 1.25, n)
    torch.cuda.synchronize()
    return {"wall_ms": (time.perf_counter() - begin) * 1e3, "winner": str(tuned.best_config)}


def first(started):
    n = 65536
    x, y = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")
    expected = (y + 1.25 * x)[-1].item()
    tuned = tuned_axpy()
    tuned[grid(n)](x, y, 1.25, n)
    result = y[-1].item()
    return {
        "since_start_ms": (time.time() - started) * 1e3,
        "import_ms": (time.time() - STARTED) * 1e3,
        "right": abs(result - expected) < 1e-5 * (1 + abs(expected)),
    }


def bandwidth():
    rows = cols = 8192
    x = torch.randn(rows, cols, device="cuda", dtype=torch.bfloat16)
    residual = torch.randn_like(x)
    weight = torch.rand(cols, device="cuda", dtype=torch.bfloat16)
    size = 4 * x.numel() * x.element_size()
    source = torch.empty(size // 2, device="cuda", dtype=torch.uint8)
    target = torch.empty_like(source)

    def launch():
        fused_add_rmsnorm[(rows,)](x, residual, weight, cols, 1e-6, BLOCK=cols)

    launch()
    own = triton.testing.do_bench(launch, return_mode="median")
    copy = triton.testing.do_bench(lambda: target.copy_(source), return_mode="median")
    return {
        "copy_TBps": size / copy / 1e9,
        "winner_TBps": size / own / 1e9,
        "share_of_copy": copy / own,
        "winner": str(fused_add_rmsnorm.best_config),
    }


KERNELS = pathlib.Path(__file__).resolve().parents[2] / "framework/adapter/python/triton"


def tensors_of(space):
    """As many elements of the same types; integers are those that the kernels take for places."""
    places = min(space["sizes"].get(name, 1 << 30) for name in ("bins", "tokens"))
    made = {}
    for tensor in space["tensors"]:
        dtype = {"f32": torch.float32, "i32": torch.int32, "i64": torch.int64}[tensor["dtype"]]
        if dtype.is_floating_point:
            made[tensor["name"]] = torch.randn(tensor["shape"], device="cuda", dtype=dtype)
        else:
            made[tensor["name"]] = torch.randint(0, places, tensor["shape"], device="cuda", dtype=dtype)
    torch.cuda.synchronize()
    return made


class LeastFree:
    """The least memory of the device that was free in a `with`; all processes count."""

    def __enter__(self):
        self.before = self.least = torch.cuda.mem_get_info()[0]
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def watch(self):
        while not self.ended.wait(0.001):
            self.least = min(self.least, torch.cuda.mem_get_info()[0])

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


def tuning(space, with_memory):
    sys.path.append(str(KERNELS))
    import kernels

    kernel = kernels.KERNELS[space["kernel"]]
    configs = [{name.upper(): value for name, value in config.items()} for config in space["configs"]]
    tensors = tensors_of(space)
    given = [tensors[name] for name in kernel.tensors]
    values = [
        *given,
        *kernel.arguments(space["sizes"], space["scalars"]),
        *(stride for tensor in given for stride in tensor.stride()),
    ]
    tuned = triton.autotune(
        configs=[triton.Config(config, num_warps=kernel.warps(config)) for config in configs],
        key=kernel.key,
        restore_value=kernel.restore_value,
        reset_to_zero=kernel.reset_to_zero,
        cache_results=True,
    )(kernel.function)

    def call():
        begin = time.perf_counter()
        tuned[lambda meta: kernel.grid(space["sizes"], meta)](*values, **kernel.fixed(space["sizes"]))
        torch.cuda.synchronize()
        return {"kernel": space["kernel"], "wall_ms": (time.perf_counter() - begin) * 1e3}

    if not with_memory:
        return {**call(), "configs": len(configs), "winner": str(tuned.best_config)}
    counted = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    with LeastFree() as watched:
        figures = call()
    return {
        **figures,
        "configs": len(configs),
        "winner": str(tuned.best_config),
        "tensors_bytes": sum(tensor.numel() * tensor.element_size() for tensor in tensors.values()),
        "peak_bytes": watched.before - watched.least,
        "counted_bytes": torch.cuda.max_memory_allocated() - counted,
        "left_bytes": watched.before - torch.cuda.mem_get_info()[0],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["all", "tune", "first", "tuning"])
    parser.add_argument("--space", type=pathlib.Path)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--started", type=float, default=STARTED)
    options = parser.parse_args()
    if options.command == "first":
        figures = first(options.started)
    elif options.command == "tune":
        figures = tune()
    elif options.command == "tuning":
        figures = tuning(json.loads(options.space.read_text()), options.memory)
    else:  # the cold tuning first: what comes after it finds its cubins
        figures = {"tune": tune(), "dispatch": dispatch(), "bandwidth": bandwidth()}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
