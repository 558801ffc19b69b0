"""A winner for tensors that begin at a 16-byte boundary, used by a process whose tensor does not: it
is compiled as code that nobody measured."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    aligned = run(folder)
    other = run(folder, offset=1)
print("at a boundary:", aligned)
print("4 bytes behind it:", other)
sys.exit(not (aligned["compiled"] > 1 and other["compiled"] == 1))
