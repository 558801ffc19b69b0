"""A Redis that takes connections and never answers, as the remote cache of torch.compile: what a call that has an empty
cache folder says, and after how long. Needs the package redis, and no server."""

import os
import socket
import subprocess
import sys
import tempfile
import time

PROGRAM = """
import torch
function = torch.compile(lambda x, y: y.add_(2.0 * x), mode="max-autotune-no-cudagraphs")
y = torch.ones(1000, device="cuda")
function(torch.ones(1000, device="cuda"), y)
torch.cuda.synchronize()
print("sum", y.sum().item())
"""

with socket.socket() as server, tempfile.TemporaryDirectory() as folder:
    server.bind(("127.0.0.1", 0))
    server.listen()
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={
            **os.environ,
            "TORCHINDUCTOR_CACHE_DIR": folder,
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
            "TORCHINDUCTOR_FX_GRAPH_REMOTE_CACHE": "1",
            "TORCHINDUCTOR_AUTOTUNE_REMOTE_CACHE": "1",
            "TORCHINDUCTOR_REDIS_URL": f"redis://127.0.0.1:{server.getsockname()[1]}/0",
        },
        check=False,
        capture_output=True,
        text=True,
    )
said = [line for line in done.stderr.splitlines() if "Error: " in line]
last = done.stdout.strip() or (said[-1].strip() if said else f"status {done.returncode}")
print(f"{time.monotonic() - started:5.1f} s  {last}")
sys.exit("Timeout" not in last)
