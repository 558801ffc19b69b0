"""The same program twice, with reset_to_zero=["y"]: 1234.5 where y was set to zero before the
kernel ran for the caller, 1235.5 where it was not."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    results = [run(folder, restore_value=[], reset_to_zero=["y"]) for _ in ("first", "second")]
for name, result in zip(("first", "second"), results):
    print(f"{name} process: y {result.get('y')}", result["error"])
sys.exit([result.get("y") for result in results] != [1234.5, 1235.5])
