"""A request for a call, with its tensors mapped into memory."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from .space import Space
from .tensors import Tensor, map_tensors


@dataclass
class Burst:
    """The call is to be made `calls` times; call i (from 0) with the value of `scalar` plus
    i modulo `keys`."""

    calls: int
    keys: int
    scalar: str


@dataclass
class Call:
    """One call of the tuned kernel.

    kernel_folder: the scenario's copy of the kernel; its sources change between calls.
    tensors: by name, in the order in which the caller names them. Their memory holds until the
        answer is given.
    scalars: by name, as floats; take int() of those that are whole numbers in the kernel file.
    gpu: what is not as usual on a GPU: "stream", "capture", "context", "device".
    search: "strategy", "trials", "time_ms", "seed"; None where the scenario does not choose it.
    request: the whole request, for what is not listed here.
    """

    kernel: str
    kernel_folder: Path
    tensors: dict[str, Tensor]
    scalars: dict[str, float]
    sizes: dict[str, int]
    space: Space
    arch: str
    compile_options: list[str]
    compile_jobs: int
    hook_zeroes: list[str]
    burst: Optional[Burst]
    search: Optional[dict[str, Any]]
    gpu: dict[str, Any]
    request: dict[str, Any]


def read_call(request: dict[str, Any]) -> Call:
    """The call of a request; KeyError or OSError where the request makes no sense."""
    space = request["space"]
    values = {each["name"]: list(each["values"]) for each in space["parameters"]}
    burst = request.get("burst")
    return Call(
        kernel=request["kernel"],
        kernel_folder=Path(request["kernel_folder"]),
        tensors=map_tensors(request["tensors"]),
        scalars=dict(request["scalars"]),
        sizes=dict(request["sizes"]),
        space=Space(values, space["where"], dict(request["sizes"])),
        arch=request.get("arch", ""),
        compile_options=list(request.get("compile_options", [])),
        compile_jobs=request.get("compile_jobs", 1),
        hook_zeroes=list(request.get("hook_zeroes", [])),
        burst=Burst(burst["calls"], burst["keys"], burst["scalar"]) if burst else None,
        search=request.get("search"),
        gpu=dict(request.get("gpu", {})),
        request=request,
    )
