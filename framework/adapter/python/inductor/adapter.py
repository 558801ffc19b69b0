"""torch.compile with Inductor: docs/adapter-protocol.md has the protocol, adapter.info what PyTorch
promises.

adapter.py [listed_configs] [--list | --mutant NAME]: with "listed_configs" only the configs that
Inductor lists for a kernel are tried, without coordinate descent.
"""

import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Iterator, Optional

import mutants
from tunecheck_adapter import AdapterError, Answer, Call, package_version, serve
from tunecheck_adapter.mutants import Mutant, chosen_mutant
from tunecheck_adapter.torch_tensors import GPU_PACKAGES, TritonCode, watch

KNOWN_VERSION = "2.11.0"
KNOWN_TRITON = "3.6.0"
# Of one function: behind Dynamo's own limit of 8 it runs as it is, and nothing is tuned any more.
COMPILES_OF_ONE_FUNCTION = 64
MODE = "max-autotune-no-cudagraphs"
LISTED_CONFIGS = "listed_configs"


class Inductor(TritonCode):
    tuner = "inductor"
    triton_cache_below = "TORCHINDUCTOR_CACHE_DIR"

    def __init__(self, descends: bool, mutant: Optional[Mutant]) -> None:
        super().__init__(mutant)
        self._descends = descends
        self._compiled: dict[str, Any] = {}  # by kernel, as a module would hold them
        # By kernel and layouts: its symbols, with the parameter of each tensor.
        self._symbols: dict[str, dict[str, list[tuple[int, str]]]] = {}
        self._call: Call | None = None

    def versions(self) -> str:
        torch = package_version("torch", KNOWN_VERSION, GPU_PACKAGES)
        return torch + ", triton " + package_version("triton", KNOWN_TRITON, GPU_PACKAGES)

    def load(self) -> dict[str, Any]:
        import functions

        self.torch._dynamo.config.recompile_limit = COMPILES_OF_ONE_FUNCTION
        return functions.FUNCTIONS

    def plant(self, mutant: Mutant) -> None:
        from torch._inductor import codecache
        from torch._inductor.runtime import autotune_cache, triton_heuristics

        mutant.plant(
            SimpleNamespace(
                autotune_cache=autotune_cache,
                codecache=codecache,
                heuristics=triton_heuristics,
            )
        )

    def run(self, call: Call, tensors: dict[str, Any]) -> Answer:
        self._call = call
        function, names, scalars = self.kernels[call.kernel]
        if call.kernel not in self._compiled:
            self._compiled[call.kernel] = self.torch.compile(
                function, backend=self._backend, dynamic=False
            )
        watch(call, self._symbols.get(_layouts(call), {}))
        compiles, benchmarks = self.compiles, self._benchmarks()
        values = [*(tensors[name] for name in names), *(call.scalars[name] for name in scalars)]
        if call.is_reordered:
            named = dict(zip(function.__code__.co_varnames, values))
            in_order = [function.__code__.co_varnames[names.index(name)] for name in tensors]
            first = {parameter: named.pop(parameter) for parameter in in_order}
            self._compiled[call.kernel](**first, **named)
        else:
            self._compiled[call.kernel](*values)
        tuned = self.compiles > compiles or self._benchmarks() > benchmarks
        return Answer(cache="miss" if tuned else "hit")

    def _benchmarks(self) -> int:
        """How often Inductor measured something, as it counts itself."""
        counters = self.torch._dynamo.utils.counters["inductor"]
        return sum(
            count
            for name, count in counters.items()
            if name.startswith("benchmarking.") or name == "coordesc_tuning_bench"
        )

    def _backend(self, graph: Any, inputs: list[Any]) -> Any:
        """Inductor as torch.compile calls it in this mode; before anything runs the probe is told
        what was generated.
        https://docs.pytorch.org/docs/stable/torch.compiler_custom_backends.html"""
        from torch._inductor import list_mode_options
        from torch._inductor.codecache import PyCodeCache
        from torch._inductor.compile_fx import compile_fx

        from generated_code import read_kernel

        call = self._call
        assert call is not None
        with _loaded_sources(PyCodeCache) as sources:
            options = {
                **list_mode_options(MODE),
                "coordinate_descent_tuning": self._descends,
            }
            compiled = compile_fx(graph, inputs, config_patches=options)
        function, names, _ = self.kernels[call.kernel]
        # Dynamo calls the input that was the parameter x "L_x_".
        arguments = function.__code__.co_varnames[: len(names)]
        tensors = {f"L_{argument}_": name for argument, name in zip(arguments, names)}
        graph_inputs = [node.target for node in graph.graph.nodes if node.op == "placeholder"]
        found = None
        for source in sources:
            if " = args" in source:  # the module of the graph, and not that of a kernel
                found = read_kernel(source, graph_inputs)
        if found is not None:
            symbol, places = found
            missing = [name for key, name in tensors.items() if key not in places]
            if missing:
                raise AdapterError(f"Inductor's kernel {symbol} takes no {', '.join(missing)}")
            self._symbols.setdefault(_layouts(call), {})[symbol] = [
                (places[key], name) for key, name in tensors.items()
            ]
        if not self._symbols.get(_layouts(call)):
            raise AdapterError("Inductor generated no code that could be read")
        watch(call, self._symbols[_layouts(call)])
        return compiled


@contextmanager
def _loaded_sources(cache: Any) -> Iterator[list[str]]:
    """The generated code that Inductor loads meanwhile. It is read when it is loaded: with the caches
    switched off, Inductor forgets its modules, and may remove their files, before it returns."""
    sources: list[str] = []
    load = cache.load_by_key_path

    def recording(*arguments: Any, **named: Any) -> Any:
        module = load(*arguments, **named)
        sources.append(Path(module.__file__).read_text(encoding="utf-8"))
        return module

    cache.load_by_key_path = recording
    try:
        yield sources
    finally:
        cache.load_by_key_path = load


def _layouts(call: Call) -> str:
    return call.kernel + "".join(
        f" {tensor.name} {tensor.dtype} {tensor.shape} {tensor.strides}"
        for tensor in sorted(call.tensors.values(), key=lambda tensor: tensor.name)
    )


if __name__ == "__main__":
    descends = sys.argv[1:2] != [LISTED_CONFIGS]
    serve(Inductor(descends, chosen_mutant(mutants.MUTANTS, sys.argv[1 + (not descends) :])))
