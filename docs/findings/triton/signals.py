"""Which signals a process catches before its first tuning, and after it."""

import sys

import torch
import triton
import triton.language as tl


@triton.autotune([triton.Config({"BLOCK": block}) for block in (128, 256)], key=[])
@triton.jit
def double(y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(y + i, mask=i < n), mask=i < n)


def caught():
    for line in open("/proc/self/status"):
        if line.startswith("SigCgt:"):
            bits = int(line.split()[1], 16)
            return [number for number in range(1, 65) if bits >> (number - 1) & 1]


y = torch.ones(1 << 16, device="cuda")
torch.cuda.synchronize()
before = caught()
double[lambda meta: (triton.cdiv(y.numel(), meta["BLOCK"]),)](y, y.numel())
torch.cuda.synchronize()
after = caught()
print("before:", before, "after:", after)
sys.exit(not set(after) - set(before))
