"""What three processes measure that use one cache folder, one after another."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    results = [run(folder) for _ in range(3)]
for result in results:
    print(f"{result.get('measured')} measured, {result.get('compiled')} compiled", result["error"])
sys.exit(not all(result.get("measured", 0) > 0 for result in results))
