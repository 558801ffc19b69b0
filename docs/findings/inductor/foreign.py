"""Code in the cache folder that somebody else put there: it is another user's and everybody may
write it, or it is a link to somewhere else. Is it run? Needs root, to give files away."""

import os
import sys
import tempfile
from pathlib import Path

from processes import run

NOBODY = 65534


def of_another_user(path):
    os.chown(path, NOBODY, NOBODY)
    path.chmod(0o777)


def linked(path):
    if path.is_file():
        target = path.rename(Path(elsewhere) / f"{path.parent.name}-{path.name}")
        path.symlink_to(target)


results = []
with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
    run(folder)
    for code in Path(folder).rglob("*.py"):
        code.write_text(code.read_text() + "\nimport builtins\nbuiltins.planted = True\n")
    for change in of_another_user, linked:
        for path in [Path(folder), *Path(folder).rglob("*")]:
            change(path)
        results.append(run(folder))
        print(f"{change.__name__}:", results[-1])
sys.exit(not all(result.get("planted") for result in results))
