"""Another assembler compiles other code, and the winner of before is launched as that code."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from processes import run

real = os.environ.get("TRITON_PTXAS_PATH") or shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as tools:
    first = run(folder, {"TRITON_PTXAS_PATH": real})
    other = Path(tools, "ptxas")  # says that it is another version, and does not optimize
    other.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] || exec {real} -O0 "$@"\n{real} --version\necho other\n'
    )
    other.chmod(0o755)
    second = run(folder, {"TRITON_PTXAS_PATH": str(other)})
print("tuned:", first)
print("with another assembler:", second)
sys.exit(second.get("measured", True) or second["compiled"] == 0)
