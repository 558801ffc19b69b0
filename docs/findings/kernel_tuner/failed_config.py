"""One of two configs does not compile, or computes wrongly: the other is never tried."""

import sys

import numpy
from kernel_tuner import tune_kernel

SOURCE = """
#if config == 1 && defined(DOES_NOT_COMPILE)
#error this config does not compile
#endif
extern "C" float one(float *out) {
    out[0] = config;
    return 1;
}
"""

out = numpy.zeros(1, dtype=numpy.float32)
for options in (["-DDOES_NOT_COMPILE"], []):
    try:
        results, _ = tune_kernel(
            "one", SOURCE, 1, [out], {"config": [1, 2]}, answer=[numpy.full_like(out, 2)],
            compiler_options=options, lang="C", quiet=True,
        )
        print("tuned:", [result["config"] for result in results])
    except Exception as error:
        print(type(error).__name__, str(error)[:70], file=sys.stdout)
