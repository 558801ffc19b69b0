"""Which winners quack's autotune uses again, in processes that share its folder. Needs no GPU: a stand-in takes the
place of what is tuned and of the benchmark (`do_bench`). The key, the file and the choice are quack's.

Of quack only the tuner is imported: the package itself imports all of its kernels first, and the compiler of these
(nvidia-cutlass-dsl)."""

import importlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from importlib import metadata
from types import ModuleType

CASES = {
    "the same call": {},
    "another shape": {"n": 3},
    "another dtype": {"dtype": "float16"},
    "another stride": {"step": 2},
    "a number by place": {"factor": 2.0},
    "arguments by name, y first": {"reordered": True},
    "a function that was rewritten": {"rewritten": True},
    "another device": {"device": "NVIDIA A100"},
    "another assembler": {"assembler": "/opt/other/ptxas"},
    "configs in another order": {"blocks": (256, 128)},
}


def autotuner_alone():
    folder = importlib.util.find_spec("quack").submodule_search_locations[0]
    for name, path in {"quack": folder, "quack.cache": f"{folder}/cache"}.items():
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = [path]
    sys.modules["quack"].__version__ = metadata.version("quack-kernels")
    return importlib.import_module("quack.autotuner")


def ask(
    n=64,
    dtype="float32",
    step=1,
    factor=1.0,
    reordered=False,
    rewritten=False,
    device="NVIDIA H100",
    assembler="",
    blocks=(128, 256),
    fails=False,
):
    """What is launched for a call, and how many configs were measured; a config's time is its block."""
    os.environ["TRITON_PTXAS_PATH"] = assembler
    import torch

    torch.cuda.get_device_name = lambda *_: device
    autotuner = autotuner_alone()
    autotuner._gpu_warmup = lambda: None  # nothing but work for a GPU
    launched, measured = [], []

    def axpy(x, y, factor, BLOCK):
        launched.append(BLOCK)
        if fails:
            raise RuntimeError("out of memory")

    if rewritten:

        def axpy(x, y, factor, BLOCK):
            for block in (BLOCK // 2, BLOCK):
                launched.append(block)

    def do_bench(call, quantiles):
        measured.append(call())
        return [launched[-1]] * 3

    tuned = autotuner.autotune(
        [autotuner.AutotuneConfig(BLOCK=block) for block in blocks],
        restore_value=["y"],
        do_bench=do_bench,
    )(axpy)
    x, y = torch.ones(2 * n, dtype=getattr(torch, dtype))[::step][:n], torch.ones(2 * n)
    error = ""
    try:
        tuned(y=y, x=x, factor=factor) if reordered else tuned(x, y, factor)
    except RuntimeError as raised:
        error = str(raised)
    return {
        "block": tuned.best_config.kwargs["BLOCK"],
        "measured": len(measured),
        **({"times": [str(time[0]) for time in tuned.configs_timings.values()]} if fails else {}),
        **({"error": error} if error else {}),
    }


def started(folder, **options):
    done = subprocess.run(
        [sys.executable, __file__, json.dumps(options)],
        env={**os.environ, "QUACK_CACHE_DIR": folder},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        return {"error": done.stderr.splitlines()[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def main():
    if len(sys.argv) == 2:
        print(json.dumps(ask(**json.loads(sys.argv[1]))))
        return 0
    results = {}
    for case, options in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            started(folder)
            results[case] = started(folder, **options)
        print(f"after a tuning, {case}: {results[case]}")
    with tempfile.TemporaryDirectory() as folder:
        failed, later = started(folder, fails=True), started(folder)
    print(f"every config fails: {failed}; in a later process none would: {later}")
    used = ("a function that was rewritten", "another device", "another assembler")
    as_said = all(results[case].get("measured") == 0 for case in used)
    return not (as_said and later.get("measured") == 0 and "inf" in failed.get("times", []))


if __name__ == "__main__":
    sys.exit(main())
