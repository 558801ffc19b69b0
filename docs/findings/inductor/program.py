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


def main(padding=0, factor=2.0, disk_full=False):
    compiled = []
    triton.knobs.compilation.listener = lambda *, cache_hit, **_: compiled.append(not cache_hit)
    function = torch.compile(normalised, mode="max-autotune-no-cudagraphs")
    x = torch.ones(32, 768 + padding, device="cuda")[:, :768]
    error = ""
    try:
        if disk_full:  # no file may grow; what Triton needs to talk to the driver is there already
            triton.runtime.driver.active.get_current_target()
            limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit))
        function(x, torch.ones(768, device="cuda"), factor)
        torch.cuda.synchronize()
    except Exception as raised:
        message = str(raised).split("\n\n")[0]  # without advice
        error = f"{type(raised).__name__}: " + " ".join(message.splitlines())
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
