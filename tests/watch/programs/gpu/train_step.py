"""Programs for a GPU that are watched: a kernel of Triton's that is tuned, called as people call it.

The first argument is the name of the program."""
import sys

import torch
import triton
import triton.language as tl

CONFIGS = [triton.Config({"BLOCK": block}, num_warps=warps)
           for block, warps in ((128, 4), (256, 4), (512, 8), (1024, 8))]
SIZE = 1 << 16


def tuned(**promises):
    return triton.autotune(configs=CONFIGS, key=["n"], **promises)


def sgd_kernel(p, g, n, rate, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = at < n
    tl.store(p + at, tl.load(p + at, here) - rate * tl.load(g + at, here), here)


def add_kernel(total, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = at < n
    tl.store(total + at, tl.load(total + at, here) + tl.load(x + at, here), here)


def square_kernel(y, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = at < n
    value = tl.load(x + at, here)
    tl.store(y + at, value * value, here)


def jit(function):
    return triton.jit(function)


def grid(meta):
    return (triton.cdiv(meta["n"], meta["BLOCK"]),)


def numbered(first):
    return torch.arange(SIZE, device="cuda", dtype=torch.float32) / SIZE + first


def train(kernel, steps=3):
    p, g = numbered(1), numbered(2)
    for _ in range(steps):
        kernel[grid](p, g, SIZE, 0.125)
    print(p.sum().item())


def forgotten_restore():
    train(tuned()(jit(sgd_kernel)))


def misspelt_restore():
    train(tuned(restore_value=["g"])(jit(sgd_kernel)))


def hook_without_restore():
    """A hook of its own takes the place of the one that puts back."""
    def nothing(*_, **__):
        return None

    train(tuned(restore_value=["p"], pre_hook=nothing, post_hook=nothing)(jit(sgd_kernel)))


def reset_forgotten():
    kernel = tuned()(jit(add_kernel))
    total, x = torch.zeros(SIZE, device="cuda"), numbered(1)
    for _ in range(2):
        kernel[grid](total, x, SIZE)
    print(total.sum().item())


def reset_on_miss_only():
    """reset_to_zero where it is tuned; the caller relies on it and clears nothing."""
    kernel = tuned(reset_to_zero=["total"], cache_results=True)(jit(add_kernel))
    total, x = torch.full((SIZE,), 5.0, device="cuda"), numbered(1)
    kernel[grid](total, x, SIZE)
    print(total.sum().item())


def key_with_step():
    """A number that changes nothing is in the key, and another one at each step."""
    kernel = triton.autotune(configs=CONFIGS[:2], key=["n", "step"])(jit(scale_kernel))
    x, y = numbered(1), torch.empty(SIZE, device="cuda")
    for step in range(2, 7):
        kernel[grid](y, x, SIZE, step)
    print(y.sum().item())


def scale_kernel(y, x, n, step, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = at < n
    tl.store(y + at, tl.load(x + at, here) * 0.5, here)


# From here on nothing is wrong but that Triton tunes in each process where nobody asks it to cache.


def restores():
    train(tuned(restore_value=["p"])(jit(sgd_kernel)))


def restores_and_caches():
    train(tuned(restore_value=["p"], cache_results=True)(jit(sgd_kernel)))


def pure_output_cached():
    kernel = tuned(cache_results=True)(jit(square_kernel))
    x, y = numbered(1), torch.empty(SIZE, device="cuda")
    for _ in range(3):
        kernel[grid](y, x, SIZE)
    print(y.sum().item())


def plain_torch():
    """A training step with what PyTorch brings: cuBLAS, its own kernels, streams."""
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(),
                                torch.nn.Linear(512, 256)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    x = torch.randn(128, 256, device="cuda")
    for _ in range(5):
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
    print(loss.item())


def two_phases():
    """Two codes of one kernel on the same memory, because the work has two halves."""
    kernel = jit(phase_kernel)
    p = numbered(1)
    for _ in range(6):
        kernel[(SIZE // 256,)](p, SIZE, PHASE=0, BLOCK=256)
        kernel[(SIZE // 256,)](p, SIZE, PHASE=1, BLOCK=256)
    print(p.sum().item())


def phase_kernel(p, n, PHASE: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = (at < n) & (at % 2 == PHASE)
    tl.store(p + at, tl.load(p + at, here) * 0.5 + 1, here)


def compiled():
    """A model under torch.compile, without a search."""
    torch.manual_seed(1)
    layer = torch.compile(lambda x: torch.softmax(x * 2 + 1, dim=-1).sum(-1))
    x = torch.randn(512, 512, device="cuda")
    for _ in range(3):
        y = layer(x)
    print(y.sum().item())


def compiled_max_autotune():
    torch.manual_seed(1)
    layer = torch.compile(lambda x: torch.softmax(x @ x + 1, dim=-1).sum(-1),
                          mode="max-autotune-no-cudagraphs")
    x = torch.randn(512, 512, device="cuda")
    for _ in range(3):
        y = layer(x)
    print(y.sum().item())


def graph():
    """A captured step that is replayed."""
    kernel = tuned(restore_value=["p"], cache_results=True)(jit(sgd_kernel))
    p, g = numbered(1), numbered(2)
    kernel[grid](p, g, SIZE, 0.125)
    torch.cuda.synchronize()
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured):
        kernel[grid](p, g, SIZE, 0.125)
    for _ in range(3):
        captured.replay()
    print(p.sum().item())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
