#!/usr/bin/env python3
"""gpu_peers.py [--library FILE] [--kernels NAME,...] [--rounds N] [--json FILE]

The winners of the project's GPU kernels next to what people have without it: PyTorch's own operations (with cuBLAS,
cuFFT and CUB behind them) and Triton kernels that torch.compile makes for the same job. Sizes are `full`, the dtype is
the first of the kernel's. The winner is tuned just before, through the C library, in this process; then it and its
peers are launched in turn, with the same content of the kernel's arguments before each launch and cold caches, and
timed by events of the device. Where a call of the kernel zeroes its output first, so do the peers. Prints a Markdown table: the median of the winner, the best peer and its median, and how many
times as fast the winner is.

  --library FILE   build/release/bin/libtunecheck.so.0 if not given
  --kernels NAMES  some kernels, with commas; all that have a peer if not given
  --rounds N       timed launches of each; 50 if not given. With 0, peers are compiled and nothing is timed
  --json FILE      also writes every figure there

Needs PyTorch with a GPU. A peer that fails is named on the error stream and left out."""

import argparse
import ctypes
import json
import pathlib
import statistics
import sys
import tempfile

try:
    import torch
    import torch.nn.functional as F
except ImportError as error:
    sys.exit(f"gpu_peers.py: {error}; expected a Python with PyTorch, found {sys.executable}")

ROOT = pathlib.Path(__file__).resolve().parents[2]
DTYPES = {torch.float64: 0, torch.float32: 1, torch.bfloat16: 2, torch.float16: 3, torch.int32: 4, torch.int64: 5,
          torch.uint8: 6}  # as in tunecheck.h


def normal(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=dtype)


def uniform(*shape):
    return torch.rand(*shape, device="cuda")


def integers(low, high, *shape, dtype=torch.int32):
    return torch.randint(low, high + 1, shape, device="cuda", dtype=dtype)


# Each returns the arguments of the kernel, and {name of a peer: a function that does the kernel's whole job once}.
# `compiled` makes one of Triton.
def adamw_step(_):
    parameter = torch.nn.Parameter(normal(16777216))
    parameter.grad = normal(16777216)
    optimizer = torch.optim.AdamW([parameter], lr=0.0625, betas=(0.875, 0.96875), eps=1e-8, weight_decay=0.125,
                                  fused=True)
    own = {"param": normal(16777216), "first": normal(16777216), "second": uniform(16777216),
           "step": integers(2, 9, 1, dtype=torch.int64), "grad": parameter.grad}
    return own, {"AdamW(fused=True)": optimizer.step}


def amax_history(compiled):
    x, history, scale = normal(67108864), uniform(1024), uniform(1)

    def step():
        history.copy_(torch.cat([x.abs().amax().reshape(1), history[:-1]]))
        scale.copy_(448 / history.amax().reshape(1))

    own = {"x": x, "history": history, "scale": scale, "partial": integers(1, 9, 2)}
    return own, {"torch": step, "torch.compile": compiled(step)}


def axpy_inplace(compiled):
    x, y = normal(16777216), normal(16777216)
    return {"x": x, "y": y}, {"add_": lambda: y.add_(x, alpha=1.25),
                              "torch.compile": compiled(lambda: y.add_(x, alpha=1.25))}


def batchnorm_running_stats(compiled):
    x, weight, bias, mean, variance = normal(8192, 1024), uniform(1024), normal(1024), normal(1024), uniform(1024)

    def step():
        return F.batch_norm(x, mean, variance, weight, bias, training=True, momentum=0.125)

    own = {"x": x, "weight": weight, "bias": bias, "running_mean": mean, "running_var": variance,
           "y": torch.empty_like(x)}
    return own, {"batch_norm": step, "torch.compile": compiled(step)}


def dft(_):
    x = torch.randn(128, 256, device="cuda", dtype=torch.complex128)
    y = torch.empty_like(x)
    own = {"x": torch.view_as_real(x), "y": torch.empty_like(torch.view_as_real(x))}
    return own, {"fft2 (cuFFT)": lambda: torch.fft.fft2(x, out=y)}


def embedding_grad(_):
    gradient, weight = normal(16384, 1024), normal(32000, 1024)
    index = integers(0, 31999, 16384)
    own = {"grad_out": gradient, "index": index, "grad_weight": weight}
    return own, {"zero_, index_add_": lambda: weight.zero_().index_add_(0, index, gradient)}


def fused_add_rmsnorm(compiled):
    x, residual, weight = normal(4096, 4096), normal(4096, 4096), uniform(4096)

    def step():
        residual.add_(x)
        x.copy_(F.rms_norm(residual, (4096,), weight, 1e-6))

    own = {"input": x, "residual": residual, "weight": weight}
    return own, {"torch": step, "torch.compile": compiled(step)}


def gemm_beta(_):
    a, b, c = normal(512, 512), normal(512, 768), normal(512, 768)
    return {"a": a, "b": b, "c": c}, {"addmm_ (cuBLAS)": lambda: c.addmm_(a, b, beta=0.75, alpha=0.125)}


def gemm_splitk(_):
    a, b, c = normal(256, 2048), normal(2048, 256), normal(256, 256)
    return {"a": a, "b": b, "c": c}, {"mm (cuBLAS)": lambda: torch.mm(a, b, out=c)}


def histogram_accumulate(_):
    values, counts = integers(0, 15, 16777216), integers(1, 100, 16)
    own = {"values": values, "counts": counts}
    return own, {"bincount": lambda: counts.copy_(torch.bincount(values, minlength=16)),
                 "histc": lambda: counts.copy_(torch.histc(values, 16, 0, 16))}


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
        position.add_(2048)

    own = {"keys": keys, "values": values, "new_keys": new_keys, "new_values": new_values, "position": position,
           "arrived": integers(0, 0, 8)}
    return own, {"index_put_": step, "torch.compile": compiled(step)}


def layernorm_backward(_):
    x, dy, gamma, beta = normal(4096, 4096), normal(4096, 4096), uniform(4096), uniform(4096)
    _, mean, rstd = torch.ops.aten.native_layer_norm(x, (4096,), gamma, beta, 1e-5)
    own = {"x": x, "dy": dy, "gamma": gamma, "mean": mean.reshape(4096), "rstd": rstd.reshape(4096),
           "dx": torch.empty_like(x), "dgamma": normal(4096), "dbeta": normal(4096)}
    return own, {"native_layer_norm_backward": lambda: torch.ops.aten.native_layer_norm_backward(
        dy, x, (4096,), mean, rstd, gamma, beta, [True, True, True])}


def moe_scatter_add(compiled):
    x, weight, out = normal(16384, 2048), uniform(16384), normal(8192, 2048)
    index = integers(0, 8191, 16384, dtype=torch.int64)

    def step():
        out.index_add_(0, index, x * weight[:, None])

    own = {"x": x, "weight": weight, "index": index, "out": out}
    return own, {"index_add_": step, "torch.compile": compiled(step)}


def rmsnorm(compiled):
    x, weight = normal(4096, 4096), uniform(4096)

    def step():
        return F.rms_norm(x, (4096,), weight, 1e-6)

    own = {"input": x, "weight": weight, "out": torch.empty_like(x)}
    return own, {"rms_norm": step, "torch.compile": compiled(step)}


def rope_inplace(compiled):
    x, cosine, sine = normal(8192, 32, 128), uniform(8192, 64), uniform(8192, 64)

    def step():
        first, second = x[..., :64], x[..., 64:]
        c, s = cosine[:, None], sine[:, None]
        x.copy_(torch.cat([first * c - second * s, second * c + first * s], -1))

    return {"x": x, "cos": cosine, "sin": sine}, {"torch": step, "torch.compile": compiled(step)}


def scan_lookback(_):
    x = normal(16777216)
    y = torch.empty_like(x)
    own = {"x": x, "y": torch.empty_like(x), "status": integers(0, 0, 65537, dtype=torch.int64)}
    return own, {"cumsum (CUB)": lambda: torch.cumsum(x, 0, out=y)}


def softmax_inplace(compiled):
    x = normal(4096, 4096)

    def step():
        x.copy_(torch.softmax(x, -1))

    return {"x": x}, {"softmax": lambda: torch.softmax(x, -1, out=x), "torch.compile": compiled(step)}


def sort_inplace(_):
    keys, places = normal(4096, 1024), integers(0, 1, 4096, 1024, dtype=torch.int64)
    values = torch.empty_like(keys)
    return {"keys": keys}, {"sort": lambda: torch.sort(keys, -1, out=(values, places))}


def stencil_pingpong(compiled):
    field = normal(8192, 4160)
    target = torch.empty_like(field)

    def step():
        padded = F.pad(field[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
        around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
        target.copy_(field + 0.1875 * (around - 4 * field))

    return {"field": field, "next": target}, {"torch": step, "torch.compile": compiled(step)}


def transpose_strided(compiled):
    x = normal(4096, 4096)
    y = torch.empty_like(x)
    return {"in": x, "out": y}, {"copy_": lambda: y.copy_(x.t()),
                                 "torch.compile": compiled(lambda: y.copy_(x.t()))}


PEERS = {peer.__name__: peer for peer in (
    adamw_step, amax_history, axpy_inplace, batchnorm_running_stats, dft, embedding_grad, fused_add_rmsnorm, gemm_beta,
    gemm_splitk, histogram_accumulate, kv_cache_append, layernorm_backward, moe_scatter_add, rmsnorm, rope_inplace,
    scan_lookback, softmax_inplace, sort_inplace, stencil_pingpong, transpose_strided)}


class Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("device", ctypes.c_char_p), ("cache_folder", ctypes.c_char_p)]


class Tensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("data", ctypes.c_void_p), ("dtype", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64))]


class Report(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("cache", ctypes.c_int32), ("launch_status", ctypes.c_int32),
                ("compiles", ctypes.c_int64), ("trials", ctypes.c_int64), ("given_meanwhile", ctypes.c_int64),
                ("winner", ctypes.c_char_p), ("message", ctypes.c_char_p)]


class Tuner:
    """The reference tuner through its C library, on the GPU that PyTorch uses."""

    def __init__(self, library, cache_folder):
        try:
            self.functions = ctypes.CDLL(str(library))
        except OSError as failure:
            sys.exit(f"gpu_peers: {failure}; expected the shared library of a build")
        self.functions.tunecheck_error_text.restype = ctypes.c_char_p
        self.tuner = ctypes.c_void_p()
        options = Options(ctypes.sizeof(Options), b"cuda", str(cache_folder).encode())
        self.must(self.functions.tunecheck_tuner_create(ctypes.byref(options), ctypes.byref(self.tuner)))

    def must(self, status):
        if status:
            raise RuntimeError(self.functions.tunecheck_error_text().decode())

    def tuned(self, name, tensors):
        """The winner of a tuning just now, and a function that launches it."""
        kernel = ctypes.c_void_p()
        folder = str(ROOT / "kernels" / name).encode()
        self.must(self.functions.tunecheck_kernel_bind(self.tuner, folder, b"full", None, ctypes.c_size_t(0),
                                                       ctypes.byref(kernel)))

        def numbers(values):
            return (ctypes.c_int64 * len(values))(*values)

        given = (Tensor * len(tensors))(*(
            Tensor(each.encode(), tensor.data_ptr(), DTYPES[tensor.dtype], tensor.dim(), numbers(tensor.shape),
                   numbers(tensor.stride())) for each, tensor in tensors.items()))
        report = Report(ctypes.sizeof(Report))
        call, count, none = self.functions.tunecheck_kernel_call, ctypes.c_size_t(len(tensors)), ctypes.c_size_t(0)
        self.must(call(kernel, given, count, None, none, None, ctypes.byref(report)))
        torch.cuda.synchronize()
        return report.winner.decode(), lambda: self.must(call(kernel, given, count, None, none, None, None))


def medians_us(works, contents, rounds):
    """{name: median} of launches in turn, each with the tensors' first content and with cold caches."""
    cold = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    samples = {name: [] for name in works}
    for turn in range(-3, rounds):
        for name, work in works.items():
            contents.put_back()
            cold.zero_()
            cold.zero_()  # long enough that the host has asked for all of it before the device begins
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            work()
            end.record()
            end.synchronize()
            if turn >= 0:
                samples[name].append(begin.elapsed_time(end) * 1e3)
    return {name: statistics.median(each) for name, each in samples.items() if each}


class Contents:
    """What tensors hold now, to be put back."""

    def __init__(self, tensors):
        self.kept = [(tensor, tensor.clone()) for tensor in tensors]

    def put_back(self):
        for tensor, content in self.kept:
            tensor.copy_(content)


def working(name, peers, contents):
    """Those peers that do the job at all, after their first call."""
    found = {}
    for peer, work in peers.items():
        try:
            contents.put_back()
            work()
            torch.cuda.synchronize()
            found[peer] = work
        except Exception as failure:  # noqa: BLE001: whatever a library throws
            print(f"gpu_peers: {name}, {peer}: {str(failure)[:300]}", file=sys.stderr)
    return found


def compare(tuner, name, rounds):
    """(config, {tunecheck or name of a peer: microseconds}), or nothing where that cannot be."""
    try:
        own, peers = PEERS[name](lambda function: torch.compile(function, dynamic=False))
        contents = Contents(own.values())
        peers = working(name, peers, contents)
        if not peers or rounds == 0:
            return None
        contents.put_back()
        config, launch = tuner.tuned(name, own)
        return config, medians_us({"tunecheck": launch, **peers}, contents, rounds)
    except Exception as failure:  # noqa: BLE001: the other kernels are compared all the same
        print(f"gpu_peers: {name}: {str(failure)[:300]}", file=sys.stderr)
        return None


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n", maxsplit=1)[0], description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, default=ROOT / "build/release/bin/libtunecheck.so.0")
    parser.add_argument("--kernels", default=",".join(PEERS))
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    names = arguments.kernels.split(",")
    if unknown := sorted(set(names) - set(PEERS)):
        sys.exit(f"gpu_peers: {unknown[0]} has no peer here; expected some of {', '.join(PEERS)}")
    figures = {}
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}\n")
    print("| kernel | winner | us | best peer | us | times as fast |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as cache, torch.no_grad():
        tuner = Tuner(arguments.library, cache)
        for name in names:
            compared = compare(tuner, name, arguments.rounds)
            if compared is None:
                continue
            config, medians = compared
            winner = medians.pop("tunecheck")
            best = min(medians, key=medians.get)
            figures[name] = {"winner": config, "winner_us": winner, "peers_us": medians}
            print(f"| `{name}` | `{config}` | {winner:.1f} | {best} | {medians[best]:.1f} | "
                  f"{medians[best] / winner:.2f} |", flush=True)
    ahead = sum(min(each["peers_us"].values()) >= each["winner_us"] for each in figures.values())
    if arguments.rounds > 0:
        print(f"\n{ahead} of {len(figures)} are at least as fast as the best peer.")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
