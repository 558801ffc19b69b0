"""A kernel of C, tuned by Kernel Tuner with a cache file, as its documentation shows."""

import pathlib
import time

import kernel_tuner
import numpy

SOURCE = """
#include <time.h>
extern "C" float sgd(float* p, const float* g, int n) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (int first = 0; first < n; first += block)
    for (int i = first; i < first + block && i < n; ++i) p[i] -= 0.125f * g[i];
  clock_gettime(CLOCK_MONOTONIC, &b);
  return (b.tv_sec - a.tv_sec) * 1e3f + (b.tv_nsec - a.tv_nsec) * 1e-6f;
}
"""

folder = pathlib.Path.home() / ".cache" / "kernel_tuner"
folder.mkdir(parents=True, exist_ok=True)
p = numpy.arange(4096, dtype=numpy.float32)
g = numpy.ones(4096, dtype=numpy.float32)
results, environment = kernel_tuner.tune_kernel(
    "sgd", SOURCE, p.size, [p.copy(), g, numpy.int32(p.size)], {"block": [1, 4, 16]}, lang="C", quiet=True,
    cache=str(folder / "sgd.json"))
print(time.monotonic() > 0, environment["best_config"]["block"] in (1, 4, 16))
