"""The Triton adapter's kernels compute what the project's kernels of the same names do. They run in
Triton's interpreter, which needs no GPU."""

import importlib.util
import os
import sys
import unittest
from pathlib import Path

ADAPTERS = Path(__file__).parents[2] / "framework/adapter/python"
# Beside the adapters, their folder "triton" would do for a package.
SPECS = {name: importlib.util.find_spec(name) for name in ("torch", "triton")}
MISSING = [name for name, spec in SPECS.items() if spec is None or spec.origin is None]


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class TritonKernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ["TRITON_INTERPRET"] = "1"
        sys.path.insert(0, str(ADAPTERS / "triton"))
        import kernels
        import torch

        cls.torch = torch
        cls.kernels = kernels.KERNELS
        torch.manual_seed(1)

    def strided(self, content):
        """The same content with padding between the elements."""
        wide = self.torch.zeros([*content.shape[:-1], content.shape[-1] * 2 + 3])
        view = wide.to(content.dtype)[..., : content.shape[-1] * 2 : 2]
        view.copy_(content)
        return view

    def run_all(self, name, sizes, scalars, tensors, expected, configs, tolerance=1e-5):
        """Each config on strided copies; `expected` by the tensor's name."""
        kernel = self.kernels[name]
        for config in configs:
            given = {key: self.strided(value) for key, value in tensors.items()}
            strides = [s for key in kernel.tensors for s in given[key].stride()]
            kernel.function[kernel.grid(sizes, config)](
                *(given[key] for key in kernel.tensors),
                *kernel.arguments(sizes, scalars),
                *strides,
                **kernel.fixed(sizes),
                **config,
                num_warps=kernel.warps(config),
            )
            for key, value in given.items():
                want = expected.get(key, tensors[key]).double()
                close = self.torch.allclose(value.double(), want, rtol=tolerance, atol=tolerance)
                self.assertTrue(close, f"{name} {config} {key}")

    def test_axpy_inplace(self):
        x, y = self.torch.randn(1021), self.torch.randn(1021)
        configs = [{"BLOCK": b, "UNROLL": u} for b in (128, 512) for u in (1, 4)]
        expected = {"y": y + 1.25 * x}
        tensors = {"x": x, "y": y}
        self.run_all("axpy_inplace", {"n": 1021}, {"alpha": 1.25}, tensors, expected, configs)

    def test_rmsnorm(self):
        sizes, eps = {"rows": 5, "cols": 131}, {"eps": 1e-6}
        input, weight = self.torch.randn(5, 131), self.torch.rand(131)
        out = input / (input.square().mean(1, keepdim=True) + 1e-6).sqrt() * weight
        tensors = {"input": input, "weight": weight, "out": self.torch.zeros(5, 131)}
        configs = [{"BLOCK": 64, "VEC": 1}, {"BLOCK": 64, "VEC": 4}]
        self.run_all("rmsnorm", sizes, eps, tensors, {"out": out}, configs)

    def test_fused_add_rmsnorm(self):
        sizes, eps = {"rows": 5, "cols": 131}, {"eps": 1e-6}
        input, residual = self.torch.randn(5, 131), self.torch.randn(5, 131)
        weight = self.torch.rand(131)
        total = input + residual
        normal = total / (total.square().mean(1, keepdim=True) + 1e-6).sqrt() * weight
        tensors = {"input": input, "residual": residual, "weight": weight}
        expected = {"input": normal, "residual": total}
        configs = [{"BLOCK": 64, "VEC": 1}, {"BLOCK": 64, "VEC": 4}]
        self.run_all("fused_add_rmsnorm", sizes, eps, tensors, expected, configs)

    def test_softmax_inplace(self):
        x = self.torch.randn(3, 700)
        expected = {"x": x.double().softmax(1)}
        configs = [{"KEEP": keep, "LANES": 1} for keep in (0, 1)]
        self.run_all("softmax_inplace", {"rows": 3, "cols": 700}, {}, {"x": x}, expected, configs)

    def test_histogram_accumulate(self):
        values = self.torch.randint(-1, 16, [3000], dtype=self.torch.int32)
        counts = self.torch.randint(1, 100, [13], dtype=self.torch.int32)
        kept = values[(values >= 0) & (values < 13)].long()
        expected = {"counts": counts + self.torch.bincount(kept, minlength=13)}
        tensors = {"values": values, "counts": counts}
        configs = [{"COPIES": copies, "UNROLL": u} for copies in (1, 4) for u in (1, 4)]
        sizes = {"n": 3000, "bins": 13}
        self.run_all("histogram_accumulate", sizes, {}, tensors, expected, configs)

    def test_moe_scatter_add(self):
        x, weight = self.torch.randn(37, 83), self.torch.rand(37)
        index = self.torch.randint(-1, 5, [37])
        out = self.torch.randn(5, 83)
        expected = out.clone()
        for row, token in enumerate(index.tolist()):
            if token >= 0:
                expected[token] += weight[row] * x[row]
        tensors = {"x": x, "weight": weight, "index": index, "out": out}
        sizes = {"rows": 37, "tokens": 5, "dim": 83}
        configs = [{"BLOCK": b, "AHEAD": a} for b in (16, 256) for a in (0, 4)]
        self.run_all("moe_scatter_add", sizes, {}, tensors, {"out": expected}, configs, 5e-5)

    def test_transpose_strided(self):
        source = self.torch.randn(33, 70)
        tensors = {"in": source, "out": self.torch.zeros(70, 33)}
        configs = [{"TILE_ROWS": r, "TILE_COLS": c} for r in (8, 32) for c in (2, 64)]
        sizes = {"rows": 33, "cols": 70}
        self.run_all("transpose_strided", sizes, {}, tensors, {"out": source.t()}, configs, 0)


if __name__ == "__main__":
    unittest.main()
