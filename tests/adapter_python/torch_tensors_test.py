"""Tensors for tuners that stand on PyTorch: what they need no GPU for."""

import importlib.util
import json
import os
import struct
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tunecheck_adapter import AdapterError, torch_tensors
from tunecheck_adapter.calls import read_call

HAS_TORCH = importlib.util.find_spec("torch") is not None


def call_with(folder, **changes):
    """A call with a tensor of 2 x 3 numbers, padded to rows of 4, 64 bytes into its file."""
    file = Path(folder) / "y.bin"
    file.write_bytes(bytes(64) + struct.pack("<8f", 0, 1, 2, -1, 10, 11, 12, -1) + b"\x07" * 32)
    tensor = {"name": "y", "file": str(file), "byte_offset": 64, "dtype": "f32"}
    tensor |= {"shape": [2, 3], "strides": [4, 1], **changes}
    alias = {**tensor, "name": "again"}
    request = {"kernel": "toy", "kernel_folder": folder, "tensors": [tensor, alias], "scalars": {}}
    request |= {"sizes": {}, "space": {"parameters": [], "where": ""}}
    request |= {"arguments": {"tensors": ["y", "again"], "scalars": []}, "source": "", "configs": []}
    lists = ("restore_value", "reset_to_zero", "key_scalars", "variables", "build_options")
    return read_call({**request, **{name: [] for name in lists}}), file


class WatchFile(unittest.TestCase):
    def test_names_the_kernel_and_its_tensors_in_the_given_order(self):
        with tempfile.TemporaryDirectory() as folder:
            call, _ = call_with(folder)
            with mock.patch.object(torch_tensors, "watch_file", lambda: Path(folder) / "watch"):
                torch_tensors.watch(call, {"made_up_0": [(3, "again")], "made_up_1": []})
                torch_tensors.watch(call, {"made_up_0": [(2, "again"), (0, "y")]})
            lines = (Path(folder) / "watch").read_text().splitlines()
        layout = {"dtype": "f32", "shape": [2, 3], "strides": [4, 1]}
        tensors = [{"parameter": 2, **layout}, {"parameter": 0, **layout}]
        expected = {"kernel": "made_up_0", "as": "toy", "tensors": tensors}
        self.assertEqual([json.loads(line) for line in lines], [expected])


class Ptxas(unittest.TestCase):
    def check(self, path):
        with mock.patch.dict(os.environ, {"TRITON_PTXAS_PATH": path}):
            torch_tensors.check_ptxas()

    def test_one_that_the_judge_cannot_watch_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(AdapterError, "there is no ptxas in PATH"):
                self.check(f"{folder}/ptxas")
            self.check(f"{folder}/no-such-folder/ptxas")
            Path(folder, "ptxas").touch(mode=0o755)
            self.check(f"{folder}/ptxas")


@unittest.skipIf(not HAS_TORCH, "not installed: torch")
class DeviceTensors(unittest.TestCase):
    def open(self, call):
        import torch

        return torch_tensors.DeviceTensors(torch, call, device="cpu")

    def test_are_views_of_a_copy_that_is_written_back_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            call, file = call_with(folder)
            before = file.read_bytes()
            tensors = self.open(call)
            y = tensors.views["y"]
            self.assertEqual(y.tolist(), [[0, 1, 2], [10, 11, 12]])
            self.assertEqual(y.stride(), (4, 1))
            y += 1
            self.assertEqual(tensors.views["again"].tolist(), y.tolist())
            self.assertEqual(file.read_bytes(), before)
            tensors.write_back()
            expected = bytes(64) + struct.pack("<8f", 1, 2, 3, -1, 11, 12, 13, -1) + b"\x07" * 32
            self.assertEqual(file.read_bytes(), expected)

    def test_lie_as_far_behind_a_64_byte_boundary_as_in_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            tensors = self.open(call_with(folder, byte_offset=68)[0])
            self.assertEqual(tensors.views["y"].data_ptr() % 64, 4)

    def test_what_torch_cannot_hold_is_refused(self):
        for changes in {"strides": [4, -1], "byte_offset": 72}, {"byte_offset": 66}:
            with tempfile.TemporaryDirectory() as folder:
                with self.assertRaisesRegex(AdapterError, "torch has no tensors"):
                    self.open(call_with(folder, **changes)[0])


if __name__ == "__main__":
    unittest.main()
