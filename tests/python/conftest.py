"""A suite of its own for each test of the plugin, around a tuner that people write in Python: it compiles CPU
kernels with gcc, times them, and keeps the fastest below ~/.cache."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

pytest_plugins = "pytester"

TREE = Path(os.environ["TUNECHECK_TREE"])
PROGRAMS = TREE / "tests" / "watch" / "programs"

# Only a hang takes so long. A suite with two passes needs 4 s of CPU time, which is minutes on a machine that
# compiles other things: with a limit of 120 s, tests failed there for no other reason.
HANG_S = 1500

TUNED = """
import os, pathlib, subprocess, sys
import pytest
from small_tuner import SmallTuner, array

def train(kernel, restores=True, first=1):
    tuner = SmallTuner(kernel, restores)
    p, g = array(first), array(2)
    for _ in range(5):
        tuner([p, g], [0.125])
    return tuner

def compile_something(folder):
    (folder / "x.c").write_text("int x;")
    subprocess.run([os.environ["COMPILER"], "-c", folder / "x.c", "-o", folder / "x.o"], check=True)

def forget(tuner):  # a tuner that keeps no winner
    (tuner.cache / (tuner.kernel + ".winner")).unlink()
"""


class Suite:
    def __init__(self, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pytester = pytester
        self.path = pytester.path
        kernels = self.path / "kernels"
        kernels.mkdir()
        source = (PROGRAMS / "kernels" / "sgd.cpp").read_text()
        # A kernel of its own for each test: a watch judges a kernel by all of its launches.
        for name in ("first", "second", "third"):
            (kernels / f"{name}.cpp").write_text(re.sub(r"\bsgd\b", name, source))
        (self.path / "small_tuner.py").write_text(
            (PROGRAMS / "python_tuner" / "small_tuner.py").read_text()
        )
        monkeypatch.setenv("COMPILER", os.environ["TUNECHECK_COMPILER"])
        monkeypatch.setenv("INCLUDE", str(TREE / "framework" / "backend" / "cpu" / "include"))
        monkeypatch.setenv("KERNELS", str(kernels))
        monkeypatch.setenv("PYTHONPATH", f"{self.path}{os.pathsep}{os.environ['PYTHONPATH']}")

    def write(self, text: str, name: str = "test_it.py") -> None:
        (self.path / name).write_text(TUNED + text)

    def run(self, *arguments: str) -> pytest.RunResult:
        return self.pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments, timeout=HANG_S)


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Suite:
    return Suite(pytester, monkeypatch)
