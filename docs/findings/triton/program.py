"""What the scripts beside this one start in processes of their own, with processes.py: y += 1234.5
* x in place, tuned. All elements are 1 before, so that 1235.5 is right.

Prints one line of JSON: an element of y, the winner's block, how many configs were compiled,
whether anything was measured, and what was raised."""

import json
import resource
import sys

import torch
import triton
import triton.language as tl

N = 65536


@triton.jit
def axpy(x, y, n, step, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(y + i * step, i < n) + 1234.5 * tl.load(x + i, i < n)
    tl.store(y + i * step, value, i < n)


def configs(blocks=(128, 256, 512), hook=None):
    return [triton.Config({"BLOCK": block}, pre_hook=hook) for block in blocks]


def grid(meta):
    return (triton.cdiv(N, meta["BLOCK"]),)


def main(
    blocks=(128, 256, 512),
    step=1,
    hook=False,
    restore_value=("y",),
    reset_to_zero=(),
    disk_full=False,
):
    compiled = []
    triton.knobs.compilation.listener = lambda *, cache_hit, **_: compiled.append(not cache_hit)
    tuned = triton.autotune(
        configs(blocks, (lambda arguments: None) if hook else None),
        key=["n"],
        restore_value=restore_value,
        reset_to_zero=reset_to_zero,
    )(axpy)
    x, y = torch.ones(N, device="cuda"), torch.ones(N * step, device="cuda")
    error = ""
    try:
        if disk_full:  # no file may grow; what Triton needs to talk to the driver is there already
            triton.runtime.driver.active.get_current_target()
            limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit))
        tuned[grid](x, y, N, step)
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
