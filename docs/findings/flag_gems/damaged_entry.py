"""What a process makes of a database that was cut, or may not be written."""

import sys
import tempfile
from pathlib import Path

from processes import run

with tempfile.TemporaryDirectory() as folder:
    tuned = run(folder)
    database = next(Path(folder).glob("config_cache/*.db"))
    content = database.read_bytes()
    database.write_bytes(content[: len(content) // 2])
    cut = run(folder)
    database.write_bytes(content)
    database.chmod(0o444)
    database.parent.chmod(0o555)
    read_only = run(folder, n=4096)
    database.parent.chmod(0o755)
print("tuned:", tuned)
print("cut:", cut)
print("another call, with a folder that cannot be written:", read_only)
sys.exit(not (cut.get("error") and read_only.get("error")))
