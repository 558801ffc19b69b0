"""libtuner takes an argument do_bench, and does not use it."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    result = run(folder, bench="own")
print(result)
sys.exit(not (result.get("measured") and result["own_benchmark"] == 0))
