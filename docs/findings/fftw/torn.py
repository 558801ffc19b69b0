"""The disk is full when wisdom is exported over a file that holds some."""

import resource
import signal
import tempfile
from pathlib import Path

from planner import MEASURE, WISDOM_ONLY, export_file, fftw, import_file, plan_row

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write beyond the limit fails, as on a full disk
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "wisdom"
    plan_row(64)
    print("the first export:", export_file(file), file.stat().st_size, "bytes")
    plan_row(1000)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, resource.RLIM_INFINITY))
    print("the second export, with room for 200 bytes:", export_file(file), file.stat().st_size, "bytes")
    fftw.fftw_forget_wisdom()
    print("the next process imports:", import_file(file))
    print("it knows the first plan:", plan_row(64, MEASURE | WISDOM_ONLY) is not None)
