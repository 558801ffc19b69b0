"""TileLang's autotune: docs/adapter-protocol.md has the protocol, adapter.info what TileLang promises."""

import logging
import os
import re
import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Optional

import mutants
from told_trials import ToldErrors, ToldTrials
from tunecheck_adapter import Adapter, AdapterError, Answer, Call, package_version, serve
from tunecheck_adapter.mutants import Mutant, chosen_mutant
from tunecheck_adapter.torch_tensors import (
    GPU_PACKAGES,
    call_on_device,
    device_arch,
    device_name,
    open_cuda,
    watch,
)
from tunecheck_adapter.versions import load_version, named

KNOWN_VERSION = "0.1.15"
_TYPES = {
    "f64": "float64", "f32": "float32", "bf16": "bfloat16", "f16": "float16",
    "i32": "int32", "i64": "int64", "u8": "uint8",
}  # fmt: skip
_DECLARED = re.compile(r"__global__ void (?:__launch_bounds__\([^)]*\) )?(\w+)\(([^)]*)\)")


class TileLang(Adapter):
    tuner = "tilelang"

    def __init__(self, mutant: Optional[Mutant]) -> None:
        self._mutant = mutant
        self._tuned: dict[str, Any] = {}  # as a module would hold them: for the process's life
        self._making = threading.Lock()

    def open(self, backend: str) -> None:
        self._torch = open_cuda(backend)
        self.version = package_version("tilelang", KNOWN_VERSION, GPU_PACKAGES)
        self._cuda_home = tempfile.TemporaryDirectory(prefix="cuda-")
        os.environ["CUDA_HOME"] = self._cuda_home.name
        _put_compiler(Path(self._cuda_home.name))
        import tilelang
        from tilelang.autotuner import tuner

        self._tilelang = tilelang
        if self._mutant:
            self.tuner += f":{self._mutant.name}"
            from tilelang.autotuner import param

            self._mutant.plant(SimpleNamespace(param=param, tuner=tuner))
        self._trials = ToldTrials(tuner)
        self._errors = ToldErrors(logging.getLogger("tilelang"))
        import kernels

        self._kernels = dict(kernels.KERNELS)
        self.device = device_name(self._torch)
        self.arch = device_arch(self._torch)

    def call(self, call: Call) -> Answer:
        version = load_version(call.kernel_folder, "tilelang.py")
        if version is not None:
            self._kernels[call.kernel] = named(version, "KERNEL")
        if call.kernel not in self._kernels:
            raise AdapterError(f"there is no kernel {call.kernel} for TileLang")
        # A number of the caller is a tensor with one element, which is there before a stream is captured.
        scalars = [
            self._torch.tensor([call.scalars[name]], dtype=self._torch.float32, device="cuda")
            for name in self._kernels[call.kernel].scalars
        ]
        return call_on_device(self._torch, call, lambda tensors: self._run(call, tensors, scalars))

    def _run(self, call: Call, tensors: dict[str, Any], scalars: list[Any]) -> Answer:
        kernel = self._kernels[call.kernel]
        tuned = self._tuned_for(call, kernel)
        values = [
            *(call.sizes[name] for name in kernel.sizes),
            *(_TYPES[call.tensors[name].dtype] for name in kernel.dtypes),
        ]
        symbol, order = _launched(kernel)
        watch(call, {symbol: order})
        self._trials.begin(call.configs)
        self._errors.take()
        compiled = tuned(*values)
        _check_parameters(compiled.get_kernel_source(), symbol, order, kernel)
        compiled(*(tensors[name] for name in kernel.tensors), *scalars)
        trials = self._trials.told()
        return Answer(
            winner=compiled.config,
            cache="miss" if trials else "hit",
            trials=trials,
            message=self._errors.take(),
        )

    def _tuned_for(self, call: Call, kernel: Any) -> Any:
        """A space is a list of configs in the source, so another one is another decorated function."""
        name = f"{id(kernel.function)} {call.configs} {call.compile_options}"
        with self._making:
            if name not in self._tuned:
                function = self._tilelang.jit(
                    kernel.function, compile_flags=call.compile_options or None
                )
                self._tuned[name] = self._tilelang.autotune(configs=call.configs, **EFFORT)(function)
            return self._tuned[name]


# TileLang launches each config 125 times unless it is told otherwise, and the probe looks at each launch.
EFFORT = {"warmup": 3, "rep": 20}


def _launched(kernel: Any) -> tuple[str, list[tuple[int, str]]]:
    """The symbol of the kernel's launch, and the tensors with the numbers of the parameters that point at them:
    TileLang sorts these by name."""
    function = kernel.function
    parameters = program_parameters(function)
    ordered = sorted(parameters)
    places = [
        (ordered.index(parameter), tensor)
        for parameter, tensor in zip(parameters, kernel.tensors)
    ]
    return f"{function.__name__}_kernel", places


def program_parameters(function: Any) -> list[str]:
    """The parameters of the program that the function returns, which has the function's name."""
    for constant in function.__code__.co_consts:
        if getattr(constant, "co_name", "") == function.__name__:
            return list(constant.co_varnames[: constant.co_argcount])
    raise AdapterError(f"{function.__name__} returns no program of that name")


def _check_parameters(
    source: str, symbol: str, order: list[tuple[int, str]], kernel: Any
) -> None:
    declared = [match for match in _DECLARED.finditer(source) if match[1] == symbol]
    if not declared:
        raise AdapterError(f"TileLang's code has no kernel {symbol}")
    parameters = [each.split()[-1].lstrip("*") for each in declared[-1][2].split(",")]
    if parameters != sorted(program_parameters(kernel.function)):
        raise AdapterError(f"the parameters of {symbol} are not as expected: {parameters}")


def _put_compiler(folder: Path) -> None:
    """TileLang looks for nvcc in the folder of CUDA_HOME: a copy of the real one in links, with the compiler that
    the judge can watch."""
    spy = os.environ.get("TUNECHECK_TILELANG_NVCC", "")
    real = _cuda_root()
    (folder / "bin").mkdir()
    for entry in real.iterdir():
        if entry.name != "bin":
            (folder / entry.name).symlink_to(entry)
    for program in (real / "bin").iterdir():
        if program.name != "nvcc":
            (folder / "bin" / program.name).symlink_to(program)
    if spy and os.path.isdir(os.path.dirname(spy)) and not os.access(spy, os.X_OK):
        raise AdapterError("there is no nvcc in PATH, by which TileLang compiles")
    (folder / "bin" / "nvcc").symlink_to(spy or real / "bin" / "nvcc")


def _cuda_root() -> Path:
    found = [Path("/usr/local/cuda")]
    try:
        import nvidia  # the packages of PyPI put it there

        found += [Path(folder) / "cu13" for folder in nvidia.__path__]
    except ImportError:
        pass
    for folder in found:
        if (folder / "bin" / "nvcc").exists():
            return folder
    raise AdapterError(f"there is no CUDA toolkit with nvcc in {', '.join(map(str, found))}")


if __name__ == "__main__":
    logging.getLogger("tilelang").setLevel(logging.WARNING)
    serve(TileLang(chosen_mutant(mutants.MUTANTS)))
