"""What Kernel Tuner's C functions get of tensors with strides."""

import mmap
import sys
import unittest
from pathlib import Path

ADAPTERS = Path(__file__).parents[2] / "framework" / "adapter" / "python"
sys.path.append(str(ADAPTERS / "kernel_tuner"))

try:
    import numpy
    from arguments import Span
except ImportError:
    numpy = None

from tunecheck_adapter.tensors import Tensor


def tensor(shape, strides, first):
    """Of i32, in a memory that holds 0, 1, 2, ...; its element [0, ..., 0] is the number `first`."""
    memory = mmap.mmap(-1, 4096)
    numpy.ndarray((1024,), numpy.int32, memory)[...] = numpy.arange(1024)
    return Tensor("t", "", "i32", shape, strides, 4 * first, memory)


@unittest.skipIf(numpy is None, "numpy is not installed")
class SpanOfATensor(unittest.TestCase):
    def test_begins_at_the_lowest_element_and_ends_at_the_highest(self):
        for shape, strides, expected in (
            ((2, 3), (3, 1), range(100, 106)),
            ((2, 3), (10, 2), range(100, 115)),
            ((3,), (-2,), range(96, 101)),
            ((2, 3), (-10, 2), range(90, 105)),
            ((4,), (0,), range(100, 101)),
            ((0, 3), (3, 1), range(0)),
        ):
            span = Span(tensor(shape, strides, 100))
            self.assertEqual(list(span.memory), list(expected), (shape, strides))
            code, rank, offset, *rest = span.layout
            self.assertEqual((code, rank, rest), (4, len(shape), [*shape, *strides]))
            self.assertEqual(offset, 4 * (100 - expected[0]) if expected else 0)

    def test_with_other_elements_keeps_what_is_between_them(self):
        span = Span(tensor((2,), (-3,), 100))
        changed = span.with_elements(numpy.array([7, 8], numpy.int32))
        self.assertEqual(list(changed), [8, 98, 99, 7])
        self.assertEqual(list(span.memory), [97, 98, 99, 100])


if __name__ == "__main__":
    unittest.main()
