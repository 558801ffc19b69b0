"""What a process makes of two small files in its cache folder that were cut: Inductor's winner,
and Triton's list of the files of a kernel."""

import sys
import tempfile
from pathlib import Path

from processes import run

results = []
with tempfile.TemporaryDirectory() as folder:
    print("tuned:", run(folder))
    for pattern in "*.best_config", "__grp__*.json":
        kept = {file: file.read_text() for file in Path(folder).rglob(pattern)}
        for file, text in kept.items():
            file.write_text(text[: len(text) // 2])
        results.append(run(folder))
        print(f"{len(kept)} {pattern} cut:", results[-1])
        for file, text in kept.items():
            file.write_text(text)
sys.exit(not all("JSONDecodeError" in result["error"] for result in results))
