"""What a process makes of a file of timings that was cut, or that cannot be read."""

import sys
import tempfile
from pathlib import Path

from processes import run

with tempfile.TemporaryDirectory() as folder:
    tuned = run(folder)
    timings = next(Path(folder).rglob("*.autotune.json"))
    content = timings.read_bytes()
    timings.write_bytes(content[: len(content) // 2])
    cut, later = run(folder), run(folder)
    timings.write_bytes(content)
    timings.chmod(0)
    unreadable = run(folder)
print("tuned:", tuned)
print("cut:", cut)
print("once more:", later)
print("unreadable:", unreadable)
sys.exit(not (cut.get("error") and later.get("error") and unreadable.get("error")))
