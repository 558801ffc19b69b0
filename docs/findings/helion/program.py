"""What the scripts beside this one start in processes of their own: y += 1234.5 in place, tuned by
Helion with the cache folder of HELION_CACHE_DIR. All elements are 0 before. Prints one line of JSON:
an element of y, how many configs were compiled, the winner, and what was raised."""

import json
import os
import resource
import sys

# A short search, in this process. Nothing that is shown here depends on how long it is.
os.environ |= {
    "HELION_AUTOTUNE_EFFORT": "quick",
    "HELION_AUTOTUNE_MAX_GENERATIONS": "1",
    "HELION_AUTOTUNE_RANDOM_SEED": "1",
    "HELION_AUTOTUNE_CONFIG_OVERRIDES": json.dumps(
        {
            "num_warps": 4,
            "num_stages": 1,
            "indexing": "pointer",
            "pid_type": "flat",
            "load_eviction_policies": "",
            "load_cache_modifiers": "",
            "store_cache_modifiers": "",
        }
    ),
    "HELION_AUTOTUNE_PRECOMPILE": "0",
    "HELION_AUTOTUNE_BENCHMARK_SUBPROCESS": "0",
}

import helion  # noqa: E402
import helion.language as hl  # noqa: E402
import torch  # noqa: E402
import triton  # noqa: E402


@helion.kernel(static_shapes=True)
def add(y: torch.Tensor) -> torch.Tensor:
    for tile in hl.tile(y.size(0)):
        y[tile] = y[tile] + 1234.5
    return y


def main(disk_full=False, offset=0, step=1):
    compiled = []
    triton.knobs.compilation.listener = lambda *, cache_hit, **_: compiled.append(not cache_hit)
    y = torch.zeros(step * (1 << 16) + offset, device="cuda")[offset::step]
    error = ""
    try:
        if disk_full:  # no file may grow; what Triton needs to talk to the driver is there already
            triton.runtime.driver.active.get_current_target()
            limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit))
        add(y)
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}".splitlines()[0]
    result = {
        "y": y[0].item(),
        "compiled": sum(compiled),
        "winner": str(add.bind((y,))._config),
        "error": error,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
