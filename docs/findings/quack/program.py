"""What the scripts next to this one start in processes of their own, with processes.py: y += 1234.5 * x
in place, tuned by quack's autotune. All elements are 1 before, so that 1235.5 is right.

Of quack only the tuner is imported: the package itself imports all of its kernels first, and the compiler
of these (nvidia-cutlass-dsl).

Prints one line of JSON: an element of y, the winner's block, how many configs were compiled, whether
anything was measured, the times in ms, and what was raised."""

import importlib
import importlib.util
import json
import sys
from importlib import metadata
from types import ModuleType

import torch
import triton
import triton.language as tl

folder = importlib.util.find_spec("quack").submodule_search_locations[0]
for name, path in {"quack": folder, "quack.cache": f"{folder}/cache"}.items():
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__path__ = [path]
sys.modules["quack"].__version__ = metadata.version("quack-kernels")
autotuner = importlib.import_module("quack.autotuner")


@triton.jit
def kernel(x, y, n, step, BLOCK: tl.constexpr, FACTOR: tl.constexpr, FAILS: tl.constexpr):
    tl.static_assert(FAILS == 0)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(y + i * step, i < n) + FACTOR * tl.load(x + i, i < n)
    tl.store(y + i * step, value, i < n)


def main(blocks=(128, 256, 512), n=65536, fails=0, source="first"):
    compiled = []
    triton.knobs.compilation.listener = lambda *, cache_hit, **_: compiled.append(not cache_hit)

    def axpy(x, y, BLOCK):
        kernel[(triton.cdiv(n, BLOCK),)](x, y, n, y.stride(0), BLOCK, 1234.5, fails)

    if source == "second":  # the same function, rewritten: another way to the same result

        def axpy(x, y, BLOCK):
            for _ in range(2):
                kernel[(triton.cdiv(n, BLOCK),)](x, y, n, y.stride(0), BLOCK, 617.25, fails)

    tuned = autotuner.autotune(
        [autotuner.AutotuneConfig(BLOCK=block) for block in blocks], restore_value=["y"]
    )(axpy)
    x, y = torch.ones(n, device="cuda"), torch.ones(n, device="cuda")
    error = ""
    try:
        tuned(x, y)
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}".splitlines()[0]
    winner = getattr(tuned, "best_config", None)
    times = getattr(tuned, "configs_timings", {})
    print(
        json.dumps(
            {
                "y": y[0].item(),
                "block": winner and winner.kwargs["BLOCK"],
                "compiled": sum(compiled),
                "measured": bool(getattr(tuned, "bench_time", 0)),
                "times": [str(each[0]) for each in times.values()] if fails else [],
                "error": error,
            }
        )
    )


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
