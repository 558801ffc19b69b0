"""Hooks of a config and of the decorator: before which launches do they run?"""

import os
import sys
import tempfile
import time

os.environ["FLYDSL_AUTOTUNE_CACHE_DIR"] = tempfile.mkdtemp()

from flydsl import Config, autotune  # noqa: E402

happened = []


def timed(launch, warmup, rep):
    begin = time.perf_counter()
    launch()
    return time.perf_counter() - begin


def hook(of):
    return lambda arguments: happened.append("hook of " + of)


@autotune(
    configs=[Config(block=64, pre_hook=hook("the config"))],
    key=["n"],
    pre_hook=hook("the decorator"),
    do_bench=timed,
)
def tuned(n, block):
    happened.append("launch")


for call in ("first call", "second call"):
    happened.clear()
    tuned(1)
    print(call + ":", ", ".join(happened), file=sys.stderr)
