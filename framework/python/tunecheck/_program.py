"""Where the program `tunecheck` is, and how it is started.

In a wheel the program is in `_installed/bin`, next to this file. Elsewhere TUNECHECK_PROGRAM names it, or
PATH has it.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from .errors import TunecheckError

_INSTALLED = Path(__file__).resolve().parent / "_installed"

# What the wheels of the extra "cuda" hold, and the variable that names it to the programs.
_LIBRARIES = {
    "TUNECHECK_NVRTC": ("cu13/lib/libnvrtc.so.13", "cuda_nvrtc/lib/libnvrtc.so.12"),
    "TUNECHECK_CUPTI": ("cu13/lib/libcupti.so.13", "cuda_cupti/lib/libcupti.so.12"),
}


def program() -> Path:
    """The file of the program `tunecheck`. Raises TunecheckError if there is none."""
    named = os.environ.get("TUNECHECK_PROGRAM")
    if named:
        if not os.access(named, os.X_OK):
            raise TunecheckError(
                3, f'TUNECHECK_PROGRAM: expected a program that can be run, found "{named}"'
            )
        return Path(named)
    bundled = _INSTALLED / "bin" / "tunecheck"
    if bundled.is_file():
        return bundled
    # The command of a virtual environment is a script that ends here again.
    scripts = Path(sysconfig.get_path("scripts"))
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    others = [folder for folder in folders if folder and Path(folder) != scripts]
    found = shutil.which("tunecheck", path=os.pathsep.join(others))
    if found is None:
        raise TunecheckError(
            4, "there is no program tunecheck: install the wheel, or set TUNECHECK_PROGRAM"
        )
    return Path(found)


def environment() -> dict[str, str]:
    """The variables with which the program is started.

    Adapters in Python are run by this Python, which may have the tuner installed, and libraries of CUDA
    come from the packages next to this one. What the caller has set stays.
    """
    variables = dict(os.environ)
    variables.setdefault("TUNECHECK_PYTHON", sys.executable)
    packages = Path(sysconfig.get_path("platlib"))
    for variable, names in _LIBRARIES.items():
        for name in names:
            file = packages / "nvidia" / name
            if variable not in variables and file.is_file():
                variables[variable] = str(file)
    return variables


def main() -> None:
    """The command `tunecheck`: becomes the program."""
    try:
        file = program()
    except TunecheckError as error:
        print(f"tunecheck: {error}", file=sys.stderr)
        sys.exit(error.status)
    os.execve(file, ["tunecheck", *sys.argv[1:]], environment())
