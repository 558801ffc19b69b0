"""What the scripts next to this one start in processes of their own, with processes.py: y += 1234.5 * x
in place, tuned by FlagGems' libtuner. All elements are 1 before, so that 1235.5 is right.

Prints one line of JSON: an element of y, the winner's block, how many configs were compiled, whether
the tuner looked for a winner, the times in ms, and what was raised."""

import json
import sys

import torch
import triton
import triton.language as tl
from flag_gems.utils import libtuner


@triton.jit
def axpy(x, y, n, step, BLOCK: tl.constexpr, FAILS: tl.constexpr):
    tl.static_assert(FAILS == 0)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(y + i * step, i < n) + 1234.5 * tl.load(x + i, i < n)
    tl.store(y + i * step, value, i < n)


def main(blocks=(128, 256, 512), n=65536, step=1, fails=0, bench="none"):
    compiled = []
    triton.knobs.compilation.listener = lambda *, cache_hit, **_: compiled.append(not cache_hit)
    asked = []

    def own_benchmark(call, quantiles):
        asked.append(True)
        return triton.testing.do_bench(call, quantiles=quantiles)

    tuned = libtuner(
        [triton.Config({"BLOCK": block}) for block in blocks],
        key=["n"],
        restore_value=["y"],
        do_bench=own_benchmark if bench == "own" else None,
    )(axpy)
    x, y = torch.ones(n, device="cuda"), torch.ones(n * step, device="cuda")
    error = ""
    try:
        tuned[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, n, step, FAILS=fails)
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
                "measured": hasattr(tuned, "bench_time"),
                "times": [str(each[0]) for each in times.values()] if fails else [],
                "own_benchmark": len(asked),
                "error": error,
            }
        )
    )


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
