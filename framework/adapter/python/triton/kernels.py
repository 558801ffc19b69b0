"""The project's kernels (kernels/NAME/kernel.info) as Triton's tutorials would write them. The
tensors are the first parameters, in the order of the kernel file.

The parameters of a config are those of the kernel file's space. What Triton has another word for is
translated: threads of a block are warps, what one thread does in a row is a part of the block's
tile. `copies` of a histogram, which has no shared memory here, are tiles that a program counts one
after the other."""

from dataclasses import dataclass, field
from typing import Any, Callable

import triton
import triton.language as tl


@triton.jit
def axpy_inplace(x, y, n, alpha, x_step, y_step, BLOCK: tl.constexpr, UNROLL: tl.constexpr):
    i = tl.program_id(0) * (BLOCK * UNROLL) + tl.arange(0, BLOCK * UNROLL)
    wide: tl.constexpr = tl.float64 if y.dtype.element_ty == tl.float64 else tl.float32
    product = alpha * tl.load(x + i * x_step, mask=i < n).to(wide)
    tl.store(y + i * y_step, product + tl.load(y + i * y_step, mask=i < n).to(wide), mask=i < n)


@triton.jit
def rmsnorm(
    input, weight, out, rows, cols, eps, input_row, input_col, weight_col, out_row, out_col,
    BLOCK: tl.constexpr, VEC: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0)
    squares = tl.zeros([BLOCK * VEC], tl.float32)
    for first in range(0, cols, BLOCK * VEC):
        c = first + tl.arange(0, BLOCK * VEC)
        value = tl.load(input + row * input_row + c * input_col, mask=c < cols, other=0)
        squares += value.to(tl.float32) * value.to(tl.float32)
    scale = tl.rsqrt(tl.sum(squares, axis=0) / cols + eps)
    for first in range(0, cols, BLOCK * VEC):
        c = first + tl.arange(0, BLOCK * VEC)
        value = tl.load(input + row * input_row + c * input_col, mask=c < cols).to(tl.float32)
        weights = tl.load(weight + c * weight_col, mask=c < cols).to(tl.float32)
        tl.store(out + row * out_row + c * out_col, value * scale * weights, mask=c < cols)


@triton.jit
def fused_add_rmsnorm(
    input, residual, weight, rows, cols, eps, input_row, input_col, residual_row, residual_col,
    weight_col, BLOCK: tl.constexpr, VEC: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0)
    squares = tl.zeros([BLOCK * VEC], tl.float32)
    for first in range(0, cols, BLOCK * VEC):
        c = first + tl.arange(0, BLOCK * VEC)
        place = residual + row * residual_row + c * residual_col
        value = tl.load(input + row * input_row + c * input_col, mask=c < cols, other=0)
        value = value.to(tl.float32) + tl.load(place, mask=c < cols, other=0).to(tl.float32)
        value = value.to(residual.dtype.element_ty)
        tl.store(place, value, mask=c < cols)
        squares += value.to(tl.float32) * value.to(tl.float32)
    scale = tl.rsqrt(tl.sum(squares, axis=0) / cols + eps)
    for first in range(0, cols, BLOCK * VEC):
        c = first + tl.arange(0, BLOCK * VEC)
        value = tl.load(residual + row * residual_row + c * residual_col, mask=c < cols)
        weights = tl.load(weight + c * weight_col, mask=c < cols).to(tl.float32)
        normal = value.to(tl.float32) * scale * weights
        tl.store(input + row * input_row + c * input_col, normal, mask=c < cols)


@triton.jit
def softmax_inplace(
    x, rows, cols, x_row, x_col, WIDTH: tl.constexpr, KEEP: tl.constexpr, LANES: tl.constexpr
):
    row = x + tl.program_id(0) * x_row
    if KEEP:  # the whole row in registers
        c = tl.arange(0, WIDTH)
        value = tl.load(row + c * x_col, mask=c < cols, other=-float("inf")).to(tl.float32)
        power = tl.exp(value - tl.max(value, axis=0))
        tl.store(row + c * x_col, power / tl.sum(power, axis=0), mask=c < cols)
    else:
        largest = tl.full([256], -float("inf"), tl.float32)
        for first in range(0, cols, 256):
            c = first + tl.arange(0, 256)
            value = tl.load(row + c * x_col, mask=c < cols, other=-float("inf")).to(tl.float32)
            largest = tl.maximum(largest, value)
        most = tl.max(largest, axis=0)
        sums = tl.zeros([256], tl.float32)
        for first in range(0, cols, 256):
            c = first + tl.arange(0, 256)
            value = tl.load(row + c * x_col, mask=c < cols, other=-float("inf")).to(tl.float32)
            sums += tl.exp(value - most)
        total = tl.sum(sums, axis=0)
        for first in range(0, cols, 256):
            c = first + tl.arange(0, 256)
            value = tl.load(row + c * x_col, mask=c < cols).to(tl.float32)
            tl.store(row + c * x_col, tl.exp(value - most) / total, mask=c < cols)


@triton.jit
def histogram_accumulate(
    values, counts, n, bins, values_step, counts_step, COPIES: tl.constexpr, UNROLL: tl.constexpr
):
    for tile in tl.static_range(COPIES):
        first = (tl.program_id(0) * COPIES + tile) * (256 * UNROLL)
        i = first + tl.arange(0, 256 * UNROLL)
        value = tl.load(values + i * values_step, mask=i < n, other=0).to(tl.int32)
        counted = (i < n) & (value >= 0) & (value < bins)
        tl.atomic_add(counts + value * counts_step, 1, mask=counted)


@triton.jit
def moe_scatter_add(
    x, weight, index, out, rows, tokens, dim, x_row, x_col, weight_step, index_step, out_row,
    out_col, BLOCK: tl.constexpr, AHEAD: tl.constexpr,
):  # fmt: skip
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    for ahead in tl.static_range(1 + AHEAD):
        row = tl.program_id(0) * (1 + AHEAD) + ahead
        token = tl.load(index + row * index_step, mask=row < rows, other=-1).to(tl.int32)
        added = (token >= 0) & (token < tokens) & (c < dim)
        value = tl.load(x + row * x_row + c * x_col, mask=added, other=0).to(tl.float32)
        value *= tl.load(weight + row * weight_step, mask=row < rows, other=0)
        tl.atomic_add(out + token * out_row + c * out_col, value, mask=added)


@triton.jit
def transpose_strided(
    source, out, rows, cols, source_row, source_col, out_row, out_col,
    TILE_ROWS: tl.constexpr, TILE_COLS: tl.constexpr,
):  # fmt: skip
    i = tl.program_id(0) * TILE_ROWS + tl.arange(0, TILE_ROWS)[:, None]
    j = tl.program_id(1) * TILE_COLS + tl.arange(0, TILE_COLS)[None, :]
    inside = (i < rows) & (j < cols)
    value = tl.load(source + i * source_row + j * source_col, mask=inside)
    tl.store(out + j * out_row + i * out_col, value, mask=inside)


@triton.jit
def no_working_config(x, n, x_step, WIDTH: tl.constexpr):
    tl.static_assert(WIDTH < 0, "no config compiles")
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    tl.store(x + i * x_step, 2 * tl.load(x + i * x_step, mask=i < n), mask=i < n)


@dataclass
class TunedKernel:
    """How a kernel is tuned and launched.

    tensors: of the kernel file, as it names them; the kernel's first parameters.
    key, restore_value, reset_to_zero: parameters, for triton.autotune.
    arguments: what follows the tensors, by the call's sizes and scalars; then come the strides.
    warps: of a config, by its values.
    grid: by the call's sizes and the config's values.
    """

    function: Any
    tensors: list[str]
    key: list[str]
    arguments: Callable[[dict[str, int], dict[str, float]], list[Any]]
    warps: Callable[[dict[str, int]], int]
    grid: Callable[[dict[str, int], dict[str, int]], tuple[int, ...]]
    restore_value: list[str] = field(default_factory=list)
    reset_to_zero: list[str] = field(default_factory=list)
    fixed: Callable[[dict[str, int]], dict[str, int]] = lambda sizes: {}  # constexprs of no config


KERNELS = {
    "axpy_inplace": TunedKernel(
        axpy_inplace,
        ["x", "y"],
        key=["n"],
        restore_value=["y"],
        arguments=lambda sizes, scalars: [sizes["n"], scalars["alpha"]],
        warps=lambda config: max(1, config["BLOCK"] // 32),
        grid=lambda sizes, meta: (triton.cdiv(sizes["n"], meta["BLOCK"] * meta["UNROLL"]),),
    ),
    "rmsnorm": TunedKernel(
        rmsnorm,
        ["input", "weight", "out"],
        key=["rows", "cols"],
        arguments=lambda sizes, scalars: [sizes["rows"], sizes["cols"], scalars["eps"]],
        warps=lambda config: max(1, config["BLOCK"] // 32),
        grid=lambda sizes, meta: (sizes["rows"],),
    ),
    "fused_add_rmsnorm": TunedKernel(
        fused_add_rmsnorm,
        ["input", "residual", "weight"],
        key=["rows", "cols"],
        restore_value=["input", "residual"],
        arguments=lambda sizes, scalars: [sizes["rows"], sizes["cols"], scalars["eps"]],
        warps=lambda config: max(1, config["BLOCK"] // 32),
        grid=lambda sizes, meta: (sizes["rows"],),
    ),
    "softmax_inplace": TunedKernel(
        softmax_inplace,
        ["x"],
        key=["rows", "cols"],
        restore_value=["x"],
        arguments=lambda sizes, scalars: [sizes["rows"], sizes["cols"]],
        warps=lambda config: config["LANES"],
        grid=lambda sizes, meta: (sizes["rows"],),
        fixed=lambda sizes: {"WIDTH": triton.next_power_of_2(max(1, sizes["cols"]))},
    ),
    "histogram_accumulate": TunedKernel(
        histogram_accumulate,
        ["values", "counts"],
        key=["n", "bins"],
        reset_to_zero=["counts"],
        arguments=lambda sizes, scalars: [sizes["n"], sizes["bins"]],
        warps=lambda config: 8,
        grid=lambda sizes, meta: (
            triton.cdiv(sizes["n"], 256 * meta["UNROLL"] * meta["COPIES"]),
        ),
    ),
    "moe_scatter_add": TunedKernel(
        moe_scatter_add,
        ["x", "weight", "index", "out"],
        key=["rows", "tokens", "dim"],
        restore_value=["out"],
        arguments=lambda sizes, scalars: [sizes["rows"], sizes["tokens"], sizes["dim"]],
        warps=lambda config: min(8, max(1, config["BLOCK"] // 32)),
        grid=lambda sizes, meta: (
            triton.cdiv(sizes["rows"], 1 + meta["AHEAD"]),
            triton.cdiv(sizes["dim"], meta["BLOCK"]),
        ),
    ),
    "transpose_strided": TunedKernel(
        transpose_strided,
        ["in", "out"],
        key=["rows", "cols"],
        arguments=lambda sizes, scalars: [sizes["rows"], sizes["cols"]],
        warps=lambda config: 8,
        grid=lambda sizes, meta: (
            triton.cdiv(sizes["rows"], meta["TILE_ROWS"]),
            triton.cdiv(sizes["cols"], meta["TILE_COLS"]),
        ),
    ),
    "no_working_config": TunedKernel(
        no_working_config,
        ["x"],
        key=["n"],
        restore_value=["x"],
        arguments=lambda sizes, scalars: [sizes["n"]],
        warps=lambda config: 4,
        grid=lambda sizes, meta: (triton.cdiv(sizes["n"], 128),),
    ),
}
