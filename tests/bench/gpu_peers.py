#!/usr/bin/env python3
"""gpu_peers.py [--program FILE] [--kernels NAME,...] [--rounds N] [--json FILE]

The winners of the project's GPU kernels beside what people have without it: PyTorch's own operations (with cuBLAS,
cuFFT and CUB behind them) and Triton kernels that torch.compile makes for the same job. Sizes are `full`, the dtype is
the first of the kernel's, caches are cold at each launch, all in one run on one GPU. Prints a Markdown table: the
median of the winner, the best peer and its median, and how many times as fast the winner is.

  --program FILE   build/release/bin/tunecheck if not given
  --kernels NAMES  some kernels, with commas; all that have a peer if not given
  --rounds N       timed launches of a peer; 50 if not given
  --json FILE      also writes every figure there

Needs PyTorch with a GPU. A peer that fails is named on the error stream and left out."""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys

try:
    import torch
    import torch.nn.functional as F
except ImportError as error:
    sys.exit(f"gpu_peers.py: {error}; expected a Python with PyTorch, found {sys.executable}")

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNITS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}


def normal(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=dtype)


def uniform(*shape):
    return torch.rand(*shape, device="cuda")


def integers(low, high, *shape, dtype=torch.int32):
    return torch.randint(low, high + 1, shape, device="cuda", dtype=dtype)


# Each returns {name of a peer: a function that does the kernel's whole job once}. `compiled` makes one of Triton.
def adamw_step(_):
    parameter = torch.nn.Parameter(normal(16777216))
    parameter.grad = normal(16777216)
    optimizer = torch.optim.AdamW([parameter], lr=0.0625, betas=(0.875, 0.96875), eps=1e-8, weight_decay=0.125,
                                  fused=True)
    return {"AdamW(fused=True)": optimizer.step}


def amax_history(compiled):
    x, history, scale = normal(67108864), uniform(1024), uniform(1)

    def step():
        history.copy_(torch.cat([x.abs().amax().reshape(1), history[:-1]]))
        scale.copy_(448 / history.amax().reshape(1))

    return {"torch": step, "torch.compile": compiled(step)}


def axpy_inplace(compiled):
    x, y = normal(16777216), normal(16777216)
    return {"add_": lambda: y.add_(x, alpha=1.25), "torch.compile": compiled(lambda: y.add_(x, alpha=1.25))}


def batchnorm_running_stats(compiled):
    x, weight, bias, mean, variance = normal(8192, 1024), uniform(1024), normal(1024), normal(1024), uniform(1024)

    def step():
        return F.batch_norm(x, mean, variance, weight, bias, training=True, momentum=0.125)

    return {"batch_norm": step, "torch.compile": compiled(step)}


def dft(_):
    x = torch.randn(128, 256, device="cuda", dtype=torch.complex128)
    y = torch.empty_like(x)
    return {"fft2 (cuFFT)": lambda: torch.fft.fft2(x, out=y)}


def embedding_grad(_):
    gradient, weight = normal(16384, 1024), normal(32000, 1024)
    index = integers(0, 31999, 16384)
    return {"index_add_": lambda: weight.index_add_(0, index, gradient)}


def fused_add_rmsnorm(compiled):
    x, residual, weight = normal(4096, 4096), normal(4096, 4096), uniform(4096)

    def step():
        residual.add_(x)
        x.copy_(F.rms_norm(residual, (4096,), weight, 1e-6))

    return {"torch": step, "torch.compile": compiled(step)}


def gemm_beta(_):
    a, b, c = normal(512, 512), normal(512, 768), normal(512, 768)
    return {"addmm_ (cuBLAS)": lambda: c.addmm_(a, b, beta=0.5, alpha=0.125)}


def gemm_splitk(_):
    a, b, c = normal(256, 2048), normal(2048, 256), normal(256, 256)
    return {"mm (cuBLAS)": lambda: torch.mm(a, b, out=c)}


def histogram_accumulate(_):
    values, counts = integers(0, 15, 16777216), integers(1, 100, 16)
    return {"bincount": lambda: counts.add_(torch.bincount(values, minlength=16)),
            "histc": lambda: counts.add_(torch.histc(values, 16, 0, 16))}


def kv_cache_append(compiled):
    keys, values = normal(8, 4096, 1024), normal(8, 4096, 1024)
    new_keys, new_values = normal(8, 2048, 1024), normal(8, 2048, 1024)
    position = integers(0, 2048, 8)
    batch = torch.arange(8, device="cuda")[:, None]
    steps = torch.arange(2048, device="cuda")

    def step():
        rows = position[:, None] + steps
        keys[batch, rows] = new_keys
        values[batch, rows] = new_values

    return {"index_put_": step, "torch.compile": compiled(step)}


def layernorm_backward(_):
    x, dy, gamma, beta = normal(4096, 4096), normal(4096, 4096), uniform(4096), uniform(4096)
    _, mean, rstd = torch.ops.aten.native_layer_norm(x, (4096,), gamma, beta, 1e-5)
    return {"native_layer_norm_backward": lambda: torch.ops.aten.native_layer_norm_backward(
        dy, x, (4096,), mean, rstd, gamma, beta, [True, True, True])}


def moe_scatter_add(compiled):
    x, weight, out = normal(16384, 2048), uniform(16384), normal(8192, 2048)
    index = integers(0, 8191, 16384, dtype=torch.int64)

    def step():
        out.index_add_(0, index, x * weight[:, None])

    return {"index_add_": step, "torch.compile": compiled(step)}


def rmsnorm(compiled):
    x, weight = normal(4096, 4096), uniform(4096)

    def step():
        return F.rms_norm(x, (4096,), weight, 1e-6)

    return {"rms_norm": step, "torch.compile": compiled(step)}


def rope_inplace(compiled):
    x, cosine, sine = normal(8192, 32, 128), uniform(8192, 64), uniform(8192, 64)

    def step():
        first, second = x[..., :64], x[..., 64:]
        c, s = cosine[:, None], sine[:, None]
        x.copy_(torch.cat([first * c - second * s, second * c + first * s], -1))

    return {"torch": step, "torch.compile": compiled(step)}


def scan_lookback(_):
    x = normal(16777216)
    y = torch.empty_like(x)
    return {"cumsum (CUB)": lambda: torch.cumsum(x, 0, out=y)}


def softmax_inplace(compiled):
    x = normal(4096, 4096)

    def step():
        x.copy_(torch.softmax(x, -1))

    return {"softmax": lambda: torch.softmax(x, -1, out=x), "torch.compile": compiled(step)}


def sort_inplace(_):
    keys, places = normal(4096, 1024), integers(0, 1, 4096, 1024, dtype=torch.int64)
    values = torch.empty_like(keys)
    return {"sort": lambda: torch.sort(keys, -1, out=(values, places))}


def stencil_pingpong(compiled):
    field = normal(8192, 4160)
    target = torch.empty_like(field)

    def step():
        padded = F.pad(field[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
        around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
        target.copy_(field + 0.1875 * (around - 4 * field))

    return {"torch": step, "torch.compile": compiled(step)}


def transpose_strided(compiled):
    x = normal(4096, 4096)
    y = torch.empty_like(x)
    return {"copy_": lambda: y.copy_(x.t()), "torch.compile": compiled(lambda: y.copy_(x.t()))}


PEERS = {peer.__name__: peer for peer in (
    adamw_step, amax_history, axpy_inplace, batchnorm_running_stats, dft, embedding_grad, fused_add_rmsnorm, gemm_beta,
    gemm_splitk, histogram_accumulate, kv_cache_append, layernorm_backward, moe_scatter_add, rmsnorm, rope_inplace,
    scan_lookback, softmax_inplace, sort_inplace, stencil_pingpong, transpose_strided)}


def median_us(work, rounds):
    """Of launches with cold caches, by events of the device."""
    cold = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    samples = []
    for _ in range(3):
        work()
    for _ in range(rounds):
        cold.zero_()
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        end.synchronize()
        samples.append(begin.elapsed_time(end) * 1e3)
    return statistics.median(samples)


def peers_of(name, rounds):
    found = {}
    try:
        peers = PEERS[name](lambda function: torch.compile(function, dynamic=False))
    except Exception as error:  # noqa: BLE001: whatever a library throws
        print(f"gpu_peers: {name}: {error}", file=sys.stderr)
        return found
    for peer, work in peers.items():
        try:
            with torch.no_grad():
                found[peer] = median_us(work, rounds)
        except Exception as error:  # noqa: BLE001
            print(f"gpu_peers: {name}, {peer}: {str(error)[:300]}", file=sys.stderr)
    return found


def winners_of(program, names):
    """{kernel: (config, microseconds)} of a tuning just now."""
    command = [program, "kernels", "tune", *names, "--size", "full", "--backend", "cuda", "--markdown",
               "--only-winner"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    row = re.compile(r"\| `(\w+)` \| `([^`]*)` \| ([0-9.]+) (ns|us|ms|s) \|")
    found = {name: (config, float(number) * UNITS[unit]) for name, config, number, unit in row.findall(done.stdout)}
    if not found:
        sys.exit(f"gpu_peers: {' '.join(map(str, command))}: expected a table with a row for each kernel, status "
                 f"{done.returncode}\n{done.stdout[-500:]}{done.stderr[-500:]}")
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n", maxsplit=1)[0], description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/bin/tunecheck")
    parser.add_argument("--kernels", default=",".join(PEERS))
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    names = arguments.kernels.split(",")
    if unknown := sorted(set(names) - set(PEERS)):
        sys.exit(f"gpu_peers: {unknown[0]} has no peer here; expected some of {', '.join(PEERS)}")
    winners = winners_of(arguments.program, names)
    figures = {}
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}\n")
    print("| kernel | winner | us | best peer | us | times as fast |\n|---|---|---|---|---|---|")
    for name in names:
        peers = peers_of(name, arguments.rounds)
        if name not in winners or not peers:
            continue
        config, own = winners[name]
        best = min(peers, key=peers.get)
        figures[name] = {"winner": config, "winner_us": own, "peers_us": peers}
        print(f"| `{name}` | `{config}` | {own:.1f} | {best} | {peers[best]:.1f} | {peers[best] / own:.2f} |", flush=True)
    ahead = sum(min(each["peers_us"].values()) >= each["winner_us"] for each in figures.values())
    print(f"\n{ahead} of {len(figures)} are at least as fast as the best peer.")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
