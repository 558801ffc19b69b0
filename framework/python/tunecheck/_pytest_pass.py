"""One pass of a suite, started by `tunecheck watch`: python -m tunecheck._pytest_pass CACHE PATH0 ARGUMENT...

The pass works on a copy of pytest's cache, so that `--lf` means the same in each, and writes nothing outside
of temporary folders: what it finds there does not depend on the pass before it. PATH0 is what the first entry
of sys.path was in the pytest that asked for the passes; TUNECHECK_PYTEST_RECORDER is that one's socket.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from ._sections import send

RECORDER = "TUNECHECK_PYTEST_RECORDER"


def main(arguments: list[str]) -> int:
    own_cache, first_path, *rest = arguments
    send(Path(os.environ[RECORDER]), '{"begins": true}')
    sys.path[0] = first_path
    sys.argv = ["pytest", *rest]
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        if own_cache and Path(own_cache).is_dir():
            shutil.copytree(own_cache, cache)
        return int(pytest.main([*rest, "-o", f"cache_dir={cache}"]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
