"""JAX's functions compute what the project's kernels of the same names do, and the adapter calls them by place and by
name. On the CPU, which JAX has too."""

import importlib.util
import os
import sys
import tempfile
import unittest
from pathlib import Path

ADAPTERS = Path(__file__).parents[2] / "framework/adapter/python"
SPEC = importlib.util.find_spec("jax")  # next to the adapters, their folder would do for a package


@unittest.skipIf(SPEC is None or SPEC.origin is None, "not installed: jax")
class Functions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ["JAX_PLATFORMS"] = "cpu"
        sys.path.insert(0, str(ADAPTERS / "jax"))
        sys.modules.pop("adapter", None)
        import adapter
        import functions
        import jax
        import numpy

        sys.path.remove(str(ADAPTERS / "jax"))
        sys.modules.pop("adapter")
        cls.adapter, cls.jax, cls.numpy = adapter, jax, numpy
        cls.functions = functions.FUNCTIONS
        cls.random = numpy.random.default_rng(1)

    def normal(self, *shape):
        return self.random.standard_normal(shape).astype(self.numpy.float32)

    def check(self, kernel, arrays, scalars, expected, tolerance=1e-5):
        function = self.functions[kernel]
        given = [arrays[name] for name in function.tensors]
        results = function.function(*given, *(scalars[name] for name in function.scalars))
        results = results if isinstance(results, tuple) else (results,)
        for name, result in zip(function.results, results):
            self.assertTrue(
                self.numpy.allclose(result, expected[name], tolerance, tolerance), f"{kernel} {name}"
            )

    def test_axpy_inplace(self):
        x, y = self.normal(65), self.normal(65)
        self.check("axpy_inplace", {"x": x, "y": y}, {"alpha": 1.25}, {"y": y + 1.25 * x})

    def test_lane_sum(self):
        x = self.normal(5, 33)
        self.check("lane_sum", {"x": x}, {}, {"y": x.sum(axis=1)})

    def test_rmsnorm(self):
        input, weight = self.normal(5, 33), self.normal(33)
        scale = (self.numpy.square(input).mean(1, keepdims=True) + 1e-6) ** 0.5
        arrays = {"input": input, "weight": weight}
        self.check("rmsnorm", arrays, {"eps": 1e-6}, {"out": input / scale * weight})

    def test_transpose_strided(self):
        source = self.normal(5, 7)
        self.check("transpose_strided", {"in": source}, {}, {"out": source.T}, 0)

    def test_what_a_function_overwrites_is_donated(self):
        self.assertEqual(self.functions["axpy_inplace"].donated(), [1])
        self.assertEqual(self.functions["rmsnorm"].donated(), [])

    def test_the_assembler_is_where_jax_looks_first(self):
        with tempfile.TemporaryDirectory() as folder:
            spy = Path(folder, "ptxas")
            spy.touch()
            os.environ["TUNECHECK_JAX_PTXAS"] = str(spy)
            with tempfile.TemporaryDirectory() as folder:
                self.adapter._put_assembler(Path(folder))
                self.assertTrue(Path(folder, "bin/ptxas").samefile(spy))


if __name__ == "__main__":
    unittest.main()
