"""Starts program.py in a process of its own."""

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

_LIBC = ctypes.CDLL(None)
_LIMIT_S = 60


def run(folder, environment=None, **options):
    """What the program printed, with `folder` as quack's and Triton's cache. Where it ended otherwise,
    "error" says how. Root obeys the modes of files, as everybody does."""
    folders = {"QUACK_CACHE_DIR": str(folder), "TRITON_CACHE_DIR": f"{folder}/triton"}
    try:
        done = subprocess.run(
            [sys.executable, Path(__file__).with_name("program.py"), json.dumps(options)],
            env={**os.environ, **folders, **(environment or {})},
            preexec_fn=_drop_override,
            check=False,
            capture_output=True,
            text=True,
            timeout=_LIMIT_S,
        )
    except subprocess.TimeoutExpired:
        return {"error": f"no end within {_LIMIT_S} s"}
    if done.returncode < 0:
        return {"error": f"ended by signal {-done.returncode}"}
    if done.returncode != 0:
        return {"error": done.stderr[-2000:]}
    return json.loads(done.stdout.splitlines()[-1])


def _drop_override():
    for capability in 1, 2:  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        _LIBC.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
