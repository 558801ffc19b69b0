"""y = factor * y, as FlyDSL tunes it."""

from pathlib import Path

from flydsl import autotune
from tunecheck_adapter.compiled import Compiled

# DECIDE: on an AMD GPU this is what @flyc.jit makes of your kernel. On a CPU it is kernel.cpp, compiled for each config.
compiled = Compiled(Path(__file__).with_name("kernel.cpp"), tensors=["y"])


def my_kernel(y, factor, block, vec):
    """Launches one config: the tensors and scalars of kernel.info, and then the parameters of its space."""
    compiled(y, factor, block=block, vec=vec)


def tuned(configs, do_bench):
    """The function as your program decorates it, with the configs that a call may choose from."""
    # DECIDE: the key, and what is put back; these are the words that are judged.
    return autotune(configs=configs, key=["y"], restore_value=["y"], do_bench=do_bench, warmup=1, rep=5)(my_kernel)
