"""What Triton puts into the keys of the modules that it compiles for the host, with and without
programs in PATH. Needs no GPU."""

import os
import subprocess
import sys

SCRIPT = "from triton.runtime.build import platform_key; print(platform_key())"

for path in os.environ["PATH"], "/nonexistent":
    subprocess.run([sys.executable, "-c", SCRIPT], env={**os.environ, "PATH": path}, check=True)
