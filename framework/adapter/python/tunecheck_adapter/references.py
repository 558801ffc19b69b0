"""What a user's own check of a kernel would compute, with numpy: for tuners that can be handed one."""

from typing import Any, Mapping, Optional

Arrays = Mapping[str, Any]


class Reference:
    """absolute: how far off each element may be."""

    def __init__(self, function: Any, absolute: float) -> None:
        self._function = function
        self.absolute = absolute

    def outputs(self, arrays: Arrays, scalars: Mapping[str, float]) -> dict[str, Any]:
        """What the arrays of the outputs must hold after a launch on these, by name."""
        expected = self._function(arrays, scalars)
        return {name: value.astype(arrays[name].dtype) for name, value in expected.items()}


def reference_of(call: Any) -> Optional[Reference]:
    """That of a Call; None if there is none for its kernel, or none as exact for its dtypes."""
    dtypes = {tensor.dtype for tensor in call.tensors.values()}
    return _REFERENCES.get(call.kernel) if dtypes <= {"f32", "u8"} else None


def _axpy_inplace(arrays: Arrays, scalars: Mapping[str, float]) -> dict[str, Any]:
    return {"y": scalars["alpha"] * arrays["x"] + arrays["y"]}


def _rmsnorm(arrays: Arrays, scalars: Mapping[str, float]) -> dict[str, Any]:
    return {"out": _normalized(arrays["input"], arrays["weight"], scalars)}


def _fused_add_rmsnorm(arrays: Arrays, scalars: Mapping[str, float]) -> dict[str, Any]:
    added = arrays["input"] + arrays["residual"]
    return {"input": _normalized(added, arrays["weight"], scalars), "residual": added}


def _normalized(x: Any, weight: Any, scalars: Mapping[str, float]) -> Any:
    import numpy

    mean = numpy.mean(numpy.square(x, dtype=numpy.float64), axis=1, keepdims=True)
    return x / numpy.sqrt(mean + scalars["eps"]) * weight


def _relax_until_converged(arrays: Arrays, scalars: Mapping[str, float]) -> dict[str, Any]:
    import numpy

    field, source = arrays["field"], arrays["source"]
    conduction, exchange = scalars["conduction"], scalars["exchange"]
    points = field.shape[1]
    step = (1 + exchange + 2 * conduction) * numpy.eye(points)
    step -= conduction * (numpy.eye(points, k=1) + numpy.eye(points, k=-1))
    step[0, 0] -= conduction  # nothing flows through the ends
    step[-1, -1] -= conduction
    right = (field + exchange * source).T.astype(numpy.float64)
    return {"field": numpy.linalg.solve(step, right).T}


def _faulty_scale(arrays: Arrays, scalars: Mapping[str, float]) -> dict[str, Any]:
    return {"out": scalars["factor"] * arrays["in"]}


def _faulty_pair(arrays: Arrays, scalars: Mapping[str, float]) -> dict[str, Any]:
    source = arrays["in"][: arrays["first"].size]
    return {"first": scalars["factor"] * source, "second": source - scalars["factor"]}


def _faulty_bytes(arrays: Arrays, scalars: Mapping[str, float]) -> dict[str, Any]:
    out = arrays["in"].copy()
    out[: int(scalars["alike"])] = 173
    return {"out": out}


def _faulty_sum(arrays: Arrays, scalars: Mapping[str, float]) -> dict[str, Any]:
    return {"sum": arrays["sum"] + arrays["in"]}


def _doubled(output: str) -> Any:
    return lambda arrays, scalars: {output: 2 * arrays["x"]}


# Those of the scenarios that are about wrong results, and those that Kernel Tuner has.
_REFERENCES = {
    "aligned_scale": Reference(_doubled("y"), 0),
    "axpy_inplace": Reference(_axpy_inplace, 1e-5),
    "faulty_bytes": Reference(_faulty_bytes, 0),
    "faulty_pair": Reference(_faulty_pair, 1e-5),
    "faulty_scale": Reference(_faulty_scale, 1e-5),
    "faulty_sum": Reference(_faulty_sum, 1e-5),
    "fused_add_rmsnorm": Reference(_fused_add_rmsnorm, 1e-4),
    "no_working_config": Reference(_doubled("x"), 1e-5),
    "relax_until_converged": Reference(_relax_until_converged, 5e-4),
    "rmsnorm": Reference(_rmsnorm, 1e-4),
}
