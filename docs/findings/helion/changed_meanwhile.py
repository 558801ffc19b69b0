"""A variable that is in the key of Helion's cache changes between two calls of one process."""

import os
import sys
import tempfile

os.environ["HELION_CACHE_DIR"] = tempfile.mkdtemp()
os.environ["HELION_AUTOTUNE_BEST_OF_K"] = "1"

import torch  # noqa: E402
import triton  # noqa: E402
from program import add  # noqa: E402

compiled = []
triton.knobs.compilation.listener = lambda *, cache_hit, **_: compiled.append(not cache_hit)
y = torch.zeros(1 << 16, device="cuda")
add(y)
first = sum(compiled)
os.environ["HELION_AUTOTUNE_BEST_OF_K"] = "2"
add(y)
print(f"{first} compiled with the first value, {sum(compiled) - first} with the second")
sys.exit(sum(compiled) > first)
