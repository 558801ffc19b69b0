"""y = factor * y, as Triton tunes it."""

import triton
import triton.language as tl
from kernels import TunedKernel


# DECIDE: your kernel. Its first parameters are the tensors of kernel.info, in that order; then come what `arguments`
# returns, the strides of all tensors, and the parameters of the space in capital letters.
@triton.jit
def my_kernel(y, n, factor, y_step, BLOCK: tl.constexpr, WARPS: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(y + i * y_step, mask=i < n)
    tl.store(y + i * y_step, factor * value, mask=i < n)


KERNEL = TunedKernel(
    my_kernel,
    ["y"],
    # DECIDE: the key, and what is put back; these are the words that are judged.
    key=["n"],
    restore_value=["y"],
    arguments=lambda sizes, scalars: [sizes["n"], scalars["factor"]],
    warps=lambda config: config["WARPS"],
    grid=lambda sizes, meta: (triton.cdiv(sizes["n"], meta["BLOCK"]),),
)
