"""Writes a config file as FLA reads it, with one entry: what FLA's script makes of Triton's timings."""

import json
from pathlib import Path

from fla.ops.utils.cache import AutotuneKey


def write(folder, block, n=65536, triton_version="3.6.0"):
    """Says of the kernel of program.py that `block` won for `n` elements of f32."""
    key = [n, "torch.float32", "torch.float32"]
    config = {"kwargs": {"BLOCK": block}, "num_warps": 4, "num_ctas": 1, "num_stages": 3}
    configs = Path(folder, "fla_configs")
    configs.mkdir()
    content = {
        "kernel_name": "axpy",
        "triton_version": triton_version,
        "autotune_entries": {AutotuneKey.key_hash(key): {"autotune_key": key, "config": config}},
    }
    (configs / "axpy.json").write_text(json.dumps(content))
