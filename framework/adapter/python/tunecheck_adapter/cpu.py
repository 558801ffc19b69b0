"""The CPU kernels of kernel folders (docs/kernels.md, cpu.cpp): how to launch what a compiler made of
Call.source with Call.options(). For tuners that compile any source with a C++ compiler."""

import ctypes
from pathlib import Path
from typing import Iterable

from .tensors import Tensor

_CODES = {name: code for code, name in enumerate(("f64", "f32", "bf16", "f16", "i32", "i64", "u8"))}


def dtype_code(dtype: str) -> int:
    """What tunecheck/cpu_kernel.h calls a dtype."""
    return _CODES[dtype]


def include_folder() -> Path:
    """The folder of tunecheck/cpu_kernel.h: in the source tree, or in an installation."""
    root = Path(__file__).parents[3]
    in_tree = root / "backend" / "cpu" / "include"
    return in_tree if in_tree.is_dir() else root / "include"


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("rank", ctypes.c_int32),
        ("dtype", ctypes.c_int32),
    ]


class _Scalar(ctypes.Structure):
    _fields_ = [("real", ctypes.c_double), ("integer", ctypes.c_int64)]


class _Launch(ctypes.Structure):
    _fields_ = [
        ("tensors", ctypes.POINTER(_Tensor)),
        ("scalars", ctypes.POINTER(_Scalar)),
        ("tensor_count", ctypes.c_int32),
        ("scalar_count", ctypes.c_int32),
    ]


class Library:
    """A compiled config. Its file must stay where it is while it is launched."""

    def __init__(self, file: Path) -> None:
        self._entry = ctypes.CDLL(str(file)).tunecheck_entry

    def launch(self, tensors: Iterable[Tensor], scalars: Iterable[float] = ()) -> int:
        """Runs it once on these tensors and scalars, in the order of the kernel file. 0, or the
        status with which the config refuses to run."""
        tensors, scalars = list(tensors), list(scalars)
        launch = _Launch(
            (_Tensor * len(tensors))(*map(_described, tensors)),
            (_Scalar * len(scalars))(*(_Scalar(value, int(value)) for value in scalars)),
            len(tensors),
            len(scalars),
        )
        return self._entry(ctypes.byref(launch))


def _described(tensor: Tensor) -> _Tensor:
    numbers = ctypes.c_int64 * len(tensor.shape)
    return _Tensor(
        tensor.address,
        numbers(*tensor.shape),
        numbers(*tensor.strides),
        len(tensor.shape),
        _CODES[tensor.dtype],
    )
