"""The second process has the same configs, in another order in the list."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    results = [run(folder, blocks=blocks) for blocks in ([128, 256, 512], [512, 256, 128])]
for result in results:
    print(result)
sys.exit(not (results[1].get("measured") and results[1]["compiled"] == 0))
