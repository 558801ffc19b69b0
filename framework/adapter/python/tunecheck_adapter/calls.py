"""A request for a call, with its tensors mapped into memory."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Optional

from .configs import Config, config_text
from .tensors import Tensor, map_tensors


@dataclass
class Burst:
    """The call is made `calls` times by serve(); call i (from 0) with the value of `scalar` plus
    i modulo `keys`."""

    calls: int
    keys: int
    scalar: str


@dataclass
class Call:
    """One call of the tuned kernel.

    kernel_folder: the scenario's copy of the kernel; its sources change between calls.
    source: the file in it to compile for the backend, None if the kernel has none.
    tensors: by name, in the order in which the caller names them. Their memory holds until the
        answer is given.
    scalars: by name, as floats; take int() of those that are whole numbers in the kernel file.
    tensor_order, scalar_order: the names in the order of the kernel's function.
    restore_value, reset_to_zero: names of tensors.
    key_scalars: those scalars for which another value asks for another winner.
    variables: environment variables that change what the kernel does.
    parameters: of the space, with their values. Not every combination is a config.
    configs: all that the space allows, the first parameter varying slowest.
    default: the config that the kernel file calls the default, {} if it is not among them.
    build_options: what the compiler is given for every config; see options().
    compile_options: those among them that the scenario adds.
    gpu: what is not as usual on a GPU: "stream", "capture", "context", "device".
    search: "strategy", "trials", "time_ms", "seed"; None where the scenario does not choose it.
    request: the whole request, for what is not listed here.
    """

    kernel: str
    kernel_folder: Path
    source: Optional[Path]
    tensors: dict[str, Tensor]
    scalars: dict[str, float]
    tensor_order: list[str]
    scalar_order: list[str]
    restore_value: list[str]
    reset_to_zero: list[str]
    key_scalars: list[str]
    variables: list[str]
    sizes: dict[str, int]
    parameters: dict[str, list[int]]
    configs: list[Config]
    default: Config
    arch: str
    build_options: list[str]
    compile_options: list[str]
    compile_jobs: int
    hook_zeroes: list[str]
    burst: Optional[Burst]
    search: Optional[dict[str, Any]]
    gpu: dict[str, Any]
    request: dict[str, Any]

    def options(self, config: Mapping[str, int]) -> list[str]:
        """What the compiler must be given for one of `configs`, besides the source and the name of
        the output. KeyError if it is not among them."""
        return [*self.build_options, *self._options[config_text(config)]]

    @property
    def is_reordered(self) -> bool:
        """The caller names the tensors, in the order of `tensors`, in another order than that of the
        kernel's function. A tuner with the capability named_arguments is then called by name."""
        return list(self.tensors) != [name for name in self.tensor_order if name in self.tensors]

    def __post_init__(self) -> None:
        self._options = {
            config_text(each["values"]): each["options"] for each in self.request["configs"]
        }


def read_call(request: dict[str, Any]) -> Call:
    """The call of a request; KeyError or OSError where the request makes no sense."""
    burst = request.get("burst")
    arguments = request["arguments"]
    source = request["source"]
    return Call(
        kernel=request["kernel"],
        kernel_folder=Path(request["kernel_folder"]),
        source=Path(source) if source else None,
        tensors=map_tensors(request["tensors"]),
        scalars=dict(request["scalars"]),
        tensor_order=list(arguments["tensors"]),
        scalar_order=list(arguments["scalars"]),
        restore_value=list(request["restore_value"]),
        reset_to_zero=list(request["reset_to_zero"]),
        key_scalars=list(request["key_scalars"]),
        variables=list(request["variables"]),
        sizes=dict(request["sizes"]),
        parameters={
            each["name"]: list(each["values"]) for each in request["space"]["parameters"]
        },
        configs=[dict(each["values"]) for each in request["configs"]],
        default=dict(request.get("default", {})),
        arch=request.get("arch", ""),
        build_options=list(request["build_options"]),
        compile_options=list(request.get("compile_options", [])),
        compile_jobs=request.get("compile_jobs", 1),
        hook_zeroes=list(request.get("hook_zeroes", [])),
        burst=Burst(burst["calls"], burst["keys"], burst["scalar"]) if burst else None,
        search=request.get("search"),
        gpu=dict(request.get("gpu", {})),
        request=request,
    )
