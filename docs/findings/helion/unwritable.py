"""A call of a kernel that works, where the cache folder may not be written, or the disk is full."""

import os
import sys
import tempfile

from processes import run

with tempfile.TemporaryDirectory() as folder:
    disk_full = run(folder, disk_full=True)
    os.mkdir(folder + "/read_only", 0o555)
    read_only = run(folder + "/read_only")
print("read-only:", read_only)
print("full:", disk_full)
sys.exit(not (read_only["error"] and disk_full["error"]))
