"""The project's kernels (kernels/NAME/kernel.info) as TileLang's examples would write them: a function of sizes and
dtypes that returns a program, whose other parameters are those of the kernel file's space.

A scalar of the caller is a tensor with one element: TileLang makes no numbers up, and it makes the inputs of trials up.
What one thread of a block does in a row is a part of the block's tile."""

from dataclasses import dataclass
from typing import Any, Callable

import tilelang.language as T


def axpy_inplace(n, dtype, block=None, unroll=None):
    tile = block * unroll
    wide = T.float64 if dtype == "float64" else T.float32

    @T.prim_func
    def axpy_inplace(
        x: T.Tensor((n,), dtype), y: T.Tensor((n,), dtype), alpha: T.Tensor((1,), "float32")
    ):
        with T.Kernel(T.ceildiv(n, tile), threads=block) as bx:
            for i in T.Parallel(tile):
                if bx * tile + i < n:
                    product = T.cast(alpha[0], wide) * T.cast(x[bx * tile + i], wide)
                    y[bx * tile + i] = T.cast(product + T.cast(y[bx * tile + i], wide), dtype)

    return axpy_inplace


def rmsnorm(rows, cols, dtype, weight_dtype, block=None, vec=None):
    tile = block * vec

    @T.prim_func
    def rmsnorm(
        input: T.Tensor((rows, cols), dtype),
        weight: T.Tensor((cols,), weight_dtype),
        out: T.Tensor((rows, cols), dtype),
        eps: T.Tensor((1,), "float32"),
    ):
        with T.Kernel(rows, threads=block) as row:
            squares = T.alloc_fragment((tile,), "float32")
            total = T.alloc_fragment((1,), "float32")
            T.clear(squares)
            for step in T.serial(T.ceildiv(cols, tile)):
                for i in T.Parallel(tile):
                    if step * tile + i < cols:
                        value = T.cast(input[row, step * tile + i], "float32")
                        squares[i] += value * value
            T.reduce_sum(squares, total, dim=0)
            for step in T.serial(T.ceildiv(cols, tile)):
                for i in T.Parallel(tile):
                    if step * tile + i < cols:
                        scale = T.rsqrt(total[0] / cols + eps[0])
                        value = T.cast(input[row, step * tile + i], "float32")
                        factor = T.cast(weight[step * tile + i], "float32")
                        out[row, step * tile + i] = T.cast(value * scale * factor, dtype)

    return rmsnorm


def fused_add_rmsnorm(rows, cols, dtype, weight_dtype, block=None, vec=None):
    tile = block * vec

    @T.prim_func
    def fused_add_rmsnorm(
        input: T.Tensor((rows, cols), dtype),
        residual: T.Tensor((rows, cols), dtype),
        weight: T.Tensor((cols,), weight_dtype),
        eps: T.Tensor((1,), "float32"),
    ):
        with T.Kernel(rows, threads=block) as row:
            squares = T.alloc_fragment((tile,), "float32")
            total = T.alloc_fragment((1,), "float32")
            T.clear(squares)
            for step in T.serial(T.ceildiv(cols, tile)):
                for i in T.Parallel(tile):
                    if step * tile + i < cols:
                        added = T.cast(residual[row, step * tile + i], "float32")
                        added = added + T.cast(input[row, step * tile + i], "float32")
                        residual[row, step * tile + i] = T.cast(added, dtype)
                        kept = T.cast(T.cast(added, dtype), "float32")
                        squares[i] += kept * kept
            T.reduce_sum(squares, total, dim=0)
            for step in T.serial(T.ceildiv(cols, tile)):
                for i in T.Parallel(tile):
                    if step * tile + i < cols:
                        scale = T.rsqrt(total[0] / cols + eps[0])
                        value = T.cast(residual[row, step * tile + i], "float32")
                        factor = T.cast(weight[step * tile + i], "float32")
                        input[row, step * tile + i] = T.cast(value * scale * factor, dtype)

    return fused_add_rmsnorm


def softmax_inplace(rows, cols, dtype, keep=None, lanes=None):
    width = 32 * lanes
    while keep and width < cols:
        width *= 2  # the whole row at once

    @T.prim_func
    def softmax_inplace(x: T.Tensor((rows, cols), dtype)):
        with T.Kernel(rows, threads=32 * lanes) as row:
            part = T.alloc_fragment((width,), "float32")
            largest = T.alloc_fragment((1,), "float32")
            total = T.alloc_fragment((1,), "float32")
            T.fill(part, -T.infinity("float32"))
            for step in T.serial(T.ceildiv(cols, width)):
                for i in T.Parallel(width):
                    if step * width + i < cols:
                        part[i] = T.max(part[i], T.cast(x[row, step * width + i], "float32"))
            T.reduce_max(part, largest, dim=0)
            T.clear(part)
            for step in T.serial(T.ceildiv(cols, width)):
                for i in T.Parallel(width):
                    if step * width + i < cols:
                        part[i] += T.exp(T.cast(x[row, step * width + i], "float32") - largest[0])
            T.reduce_sum(part, total, dim=0)
            for step in T.serial(T.ceildiv(cols, width)):
                for i in T.Parallel(width):
                    if step * width + i < cols:
                        power = T.exp(T.cast(x[row, step * width + i], "float32") - largest[0])
                        x[row, step * width + i] = T.cast(power / total[0], dtype)

    return softmax_inplace


def moe_scatter_add(rows, tokens, dim, dtype, index_dtype, block=None, ahead=None):
    threads = min(256, block)
    each = 1 + ahead

    @T.prim_func
    def moe_scatter_add(
        x: T.Tensor((rows, dim), dtype),
        weight: T.Tensor((rows,), "float32"),
        index: T.Tensor((rows,), index_dtype),
        out: T.Tensor((tokens, dim), "float32"),
    ):
        with T.Kernel(T.ceildiv(rows, each), T.ceildiv(dim, block), threads=threads) as (bx, by):
            for step in T.serial(each):
                for i in T.Parallel(block):
                    if bx * each + step < rows and by * block + i < dim:
                        token = T.cast(index[bx * each + step], "int32")
                        if token >= 0 and token < tokens:
                            value = T.cast(x[bx * each + step, by * block + i], "float32")
                            T.atomic_add(
                                out[token, by * block + i], value * weight[bx * each + step]
                            )

    return moe_scatter_add


def transpose_strided(rows, cols, dtype, tile_rows=None, tile_cols=None):
    threads = min(256, tile_rows * tile_cols)

    @T.prim_func
    def transpose_strided(
        source: T.Tensor((rows, cols), dtype), out: T.Tensor((cols, rows), dtype)
    ):
        with T.Kernel(
            T.ceildiv(rows, tile_rows), T.ceildiv(cols, tile_cols), threads=threads
        ) as (bx, by):
            for i, j in T.Parallel(tile_rows, tile_cols):
                if bx * tile_rows + i < rows and by * tile_cols + j < cols:
                    out[by * tile_cols + j, bx * tile_rows + i] = source[
                        bx * tile_rows + i, by * tile_cols + j
                    ]

    return transpose_strided


def no_working_config(n, width=None):
    @T.prim_func
    def no_working_config(x: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, 128), threads=128) as bx:
            # More than any device has.
            shared = T.alloc_shared((width * 1048576,), "float32")
            for i in T.Parallel(128):
                shared[i] = 2.0 * x[bx * 128 + i]
            for i in T.Parallel(128):
                x[bx * 128 + i] = shared[i]

    return no_working_config


@dataclass
class TunedKernel:
    """How a kernel is tuned and launched.

    tensors: of the kernel file, as it names them: the program's first parameters.
    sizes: of the kernel file, the function's first parameters.
    dtypes: the tensors whose dtypes follow.
    scalars: the program's last parameters.
    """

    function: Callable[..., Any]
    tensors: list[str]
    sizes: list[str]
    dtypes: list[str]
    scalars: list[str]


KERNELS = {
    "axpy_inplace": TunedKernel(axpy_inplace, ["x", "y"], ["n"], ["y"], ["alpha"]),
    "rmsnorm": TunedKernel(
        rmsnorm, ["input", "weight", "out"], ["rows", "cols"], ["input", "weight"], ["eps"]
    ),
    "fused_add_rmsnorm": TunedKernel(
        fused_add_rmsnorm,
        ["input", "residual", "weight"],
        ["rows", "cols"],
        ["input", "weight"],
        ["eps"],
    ),
    "softmax_inplace": TunedKernel(softmax_inplace, ["x"], ["rows", "cols"], ["x"], []),
    "moe_scatter_add": TunedKernel(
        moe_scatter_add,
        ["x", "weight", "index", "out"],
        ["rows", "tokens", "dim"],
        ["x", "index"],
        [],
    ),
    "transpose_strided": TunedKernel(
        transpose_strided, ["in", "out"], ["rows", "cols"], ["in"], []
    ),
    "no_working_config": TunedKernel(no_working_config, ["x"], ["n"], [], []),
}
