"""Views with gaps between their elements. An array of JAX has none: a user who has such a view has the array that it is a
part of, and a function that takes the part. The compiled program then works on the memory of the view as it is."""

import functools
import inspect
from dataclasses import dataclass
from typing import Any, Callable, Optional

import jax
import jax.numpy as jnp
import numpy

from functions import Function
from tunecheck_adapter import AdapterError, Tensor


@dataclass(frozen=True)
class View:
    """A part of an array with rows and columns, its grid. Strides are in elements, and none of them is negative."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def dimensions(self) -> list[int]:
        """Those that lead to other elements, the largest stride first."""
        both = enumerate(zip(self.shape, self.strides))
        apart = [place for place, (size, stride) in both if size > 1 and stride > 0]
        return sorted(apart, key=lambda place: -self.strides[place])

    @property
    def grid(self) -> tuple[int, int]:
        """The rows and columns of the array that has the view's elements. The view takes all rows but the last: of a
        whole array XLA makes no kernel where copying memory will do, and no probe sees that."""
        sizes, steps = self._by_size_and_step()
        if (sizes[1] - 1) * steps[1] >= steps[0]:
            raise AdapterError(f"a view with strides {self.strides} is no part of an array's columns")
        return sizes[0] + 1, steps[0]

    @property
    def span(self) -> int:
        """Elements in memory from the view's first to its last."""
        sizes, steps = self._by_size_and_step()
        return (sizes[0] - 1) * steps[0] + (sizes[1] - 1) * steps[1] + 1

    def _by_size_and_step(self) -> tuple[list[int], list[int]]:
        """How many rows and columns there are, and how many elements each is apart from the next."""
        apart = self.dimensions
        if len(apart) > 2:
            raise AdapterError("there are no views of three dimensions with gaps here")
        sizes = [self.shape[place] for place in apart] + [1, 1]
        steps = [self.strides[place] for place in apart] + [1, 1]
        return sizes[:2], steps[:2]

    def taken(self, array: Any) -> Any:
        """The view, of the array that it is a part of."""
        sizes, steps = self._by_size_and_step()
        part = jax.lax.slice(array, (0, 0), (sizes[0], (sizes[1] - 1) * steps[1] + 1), (1, steps[1]))
        apart = self.dimensions
        part = part.reshape([self.shape[place] for place in apart])
        return jax.lax.broadcast_in_dim(
            part.transpose(sorted(range(len(apart)), key=lambda each: apart[each])),
            self.shape,
            sorted(apart),
        )

    def spread(self, values: Any) -> Any:
        """An array of the view's shape as one of the grid's, with ones in the gaps. Not for a view that has elements
        twice."""
        sizes, steps = self._by_size_and_step()
        apart = self.dimensions
        part = values.transpose([*apart, *(each for each in range(values.ndim) if each not in apart)])
        rest = self.grid[1] - (sizes[1] - 1) * steps[1] - 1
        return jax.lax.pad(
            part.reshape(sizes), jnp.ones((), values.dtype), ((0, 1, 0), (0, rest, steps[1] - 1))
        )

    def is_taken(self) -> Any:
        """By the grid's element, whether it is one of the view's. The last row is nobody's."""
        sizes, steps = self._by_size_and_step()
        column = jax.lax.broadcasted_iota(jnp.int32, self.grid, 1)
        return (column % steps[1] == 0) & (column <= (sizes[1] - 1) * steps[1])

    def array_of(self, elements: Any) -> Any:
        """The array that the view is a part of. `elements`: what lies in memory, from its first one on."""
        array = numpy.zeros(self.grid, elements.dtype)
        array.reshape(-1)[: self.span] = elements[: self.span]
        return array


def view_of(tensor: Tensor) -> Optional[View]:
    """None for a tensor that is an array of JAX as it is, or becomes one only as a copy: one that runs backwards."""
    if tensor.is_contiguous or 0 in tensor.shape or any(stride < 0 for stride in tensor.strides):
        return None
    return View(tensor.shape, tensor.strides)


def with_views(function: Function, views: dict[str, View]) -> Callable[..., Any]:
    """The function of the arrays that the tensors named by `views` are parts of, and of the other arguments as they
    are. What it overwrites in such an array are the elements of the view."""
    if not views:
        return function.function
    overwritten = [name for name in views if name in function.results]
    if overwritten and not (function.elementwise and function.results == overwritten):
        raise AdapterError(f"no function here overwrites a part of {', '.join(overwritten)}")
    signature = inspect.signature(function.function)

    @functools.wraps(function.function)
    def of_arrays(*arguments: Any, **named: Any) -> Any:
        given = signature.bind(*arguments, **named).arguments
        for name in views:
            if name not in overwritten:
                given[function.parameter(name)] = views[name].taken(given[function.parameter(name)])
        for name in overwritten:
            return _overwritten_part(function, name, views[name], given)
        return function.function(**given)

    return of_arrays


def _overwritten_part(function: Function, name: str, view: View, given: dict[str, Any]) -> Any:
    """The array whose part is `name`, after the function was applied to it. The whole array goes through it, so that
    XLA can overwrite its memory in place, and what it computes for the gaps is left out."""
    array = given[function.parameter(name)]
    for other in function.tensors:
        if other != name:
            given[function.parameter(other)] = view.spread(given[function.parameter(other)])
    return jnp.where(view.is_taken(), function.function(**given), array)
