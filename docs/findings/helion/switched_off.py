"""What a process does in a full cache folder if HELION_SKIP_CACHE tells it to leave the cache alone."""

import os
import sys
import tempfile
from pathlib import Path

from processes import run


def files(folder):
    return {path for path in Path(folder).rglob("*") if path.is_file()}


with tempfile.TemporaryDirectory() as folder:
    first = run(folder)
    before = files(folder)
    os.environ["HELION_SKIP_CACHE"] = "1"
    second = run(folder)
    new = files(folder) - before
print(f"the first process: {first.get('compiled')} compiled {first['error']}")
print(f"with HELION_SKIP_CACHE: {second.get('compiled')} compiled, {len(new)} new files {second['error']}")
sys.exit(not (second.get("compiled", 0) < first.get("compiled", 0) or new))
