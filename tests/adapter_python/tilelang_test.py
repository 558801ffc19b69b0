"""TileLang's programs as TileLang compiles them: their launches have the symbol and the parameters that the adapter tells
the probe of. No GPU and no nvcc is needed. Skipped where TileLang is not installed."""

import importlib.util
import sys
import unittest
from pathlib import Path

ADAPTERS = Path(__file__).parents[2] / "framework/adapter/python"
SPEC = importlib.util.find_spec("tilelang")  # next to the adapters, their folder would do for a package

SIZES = {"n": 4099, "rows": 37, "cols": 83, "tokens": 13, "dim": 83}
CONFIGS = {
    "axpy_inplace": {"block": 128, "unroll": 4},
    "rmsnorm": {"block": 64, "vec": 4},
    "fused_add_rmsnorm": {"block": 64, "vec": 4},
    "softmax_inplace": {"keep": 1, "lanes": 8},
    "moe_scatter_add": {"block": 64, "ahead": 4},
    "transpose_strided": {"tile_rows": 8, "tile_cols": 64},
    "no_working_config": {"width": 1},
}


@unittest.skipIf(SPEC is None or SPEC.origin is None, "not installed: tilelang")
class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.path[:0] = [str(ADAPTERS / "tilelang"), str(ADAPTERS)]
        ours = ("adapter", "kernels", "mutants", "told_trials")
        for name in ours:
            sys.modules.pop(name, None)
        import adapter
        import kernels
        import tilelang

        for name in ours:
            sys.modules.pop(name)
        del sys.path[:2]
        cls.adapter, cls.kernels, cls.tilelang = adapter, kernels.KERNELS, tilelang

    def source_of(self, name):
        from tvm.target import Target

        kernel = self.kernels[name]
        target = Target({"kind": "cuda", "arch": "sm_90"})
        given = [*(SIZES[size] for size in kernel.sizes), *("float16" for _ in kernel.dtypes)]
        if name == "moe_scatter_add":
            given[-1] = "int64"
        with target:
            program = self.tilelang.jit(kernel.function).get_tir(*given, **CONFIGS[name])
            return self.tilelang.lower(
                program, target=target, enable_device_compile=False
            ).kernel_source

    def test_every_launch_is_as_the_probe_is_told(self):
        self.assertEqual(set(CONFIGS), set(self.kernels))
        for name, kernel in self.kernels.items():
            with self.subTest(name):
                symbol, places = self.adapter._launched(kernel)
                self.adapter._check_parameters(self.source_of(name), symbol, places, kernel)
                self.assertEqual([tensor for _, tensor in places], kernel.tensors)

    def test_other_parameters_are_noticed(self):
        kernel = self.kernels["axpy_inplace"]
        symbol, places = self.adapter._launched(kernel)
        source = self.source_of("axpy_inplace").replace("alpha,", "alpha, int more,")
        with self.assertRaises(Exception):
            self.adapter._check_parameters(source, symbol, places, kernel)


if __name__ == "__main__":
    unittest.main()
