"""Every config fails once. What is stored are times without end, and later processes, in which every
config would work, launch the first config without measuring anything.

That a config fails depends on a number here that is not in the key. It stands for what a key cannot
have: memory that another process took."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    failed, later = run(folder, fails=1), run(folder)
print("every config fails:", failed)
print("later:", later)
sys.exit(later.get("measured", True) or later["error"] != "")
