"""openxla/xla#12465: with xla_gpu_require_complete_aot_autotune_results XLA is to take each winner from the file that
xla_gpu_load_autotune_results_from names, and to end where one is missing. Products of matrices, whose kernels XLA tunes on
a GPU; each process with JAX's own XLA, and without JAX's cache. Ends with 0 if it is so."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """
import sys
import jax
from jax import numpy as jnp
x = jax.random.normal(jax.random.key(0), (4096, 4096))
size = int(sys.argv[1])
product = jax.jit(lambda a: a @ a)(x[:size, :size].astype(jnp.bfloat16))
print(float(jnp.abs(product).sum()).hex())
"""
STRICT = "--xla_gpu_require_complete_aot_autotune_results=true"


def run(*flags, size=4096):
    """What the program printed, or how it ended."""
    without_cache = {name: value for name, value in os.environ.items() if "CACHE" not in name}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(size)],
        env={**without_cache, "XLA_FLAGS": " ".join(flags), "XLA_PYTHON_CLIENT_PREALLOCATE": "false"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return done.stdout.strip()
    said = [line for line in done.stderr.splitlines() if "Error" in line] or done.stderr.splitlines()
    return f"ended with {done.returncode}: {said[-1][:300] if said else ''}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder, "results.txt")
        other = Path(folder, "other.txt")
        empty = Path(folder, "empty.txt")
        empty.write_text("version: 3\n")
        found = {
            "tuned, and results dumped": run(f"--xla_gpu_dump_autotune_results_to={results}"),
            "loaded, nothing may be missing": run(f"--xla_gpu_load_autotune_results_from={results}", STRICT),
            "loaded, another size": run(f"--xla_gpu_load_autotune_results_from={results}", STRICT, size=2048),
            "loaded, another size, something may be missing": run(
                f"--xla_gpu_load_autotune_results_from={results}",
                f"--xla_gpu_dump_autotune_results_to={other}",
                size=2048,
            ),
            "a file without results": run(f"--xla_gpu_load_autotune_results_from={empty}", STRICT),
            "no file": run(STRICT),
        }
        counts = [file.read_text().count("device:") if file.exists() else 0 for file in (results, other)]
    for name, text in found.items():
        print(f"{name}: {text}")
    print("results dumped:", counts)
    tuned, loaded, other_size, lenient, nothing, no_file = found.values()
    holds = (
        loaded == tuned
        and not tuned.startswith("ended")
        and not lenient.startswith("ended")
        and all(text.startswith("ended") for text in (other_size, nothing, no_file))
    )
    print("as the flag says" if holds else "not as the flag says")
    sys.exit(not holds)


if __name__ == "__main__":
    main()
