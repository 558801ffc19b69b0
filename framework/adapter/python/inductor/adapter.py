"""torch.compile with Inductor: docs/adapter-protocol.md has the protocol, adapter.info what PyTorch
promises."""

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

KNOWN_VERSION = "2.11.0"
KNOWN_TRITON = "3.6.0"
MODE = "max-autotune-no-cudagraphs"


class Inductor(Adapter):
    tuner = "inductor"

    def __init__(self) -> None:
        self._compiled: dict[str, Any] = {}  # by kernel, as a module would hold them
        # By kernel and layouts: its symbols, with the parameter of each tensor.
        self._symbols: dict[str, dict[str, list[tuple[int, str]]]] = {}
        self._call: Call | None = None
        self._compiles = 0

    def open(self, backend: str) -> None:
        self._torch = open_cuda(backend)
        self.version = package_version("torch", KNOWN_VERSION, GPU_PACKAGES)
        self.version += ", triton " + package_version("triton", KNOWN_TRITON, GPU_PACKAGES)
        check_ptxas()
        import triton

        import functions

        self._functions = functions.FUNCTIONS
        self.device = device_name(self._torch)
        self.arch = device_arch(self._torch)
        triton.knobs.compilation.listener = self._count_compile

    def _count_compile(self, *, cache_hit: bool, **_: Any) -> None:
        self._compiles += not cache_hit

    def call(self, call: Call) -> Answer:
        if call.kernel not in self._functions:
            raise AdapterError(f"there is no function {call.kernel} for Inductor")
        self._call = call
        return call_on_device(self._torch, call, lambda tensors: self._run(call, tensors))

    def _run(self, call: Call, tensors: dict[str, Any]) -> Answer:
        function, names, scalars = self._functions[call.kernel]
        if call.kernel not in self._compiled:
            self._compiled[call.kernel] = self._torch.compile(
                function, backend=self._backend, dynamic=False
            )
        watch(call, self._symbols.get(_layouts(call), {}))
        compiles, benchmarks = self._compiles, self._benchmarks()
        self._compiled[call.kernel](
            *(tensors[name] for name in names), *(call.scalars[name] for name in scalars)
        )
        tuned = self._compiles > compiles or self._benchmarks() > benchmarks
        return Answer(cache="miss" if tuned else "hit")

    def _benchmarks(self) -> int:
        """How often Inductor measured something, as it counts itself."""
        counters = self._torch._dynamo.utils.counters["inductor"]
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
        before = len(PyCodeCache.modules)
        compiled = compile_fx(graph, inputs, config_patches=list_mode_options(MODE))
        function, names, _ = self._functions[call.kernel]
        # Dynamo calls the input that was the parameter x "L_x_".
        arguments = function.__code__.co_varnames[: len(names)]
        tensors = {f"L_{argument}_": name for argument, name in zip(arguments, names)}
        graph_inputs = [node.target for node in graph.graph.nodes if node.op == "placeholder"]
        found = None
        for module in PyCodeCache.modules[before:]:
            source = open(module.__file__, encoding="utf-8").read()
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


def _layouts(call: Call) -> str:
    return call.kernel + "".join(
        f" {tensor.name} {tensor.dtype} {tensor.shape} {tensor.strides}"
        for tensor in sorted(call.tensors.values(), key=lambda tensor: tensor.name)
    )


if __name__ == "__main__":
    serve(Inductor())
