"""Which device the cache file of a C function says that it is for."""

import json
import platform
import tempfile
from pathlib import Path

import numpy
from kernel_tuner import tune_kernel

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "cache.json"
    tune_kernel(
        "one", 'extern "C" float one(float *x) { return 1; }', 1,
        [numpy.zeros(1, dtype=numpy.float32)], {"unused": [0]}, lang="C", quiet=True,
        cache=str(file),
    )
    print("device_name:", repr(json.loads(file.read_text())["device_name"]))
print("platform.processor():", repr(platform.processor()))
