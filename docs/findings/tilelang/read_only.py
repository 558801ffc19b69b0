"""TileLang with a cache folder in which nothing can be made: whether it can be imported. Nothing is compiled or
launched, and no GPU is needed. Root may write everywhere, so that the process is another user's."""

import os
import pwd
import subprocess
import sys
import tempfile

NOBODY = pwd.getpwnam("nobody").pw_uid


def imported(folder):
    os.chmod(folder, 0o555)
    done = subprocess.run(
        [sys.executable, "-c", "import tilelang"],
        env={**os.environ, "TILELANG_CACHE_DIR": folder, "HOME": folder},
        user=NOBODY if os.getuid() == 0 else None,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr.strip().splitlines()[-1] if done.returncode else "imported"


with tempfile.TemporaryDirectory() as folder:
    os.chmod(folder, 0o755)
    ended = imported(folder).replace(folder, "FOLDER")
print(ended)
sys.exit("PermissionError" not in ended)
