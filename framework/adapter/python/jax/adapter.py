"""JAX, whose compiler XLA tunes what it makes: docs/adapter-protocol.md has the protocol, adapter.info what JAX and
XLA promise."""

import os
import tempfile
import threading
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any, Optional

from optimized_code import read_kernel
from tunecheck_adapter import Adapter, AdapterError, Answer, Call, Tensor, package_version, serve
from tunecheck_adapter.packages import installer
from tunecheck_adapter.torch_tensors import GPU_PACKAGES, watch, watch_file

KNOWN_VERSION = "0.11.2"
JAX = installer(GPU_PACKAGES, "'jax[cuda13]'")
_HIT = "/jax/compilation_cache/cache_hits"
_COMPILED = "/jax/core/compile/backend_compile_duration"


class Jax(Adapter):
    tuner = "jax"

    def __init__(self) -> None:
        self._jitted: dict[str, Any] = {}  # as a module would hold them: for the process's life
        self._heard = threading.local()  # what JAX says of the call that a thread makes

    def open(self, backend: str) -> None:
        if backend != "cuda":
            raise AdapterError(f'expected the backend "cuda", found "{backend}"')
        os.environ["TUNECHECK_PROBE_WATCH_FILE"] = str(watch_file())
        self.version = package_version("jax", KNOWN_VERSION, GPU_PACKAGES)
        self._cuda_root = tempfile.TemporaryDirectory(prefix="cuda-")
        os.environ["CUDA_ROOT"] = self._cuda_root.name
        _put_assembler(Path(self._cuda_root.name))
        import jax

        self._jax = jax
        try:
            self._places = jax.devices("cuda")
        except RuntimeError as error:
            raise AdapterError(f"JAX has no CUDA device: {error}; {JAX}") from error
        self.device = self._places[0].device_kind
        self.arch = "sm_" + str(self._places[0].compute_capability).replace(".", "")
        self.devices = len(self._places)
        jax.monitoring.register_event_listener(lambda event, **_: self._events().append(event))
        jax.monitoring.register_event_duration_secs_listener(
            lambda event, duration, **_: self._events().append(event)
        )
        import functions
        import views

        self._functions = functions.FUNCTIONS
        self._views = views
        warnings.showwarning = lambda message, *_: self._warned().append(str(message))

    def _warned(self) -> list[str]:
        if not hasattr(self._heard, "warned"):
            self._heard.warned = []
        return self._heard.warned

    def _events(self) -> list[str]:
        if not hasattr(self._heard, "events"):
            self._heard.events = []
        return self._heard.events

    def call(self, call: Call) -> Answer:
        if call.kernel not in self._functions:
            raise AdapterError(f"there is no kernel {call.kernel} for JAX")
        function = self._functions[call.kernel]
        found = {name: self._views.view_of(call.tensors[name]) for name in function.tensors}
        views = {name: view for name, view in found.items() if view is not None}
        jitted = self._jitted_for(call, function, views)
        values = self._values(call, function, views)
        by_name, by_place = (values, []) if call.is_reordered else ({}, list(values.values()))
        # JAX sorts what it is given by name, after what it is given by place.
        order = sorted(values) if by_name else list(values)
        events = self._events()
        events.clear()
        self._warned().clear()
        # The call that follows takes the program that this makes.
        program = jitted.lower(*by_place, **by_name).compile().as_text()
        made = read_kernel(program)
        names = [None if number is None else order[number] for number in made.parameters]
        _watch(call, function, made.symbol, names)
        results = jitted(*by_place, **by_name)
        self._jax.block_until_ready(results)
        each = results if isinstance(results, tuple) else (results,)
        _write_back(call, views, dict(zip(function.results, each)))
        tuned = _COMPILED in events and _HIT not in events
        return Answer(cache="miss" if tuned else "hit", message="; ".join(self._warned()))

    def _jitted_for(self, call: Call, function: Any, views: dict[str, Any]) -> Any:
        name = f"{call.kernel} {views} {call.compile_options}"
        if name not in self._jitted:
            self._jitted[name] = self._jax.jit(
                self._views.with_views(function, views),
                donate_argnums=function.donated(),
                compiler_options=_compiler_options(call),
            )
        return self._jitted[name]

    def _values(self, call: Call, function: Any, views: dict[str, Any]) -> dict[str, Any]:
        """What the function is called with, by its parameters, first the tensors in the order in which the
        caller names them. On the device."""
        import numpy

        tensors = sorted(function.tensors, key=list(call.tensors).index)
        arrays = {
            function.parameter(name): views[name].array_of(_elements(call.tensors[name], views[name]))
            if name in views
            else _array(call.tensors[name])
            for name in tensors
        }
        numbers = {name: numpy.float32(call.scalars[name]) for name in function.scalars}
        place = self._places[call.gpu.get("device", 0)]
        values = {
            name: self._jax.device_put(value, place)
            for name, value in {**arrays, **numbers}.items()
        }
        self._jax.block_until_ready(list(values.values()))
        return values


def _watch(call: Call, function: Any, symbol: str, parameters: list[Optional[str]]) -> None:
    """`parameters`: the function's parameter behind each of the kernel's, None for none. The results that take the
    place of no argument are the kernel's parameters that follow."""
    new = [name for name in function.results if name not in function.tensors]
    places = {name: place for place, name in enumerate([*parameters, *new])}
    by_tensor = {name: function.parameter(name) for name in call.tensor_order}
    missing = [name for name, parameter in by_tensor.items() if parameter not in places]
    if missing:
        raise AdapterError(f"XLA's kernel {symbol} takes no {', '.join(missing)}")
    watch(
        call, {symbol: [(places[parameter], name) for name, parameter in by_tensor.items()]}
    )


def _put_assembler(folder: Path) -> None:
    """JAX looks for an assembler in the folder of CUDA_ROOT first: the one that the judge can watch."""
    spy = os.environ.get("TUNECHECK_JAX_PTXAS")
    if spy:
        (folder / "bin").mkdir()
        (folder / "bin" / "ptxas").symlink_to(spy)


def _array(tensor: Tensor) -> Any:
    """The tensor as numpy has it; bf16 as the type that JAX brings for it."""
    import ml_dtypes

    array = tensor.array()
    return array.view(ml_dtypes.bfloat16) if tensor.dtype == "bf16" else array


def _elements(tensor: Tensor, view: Any) -> Any:
    """All that lies in memory from the view's first element to its last, with what lies between them."""
    return _array(replace(tensor, shape=(view.span,), strides=(1,)))


def _write_back(call: Call, views: dict[str, Any], results: dict[str, Any]) -> None:
    import numpy

    for name, result in results.items():
        tensor, array = call.tensors[name], numpy.asarray(result)
        if name in views:
            _elements(tensor, views[name])[...] = array.reshape(-1)[: views[name].span]
        else:
            _array(tensor)[...] = array


def _compiler_options(call: Call) -> Optional[dict[str, str]]:
    """XLA takes no option of a C compiler. Its own that may hold any names lists passes to be left out: a name that no
    pass has changes nothing, as nothing here reads what the judge defines."""
    if not call.compile_options:
        return None
    return {"xla_disable_hlo_passes": ",".join(call.compile_options)}


if __name__ == "__main__":
    serve(Jax())
