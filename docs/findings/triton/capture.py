"""A kernel that is not tuned yet is called while its stream is captured into a graph."""

import os
import sys
import tempfile

os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp()

import torch  # noqa: E402
import triton  # noqa: E402

from program import N, axpy, configs, grid  # noqa: E402

tuned = triton.autotune(configs(), key=["n"], restore_value=["y"])(axpy)
x, y = torch.ones(N, device="cuda"), torch.ones(N, device="cuda")
graph = torch.cuda.CUDAGraph()
broken = False
with torch.cuda.stream(torch.cuda.Stream()):
    graph.capture_begin()
    try:
        tuned[grid](x, y, N, 1)
    except Exception as error:
        print("the call:", str(error).splitlines()[0])
    try:
        graph.capture_end()
    except RuntimeError as error:
        broken = True
        print("the end of the capture:", str(error).splitlines()[0])
print("the capture is broken" if broken else "the capture went on")
sys.exit(not broken)
