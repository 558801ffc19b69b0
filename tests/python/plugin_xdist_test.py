"""With pytest-xdist, what a worker does belongs to the test that it runs."""

from __future__ import annotations

import pytest
from conftest import HANG_S, Suite


MEET = f"HANG_S = {HANG_S}\n" + """
import time

def meet(own, other):
    folder = pathlib.Path(os.environ["MEETING"]) / str(os.getppid())
    folder.mkdir(exist_ok=True)
    (folder / own).touch()
    end = time.monotonic() + HANG_S
    while not (folder / other).exists():
        assert time.monotonic() < end, f"nobody came: {own}"
        time.sleep(0.01)
"""


def test_each_worker_s_compilers_belong_to_its_test(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    # Both tests are under way when one compiles.
    monkeypatch.setenv("MEETING", str(suite.path))
    suite.write(
        MEET + "def test_compiles(tmp_path):\n    meet('a', 'b')\n    compile_something(tmp_path)\n    meet('c', 'd')\n",
        "test_one.py",
    )
    suite.write(
        MEET + "def test_trains():\n    meet('b', 'a')\n    train('first')\n    meet('d', 'c')\n", "test_two.py"
    )
    result = suite.run("--tunecheck-warm", "-n", "2", "--dist", "loadfile", "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        ["test_one.py::test_compiles (warm) FAILED*", "COMPILED: a warm start compiles"]
    )


def test_fixtures_and_marks_are_judged_in_workers(suite: Suite) -> None:
    suite.write(
        "def test_it(no_compile, tmp_path): compile_something(tmp_path)\n"
        "@pytest.mark.tuned_once\ndef test_other(): train('first')\n"
    )
    result = suite.run("--tunecheck-warm", "-n", "2")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["no_compile: the test compiles"])


def test_workers_are_those_of_the_passes(suite: Suite) -> None:
    suite.write("def test_it(): train('first'); assert os.environ['PYTEST_XDIST_WORKER']\n")
    result = suite.run("--tunecheck-warm", "-n", "2")
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*created: 2/2 workers*")
