"""A function has a winner in its file. Then another one cannot be written as a whole: here because of a limit for the
size of files, elsewhere because the disk is full or the process is killed. What is left of the first?"""

import os
import resource
import signal
import sys
import tempfile
import time

FOLDER = tempfile.mkdtemp()
os.environ["FLYDSL_AUTOTUNE_CACHE_DIR"] = FOLDER

from flydsl import Config, autotune  # noqa: E402


def timed(launch, warmup, rep):
    begin = time.perf_counter()
    launch()
    return time.perf_counter() - begin


def tuned():
    def function(n, block):
        pass

    return autotune(configs=[Config(block=64)], key=["n"], do_bench=timed)(function)


first = tuned()
first("a")
size = os.path.getsize(os.path.join(FOLDER, "function.json"))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, -1))
try:
    first("b")
except OSError as error:
    print("the second call:", error, file=sys.stderr)
print("winners that another process finds:", len(tuned().cache), file=sys.stderr)
