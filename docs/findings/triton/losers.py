"""What is in the cache folder after three configs were tried."""

import sys
import tempfile
from pathlib import Path

from processes import run

with tempfile.TemporaryDirectory() as folder:
    tuned = run(folder)
    binaries = list(Path(folder).glob("*/axpy.cubin"))
    files = [file for file in Path(folder).rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    again = run(folder)
print(f"winner {tuned.get('block')}, {len(binaries)} binaries stored", tuned["error"])
print(f"{len(files)} files, {size} bytes; {again.get('compiled')} compiled after a restart")
sys.exit(len(binaries) != 3)
