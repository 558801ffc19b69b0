"""Four processes tune four keys of one function at the same moment. How many of the winners are in the file
afterwards?"""

import json
import os
import subprocess
import sys
import tempfile
import time

WRITER = """
import sys, time
from flydsl import Config, autotune

def timed(launch, warmup, rep):
    begin = time.perf_counter()
    launch()
    return time.perf_counter() - begin

@autotune(configs=[Config(wait=0.02), Config(wait=0.01)], key=["n"], do_bench=timed)
def tuned(n, wait):
    time.sleep(wait)

sys.stdin.readline()  # until all are ready
tuned(int(sys.argv[1]))
"""

with tempfile.TemporaryDirectory() as folder:
    os.environ["FLYDSL_AUTOTUNE_CACHE_DIR"] = folder
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(n)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        for n in (1, 2, 3, 4)
    ]
    time.sleep(1)
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.wait()
    with open(os.path.join(folder, "tuned.json")) as file:
        print(len(json.load(file)), "of 4 winners are in the file")
