"""A cache folder that cannot be made, and a function that was tuned and works: does the caller get
its result?"""

import os
import time

os.environ["FLYDSL_AUTOTUNE_CACHE_DIR"] = "/proc/nothing/can/be/written/here"

from flydsl import Config, autotune  # noqa: E402

launches = []


def timed(launch, warmup, rep):
    begin = time.perf_counter()
    launch()
    return time.perf_counter() - begin


@autotune(configs=[Config(block=64), Config(block=128)], key=["n"], do_bench=timed)
def tuned(n, block):
    launches.append(block)


try:
    tuned(1)
    print("the caller's launch:", launches[2:])
except OSError as error:
    print(len(launches), "trials, and no launch for the caller:", error)
