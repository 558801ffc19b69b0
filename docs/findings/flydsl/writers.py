"""Four processes tune four keys of one function at the same moment. How many of the winners are in the file
afterwards? The keys may be given: with 1 1 1 1 all ask for the same one."""

import json
import os
import subprocess
import sys
import tempfile
import time

WRITER = """
import sys, time
from flydsl import Config, autotune

trials = 0

def timed(launch, warmup, rep):
    global trials
    trials += 1
    begin = time.perf_counter()
    launch()
    return time.perf_counter() - begin

@autotune(configs=[Config(wait=0.02), Config(wait=0.01)], key=["n"], do_bench=timed)
def tuned(n, wait):
    time.sleep(wait)

sys.stdin.readline()  # until all are ready
tuned(int(sys.argv[1]))
print(trials, file=sys.stderr)
"""

keys = sys.argv[1:] or ["1", "2", "3", "4"]
with tempfile.TemporaryDirectory() as folder:
    os.environ["FLYDSL_AUTOTUNE_CACHE_DIR"] = folder
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, key],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,  # FlyDSL tells its times there
            stderr=subprocess.PIPE,
            text=True,
        )
        for key in keys
    ]
    time.sleep(1)
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for key, writer in zip(keys, writers):
        told = writer.communicate()[1].splitlines()
        print("key", key, "made", told[-1] if told else "no", "trials")
    with open(os.path.join(folder, "tuned.json")) as file:
        print("winners in the file:", len(json.load(file)), "of", len(set(keys)))
