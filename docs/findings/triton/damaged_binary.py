"""What a process makes of binaries in its cache folder: of code for the GPU in which a number was
changed, and of the module through which Triton talks to the driver, cut to half its length."""

import struct
import sys
import tempfile
from pathlib import Path

from processes import run

with tempfile.TemporaryDirectory() as folder:
    run(folder)
    for binary in Path(folder).glob("*/axpy.cubin"):
        code = binary.read_bytes()
        binary.write_bytes(code.replace(struct.pack("<f", 1234.5), struct.pack("<f", 4321)))
    changed = run(folder)
    module = next(Path(folder).glob("*/cuda_utils*.so"))
    module.write_bytes(module.read_bytes()[: module.stat().st_size // 2])
    cut = run(folder)
print("a number changed:", changed)
print("the module cut:", cut)
sys.exit(not (changed.get("y") == 4322 and cut["error"]))
