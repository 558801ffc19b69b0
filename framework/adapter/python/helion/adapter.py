"""Helion's autotuner: docs/adapter-protocol.md has the protocol, adapter.info what Helion
promises."""

import ast
from types import SimpleNamespace
from typing import Any

import mutants
from tunecheck_adapter import AdapterError, Answer, Call, package_version, serve
from tunecheck_adapter.mutants import Mutant, chosen_mutant
from tunecheck_adapter.torch_tensors import GPU_PACKAGES, TritonCode, watch

KNOWN_VERSION = "1.5.0"


class Helion(TritonCode):
    tuner = "helion"
    kernel_version = "helion.py"
    triton_cache_below = "HELION_CACHE_DIR"

    def versions(self) -> str:
        return package_version("helion", KNOWN_VERSION, GPU_PACKAGES)

    def load(self) -> dict[str, Any]:
        import kernels

        return kernels.KERNELS

    def plant(self, mutant: Mutant) -> None:
        from helion.autotuner import base_search, benchmark_provider, local_cache

        mutant.plant(
            SimpleNamespace(
                base_search=base_search,
                benchmark_provider=benchmark_provider,
                local_cache=local_cache,
            )
        )

    def run(self, call: Call, tensors: dict[str, Any]) -> Answer:
        kernel, taken, names = self.kernels[call.kernel]
        arguments = [tensors.get(name, call.scalars.get(name)) for name in taken]
        bound = kernel.bind(tuple(arguments))
        code = bound.to_triton_code(bound.config_spec.default_config())
        symbol, places = read_launch(code, list(kernel.signature.parameters))
        watch(call, {symbol: [(places[taken.index(name)], name) for name in names]})
        compiles, searches = self.compiles, self._searches()
        if call.is_reordered:
            named = dict(zip(kernel.signature.parameters, arguments))
            parameters = dict(zip(taken, kernel.signature.parameters))
            first = {parameters[name]: named.pop(parameters[name]) for name in tensors}
            kernel(**first, **named)
        else:
            kernel(*arguments)
        tuned = self.compiles > compiles or self._searches() > searches
        return Answer(cache="miss" if tuned else "hit")

    def _searches(self) -> int:
        """How often Helion found no winner in its cache, as it counts itself."""
        return self.torch._dynamo.utils.counters["autotune"]["cache_miss"]


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
    serve(Helion(chosen_mutant(mutants.MUTANTS)))
