"""What a process makes of the binaries in its cache folder that were cut to half their length."""

import sys
import tempfile
from pathlib import Path

from processes import run

with tempfile.TemporaryDirectory() as folder:
    print("tuned:", run(folder))
    for binary in Path(folder).rglob("*.cubin"):
        binary.write_bytes(binary.read_bytes()[: binary.stat().st_size // 2])
    cut = run(folder)
print("cut:", cut)
sys.exit(not cut["error"])
