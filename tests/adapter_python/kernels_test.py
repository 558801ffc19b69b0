"""What the adapters of tuners with kernels of their own say that they have, and what they have."""

import re
import unittest
from pathlib import Path

from tunecheck_adapter.kernel_info import read_kernel_info

ROOT = Path(__file__).parents[2]
ADAPTERS = ROOT / "framework" / "adapter" / "python"


class KernelsOfAdapters(unittest.TestCase):
    def test_kernel_tuner_has_a_source_for_each_kernel_and_no_other(self):
        info = (ADAPTERS / "kernel_tuner" / "adapter.info").read_text()
        declared = re.search(r'^  kernels +"([^"]*)"', info, re.M).group(1).split()
        sources = {file.stem for file in (ADAPTERS / "kernel_tuner" / "kernels").glob("*.cc")}
        self.assertEqual(set(declared), sources)


class KernelInfos(unittest.TestCase):
    def test_arguments_are_read_in_the_order_of_the_function(self):
        info = read_kernel_info(ROOT / "kernels" / "relax_until_converged")
        self.assertEqual(info.tensors, ["field", "source"])
        self.assertEqual(info.scalars, ["conduction", "exchange", "residual"])
        self.assertEqual(info.key_scalars, ["residual"])
        self.assertEqual(info.restore_value, ["field"])
        self.assertEqual(info.reset_to_zero, [])

    def test_lists_and_comments_are_read(self):
        info = read_kernel_info(ROOT / "kernels" / "fused_add_rmsnorm")
        self.assertEqual(info.restore_value, ["input", "residual"])
        self.assertEqual(info.tensors, ["input", "residual", "weight"])

    def test_every_kernel_can_be_read(self):
        folders = [
            file.parent
            for file in [
                *(ROOT / "kernels").glob("*/kernel.info"),
                *(ROOT / "scenarios" / "kernels").glob("*/kernel.info"),
            ]
        ]
        self.assertGreater(len(folders), 20)
        for folder in folders:
            info = read_kernel_info(folder)
            text = (folder / "cpu.cpp").read_text() if (folder / "cpu.cpp").exists() else ""
            function = re.search(rf"\b{folder.name}\(([^)]*)\)", text)
            self.assertTrue(info.tensors, folder)
            if function:
                names = [part.split()[-1] for part in function.group(1).split(",")]
                self.assertEqual(len(names), len(info.tensors) + len(info.scalars), folder)


if __name__ == "__main__":
    unittest.main()
