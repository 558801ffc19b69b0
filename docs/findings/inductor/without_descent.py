"""As warm.py, without coordinate descent: what is tuned is kept."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    results = [run(folder, coordinate_descent=False) for _ in range(2)]
for result in results:
    print(f"{result.get('measured')} measured, {result.get('compiled')} compiled", result["error"])
sys.exit(not (results[0].get("measured", 0) > 0 and results[1].get("measured") == 0))
