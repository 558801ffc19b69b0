"""A tuning that is killed after it has measured some configs, and the next process that asks for the same key: which
configs are measured. The last process has a folder of its own, and nothing stops it."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

MEASURED = 3  # configs, before the first process is killed

PROGRAM = """
import os, signal, sys
import program
import torch
from helion.autotuner import benchmark_provider
do_bench, count = benchmark_provider.do_bench, 0

def counted(*arguments, **options):
    global count
    time_ms = do_bench(*arguments, **options)
    count += 1
    with open(sys.argv[2], "a") as counted_here:  # Helion keeps what is printed meanwhile
        counted_here.write("x")
    if count == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    return time_ms

benchmark_provider.do_bench = counted
program.add(torch.zeros(1 << 16, device="cuda"))
"""


def measured(folder, kill_after=0):
    """How many configs a process measured, and its status."""
    counts = Path(folder, "measured")
    counts.write_text("")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(kill_after), str(counts)],
        env={**os.environ, "HELION_CACHE_DIR": folder, "PYTHONPATH": str(Path(__file__).parent)},
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, -signal.SIGKILL):
        sys.exit(done.stderr[-2000:])
    return len(counts.read_text())


with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as another:
    killed, after = measured(folder, MEASURED), measured(folder)
    alone = measured(another)
print("before it was killed:", killed, "measured")
print("the process after it:", after, "measured")
print("a process that finds nothing:", alone, "measured")
sys.exit(not (killed == MEASURED and after >= alone))
