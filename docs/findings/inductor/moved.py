"""How many binaries of a warm cache folder are compiled again: in its place, and after a move."""

import sys
import tempfile
from pathlib import Path

from processes import run


def binaries(place):
    """By its folder's name, which is Triton's key: when it was written."""
    return {file.parent.name: file.stat().st_mtime_ns for file in place.rglob("*.cubin")}


def compiled_again(place):
    before = binaries(place)
    result = run(place)
    after = binaries(place)
    again = sum(after[key] != written for key, written in before.items())
    return again, len(before), result


with tempfile.TemporaryDirectory() as folder:
    place = Path(folder) / "cache"
    run(place)
    stays = compiled_again(place)
    moved = compiled_again(place.rename(Path(folder) / "moved"))
for name, (again, there, result) in ("in its place", stays), ("moved", moved):
    print(f"{name}: {again} of {there} binaries compiled again,", result)
sys.exit(not (stays[0] == 0 and moved[0] > 0))
