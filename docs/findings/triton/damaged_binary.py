"""What a process makes of binaries in its cache folder that were changed, or cut: the code for the
GPU, and the module through which Triton talks to the driver."""

import struct
import sys
import tempfile
from pathlib import Path

from processes import run


def change(data):
    return data.replace(struct.pack("<f", 1234.5), struct.pack("<f", 4321))


def cut(data):
    return data[: len(data) // 2]


results = []
with tempfile.TemporaryDirectory() as folder:
    run(folder)
    for pattern, damage in ("*.cubin", change), ("*.cubin", cut), ("*.so", cut):
        kept = {file: file.read_bytes() for file in Path(folder).rglob(pattern)}
        for file, data in kept.items():
            file.write_bytes(damage(data))
        results.append(run(folder))
        print(f"{pattern} {damage.__name__}:", results[-1])
        for file, data in kept.items():
            file.write_bytes(data)
changed, cubin, module = results
sys.exit(not (changed.get("y") == 4322 and cubin["error"] and module["error"]))
