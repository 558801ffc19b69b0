"""What each launch of a benchmark finds in an argument that the kernel overwrites: the C function
returns it as its time. With an answer, so that Kernel Tuner knows the argument as an output."""

import numpy
from kernel_tuner import tune_kernel

SOURCE = """
extern "C" float doubled(float *x) {
    float seen = x[0];
    x[0] = 2 * seen;
    return seen;
}
"""

x = numpy.ones(1, dtype=numpy.float32)
results, _ = tune_kernel(
    "doubled", SOURCE, 1, [x], {"unused": [0, 1]}, answer=[2 * x], lang="C", quiet=True
)
for result in results:
    print("config", result["unused"], "launches that are timed find", result["times"])
print("the caller's array, before 1, is now", x[0])
