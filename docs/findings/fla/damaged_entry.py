"""What a process makes of a config file that was cut, and of one whose config has no values."""

import sys
import tempfile
from pathlib import Path

import config_file
from processes import run

STRICT = {"FLA_CACHE_MODE": "strict"}
with tempfile.TemporaryDirectory() as folder:
    config_file.write(folder, block=128)
    file = next(Path(folder, "fla_configs").glob("*.json"))
    content = file.read_text()
    file.write_text(content[: len(content) // 2])
    cut = run(folder, STRICT)
    file.write_text(content.replace('"kwargs"', '"kwarks"'))
    nameless = run(folder, STRICT)
print("cut:", cut)
print("without values:", nameless)
sys.exit(not (cut.get("measured") and nameless.get("error")))
