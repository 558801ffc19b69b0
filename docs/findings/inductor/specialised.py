"""How many kernels are tuned for one function: after a first process, after one with another
factor, and after one with another distance between rows."""

import sys
import tempfile
from pathlib import Path

from processes import run

results, winners = [], []
with tempfile.TemporaryDirectory() as folder:
    for options in {}, {"factor": 3.0}, {"padding": 8}:
        results.append(run(folder, **options))
        winners.append(len(list(Path(folder).rglob("*.best_config"))))
        print(f"{options}: {winners[-1]} tuned,", results[-1])
sys.exit(winners != [1, 2, 3])
