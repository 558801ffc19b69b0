"""What the scripts beside this one start in processes of their own, with processes.py: a function
that torch.compile tunes.

Prints one line of JSON: how many configs Triton compiled, how many were measured, whether the line
that foreign.py writes into generated code was run, and what was raised."""

import builtins
import json
import resource
import sys

import torch
import triton
from torch._dynamo.utils import counters


def normalised(x, weight, factor):
    return x * torch.rsqrt(x.square().mean(dim=1, keepdim=True) + 1e-6) * weight * factor


def main(step=1, factor=2.0, coordinate_descent=True, disk_full=False):
    compiled = []
    triton.knobs.compilation.listener = lambda *, cache_hit, **_: compiled.append(not cache_hit)
    # The two options are those of the mode max-autotune-no-cudagraphs.
    options = {"max_autotune": True, "coordinate_descent_tuning": coordinate_descent}
    function = torch.compile(normalised, options=options)
    x = torch.ones(32, 768 * step, device="cuda")[:, ::step]
    error = ""
    try:
        if disk_full:  # no file may grow; what Triton needs to talk to the driver is there already
            triton.runtime.driver.active.get_current_target()
            limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit))
        function(x, torch.ones(768, device="cuda"), factor)
        torch.cuda.synchronize()
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}".splitlines()[0]
    print(
        json.dumps(
            {
                "compiled": sum(compiled),
                "measured": sum(
                    count
                    for name, count in counters["inductor"].items()
                    if name == "coordesc_tuning_bench" or name.startswith("benchmarking.")
                ),
                "planted": hasattr(builtins, "planted"),
                "error": error,
            }
        )
    )


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
