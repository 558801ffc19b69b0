"""The first config is right, the second changes an argument that it may only read, the third is
right: it is the third that fails verification."""

import numpy
from kernel_tuner import tune_kernel

SOURCE = """
extern "C" float copied(float *out, float *in) {
    out[0] = in[0];
    if (config == 2) in[0] += 1;
    return 1;
}
"""

value, out = numpy.ones(1, dtype=numpy.float32), numpy.zeros(1, dtype=numpy.float32)
tune_kernel(
    "copied", SOURCE, 1, [out, value], {"config": [1, 2, 3]}, answer=[value.copy(), None], lang="C"
)
