"""What a process does with the cache folder if TORCHINDUCTOR_FORCE_DISABLE_CACHES switches the caches off."""

import os
import sys
import tempfile
from pathlib import Path

from processes import run


def files(folder):
    return {path for path in Path(folder).rglob("*") if path.is_file()}


os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
with tempfile.TemporaryDirectory() as folder:
    for _ in range(2):
        before = files(folder)
        result = run(folder)
        print(f"{result.get('compiled')} compiled, {result.get('measured')} measured,",
              f"{len(files(folder) - before)} files more in the folder {result['error']}")
    left = files(folder)
sys.exit(not left)
