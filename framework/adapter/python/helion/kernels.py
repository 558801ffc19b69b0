"""The project's kernels (kernels/NAME/kernel.info) as Helion's examples would write them. The
table below says in which order they take the tensors and scalars of the kernel file."""

import helion
import helion.language as hl
import torch


@helion.kernel()
def axpy_inplace(alpha: float, x: torch.Tensor, y: torch.Tensor) -> None:
    for tile in hl.tile(y.size(0)):
        y[tile] = y[tile] + alpha * x[tile]


@helion.kernel()
def rmsnorm(input: torch.Tensor, weight: torch.Tensor, out: torch.Tensor, eps: float) -> None:
    for row in hl.tile(input.size(0)):
        wide = input[row, :].to(torch.float32)
        scale = torch.rsqrt(torch.mean(wide * wide, dim=-1) + eps)
        out[row, :] = (wide * scale[:, None] * weight[:].to(torch.float32)).to(out.dtype)


@helion.kernel()
def fused_add_rmsnorm(
    input: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor, eps: float
) -> None:
    for row in hl.tile(input.size(0)):
        total = (residual[row, :].to(torch.float32) + input[row, :].to(torch.float32)).to(
            residual.dtype
        )
        residual[row, :] = total
        wide = total.to(torch.float32)
        scale = torch.rsqrt(torch.mean(wide * wide, dim=-1) + eps)
        input[row, :] = (wide * scale[:, None] * weight[:].to(torch.float32)).to(input.dtype)


@helion.kernel()
def softmax_inplace(x: torch.Tensor) -> None:
    for row in hl.tile(x.size(0)):
        x[row, :] = torch.softmax(x[row, :].to(torch.float32), dim=1).to(x.dtype)


@helion.kernel()
def moe_scatter_add(
    x: torch.Tensor, weight: torch.Tensor, index: torch.Tensor, out: torch.Tensor
) -> None:
    for row, column in hl.tile([x.size(0), x.size(1)]):
        token = index[row]
        share = torch.where(token >= 0, weight[row], 0.0)
        added = share[:, None] * x[row, column].to(torch.float32)
        hl.atomic_add(out, [torch.where(token >= 0, token, 0), column], added)


@helion.kernel()
def transpose_strided(source: torch.Tensor, out: torch.Tensor) -> None:
    for i, j in hl.tile([source.size(0), source.size(1)]):
        out[j, i] = source[i, j].T


# By the kernel's name: the kernel, what it takes, and the kernel file's tensors in its order.
KERNELS = {
    "axpy_inplace": (axpy_inplace, ["alpha", "x", "y"], ["x", "y"]),
    "rmsnorm": (rmsnorm, ["input", "weight", "out", "eps"], ["input", "weight", "out"]),
    "fused_add_rmsnorm": (
        fused_add_rmsnorm,
        ["input", "residual", "weight", "eps"],
        ["input", "residual", "weight"],
    ),
    "softmax_inplace": (softmax_inplace, ["x"], ["x"]),
    "moe_scatter_add": (
        moe_scatter_add,
        ["x", "weight", "index", "out"],
        ["x", "weight", "index", "out"],
    ),
    "transpose_strided": (transpose_strided, ["in", "out"], ["in", "out"]),
}
