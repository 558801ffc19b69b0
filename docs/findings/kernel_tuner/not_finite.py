"""What is called the best config where every launch was refused (an infinite time), and where the
time of the first config is not a number."""

import numpy
from kernel_tuner import tune_kernel

SOURCE = """
#include <cmath>
extern "C" float refused(float *x) { return config == 1 ? FIRST : SECOND; }
"""

x = numpy.zeros(1, dtype=numpy.float32)
for first, second in (("INFINITY", "INFINITY"), ("NAN", "1")):
    _, env = tune_kernel(
        "refused", SOURCE, 1, [x], {"config": [1, 2]}, lang="C", quiet=True,
        compiler_options=[f"-DFIRST={first}", f"-DSECOND={second}"],
    )
    best = env["best_config"]
    print(f"times {first} and {second}: best config {best['config']}, time {best['time']}")
