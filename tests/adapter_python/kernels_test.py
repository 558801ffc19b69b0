"""What the adapters of tuners with kernels of their own say that they have, and what they have."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
ADAPTERS = ROOT / "framework" / "adapter" / "python"


class KernelsOfAdapters(unittest.TestCase):
    def test_kernel_tuner_has_a_source_for_each_kernel_and_no_other(self):
        info = (ADAPTERS / "kernel_tuner" / "adapter.info").read_text()
        declared = re.search(r'^  kernels +"([^"]*)"', info, re.M).group(1).split()
        sources = {file.stem for file in (ADAPTERS / "kernel_tuner" / "kernels").glob("*.cc")}
        self.assertEqual(set(declared), sources)


if __name__ == "__main__":
    unittest.main()
