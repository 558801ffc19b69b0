"""What a user of Kernel Tuner writes for each call: the arguments in the order of the C function, and
the answer, computed with numpy, with None for what is only read."""

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from tunecheck_adapter.cpu import dtype_code
from tunecheck_adapter.references import reference_of


@dataclass
class Arguments:
    arguments: list[Any]
    answer: Optional[list[Any]]
    atol: float


class Span:
    """The memory from the first element of a tensor to its last, as an array of one dimension: what a
    C function gets of a tensor with strides."""

    def __init__(self, tensor):
        steps = [stride * (size - 1) for size, stride in zip(tensor.shape, tensor.strides)]
        if 0 in tensor.shape:
            steps = []
        self.tensor = tensor
        self.before = -sum(step for step in steps if step < 0)
        self.count = self.before + sum(step for step in steps if step > 0) + (0 not in tensor.shape)
        # Kernel Tuner has no name for the types of 16 bits: it gets their bits.
        self.dtype = tensor.array().dtype if tensor.item_bytes != 2 else np.dtype(np.uint16)
        self.memory = np.ndarray(
            (self.count,),
            self.dtype,
            buffer=tensor.memory,
            offset=tensor.byte_offset - self.before * tensor.item_bytes,
        )

    @property
    def layout(self):
        tensor = self.tensor
        offset = self.before * tensor.item_bytes
        return [dtype_code(tensor.dtype), len(tensor.shape), offset, *tensor.shape, *tensor.strides]

    def with_elements(self, elements):
        """A copy of the memory in which the tensor's elements are these."""
        copy = self.memory.copy()
        strides = tuple(stride * self.tensor.item_bytes for stride in self.tensor.strides)
        offset = self.before * self.tensor.item_bytes
        np.ndarray(self.tensor.shape, self.dtype, copy, offset, strides)[...] = elements
        return copy


def arguments_of(call):
    spans = {name: Span(call.tensors[name]) for name in call.tensor_order}
    layout = np.array([number for span in spans.values() for number in span.layout], np.int64)
    scalars = [np.float64(call.scalars[name]) for name in call.scalar_order]
    reference = reference_of(call)
    arrays = {name: call.tensors[name].array() for name in spans}
    if reference is None:
        return Arguments([*(span.memory for span in spans.values()), layout, *scalars], None, 0)
    answers = reference.outputs(arrays, call.scalars)
    verified = [
        span.with_elements(answers[name]) if name in answers else None
        for name, span in spans.items()
    ]
    return Arguments(
        [*(span.memory for span in spans.values()), layout, *scalars],
        [*verified, None, *(None for _ in scalars)],
        reference.absolute,
    )
