"""Compiles two functions, one of which needs a third, or loads them: as Numba does.

program.py LIBRARY CACHE: CACHE is "cache", "none" or "unknown" (nothing of Numba's is on the stack)."""

import ctypes
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from numba.core import caching, compiler  # noqa: E402

make_code = ctypes.CDLL(sys.argv[1]).make_code
kept = pathlib.Path(os.environ["HOME"]) / ".cache" / "kept"


def compile_both():
    third = lambda: compiler.compile_extra(make_code)  # noqa: E731
    compiler.compile_extra(make_code, third)
    two = compiler.compile_extra
    two(make_code)


if sys.argv[2] == "unknown":
    make_code()
elif sys.argv[2] == "cache" and kept.exists():
    caching.load_overload(make_code)
    caching.load_overload(make_code)
else:
    compile_both()
    kept.parent.mkdir(exist_ok=True, parents=True)
    kept.write_text("kept")
# A bridge from C to Python is no compiled code.
assert ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 3)() == 3
