"""Stands in for torch where FlyDSL imports it, so that FlyDSL's key is whole on a machine without torch.

FlyDSL's autotuner takes three axes of its key from its compiler: the environment, the toolchain and, with
both, the GPU's arch. The compiler's module of kernel arguments imports torch, for the names below and for
nothing else that is used here. Where that import fails, FlyDSL catches the error and leaves those axes
empty. Nothing of FlyDSL is replaced: what makes the key is its own code, as it is installed. The
tensors that the adapter gives to FlyDSL are no tensors of this module. There is no device, but FlyDSL is told of one
where FLYDSL_STAND_IN_DEVICE has a name for it: its offline table is kept by the device's name.

A torch that is installed is preferred: the adapter puts this folder last in sys.path.
"""

import contextlib
import os
import types


class Tensor:
    """Only a name: FlyDSL registers how it would pass one to a kernel."""


class _DType:
    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"torch.{self._name}"


float16, bfloat16, float32, float64, bool, uint8, int8, int16, int32, int64 = map(
    _DType,
    ("float16", "bfloat16", "float32", "float64", "bool", "uint8", "int8", "int16", "int32", "int64"),
)


class cuda:
    """A machine without a GPU, or with one that has a name and an arch (FLYDSL_GPU_ARCH) and nothing else."""

    class Stream:
        """Only a name, like Tensor."""

    device = contextlib.nullcontext

    @staticmethod
    def is_available():
        return os.environ.get("FLYDSL_STAND_IN_DEVICE", "") != ""

    @staticmethod
    def current_device():
        return 0

    @staticmethod
    def get_device_properties(_):
        name = os.environ["FLYDSL_STAND_IN_DEVICE"]
        return types.SimpleNamespace(name=name, multi_processor_count=304)
