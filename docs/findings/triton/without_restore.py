"""The first result of an in-place kernel that is tuned without restore_value; 1235.5 is right."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    without = run(folder, restore_value=[])
    restored = run(folder + "/restored")
print("without restore_value:", without.get("y"), without["error"])
print("with restore_value:   ", restored.get("y"), restored["error"])
sys.exit(not (without.get("y", 0) > 1235.5 and restored.get("y") == 1235.5))
