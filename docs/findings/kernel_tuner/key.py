"""One cache file, and a tuning in which the kernel, its compiler options and its arguments have
changed: are the times of the old ones used?"""

import tempfile
from pathlib import Path

import numpy
from kernel_tuner import tune_kernel

SOURCE = 'extern "C" float time_of(float *x) { return TIME; }'
CHANGED = 'extern "C" float time_of(double *x) { return 10 * TIME; }'


def times(source, options, x):
    results, _ = tune_kernel(
        "time_of", source, 1, [x], {"unused": [0]}, lang="C", compiler_options=options,
        cache=str(Path(folder) / "cache.json"), quiet=True,
    )
    return [result["time"] for result in results]


with tempfile.TemporaryDirectory() as folder:
    print("first:", times(SOURCE, ["-DTIME=1"], numpy.zeros(1, dtype=numpy.float32)))
    print("changed:", times(CHANGED, ["-DTIME=2"], numpy.zeros(1, dtype=numpy.float64)))
