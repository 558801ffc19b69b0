"""A binary in the cache folder that somebody else put there: it is another user's, everybody may
write it, or it is a link to somewhere else. 1234.5 is right; what was put there makes 4321 of it.
Needs root, to give files to another user."""

import os
import struct
import sys
import tempfile
from pathlib import Path

from processes import run

NOBODY = 65534


def of_another_user(path):
    os.chown(path, NOBODY, NOBODY)
    path.chmod(0o755)


def written_by_all(path):
    os.chown(path, 0, 0)
    path.chmod(0o777)


def linked(path):
    if path.is_file():
        target = path.rename(Path(elsewhere) / f"{path.parent.name}-{path.name}")
        path.symlink_to(target)


results = []
with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
    run(folder)
    for binary in Path(folder).rglob("*.cubin"):
        planted = binary.read_bytes().replace(struct.pack("<f", 1234.5), struct.pack("<f", 4321))
        binary.write_bytes(planted)
    for change in of_another_user, written_by_all, linked:  # the first fails in Triton, by accident
        for path in [Path(folder), *Path(folder).rglob("*")]:
            change(path)
        results.append(run(folder))
        print(f"{change.__name__}:", results[-1])
sys.exit(not all(result.get("y") == 4321 and result["compiled"] == 0 for result in results[1:]))
