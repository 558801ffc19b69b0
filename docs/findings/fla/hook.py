"""Each config has a pre_hook that zeroes y: 1234.5 is right. With a config file the hook is not run."""

import sys
import tempfile

import config_file
from processes import run

with tempfile.TemporaryDirectory() as folder:
    tuned = run(folder, {"FLA_CACHE_MODE": "strict"}, hook=True)
    config_file.write(folder, block=128)
    found = run(folder, {"FLA_CACHE_MODE": "strict"}, hook=True)
print("tuned:", tuned)
print("with a config file:", found)
sys.exit(not (tuned.get("y") == 1234.5 and found.get("y") == 1235.5))
