"""In the modes fuzzy and full, a winner for 65536 elements is that of any other number of them."""

import sys
import tempfile

import config_file
from processes import run

results = {}
for mode in "strict", "fuzzy", "full":
    with tempfile.TemporaryDirectory() as folder:
        config_file.write(folder, block=128, n=65536)
        results[mode] = run(folder, {"FLA_CACHE_MODE": mode}, n=3)
for mode, result in results.items():
    print(f"{mode}:", result)
used = [mode for mode, result in results.items() if not result.get("measured", True)]
sys.exit(used != ["fuzzy", "full"])
