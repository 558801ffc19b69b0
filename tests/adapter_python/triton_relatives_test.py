"""The adapters of Triton and its relatives with the tuners themselves, in two processes that share a cache folder: the
first tunes, the second finds. A stand-in takes the place of the device, of Triton's driver and of launches, so that no
GPU is needed. Skipped where a tuner is not installed."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

ADAPTERS = Path(__file__).parents[2] / "framework/adapter/python"
TUNERS = {"triton": "Triton", "fla": "Fla", "flag_gems": "FlagGems", "quack": "Quack"}
# What is found by the arguments' names in the order of the call: quack tunes once more.
BY_NAME = {"triton": "hit", "fla": "hit", "flag_gems": "hit", "quack": "miss"}


def installed(package):
    spec = importlib.util.find_spec(package)
    return spec is not None and spec.origin is not None


def stand_in_for_the_device(launches):
    import torch
    import triton
    from triton.backends.compiler import GPUTarget

    properties = SimpleNamespace(multi_processor_count=132, L2_cache_size=50 << 20)
    torch.cuda.device_count = lambda: 1
    torch.cuda.current_device = lambda: 0
    torch.cuda.get_device_name = lambda *_: "a stand-in"
    torch.cuda.get_device_capability = lambda *_: (9, 0)
    torch.cuda.get_device_properties = lambda *_: properties

    def benchmark(call, **_):
        call()
        return [1.0, 1.0, 1.0]

    triton.testing.do_bench = benchmark
    triton.runtime.driver.set_active(
        SimpleNamespace(
            get_current_target=lambda: GPUTarget("cuda", 90, 32),
            get_active_torch_device=lambda: torch.device("cpu"),
            get_current_device=lambda: 0,
            get_device_interface=lambda: torch.cuda,
            get_benchmarker=lambda: benchmark,
        )
    )

    def launch(self, *given, grid, warmup, **named):
        launches.append([len(given), list(grid(named))])

    triton.JITFunction.run = launch
    return torch, triton


def work(name):
    """Prints how each of two calls was answered, and what it launched: by place, and by name in the
    opposite order."""
    launches = []
    torch, triton = stand_in_for_the_device(launches)
    sys.path[:0] = [str(ADAPTERS / name), str(ADAPTERS)]
    import adapter

    tuner = getattr(adapter, TUNERS[name])()
    tuner.torch, tuner.triton, tuner.kernels = torch, triton, tuner.load()
    if name == "quack":
        tuner._autotuner._gpu_warmup = lambda: None  # nothing but work for a GPU
    shapes = {"in": (8, 16), "out": (16, 8)}
    answers = []
    for names in (["in", "out"], ["out", "in"]):
        call = SimpleNamespace(
            kernel="transpose_strided",
            configs=[{"tile_rows": 8, "tile_cols": 8}, {"tile_rows": 4, "tile_cols": 8}],
            hook_zeroes=[],
            sizes={"rows": 8, "cols": 16},
            scalars={},
            tensors={
                key: SimpleNamespace(dtype="f32", shape=shape, strides=(1,))
                for key, shape in shapes.items()
            },
            is_reordered=names[0] == "out",
        )
        launches.clear()
        answer = tuner.run(call, {key: torch.ones(shapes[key]) for key in names})
        answers.append(
            {
                "cache": answer.cache,
                "winner": answer.winner,
                "trials": len(answer.trials),
                "message": answer.message,
                "launches": len(launches),
                "grid": launches[-1][1],
            }
        )
    print(json.dumps(answers))


class Relatives(unittest.TestCase):
    def answers(self, name, folder):
        done = subprocess.run(
            [sys.executable, "-B", __file__, name],
            env={
                **os.environ,
                "CUDA_VISIBLE_DEVICES": "",
                "FLAGGEMS_CACHE_DIR": folder,
                "FLA_CACHE_MODE": "strict",
                "GEMS_VENDOR": "nvidia",
                "QUACK_CACHE_DIR": folder,
                "TRITON_CACHE_AUTOTUNING": "1",
                "TRITON_CACHE_DIR": folder,
            },
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return json.loads(done.stdout.splitlines()[-1])

    def check(self, name):
        for package in ("torch", "triton", name):
            if not installed(package):
                self.skipTest(f"not installed: {package}")
        winner = {"tile_rows": 8, "tile_cols": 8}
        with tempfile.TemporaryDirectory() as folder:
            tuned, by_name = self.answers(name, folder)
            found = self.answers(name, folder)
        self.assertEqual((tuned["cache"], tuned["winner"]), ("miss", winner))
        self.assertEqual((tuned["trials"], tuned["launches"], tuned["message"]), (2, 3, ""))
        self.assertEqual(tuned["grid"], [1, 2])
        self.assertEqual((by_name["cache"], by_name["grid"]), (BY_NAME[name], [1, 2]))
        for answer in found:
            expected = ("hit", winner, 0, 1)
            keys = ("cache", "winner", "trials", "launches")
            self.assertEqual(tuple(answer[key] for key in keys), expected)

    def test_triton(self):
        self.check("triton")

    def test_fla(self):
        self.check("fla")

    def test_flag_gems(self):
        self.check("flag_gems")

    def test_quack(self):
        self.check("quack")


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1] in TUNERS:
        work(sys.argv[1])
    else:
        unittest.main()
