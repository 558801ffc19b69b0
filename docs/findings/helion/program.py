"""What the scripts beside this one start in processes of their own: y += 1 in place, tuned by
Helion with the cache folder of HELION_CACHE_DIR. Prints one line of JSON: an element of y, how many
configs were compiled, and the winner."""

import json
import os

# A short search, in this process. Nothing that is shown here depends on how long it is.
os.environ |= {
    "HELION_AUTOTUNE_EFFORT": "quick",
    "HELION_AUTOTUNE_MAX_GENERATIONS": "1",
    "HELION_AUTOTUNE_RANDOM_SEED": "1",
    "HELION_AUTOTUNE_PRECOMPILE": "0",
    "HELION_AUTOTUNE_BENCHMARK_SUBPROCESS": "0",
}

import helion  # noqa: E402
import helion.language as hl  # noqa: E402
import torch  # noqa: E402
import triton  # noqa: E402


@helion.kernel(static_shapes=True)
def add_one(y: torch.Tensor) -> torch.Tensor:
    for tile in hl.tile(y.size(0)):
        y[tile] = y[tile] + 1
    return y


def main():
    compiled = []
    triton.knobs.compilation.listener = lambda *, cache_hit, **_: compiled.append(not cache_hit)
    y = torch.zeros(1 << 16, device="cuda")
    add_one(y)
    result = {
        "y": y[0].item(),
        "compiled": sum(compiled),
        "winner": str(add_one.bind((y,))._config),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
