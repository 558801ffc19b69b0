"""A config file that another version of Triton's timings made is used: the version in it is not compared."""

import sys
import tempfile

import config_file
from processes import run

with tempfile.TemporaryDirectory() as folder:
    config_file.write(folder, block=128, triton_version="1.0.0")
    result = run(folder, {"FLA_CACHE_MODE": "strict"})
print(result)
sys.exit(result.get("measured", True))
