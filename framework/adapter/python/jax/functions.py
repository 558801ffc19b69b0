"""The project's kernels (kernels/NAME/kernel.info) as functions that a user would give to jax.jit. What a kernel
overwrites is donated: https://docs.jax.dev/en/latest/buffer_donation.html. Each is such that XLA makes one kernel of
it."""

from dataclasses import dataclass
from typing import Any, Callable

import jax
import jax.numpy as jnp


def axpy_inplace(x, y, alpha):
    return (y + alpha * x).astype(y.dtype)


def rmsnorm(input, weight, eps):
    wide = input.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.mean(wide * wide, axis=1, keepdims=True) + eps)
    return (wide * scale * weight.astype(jnp.float32)).astype(input.dtype)


def transpose_strided(source):
    return source.T


def lane_sum(x):
    return jnp.sum(x, axis=1)


@dataclass
class Function:
    """tensors: of the kernel file, as it names them: the function's first arguments, before the scalars.
    results: the tensors that its results are for. What is in both is donated.
    elementwise: what it makes of an element of a donated tensor depends on no other element of that tensor.
    """

    function: Callable[..., Any]
    tensors: list[str]
    scalars: list[str]
    results: list[str]
    elementwise: bool = False

    def parameter(self, tensor: str) -> str:
        """The function's for a tensor, which may have another name there; itself for a mere result."""
        if tensor not in self.tensors:
            return tensor
        return self.function.__code__.co_varnames[self.tensors.index(tensor)]

    def donated(self) -> list[int]:
        return [i for i, name in enumerate(self.tensors) if name in self.results]


FUNCTIONS = {
    "axpy_inplace": Function(axpy_inplace, ["x", "y"], ["alpha"], ["y"], elementwise=True),
    "rmsnorm": Function(rmsnorm, ["input", "weight"], ["eps"], ["out"]),
    "lane_sum": Function(lane_sum, ["x"], [], ["y"]),
    "transpose_strided": Function(transpose_strided, ["in"], [], ["out"]),
}
