"""What a process makes of the file of timings where it was changed, cut, or may not be read."""

import json
import sys
import tempfile
from pathlib import Path

from processes import run

with tempfile.TemporaryDirectory() as folder:
    tuned = run(folder)
    entry = next(Path(folder).glob("*/axpy.autotune.json"))
    text = entry.read_text()
    content = json.loads(text)
    timings = content["configs_timings"]
    other = next(each for each in timings if each[0]["kwargs"]["BLOCK"] != tuned["block"])
    other[1] = [0.0, 0.0, 0.0]
    entry.write_text(json.dumps(content))
    changed = run(folder)
    entry.write_text(text[: len(text) // 2])
    cut = run(folder)
    entry.write_text(text)
    entry.chmod(0)
    unreadable = run(folder)
print("tuned:", tuned)
print("a loser's time is 0:", changed)
print("cut:", cut)
print("may not be read:", unreadable)
believed = changed.get("block") != tuned["block"] and changed.get("measured") is False
sys.exit(not (believed and cut["error"] and unreadable["error"]))
