"""Another assembler in CUDA_ROOT, which says that it is another version and optimizes nothing: what the first one
made is used."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from processes import run

real = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as root:
    ptxas = Path(root, "bin", "ptxas")
    ptxas.parent.mkdir()
    ptxas.symlink_to(real)
    first = run(folder, {"CUDA_ROOT": root})
    ptxas.unlink()
    ptxas.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] || exec {real} -O0 "$@"\n{real} --version\necho other\n'
    )
    ptxas.chmod(0o755)
    os.sync()
    second = run(folder, {"CUDA_ROOT": root})
print("first:", first)
print("with another assembler:", second)
sys.exit(first.get("found", True) or not second.get("found"))
