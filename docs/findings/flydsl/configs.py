"""A program is tuned, gets another config that is faster, and is started again."""

import os
import tempfile
import time

from flydsl import Config, autotune


def timed(launch, warmup, rep):
    begin = time.perf_counter()
    launch()
    return time.perf_counter() - begin


def program(configs):
    def slow(n, wait):
        time.sleep(wait)
        used.append(wait)

    used = []
    autotune(configs=configs, key=["n"], do_bench=timed)(slow)(1)
    return used[-1], len(used) - 1


with tempfile.TemporaryDirectory() as folder:
    os.environ["FLYDSL_AUTOTUNE_CACHE_DIR"] = folder
    first = [Config(wait=0.02), Config(wait=0.01)]
    print("winner %g after %d trials" % program(first))
    print("winner %g after %d trials" % program([*first, Config(wait=0.001)]))
    print("winner %g after %d trials, and it is in no list" % program([Config(wait=0.001)]))
