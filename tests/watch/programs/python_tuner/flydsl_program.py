"""A kernel for the CPU under FlyDSL's @autotune with restore_value and its cache of winners.

flydsl_program.py STAND_IN [forgets]: STAND_IN is the folder of a module that FlyDSL imports and does not need
here; "forgets" leaves out restore_value."""

import sys
import time

sys.path.append(sys.argv[1])
from flydsl import Config, autotune  # noqa: E402
from small_tuner import SmallTuner, array  # noqa: E402


class Array:
    """A tensor as FlyDSL's autotuner takes it."""

    def __init__(self, memory):
        self.memory, self.shape, self.dtype = memory, (len(memory),), "float32"

    def stride(self):
        return (1,)

    def clone(self):
        return bytes(self.memory)

    def copy_(self, kept):
        self.memory[:] = type(self.memory).from_buffer_copy(kept)


def bench(launch, warmup, rep):
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        launch()
        times.append((time.perf_counter() - begun) * 1e3)
    return min(times)


kernel = SmallTuner("sgd")


@autotune(configs=[Config(block=block) for block in (1, 2, 4)], key=["p"], do_bench=bench,
          restore_value=[] if "forgets" in sys.argv else ["p"])
def sgd(p, g, block):
    kernel.launch(block, [p.memory, g.memory], [0.125])


p, g = Array(array(1)), Array(array(2))
for _ in range(3):
    sgd(p, g)
print(sum(p.memory))
