"""What a process makes of code for the GPU in its cache folder that was cut to half its length."""

import sys
import tempfile
from pathlib import Path

from processes import run

with tempfile.TemporaryDirectory() as folder:
    run(folder)
    for binary in Path(folder).rglob("*.cubin"):
        binary.write_bytes(binary.read_bytes()[: binary.stat().st_size // 2])
    cut = run(folder)
print(cut)
sys.exit(not cut["error"])
