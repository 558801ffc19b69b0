"""Programs for a GPU that are watched: tuners that other libraries bring.

The first argument is the name of the program. TileLang has to be installed; its copy of CUTLASS is used, and nvcc."""
import pathlib
import subprocess
import sys

import torch

HERE = pathlib.Path(__file__).resolve().parent


def tilelang_kernel():
    # Its tuner stores what a function closes over, which may be numbers and texts: no module.
    global T
    import tilelang
    import tilelang.language as T

    @tilelang.autotune(configs=[{"block": block} for block in (128, 256, 512)], warmup=2, rep=5)
    @tilelang.jit(out_idx=[-1])
    def twice(size, block=128):
        @T.prim_func
        def main(x: T.Tensor((size,), "float32"), y: T.Tensor((size,), "float32")):
            with T.Kernel(T.ceildiv(size, block), threads=128) as at:
                for i in T.Parallel(block):
                    y[at * block + i] = x[at * block + i] * 2.0
        return main

    return twice


def tilelang_autotuned():
    """Its tuner keeps the winner below the home; the trials are on inputs of its own."""
    size = 1 << 16
    x = torch.arange(size, device="cuda", dtype=torch.float32)
    kernel = tilelang_kernel()(size)
    for _ in range(3):
        y = kernel(x)
    assert torch.equal(y, 2 * x)
    print(y.sum().item())


def cutlass_gemm():
    """A profiler in C++ that times three tile shapes, and then uses the fastest. Built in the cold start."""
    import tilelang
    program = pathlib.Path.home() / ".cache" / "cutlass_gemm"
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        include = pathlib.Path(tilelang.__file__).parent / "3rdparty" / "cutlass" / "include"
        subprocess.run(["nvcc", "-O1", "-std=c++17", "-arch=sm_80", "-I", include, "-o", program,
                        HERE / "cutlass_gemm.cu"], check=True)
    sys.exit(subprocess.run([program], check=False).returncode)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
