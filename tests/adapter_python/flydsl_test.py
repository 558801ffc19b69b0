"""FlyDSL's key with the stand-in for torch, where FlyDSL is installed."""

import importlib.util
import json
import subprocess
import sys
import unittest
from pathlib import Path

ADAPTERS = Path(__file__).parents[2] / "framework" / "adapter" / "python"
STAND_IN = ADAPTERS / "flydsl" / "stand_in"

KEY = """
import json, os, sys
sys.path.append(sys.argv[1])
from flydsl import Config, autotune
tuned = autotune(configs=[Config(block=1)], key=["n"])(lambda n, block: None)
keys = [tuned._make_key((1,), {})]
for variable, value in (("FLYDSL_COMPILE_OPT_LEVEL", "3"), ("FLYDSL_GPU_ARCH", "gfx950")):
    os.environ[variable] = value
    keys.append(tuned._make_key((1,), {}))
print(json.dumps(keys))
"""


def keys(folder):
    """Of one call: as it is, with another level of optimization, and with another arch besides."""
    ran = subprocess.run(
        [sys.executable, "-B", "-c", KEY, str(folder)],
        env={"FLYDSL_AUTOTUNE_CACHE_DIR": "/nonexistent", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(ran.stdout)


@unittest.skipIf(importlib.util.find_spec("flydsl") is None, "FlyDSL is not installed")
class KeyOfFlyDsl(unittest.TestCase):
    def test_has_the_axes_of_its_compiler_where_torch_can_be_imported(self):
        plain, optimized, other_arch = keys(STAND_IN)
        self.assertTrue("FLYDSL_COMPILE_OPT_LEVEL" in str(plain))
        self.assertTrue("GPUTarget" in str(plain))
        self.assertTrue(plain != optimized and optimized != other_arch)

    @unittest.skipIf(importlib.util.find_spec("torch") is not None, "torch is installed")
    def test_lacks_them_where_it_cannot(self):
        plain, optimized, other_arch = keys("/nonexistent")
        self.assertTrue("FLYDSL_COMPILE_OPT_LEVEL" not in str(plain))
        self.assertTrue(plain == optimized and optimized != other_arch)


MESSAGE = """
import sys
sys.path[:0] = sys.argv[1:]
from types import SimpleNamespace
import adapter
from tunecheck_adapter.answers import text_of

def calls(_):
    try:
        (lambda x, more: None)(1)
    except TypeError as error:
        raise RuntimeError("All autotune configs failed") from error

tuner = adapter.FlyDsl()
import threading
tuner.lock = threading.Lock()
call = SimpleNamespace(kernel="k", configs=[])
tuner.tuned = {("k", "[]"): SimpleNamespace(call=calls)}
try:
    tuner.call(call)
except RuntimeError as error:
    print(text_of(error))
"""


@unittest.skipIf(importlib.util.find_spec("numpy") is None, "numpy is not installed")
class ErrorOfFlyDsl(unittest.TestCase):
    def test_says_why_all_configs_failed(self):
        ran = subprocess.run(
            [sys.executable, "-B", "-c", MESSAGE, str(ADAPTERS / "flydsl"), str(ADAPTERS)],
            capture_output=True,
            text=True,
            check=True,
        )
        self.assertTrue(ran.stdout.startswith("RuntimeError: All autotune configs failed: TypeError: "))
        self.assertTrue("missing 1 required positional argument: 'more'" in ran.stdout)


if __name__ == "__main__":
    unittest.main()
