"""A warm cache folder after it was moved, with coordinate descent and without."""

import sys
import tempfile
from pathlib import Path

from processes import run

results = []
with tempfile.TemporaryDirectory() as folder:
    for descent in True, False:
        place = Path(folder) / f"cache{descent}"
        run(place, coordinate_descent=descent)
        results.append(run(place.rename(f"{place}-moved"), coordinate_descent=descent))
for name, result in zip(("with coordinate descent", "without"), results):
    print(f"{name}: {result.get('compiled')} compiled", result["error"])
sys.exit(not results[0].get("compiled", 0) > 0)
