"""The project's kernels (kernels/NAME/kernel.info) as functions that a user would give to jax.jit. What a kernel
overwrites is donated: https://docs.jax.dev/en/latest/buffer_donation.html."""

from dataclasses import dataclass, field
from typing import Any, Callable, Optional

import jax
import jax.numpy as jnp


def axpy_inplace(x, y, alpha):
    return (y + alpha * x).astype(y.dtype)


def normalised(x, weight, eps):
    wide = x.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.mean(wide * wide, axis=1, keepdims=True) + eps)
    return wide * scale * weight.astype(jnp.float32)


def rmsnorm(input, weight, eps):
    return normalised(input, weight, eps).astype(input.dtype)


def fused_add_rmsnorm(input, residual, weight, eps):
    total = (input.astype(jnp.float32) + residual.astype(jnp.float32)).astype(residual.dtype)
    return normalised(total, weight, eps).astype(input.dtype), total


def softmax_inplace(x):
    return jax.nn.softmax(x.astype(jnp.float32), axis=1).astype(x.dtype)


def gemm_beta(a, b, c, alpha, beta):
    product = jnp.matmul(
        a, b, precision=jax.lax.Precision.HIGHEST, preferred_element_type=jnp.float32
    )
    return (alpha * product + beta * c.astype(jnp.float32)).astype(c.dtype)


def transpose_strided(source):
    return source.T


@dataclass
class Function:
    """tensors: of the kernel file, as it names them: the function's first arguments, before the scalars.
    results: the tensors that its results are for. What is in both is donated.
    expected: by the symbol of a kernel that XLA makes of it, the function's parameters behind the kernel's, None for
        none: so that launches are seen while XLA tunes, before it says what it made.
    """

    function: Callable[..., Any]
    tensors: list[str]
    scalars: list[str]
    results: list[str]
    expected: dict[str, list[Optional[str]]] = field(default_factory=dict)

    def parameter(self, tensor: str) -> str:
        """The function's for a tensor, which may have another name there; itself for a mere result."""
        if tensor not in self.tensors:
            return tensor
        return self.function.__code__.co_varnames[self.tensors.index(tensor)]

    def donated(self) -> list[int]:
        return [i for i, name in enumerate(self.tensors) if name in self.results]


FUNCTIONS = {
    "axpy_inplace": Function(axpy_inplace, ["x", "y"], ["alpha"], ["y"]),
    "rmsnorm": Function(rmsnorm, ["input", "weight"], ["eps"], ["out"]),
    "fused_add_rmsnorm": Function(
        fused_add_rmsnorm, ["input", "residual", "weight"], ["eps"], ["input", "residual"]
    ),
    "softmax_inplace": Function(softmax_inplace, ["x"], [], ["x"]),
    "gemm_beta": Function(gemm_beta, ["a", "b", "c"], ["alpha", "beta"], ["c"]),
    "transpose_strided": Function(transpose_strided, ["in"], [], ["out"]),
}
