"""openxla/xla#37902: whether a sum, and a product of matrices, have the same bits in processes that share a folder of
XLA's winners (xla_gpu_per_fusion_autotune_cache_dir). Ends with 0 if they have."""

import os
import subprocess
import sys
import tempfile

PROGRAM = """
import jax
from jax import numpy as jnp
x = jax.random.normal(jax.random.key(0), (4096, 4096))
product = jax.jit(lambda a: a @ a)(x.astype(jnp.bfloat16))
print(float(jax.jit(jnp.sum)(x)).hex(), float(jnp.abs(product).sum()).hex())
"""


def run(flags):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "XLA_FLAGS": flags, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() if done.returncode == 0 else "ended: " + done.stderr.strip().splitlines()[-1][:300]


with tempfile.TemporaryDirectory() as folder:
    results = [run(f"--xla_gpu_per_fusion_autotune_cache_dir={folder}") for _ in range(3)]
    for number, result in enumerate(results, 1):
        print(f"one folder, process {number}:", result)
    print("files in it:", len(os.listdir(folder)))
sys.exit(len(set(results)) != 1 or results[0].startswith("ended"))
