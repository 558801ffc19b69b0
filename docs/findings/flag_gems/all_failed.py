"""Every config fails once. The winner that is stored was never measured, and later processes, in which
every config would work, launch it without measuring anything.

That a config fails depends on a constant here that is not in the key. It stands for what a key cannot
have: memory that another process took."""

import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    failed, later = run(folder, fails=1), run(folder)
print("every config fails:", failed)
print("later:", later)
sys.exit(later.get("measured", True) or later["error"] != "")
