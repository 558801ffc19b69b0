"""Compiles by each NVRTC that is named, as Python packages do: through ctypes."""

import ctypes
import sys


def compile_by(library):
    program = ctypes.c_void_p()
    source = b'extern "C" __global__ void scale(float* x) { x[threadIdx.x] *= 2; }'
    assert library.nvrtcCreateProgram(ctypes.byref(program), source, b"scale.cu", 0, None, None) == 0
    assert library.nvrtcCompileProgram(program, 0, None) == 0


for name in sys.argv[1:]:
    compile_by(ctypes.CDLL(name))
