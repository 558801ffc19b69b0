"""Four processes that ask for the same key at the same moment, with one folder."""

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from processes import run

with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as threads:
    done = list(threads.map(lambda _: run(folder), range(4)))
for one in done:
    print(one)
sys.exit(sum(one.get("compiled", 0) > 1 for one in done) < 2)
