"""A cache folder that cannot be written: the result is right, and a warning is all that is said."""

import sys
import tempfile
from pathlib import Path

from processes import run

with tempfile.TemporaryDirectory() as folder:
    Path(folder).chmod(0o555)
    first, second = run(folder), run(folder)
    Path(folder).chmod(0o755)
print("first:", first)
print("second:", second)
sys.exit(not (first.get("value") == 3 and not second.get("found", True)))
