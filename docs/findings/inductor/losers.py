"""What is in the cache folder after a function was tuned."""

import json
import sys
import tempfile
from pathlib import Path

from processes import run

with tempfile.TemporaryDirectory() as folder:
    tuned = run(folder)
    winners = [json.loads(file.read_text()) for file in Path(folder).rglob("*.best_config")]
    binaries = list(Path(folder).rglob("*.cubin"))
    size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
print("tuned:", tuned)
print(f"{len(winners)} winner, {len(binaries)} binaries, {size} bytes in all")
sys.exit(not (len(winners) == 1 and len(binaries) > 1))
