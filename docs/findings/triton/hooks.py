"""Two processes, one cache folder, and configs with a pre_hook that does nothing."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    results = [run(folder, hook=True) for _ in ("first", "second")]
for result in results:
    print(result)
sys.exit(not results[1].get("measured"))
