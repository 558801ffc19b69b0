"""A file of JAX's cache that was cut is compiled anew in each later process, and never replaced."""

import sys
import tempfile
from pathlib import Path

from processes import run

with tempfile.TemporaryDirectory() as folder:
    cold, warm = run(folder), run(folder)
    for file in Path(folder).rglob("jit_*-cache"):
        file.write_bytes(file.read_bytes()[:100])
    second, third = run(folder), run(folder)
    sizes = sorted(file.stat().st_size for file in Path(folder).rglob("jit_*-cache"))
for name, result in {"cold": cold, "warm": warm, "cut": second, "cut, once more": third}.items():
    print(f"{name}:", result)
print("bytes of the files:", sizes)
sys.exit(not (warm.get("found") and not third.get("found", True) and sizes and max(sizes) == 100))
