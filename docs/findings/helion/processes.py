"""Starts program.py in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path


def run(folder):
    """What the program printed, with `folder` as Helion's cache."""
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("program.py")],
        env={**environment, "HELION_CACHE_DIR": str(folder)},
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])
