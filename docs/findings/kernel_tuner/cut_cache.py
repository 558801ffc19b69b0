"""A cache file that was cut in the middle of a line, and the calls that use it."""

import os
import tempfile

import numpy
from kernel_tuner import tune_kernel

SOURCE = 'extern "C" float timed(float *x) { return block; }'
x = numpy.zeros(1, dtype=numpy.float32)

with tempfile.TemporaryDirectory() as folder:
    cache = os.path.join(folder, "times.json")
    for call in ("first", "second", "third", "fourth"):
        try:
            tune_kernel("timed", SOURCE, 1, [x], {"block": [1, 2]}, lang="C", quiet=True, cache=cache)
            print(f"{call} call: a result")
        except Exception as problem:
            print(f"{call} call: {type(problem).__name__}: {problem}")
        if call == "second":
            os.truncate(cache, os.path.getsize(cache) // 2)
