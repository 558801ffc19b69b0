"""How many configs a second process measures whose assembler is another one. Without coordinate descent, because
that measures in each process anyway."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """
import torch
from torch._dynamo.utils import counters
options = {"max_autotune": True, "triton.persistent_reductions": False}
function = torch.compile(lambda x: x * torch.rsqrt(x.square().mean(dim=1, keepdim=True)), options=options)
function(torch.ones(32, 768, device="cuda"))
print(sum(count for name, count in counters["inductor"].items() if name.startswith("benchmarking.")))
"""


def measured(folder, ptxas):
    environment = {"TORCHINDUCTOR_CACHE_DIR": folder, "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, **environment, "TRITON_PTXAS_PATH": str(ptxas)},
        check=True,
        capture_output=True,
        text=True,
    )
    return int(done.stdout.split()[-1])


with tempfile.TemporaryDirectory() as folder:
    ptxas = shutil.which("ptxas")
    other = Path(folder, "ptxas")
    other.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "Cuda compilation tools, release 13.9, V13.9.1" && exit\nexec {ptxas} "$@"\n')
    other.chmod(0o755)
    cache = str(Path(folder, "cache"))
    first, same, with_other = measured(cache, ptxas), measured(cache, ptxas), measured(cache, other)
print(f"measured: {first}; in a second process: {same}; with another ptxas: {with_other}")
sys.exit(with_other != 0)
