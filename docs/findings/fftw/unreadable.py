"""A file of wisdom that this user may not open. Not as root, who may open everything."""

import os
import tempfile
from pathlib import Path

from planner import export_file, import_file, plan_row

if os.geteuid() == 0:
    os.setresuid(65534, 65534, 65534)
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "wisdom"
    plan_row(64)
    print("exported:", export_file(file))
    file.chmod(0)
    print("imported:", import_file(file))
    print("exported again:", export_file(file))
    file.chmod(0o600)
