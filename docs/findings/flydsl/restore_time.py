"""A launch that takes a millisecond, on an argument whose restoring takes ten: what FlyDSL's autotuner measures."""

import os
import sys
import tempfile
import time

os.environ["FLYDSL_AUTOTUNE_CACHE_DIR"] = tempfile.mkdtemp()
from flydsl import Config, autotune


class Argument:
    """What FlyDSL asks of a tensor; a copy takes ten milliseconds."""

    shape, dtype = (1,), "f32"

    def clone(self):
        return Argument()

    def copy_(self, source):
        time.sleep(10e-3)


def milliseconds(launch, warmup, rep):
    began = time.perf_counter()
    for _ in range(rep):
        launch()
    measured = (time.perf_counter() - began) * 1e3 / rep
    print(f"measured as {measured:.0f} ms", file=sys.stderr)
    return measured


@autotune(configs=[Config(block=1)], key=["x"], restore_value=["x"], do_bench=milliseconds)
def kernel(x, block):
    time.sleep(1e-3)


kernel(Argument())
