"""A step of training that tunes an in-place kernel on its own data. Arguments: the folder of
tunecheck/cpu_kernel.h, that of the kernels' sources, and a class of stand_in that is to lie between the tuner
and the launch."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "site-packages"))
import stand_in


@stand_in.autotune(blocks=(1, 4, 16))
@stand_in.jit
def sgd(p, g, rate):
    """p -= rate * g; its code is C++."""


def step(p, g):
    sgd[(1,)](p, g, 0.5)


size = 4096
p = (ctypes.c_float * size)(*range(size))
g = (ctypes.c_float * size)(*[1.0] * size)
if len(sys.argv) > 3:
    stand_in.launcher = getattr(stand_in, sys.argv[3])(stand_in.launch_native)
for _ in range(3):
    step(p, g)
try:
    {}["missing"]
except KeyError as error:
    # A launch while an error is handled leaves the error as it is.
    step(p, g)
    assert str(error) == "'missing'"
