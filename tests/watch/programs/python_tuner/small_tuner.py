"""The small tuner once more, as people write it in Python: it compiles a kernel with several block sizes, times
each, keeps the fastest and remembers it below ~/.cache."""

import ctypes
import os
import pathlib
import subprocess
import time

COMPILER, INCLUDE, KERNELS = (os.environ[name] for name in ("COMPILER", "INCLUDE", "KERNELS"))


class Tensor(ctypes.Structure):  # as tunecheck/cpu_kernel.h has it
    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("rank", ctypes.c_int32), ("dtype", ctypes.c_int32)]


class Scalar(ctypes.Structure):
    _fields_ = [("real", ctypes.c_double), ("integer", ctypes.c_int64)]


class Launch(ctypes.Structure):
    _fields_ = [("tensors", ctypes.c_void_p), ("scalars", ctypes.c_void_p),
                ("tensor_count", ctypes.c_int32), ("scalar_count", ctypes.c_int32)]


SIZE = 4096
SHAPE, STRIDE = (ctypes.c_int64 * 1)(SIZE), (ctypes.c_int64 * 1)(1)


def array(first):
    return (ctypes.c_float * SIZE)(*range(first, first + SIZE))


class SmallTuner:
    """Of one kernel. With `restores` its first argument is put back after each trial."""

    def __init__(self, kernel, restores=True, folder="python_tuner"):
        self.kernel, self.restores = kernel, restores
        self.cache = pathlib.Path.home() / ".cache" / folder
        self.cache.mkdir(parents=True, exist_ok=True)
        self.loaded = {}

    def build(self, block):
        if block not in self.loaded:
            library = self.cache / f"{self.kernel}-{block}.so"
            if not library.exists():
                made = self.cache / f"{self.kernel}-{block}-{os.getpid()}.so"
                subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", f"-I{INCLUDE}", f"-DBLOCK={block}",
                                f"-DTUNECHECK_CONFIG=block={block}", "-o", made,
                                f"{KERNELS}/{self.kernel}.cpp"], check=True)
                made.rename(library)
            self.loaded[block] = ctypes.CDLL(str(library)).tunecheck_entry
        return self.loaded[block]

    def launch(self, block, arrays, numbers):
        tensors = (Tensor * len(arrays))(*[
            Tensor(ctypes.addressof(each), ctypes.addressof(SHAPE), ctypes.addressof(STRIDE), 1, 1)
            for each in arrays])
        scalars = (Scalar * len(numbers))(*[Scalar(each, int(each)) for each in numbers])
        self.build(block)(ctypes.byref(Launch(
            ctypes.addressof(tensors), ctypes.addressof(scalars), len(arrays), len(numbers))))

    def tune(self, arrays, numbers):
        times = {}
        for block in (1, 2, 4):
            for _ in range(3):
                kept = bytes(arrays[0])
                begun = time.perf_counter()
                self.launch(block, arrays, numbers)
                times[block] = time.perf_counter() - begun
                if self.restores:
                    ctypes.memmove(arrays[0], kept, len(kept))
        return min(times, key=times.get)

    def __call__(self, arrays, numbers=()):
        winner = self.cache / f"{self.kernel}.winner"
        if not winner.exists():
            winner.write_text(str(self.tune(arrays, numbers)))
        self.launch(int(winner.read_text()), arrays, numbers)


def train(restores=True, folder="python_tuner"):
    sgd = SmallTuner("sgd", restores, folder)
    p, g = array(1), array(2)
    for _ in range(3):
        sgd([p, g], [0.125])
    return sum(p)
