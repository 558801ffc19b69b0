"""What the scripts next to this one start in processes of their own, with processes.py: y += 1234.5 * x
in place, tuned by fla_cache_autotune. All elements are 1 before, so that 1235.5 is right.

Prints one line of JSON: an element of y, the winner's block, how many configs were compiled, whether
anything was measured, and what was raised."""

import json
import sys

import torch
import triton
import triton.language as tl
from fla.ops.utils.cache import fla_cache_autotune
from fla.utils import autotune_cache_kwargs


@triton.jit
def axpy(x, y, n, step, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(y + i * step, i < n) + 1234.5 * tl.load(x + i, i < n)
    tl.store(y + i * step, value, i < n)


def zero(arguments):
    arguments["y"].zero_()


def main(blocks=(128, 256, 512), n=65536, step=1, hook=False):
    compiled = []
    triton.knobs.compilation.listener = lambda *, cache_hit, **_: compiled.append(not cache_hit)
    tuned = fla_cache_autotune(
        [triton.Config({"BLOCK": block}, pre_hook=zero if hook else None) for block in blocks],
        key=["n"],
        restore_value=["y"],
        **autotune_cache_kwargs,
    )(axpy)
    x, y = torch.ones(n, device="cuda"), torch.ones(n * step, device="cuda")
    error = ""
    try:
        tuned[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n, step)
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}".splitlines()[0]
    winner = getattr(tuned, "best_config", None)
    print(
        json.dumps(
            {
                "y": y[0].item(),
                "block": winner and winner.kwargs["BLOCK"],
                "compiled": sum(compiled),
                "measured": hasattr(tuned, "bench_time"),
                "error": error,
            }
        )
    )


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
