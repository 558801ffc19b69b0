"""A kernel that is not tuned yet is called while its stream is captured into a graph."""

import os
import sys
import tempfile

os.environ["HELION_CACHE_DIR"] = tempfile.mkdtemp()

import torch  # noqa: E402
from program import add  # noqa: E402

y = torch.zeros(1 << 16, device="cuda")
graph = torch.cuda.CUDAGraph()
broken = False
with torch.cuda.stream(torch.cuda.Stream()):
    graph.capture_begin()
    try:
        add(y)
        print("the call: no error")
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        print("the call:", type(error).__name__ + ":", lines[0])
        print("its last line:", lines[-1])
    try:
        graph.capture_end()
    except RuntimeError as error:
        broken = True
        print("the end of the capture:", str(error).splitlines()[0])
print("the capture is broken" if broken else "the capture went on")
sys.exit(not broken)
