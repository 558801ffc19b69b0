"""A warm cache folder, in its place and after it was moved."""

import sys
import tempfile
from pathlib import Path

from processes import run

with tempfile.TemporaryDirectory() as folder:
    place = Path(folder) / "cache"
    run(place)
    stays = run(place)
    moved = run(place.rename(Path(folder) / "moved"))
for name, result in ("in its place", stays), ("moved", moved):
    print(f"{name}:", result)
sys.exit(not (stays["compiled"] == 0 and moved["compiled"] == 1))
