"""The adapter of FlashInfer with its autotuner, in two processes that share a store: the first tunes, the second finds. A
stand-in takes the place of times and of launches, so that no GPU is needed. Skipped where a package is not installed."""

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
TIMES_MS = {"-1": 3.0, "(4, 8)": 2.0, "(8, 8)": 1.0}
CONFIGS = [{"tile_rows": 4, "tile_cols": 8}, {"tile_rows": 8, "tile_cols": 8}]


def installed(package):
    spec = importlib.util.find_spec(package)
    return spec is not None and spec.origin is not None


def work():
    """Prints how calls with two configs, with the loser alone, and with another dtype were answered."""
    sys.path[:0] = [str(ADAPTERS / "flashinfer"), str(ADAPTERS)]
    import adapter
    import torch

    adapter.watch = lambda call, symbols: None
    torch.cuda.is_current_stream_capturing = lambda: False
    tuner = adapter.FlashInfer(None)
    tuner.torch, tuner.kernels = torch, tuner.load()
    autotuner = tuner._autotuner

    def timed(self, runner, inputs, tactic, *_, **__):
        time_ms = TIMES_MS[str(tactic)]
        shapes = self._get_input_sizes(inputs)
        autotuner.logger.debug(
            f"[Autotuner]: profiling {runner} {tactic}, shapes={shapes}, avg_time {time_ms}"
        )
        return time_ms

    autotuner.AutoTuner._profile_single_kernel = timed
    launches = []

    class Function:
        def __getitem__(self, grid):
            return lambda *given, **named: launches.append([named["TILE_ROWS"], named["TILE_COLS"]])

    tuner.kernels["transpose_strided"].function = Function()
    answers = []
    for configs, dtype in ((CONFIGS, torch.float32), (CONFIGS[:1], torch.float32), (CONFIGS, torch.float16)):
        call = SimpleNamespace(
            kernel="transpose_strided",
            configs=configs,
            default=configs[0],
            key_scalars=[],
            sizes={"rows": 8, "cols": 16},
            scalars={},
        )
        tensors = {"in": torch.ones(8, 16, dtype=dtype), "out": torch.ones(16, 8, dtype=dtype)}
        answer = tuner.run(call, tensors)
        answers.append([answer.cache, answer.winner, len(answer.trials), launches[-1]])
    print(json.dumps(answers))


class FlashInfer(unittest.TestCase):
    def answers(self, folder):
        done = subprocess.run(
            [sys.executable, "-B", __file__, "work"],
            env={
                **os.environ,
                "CUDA_VISIBLE_DEVICES": "",
                "FLASHINFER_AUTOTUNE_CACHE_DIR": folder,
                "FLASHINFER_LOGGING_LEVEL": "debug",
                "HOME": folder,
            },
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return json.loads(done.stdout.splitlines()[-1])

    def test_tunes_and_finds(self):
        for package in ("torch", "triton", "flashinfer"):
            if not installed(package):
                self.skipTest(f"not installed: {package}")
        with tempfile.TemporaryDirectory() as folder:
            first, second = self.answers(folder), self.answers(folder)
        slow, fast = CONFIGS
        self.assertEqual(first[0], ["miss", fast, 2, [8, 8]])
        # The winner is no config of this list, so that it is tuned anew.
        self.assertEqual(first[1], ["miss", slow, 1, [4, 8]])
        self.assertEqual(first[2], ["miss", fast, 2, [8, 8]])
        self.assertEqual(second[2], ["hit", fast, 0, [8, 8]])
        # One entry holds one winner: that of the list that was asked last.
        self.assertEqual(second[0], ["hit", slow, 0, [4, 8]])


if __name__ == "__main__":
    work() if sys.argv[1:] == ["work"] else unittest.main()
