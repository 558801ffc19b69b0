"""A request for a call, as an adapter gets it."""

import tempfile
import unittest

from tunecheck_adapter import config_text
from tunecheck_adapter.calls import read_call

REQUEST = {
    "request": "call",
    "kernel_folder": "/kernels/toy",
    "kernel": "toy",
    "tensors": [],
    "scalars": {"alpha": 2.0, "beta": 0.5},
    "sizes": {"n": 64},
    "space": {
        "parameters": [{"name": "block", "values": [64, 16]}, {"name": "vec", "values": [1, 4]}],
        "where": "block * vec <= n",
    },
    "arguments": {"tensors": ["y", "x"], "scalars": ["beta", "alpha"]},
    "restore_value": ["y"],
    "reset_to_zero": ["x"],
    "key_scalars": ["alpha"],
    "variables": ["TOY_MODE"],
    "source": "/kernels/toy/cpu.cpp",
    "compile_options": ["-DMORE=1"],
    "build_options": ["-O3", "-DMORE=1"],
    "configs": [
        {"values": {"block": 64, "vec": 1}, "options": ["-DBLOCK=64", "-DVEC=1"]},
        {"values": {"block": 16, "vec": 1}, "options": ["-DBLOCK=16", "-DVEC=1"]},
        {"values": {"block": 16, "vec": 4}, "options": ["-DBLOCK=16", "-DVEC=4"]},
    ],
}


class Calls(unittest.TestCase):
    def test_they_say_what_the_kernel_file_says(self):
        call = read_call(REQUEST)
        self.assertEqual(call.tensor_order, ["y", "x"])
        self.assertEqual(call.scalar_order, ["beta", "alpha"])
        self.assertEqual(call.restore_value, ["y"])
        self.assertEqual(call.reset_to_zero, ["x"])
        self.assertEqual(call.key_scalars, ["alpha"])
        self.assertEqual(call.variables, ["TOY_MODE"])
        self.assertEqual(str(call.source), "/kernels/toy/cpu.cpp")
        self.assertEqual(call.parameters, {"block": [64, 16], "vec": [1, 4]})

    def test_the_configs_are_those_that_are_listed(self):
        call = read_call(REQUEST)
        self.assertEqual(
            call.configs,
            [{"block": 64, "vec": 1}, {"block": 16, "vec": 1}, {"block": 16, "vec": 4}],
        )

    def test_a_config_is_compiled_with_its_options_after_those_of_all(self):
        call = read_call(REQUEST)
        self.assertEqual(
            call.options({"vec": 4, "block": 16}), ["-O3", "-DMORE=1", "-DBLOCK=16", "-DVEC=4"]
        )
        with self.assertRaises(KeyError):
            call.options({"block": 64, "vec": 4})

    def test_the_caller_names_the_tensors_in_the_functions_order_or_in_another(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(4096))
            file.flush()
            tensors = {
                name: {
                    "name": name, "file": file.name, "byte_offset": 0, "dtype": "f32",
                    "shape": [4], "strides": [1],
                }
                for name in ("x", "y")
            }  # fmt: skip
            in_order = {**REQUEST, "tensors": [tensors["y"], tensors["x"]]}
            reversed_order = {**REQUEST, "tensors": [tensors["x"], tensors["y"]]}
            self.assertFalse(read_call(in_order).is_reordered)
            self.assertTrue(read_call(reversed_order).is_reordered)

    def test_a_kernel_without_a_source_for_the_backend_has_none(self):
        self.assertIsNone(read_call({**REQUEST, "source": ""}).source)

    def test_the_text_of_a_config_is_sorted_by_name(self):
        self.assertEqual(config_text({"vec": 4, "block": 64}), "block=64,vec=4")


if __name__ == "__main__":
    unittest.main()
