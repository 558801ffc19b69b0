"""The tensors of a call: files that the judge made, mapped into memory."""

import ctypes
import mmap
from dataclasses import dataclass
from typing import Any

# Bytes of one element, and what numpy calls the type. numpy has no bf16: its bits are there.
_ITEM_BYTES = {"f64": 8, "f32": 4, "bf16": 2, "f16": 2, "i32": 4, "i64": 8, "u8": 1}
_NUMPY_NAMES = {
    "f64": "float64",
    "f32": "float32",
    "bf16": "uint16",
    "f16": "float16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
}


@dataclass
class Tensor:
    """One tensor argument.

    shape, strides: one number a dimension, strides in elements; they may be 0 or negative.
    memory: the whole file, shared: canaries, then the tensor, then canaries. What is written to it
        is what the caller sees.
    byte_offset: where element [0, ..., 0] is in `memory`.
    address: where it is in this process.
    """

    name: str
    file: str
    dtype: str  # f64 f32 bf16 f16 i32 i64 u8
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    byte_offset: int
    memory: mmap.mmap

    @property
    def address(self) -> int:
        return ctypes.addressof(ctypes.c_char.from_buffer(self.memory)) + self.byte_offset

    @property
    def item_bytes(self) -> int:
        return _ITEM_BYTES[self.dtype]

    @property
    def is_contiguous(self) -> bool:
        """Row-major without gaps; a dimension of size 1 may have any stride."""
        expected = 1
        for size, stride in zip(reversed(self.shape), reversed(self.strides)):
            if size != 1 and stride != expected:
                return False
            expected *= size
        return True

    def array(self) -> Any:
        """A numpy view of the elements, with the tensor's strides: writing to it writes to the
        caller's memory. bf16 comes as its bits, uint16."""
        import numpy

        return numpy.ndarray(
            self.shape,
            numpy.dtype(_NUMPY_NAMES[self.dtype]),
            buffer=self.memory,
            offset=self.byte_offset,
            strides=tuple(stride * self.item_bytes for stride in self.strides),
        )


def map_tensors(described: list[dict[str, Any]]) -> dict[str, Tensor]:
    """The tensors of a request by name, in its order. Those in one file share their memory."""
    memories: dict[str, mmap.mmap] = {}
    tensors = {}
    for each in described:
        file = each["file"]
        if file not in memories:
            with open(file, "r+b") as opened:
                memories[file] = mmap.mmap(opened.fileno(), 0)
        tensors[each["name"]] = Tensor(
            name=each["name"],
            file=file,
            dtype=each["dtype"],
            shape=tuple(each["shape"]),
            strides=tuple(each["strides"]),
            byte_offset=each["byte_offset"],
            memory=memories[file],
        )
    return tensors
