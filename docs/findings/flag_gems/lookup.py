"""Which winners FlagGems' libtuner uses again, in processes that share its database. Needs no GPU: nothing is
measured or launched, since a stand-in takes the place of both, of the device and of Triton's driver. The key, the
database and the choice are FlagGems'."""

import json
import os
import subprocess
import sys
import tempfile
from types import SimpleNamespace

CASES = {
    "the same call": {},
    "another size": {"n": 3},
    "another dtype": {"dtype": "float16"},
    "another stride": {"step": 2},
    "configs in another order": {"blocks": (256, 128)},
    "a config more": {"blocks": (128, 256, 512)},
}


def stand_in_for_the_device():
    import torch
    import triton
    from triton.backends.compiler import GPUTarget

    properties = SimpleNamespace(multi_processor_count=132, L2_cache_size=50 << 20)
    torch.cuda.device_count = lambda: 1
    torch.cuda.current_device = lambda: 0
    torch.cuda.get_device_name = lambda *_: "a stand-in"
    torch.cuda.get_device_capability = lambda *_: (9, 0)
    torch.cuda.get_device_properties = lambda *_: properties
    triton.runtime.driver.set_active(
        SimpleNamespace(
            get_current_target=lambda: GPUTarget("cuda", 90, 32),
            get_active_torch_device=lambda: torch.device("cpu"),
            get_current_device=lambda: 0,
        )
    )


def ask(n=65536, dtype="float32", step=1, blocks=(128, 256), fails=False, own=False):
    """What is launched for a call, and how many configs were measured; a config's time is its block."""
    stand_in_for_the_device()
    import torch
    import triton
    import triton.language as tl
    from flag_gems.utils import libtuner

    def axpy(x, y, n, step, BLOCK: tl.constexpr):
        pass

    measured, own_benchmark = [], []
    tuned = libtuner(
        [triton.Config({"BLOCK": block}) for block in blocks],
        key=["n"],
        do_bench=(lambda call, quantiles: own_benchmark.append(call)) if own else None,
    )(triton.jit(axpy))

    def bench(*arguments, config, **named):
        measured.append(config)
        if fails:  # as LibTuner._bench answers for a config that does not compile
            return [float("inf")] * 3
        return [config.kwargs["BLOCK"]] * 3

    taken = tuned.do_bench.__module__ if own else ""
    tuned._bench = bench
    function = tuned.fn
    tuned.fn = type("Launched", (), {"run": lambda self, *arguments, **named: None, "fn": function})()
    x = torch.ones(64, dtype=getattr(torch, dtype))[::step]
    tuned.run(x, x, n, step, grid=(1,), warmup=False)
    return {
        "block": tuned.best_config.kwargs["BLOCK"],
        "measured": len(measured),
        **({"do_bench is that of": taken} if own else {}),
    }


def started(folder, **options):
    done = subprocess.run(
        [sys.executable, __file__, json.dumps(options)],
        env={**os.environ, "FLAGGEMS_CACHE_DIR": folder, "GEMS_VENDOR": "nvidia"},
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
    with tempfile.TemporaryDirectory() as folder:
        own = started(folder, own=True)
    print(f"with a do_bench of the caller's: {own}")
    as_said = (
        results["another stride"].get("measured") == 0
        and later.get("measured") == 0
        and own.get("do_bench is that of") == "triton.runtime.autotuner"
    )
    return not as_said


if __name__ == "__main__":
    sys.exit(main())
