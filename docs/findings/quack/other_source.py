"""A function that was rewritten is launched with the winner of what it was."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    first, second = run(folder), run(folder, source="second")
print("tuned:", first)
print("rewritten:", second)
sys.exit(second.get("measured", True))
