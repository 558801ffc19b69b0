"""A kernel's own version for a tuner, and a source in C++ that stands for one."""

import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from tunecheck_adapter import AdapterError
from tunecheck_adapter.compiled import Compiled, launched
from tunecheck_adapter.versions import load_version, named

SOURCE = """
#include <tunecheck/cpu_kernel.h>
int shift(tunecheck::Tensor<Y_TYPE> y, float by) {
  for (long i = 0; i < y.size(0); ++i) y(i) += by + BLOCK;
  return BLOCK == 3 ? 7 : 0;
}
TUNECHECK_KERNEL(shift)
"""


class Versions(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.folder = Path(self.kept.name)

    def tearDown(self):
        self.kept.cleanup()

    def test_a_folder_without_the_file_has_none(self):
        self.assertIsNone(load_version(self.folder, "mine.py"))

    def test_the_same_content_is_one_module_wherever_it_lies(self):
        (self.folder / "mine.py").write_text("KERNEL = object()\n")
        first = load_version(self.folder, "mine.py")
        (self.folder / "copy").mkdir()
        (self.folder / "copy" / "mine.py").write_text("KERNEL = object()\n")
        self.assertIs(load_version(self.folder / "copy", "mine.py"), first)
        (self.folder / "mine.py").write_text("KERNEL = 1\n")
        self.assertEqual(named(load_version(self.folder, "mine.py"), "KERNEL"), 1)

    def test_what_it_must_define_is_asked_for_by_name(self):
        (self.folder / "mine.py").write_text("other = 1\n")
        with self.assertRaisesRegex(AdapterError, "mine.py: expected a definition of tuned"):
            named(load_version(self.folder, "mine.py"), "tuned")

    def test_what_it_raises_is_raised_each_time(self):
        (self.folder / "mine.py").write_text("raise ValueError('mine')\n")
        modules = set(sys.modules)
        for _ in range(2):
            with self.assertRaisesRegex(ValueError, "mine"):
                load_version(self.folder, "mine.py")
        self.assertEqual({name for name in set(sys.modules) - modules if "version" in name}, set())


class Compiling(unittest.TestCase):
    def test_a_config_is_compiled_launched_and_remembered(self):
        import ctypes

        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "kernel.cpp"
            source.write_text(SOURCE)
            memory = (ctypes.c_float * 4)(1, 2, 3, 4)
            tensor = SimpleNamespace(address=ctypes.addressof(memory), shape=(4,), strides=(1,), dtype="f32")
            shift = Compiled(source, tensors=["y"])
            shift(SimpleNamespace(tensor=tensor), 0.5, block=2)
            self.assertEqual(list(memory), [3.5, 4.5, 5.5, 6.5])
            self.assertEqual(launched.config, {"block": 2})
            with self.assertRaisesRegex(RuntimeError, "refused with status 7"):
                shift(SimpleNamespace(tensor=tensor), 0.5, block=3)
            source.write_text("nonsense")
            with self.assertRaisesRegex(AdapterError, "kernel.cpp does not compile with .*-DBLOCK=4"):
                shift(SimpleNamespace(tensor=tensor), 0.5, block=4)


if __name__ == "__main__":
    unittest.main()
