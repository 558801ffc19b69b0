"""Two questions of XLA's issues, each process with JAX's own XLA: openxla/xla#37902, whether a sum has the same bits in
processes that share a folder of winners; openxla/xla#12465, whether a process that may not tune
(xla_gpu_require_complete_aot_autotune_results) ends where a winner is missing."""

import os
import subprocess
import sys
import tempfile

PROGRAM = """
import sys
import jax
from jax import numpy as jnp
x = jax.random.normal(jax.random.key(0), (4096, 4096))
shape = int(sys.argv[1])
product = jax.jit(lambda a: a @ a)(x[:shape, :shape].astype(jnp.bfloat16))
print(float(jax.jit(jnp.sum)(x)).hex(), float(jnp.abs(product).sum()).hex())
"""


def run(flags, shape=4096):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(shape)],
        env={**os.environ, "XLA_FLAGS": flags, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"},
        capture_output=True,
        text=True,
    )
    return done.stdout.strip() if done.returncode == 0 else "ended: " + done.stderr.strip().splitlines()[-1][:300]


with tempfile.TemporaryDirectory() as folder:
    for number in 1, 2, 3:
        print(f"one folder, process {number}:", run(f"--xla_gpu_per_fusion_autotune_cache_dir={folder}"))
    print("files in it:", len(os.listdir(folder)))
with tempfile.TemporaryDirectory() as folder:
    dump = f"{folder}/winners.txt"
    print("dumped:", run(f"--xla_gpu_dump_autotune_results_to={dump}"))
    strict = f"--xla_gpu_load_autotune_results_from={dump} --xla_gpu_require_complete_aot_autotune_results=true"
    print("loaded, nothing may be tuned:", run(strict))
    print("another size, nothing may be tuned:", run(strict, 2048))
