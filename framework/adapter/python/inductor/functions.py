"""The project's kernels (kernels/NAME/kernel.info) as functions that a user would give to
torch.compile. The arguments are the tensors, in the order of the kernel file, and then its scalars.
Each is such that Inductor makes one kernel of it."""

import torch


def axpy_inplace(x, y, alpha):
    y.add_(x, alpha=alpha)


def rmsnorm(input, weight, out, eps):
    wide = input.float()
    scale = torch.rsqrt(wide.square().mean(dim=1, keepdim=True) + eps)
    out.copy_(wide * scale * weight)


def fused_add_rmsnorm(input, residual, weight, eps):
    residual.add_(input)
    wide = residual.float()
    scale = torch.rsqrt(wide.square().mean(dim=1, keepdim=True) + eps)
    input.copy_(wide * scale * weight)


def moe_scatter_add(x, weight, index, out):
    rows = torch.where(index >= 0, weight, 0.0)[:, None] * x.float()
    out.index_add_(0, index.clamp(min=0).long(), rows)


def transpose_strided(source, out):
    out.copy_(source.t())


# By the kernel's name: the function, the kernel file's tensors, and its scalars.
FUNCTIONS = {
    "axpy_inplace": (axpy_inplace, ["x", "y"], ["alpha"]),
    "rmsnorm": (rmsnorm, ["input", "weight", "out"], ["eps"]),
    "fused_add_rmsnorm": (fused_add_rmsnorm, ["input", "residual", "weight"], ["eps"]),
    "moe_scatter_add": (moe_scatter_add, ["x", "weight", "index", "out"], []),
    "transpose_strided": (transpose_strided, ["in", "out"], []),
}
