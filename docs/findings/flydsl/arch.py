"""The target of FlyDSL's compiler is changed between two calls of a process, by the variable that FlyDSL has for it:
is the winner of the other target used?

Needs torch, or anything that can be imported by that name: FlyDSL's compiler imports it."""

import os
import sys
import tempfile
import time

os.environ["FLYDSL_AUTOTUNE_CACHE_DIR"] = tempfile.mkdtemp()

from flydsl import Config, autotune  # noqa: E402
from flydsl.compiler.backends import get_backend  # noqa: E402

trials = []


def timed(launch, warmup, rep):
    trials.append(rep)
    begin = time.perf_counter()
    launch()
    return time.perf_counter() - begin


@autotune(configs=[Config(block=64), Config(block=128)], key=["n"], do_bench=timed)
def tuned(n, block):
    pass


for variable, value in (
    ("ARCH", "gfx942"),
    ("ARCH", "gfx950"),
    ("FLYDSL_GPU_ARCH", "gfx90a"),
    ("FLYDSL_COMPILE_OPT_LEVEL", "1"),
):
    os.environ[variable] = value
    before = len(trials)
    tuned(1)
    print(
        f"{variable}={value}: compiled for {get_backend().target.arch},",
        len(trials) - before,
        "trials",
        file=sys.stderr,
    )
