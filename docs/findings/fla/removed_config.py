"""A config that the program does not list is launched, since the config file says that it won."""

import sys
import tempfile

import config_file
from processes import run

with tempfile.TemporaryDirectory() as folder:
    config_file.write(folder, block=128)
    result = run(folder, {"FLA_CACHE_MODE": "strict"}, blocks=[256, 512])
print(result)
sys.exit(result.get("block") != 128)
