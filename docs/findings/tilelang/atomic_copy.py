"""What TileLang compiles an atomic addition to whose threads have four neighbouring elements each: an addition to the
tensor or, where a condition on the element stays in the code, to a copy of it that nobody writes back. Nothing is
launched, and no GPU is needed."""

import logging
import re
import sys

import tilelang
import tilelang.language as T
from tilelang import tvm

ROWS, TOKENS, BLOCK, THREADS = 512, 32, 1024, 256
TARGET = {"kind": "cuda", "arch": "sm_90"}


def scatter_of(columns):
    @T.prim_func
    def scatter(
        x: T.Tensor((ROWS, columns), "float32"),
        index: T.Tensor((ROWS,), "int64"),
        out: T.Tensor((TOKENS, columns), "float32"),
    ):
        with T.Kernel(ROWS, T.ceildiv(columns, BLOCK), threads=THREADS) as (row, part):
            for i in T.Parallel(BLOCK):
                if part * BLOCK + i < columns:
                    token = T.cast(index[row], "int32")
                    if token >= 0 and token < TOKENS:
                        T.atomic_add(out[token, part * BLOCK + i], x[row, part * BLOCK + i])

    return scatter


logging.disable()
added_to = {}
for columns in (2048, 128):
    with tvm.target.Target(TARGET):
        lowered = tilelang.lower(scatter_of(columns), target=TARGET, enable_device_compile=False)
    added_to[columns] = re.search(r"AtomicAdd\w*\(\(&\((\w+)\[", lowered.kernel_source)[1]
    print(f"{columns} columns in blocks of {BLOCK}: adds to {added_to[columns]}")
sys.exit(added_to != {2048: "out", 128: "out_local_cast"})
