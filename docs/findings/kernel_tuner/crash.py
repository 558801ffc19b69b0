"""One of two configs crashes: what becomes of the process, and of a file that says which configs were tried."""

import json
import os
import sys
import tempfile

import numpy
from kernel_tuner import run_kernel, tune_kernel

SOURCE = """
extern "C" float one(float *out) {
    if (config == 2) *(volatile int *)0 = 1;
    out[0] = config;
    return config;
}
extern "C" float refused(float *out) { return -1; }
"""

out = numpy.zeros(1, dtype=numpy.float32)
cache = os.path.join(tempfile.mkdtemp(), "cache.json")
child = os.fork()
if child == 0:
    tune_kernel("one", SOURCE, 1, [out], {"config": [1, 2, 3]}, cache=cache, lang="C", quiet=True)
    sys.exit()
signal = os.waitpid(child, 0)[1]
text = open(cache).read()
kept = json.loads(text if text.rstrip().endswith("}") else text.rstrip(",\n") + "}}")["cache"]
print("ended by signal", signal, "after", len(kept), "of 3 configs")
result = run_kernel("refused", SOURCE, 1, [out], {"config": 1}, lang="C", quiet=True)
print("a function that returns -1:", result)
