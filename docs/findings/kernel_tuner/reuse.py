"""The documented ways to use a winner again, for a C function: store_results(), and PythonKernel
with the results file, and called with another array than the one it was made with."""

import tempfile
from pathlib import Path

import numpy
from kernel_tuner import store_results, tune_kernel
from kernel_tuner.kernelbuilder import PythonKernel

SOURCE = """
extern "C" float plus(float *x) {
    x[0] += added;
    return 1;
}
"""

parameters = {"added": [1]}
x = numpy.zeros(1, dtype=numpy.float32)
results, env = tune_kernel("plus", SOURCE, 1, [x], parameters, lang="C", quiet=True)
with tempfile.TemporaryDirectory() as folder:
    file = str(Path(folder) / "results.json")
    try:
        store_results(file, "plus", SOURCE, parameters, 1, results, env)
        print("store_results: stored")
    except KeyError as error:
        print("store_results: KeyError", error)
    env["device_name"] = ""
    store_results(file, "plus", SOURCE, parameters, 1, results, env)
    try:
        PythonKernel("plus", SOURCE, 1, [x], results_file=file, lang="C")
        print("PythonKernel with a results file: made")
    except Exception as error:
        print("PythonKernel with a results file:", type(error).__name__, str(error)[:60])
made_with, called_with = (numpy.full(1, value, dtype=numpy.float32) for value in (0, 100))
kernel = PythonKernel("plus", SOURCE, 1, [made_with], params={"added": 1}, lang="C")
print("PythonKernel called with 100 gives", kernel(called_with)[0][0])
