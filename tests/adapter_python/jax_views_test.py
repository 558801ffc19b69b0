"""JAX's functions of a part of an array compute what they do of an array without gaps, and change nothing else. On the
CPU, which JAX has too."""

import importlib.util
import mmap
import os
import sys
import unittest
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

from tunecheck_adapter import AdapterError, Tensor

ADAPTERS = Path(__file__).parents[2] / "framework/adapter/python"
SPEC = importlib.util.find_spec("jax")  # next to the adapters, their folder would do for a package
FRONT_BYTES = 64


@unittest.skipIf(SPEC is None or SPEC.origin is None, "not installed: jax")
class Views(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ["JAX_PLATFORMS"] = "cpu"
        sys.path.insert(0, str(ADAPTERS / "jax"))
        sys.modules.pop("adapter", None)
        import adapter
        import functions
        import jax
        import numpy
        import views

        sys.path.remove(str(ADAPTERS / "jax"))
        sys.modules.pop("adapter")
        cls.adapter, cls.jax, cls.numpy, cls.views = adapter, jax, numpy, views
        cls.functions = functions.FUNCTIONS
        cls.random = numpy.random.default_rng(1)

    def tensor(self, name, shape, strides):
        """With random numbers in its elements, and other bytes before, between and behind them."""
        elements = 1 + sum((size - 1) * stride for size, stride in zip(shape, strides))
        memory = mmap.mmap(-1, FRONT_BYTES + 4 * elements + FRONT_BYTES)
        memory[:] = b"\x3f" * len(memory)  # 0.747 as an f32, so that adding to it shows
        tensor = Tensor(name, name, "f32", shape, strides, FRONT_BYTES, memory)
        tensor.array()[...] = self.random.standard_normal(shape)
        return tensor

    def call(self, kernel, *tensors, **scalars):
        """As the adapter makes a call."""
        function = self.functions[kernel]
        call = SimpleNamespace(tensors={tensor.name: tensor for tensor in tensors})
        found = {name: self.views.view_of(call.tensors[name]) for name in function.tensors}
        views = {name: view for name, view in found.items() if view is not None}
        given = {
            function.parameter(name): views[name].array_of(
                self.adapter._elements(call.tensors[name], views[name])
            )
            if name in views
            else self.adapter._array(call.tensors[name])
            for name in function.tensors
        }
        numbers = {name: self.numpy.float32(value) for name, value in scalars.items()}
        result = self.jax.jit(self.views.with_views(function, views))(**given, **numbers)
        self.adapter._write_back(call, views, {function.results[0]: result})

    def check_axpy(self, x_stride, y_stride, size=65):
        x, y = self.tensor("x", (size,), (x_stride,)), self.tensor("y", (size,), (y_stride,))
        x_before, y_before, all_of_y = x.array().copy(), y.array().copy(), bytes(y.memory)
        self.call("axpy_inplace", x, y, alpha=1.25)
        expected = y_before + 1.25 * x_before
        self.assertTrue(self.numpy.allclose(y.array(), expected, 1e-5, 1e-5))
        y.array()[...] = y_before
        self.assertEqual(bytes(y.memory), all_of_y, "what lies between the elements has changed")

    def test_a_vector_with_gaps_is_read(self):
        self.check_axpy(2, 1)
        self.check_axpy(7, 1)

    def test_a_vector_of_one_repeated_element_is_read(self):
        self.check_axpy(0, 1)

    def test_a_vector_with_gaps_is_overwritten_and_the_gaps_stay(self):
        self.check_axpy(1, 2)
        self.check_axpy(3, 3)
        self.check_axpy(0, 2)

    def test_one_element_has_no_gaps(self):
        self.check_axpy(5, 7, size=1)
        self.assertIsNone(self.views.view_of(self.tensor("x", (1,), (5,))))

    def test_matrices_of_any_strides_are_read(self):
        for strides in (40, 1), (1, 5), (0, 1), (80, 2), (1, 0), (2, 16), (0, 0):
            source = self.tensor("in", (5, 33), strides)
            out = self.tensor("out", (33, 5), (5, 1))
            self.call("transpose_strided", source, out)
            self.assertTrue((out.array() == source.array().T).all(), strides)

    def test_elements_of_a_matrix_are_told_from_gaps(self):
        view = self.views.View((3, 4), (11, 2))
        values = self.numpy.arange(2, 14).reshape(3, 4)
        spread, is_taken = view.spread(values), view.is_taken()
        self.assertEqual(view.taken(spread).tolist(), values.tolist())
        self.assertEqual(is_taken[:3].tolist(), (spread[:3] != 1).tolist())
        self.assertEqual(int(is_taken[:3].sum()), 12)

    def test_a_view_whose_rows_overlap_is_refused(self):
        with self.assertRaisesRegex(AdapterError, "no part of an array's columns"):
            self.views.View((5, 33), (3, 1)).grid

    def test_what_no_function_can_overwrite_in_part_is_refused(self):
        view = self.views.View((5,), (2,))
        function = self.functions["axpy_inplace"]
        self.assertRaises(
            AdapterError,
            self.views.with_views,
            replace(function, elementwise=False),
            {"y": view},
        )

    def test_options_are_names_of_passes_to_leave_out(self):
        options = self.adapter._compiler_options(SimpleNamespace(compile_options=["-DA=1", "-DB"]))
        self.assertEqual(options, {"xla_disable_hlo_passes": "-DA=1,-DB"})
        self.assertIsNone(self.adapter._compiler_options(SimpleNamespace(compile_options=[])))
        made = self.jax.jit(lambda x: x + 1, compiler_options=options)(self.numpy.ones(3))
        self.assertEqual(made.tolist(), [2, 2, 2])


if __name__ == "__main__":
    unittest.main()
