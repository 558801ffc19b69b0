"""The same kernel with every element, every other, and every third."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    results = {step: run(folder, step=step) for step in (1, 2, 3)}
for step, result in results.items():
    print(f"{step}:", result)
sys.exit(not all(result["compiled"] > 1 for result in results.values()))
