"""Helion's autotuner: docs/adapter-protocol.md has the protocol, adapter.info what Helion
promises."""

import ast
from typing import Any

from tunecheck_adapter import Adapter, AdapterError, Answer, Call, package_version, serve
from tunecheck_adapter.torch_tensors import (
    GPU_PACKAGES,
    call_on_device,
    check_ptxas,
    device_arch,
    device_name,
    open_cuda,
    watch,
)

KNOWN_VERSION = "1.5.0"


class Helion(Adapter):
    tuner = "helion"

    def __init__(self) -> None:
        self._compiles = 0

    def open(self, backend: str) -> None:
        self._torch = open_cuda(backend)
        self.version = package_version("helion", KNOWN_VERSION, GPU_PACKAGES)
        check_ptxas()
        import triton

        import kernels

        self._kernels = kernels.KERNELS
        self.device = device_name(self._torch)
        self.arch = device_arch(self._torch)
        triton.knobs.compilation.listener = self._count_compile

    def _count_compile(self, *, cache_hit: bool, **_: Any) -> None:
        self._compiles += not cache_hit

    def call(self, call: Call) -> Answer:
        if call.kernel not in self._kernels:
            raise AdapterError(f"there is no kernel {call.kernel} for Helion")
        return call_on_device(self._torch, call, lambda tensors: self._run(call, tensors))

    def _run(self, call: Call, tensors: dict[str, Any]) -> Answer:
        kernel, taken, names = self._kernels[call.kernel]
        arguments = [tensors.get(name, call.scalars.get(name)) for name in taken]
        bound = kernel.bind(tuple(arguments))
        code = bound.to_triton_code(bound.config_spec.default_config())
        symbol, places = read_launch(code, list(kernel.signature.parameters))
        watch(call, {symbol: [(places[taken.index(name)], name) for name in names]})
        compiles, searches = self._compiles, self._searches()
        kernel(*arguments)
        tuned = self._compiles > compiles or self._searches() > searches
        return Answer(cache="miss" if tuned else "hit")

    def _searches(self) -> int:
        """How often Helion found no winner in its cache, as it counts itself."""
        return self._torch._dynamo.utils.counters["autotune"]["cache_miss"]


def read_launch(code: str, arguments: list[str]) -> tuple[str, dict[int, int]]:
    """The symbol of the kernel that the generated code launches, with `_launcher(kernel, grid,
    argument, ...)`, and by the number of the function's argument the number of the kernel's
    parameter that it is. AdapterError where there is not one launch."""
    launches = [
        node
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "_launcher"
    ]
    if len(launches) != 1:
        raise AdapterError(f"Helion made {len(launches)} kernels of this function, not one")
    symbol = ast.unparse(launches[0].args[0])
    passed = [each.id if isinstance(each, ast.Name) else "" for each in launches[0].args[2:]]
    places = {i: passed.index(name) for i, name in enumerate(arguments) if name in passed}
    return symbol, places


if __name__ == "__main__":
    serve(Helion())
