"""Two processes tune the same kernel with one cache file; then a third one wants its times."""

import subprocess
import sys
import tempfile
from pathlib import Path

TUNE = """
import sys
import numpy
from kernel_tuner import tune_kernel

tune_kernel(
    "one", 'extern "C" float one(float *x) { return added; }', 1,
    [numpy.zeros(1, dtype=numpy.float32)], {"added": list(range(1, 9))}, lang="C", quiet=True,
    cache=sys.argv[1],
)
"""

with tempfile.TemporaryDirectory() as folder:
    command = [sys.executable, "-c", TUNE, str(Path(folder) / "cache.json")]
    ranks = [subprocess.Popen(command) for _ in range(2)]
    print("the two processes end with", [rank.wait() for rank in ranks])
    later = subprocess.run(command, capture_output=True, text=True)
    print("a later one ends with", later.returncode, later.stderr.strip().split("\n")[-1])
