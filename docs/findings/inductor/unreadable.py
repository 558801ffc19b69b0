"""What a process makes of files in its cache folder that it may not read: Inductor's winner, and
the code that Inductor generated."""

import sys
import tempfile
from pathlib import Path

from processes import run

results = []
with tempfile.TemporaryDirectory() as folder:
    print("tuned:", run(folder))
    for pattern in "*.best_config", "*.py":
        files = list(Path(folder).rglob(pattern))
        for file in files:
            file.chmod(0)
        results.append(run(folder))
        print(f"{len(files)} {pattern} unreadable:", results[-1])
        for file in files:
            file.chmod(0o644)
sys.exit(not all("Permission denied" in result["error"] for result in results))
