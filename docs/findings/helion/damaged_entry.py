"""A number in the file of a winner is changed: is the file believed? The configs have blocks of 128
and of 256 elements."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import helion
import helion.language as hl
import torch


@helion.kernel(configs=[helion.Config(block_sizes=[size]) for size in (128, 256)])
def plus_one(y: torch.Tensor) -> None:
    for i in hl.tile(y.size(0)):
        y[i] = y[i] + 1


def used(folder):
    """The blocks with which a call is launched in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "call"],
        env={**os.environ, "HELION_CACHE_DIR": folder},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.splitlines()[-1]


if sys.argv[1:] == ["call"]:
    y = torch.zeros(65536, device="cuda")
    plus_one(y)
    print(plus_one.bind((y,))._config["block_sizes"])
    sys.exit()
with tempfile.TemporaryDirectory() as folder:
    tuned = used(folder)
    entry = next(Path(folder).rglob("*.best_config"))
    content = json.loads(entry.read_text())
    content["config"] = json.dumps({**json.loads(content["config"]), "block_sizes": [64]})
    entry.write_text(json.dumps(content))
    changed = used(folder)
print("tuned:", tuned)
print("the file changed:", changed)
sys.exit(changed != "[64]")
