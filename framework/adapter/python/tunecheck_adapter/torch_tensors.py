"""The tensors of a call in the memory of a GPU, for tuners that stand on PyTorch: "On a GPU" in
docs/adapter-protocol.md, and the watch file in docs/evidence.md. Asks for torch."""

import json
import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Callable, Optional, Sequence

from .answers import AdapterError, Answer, text_of
from .loop import Adapter
from .calls import Call
from .mutants import Mutant
from .packages import installer
from .tensors import Tensor
from .versions import load_version, named

# What installs the tuners that need a GPU: their packages are too large for ci/bootstrap.
GPU_PACKAGES = "pip install -r ci/requirements-gpu-adapters.txt"
TORCH = installer(GPU_PACKAGES, "torch")

_watching = threading.Lock()

_BUSY_MS = 200
_OTHER_BYTE = 0x5A  # what a tensor holds until a busy stream comes to it

_TORCH_NAMES = {
    "f64": "float64",
    "f32": "float32",
    "bf16": "bfloat16",
    "f16": "float16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
}


def open_cuda(backend: str) -> Any:
    """torch, with a CUDA device that works. To be called before anything else uses CUDA, since the
    launch probe reads where the watch file is when the driver starts. AdapterError says what is
    missing."""
    if backend != "cuda":
        raise AdapterError(f'expected the backend "cuda", found "{backend}"')
    os.environ["TUNECHECK_PROBE_WATCH_FILE"] = str(watch_file())
    try:
        import torch
    except ImportError as error:
        raise AdapterError(
            f"{error} for {sys.executable}; {TORCH}, or name a Python with torch in "
            "TUNECHECK_PYTHON"
        ) from error
    if torch.version.cuda is None:
        raise AdapterError(f"torch {torch.__version__} was built without CUDA")
    try:
        torch.zeros(1, device="cuda").add_(1).item()
    except Exception as error:
        raise AdapterError(f"torch {torch.__version__} has no CUDA device: {error}") from error
    return torch


def check_ptxas() -> None:
    """AdapterError where Triton, for want of a ptxas that the judge can watch, would take its
    own."""
    ptxas = os.environ.get("TRITON_PTXAS_PATH", "")
    # Where the whole folder is missing, a scenario wants it so: no compiler is on this machine.
    if ptxas and os.path.isdir(os.path.dirname(ptxas)) and not os.access(ptxas, os.X_OK):
        raise AdapterError("there is no ptxas in PATH; it is next to nvcc, and in Triton's package")


def device_name(torch: Any) -> str:
    return torch.cuda.get_device_name(0)


def device_arch(torch: Any) -> str:
    return "sm_{}{}".format(*torch.cuda.get_device_capability(0))


def watch_file() -> Path:
    """In the process's own temporary folder."""
    return Path(tempfile.gettempdir()) / "watched-kernels.jsonl"


def watch(call: Call, symbols: dict[str, Sequence[tuple[int, str]]]) -> None:
    """Tells the launch probe which kernels are the one under test: by symbol the tensors, in the
    order of the kernel file, each with the number of the kernel's parameter that points at it. To
    be called before the first launch; what was said before is forgotten."""
    lines = []
    for symbol, parameters in symbols.items():
        tensors = [
            {
                "parameter": parameter,
                "dtype": call.tensors[name].dtype,
                "shape": list(call.tensors[name].shape),
                "strides": list(call.tensors[name].strides),
            }
            for parameter, name in parameters
        ]
        lines.append(json.dumps({"kernel": symbol, "as": call.kernel, "tensors": tensors}))
    # Replaced as a whole, since the probe may look at any time; in one thread at a time.
    new = watch_file().with_suffix(".new")
    with _watching:
        new.write_text("".join(line + "\n" for line in lines))
        new.replace(watch_file())


class DeviceTensors:
    """The caller's tensors on the device: one flat buffer for each file, with its canaries, so that
    an element lies as far behind a 64-byte boundary as in the file."""

    def __init__(self, torch: Any, call: Call, device: str = "cuda") -> None:
        self._torch = torch
        self._host: dict[str, Any] = {}  # by file: its bytes
        self._buffers: dict[str, Any] = {}  # by file: its bytes on the device
        self.views: dict[str, Any] = {}  # by the tensor's name, with its dtype, shape and strides
        for name, tensor in call.tensors.items():
            if tensor.file not in self._host:
                self._host[tensor.file] = torch.frombuffer(tensor.memory, dtype=torch.uint8)
                self._buffers[tensor.file] = self._host[tensor.file].to(device, copy=True)
            self.views[name] = self._view(tensor)

    def _view(self, tensor: Tensor) -> Any:
        if any(stride < 0 for stride in tensor.strides):
            raise AdapterError(f"{tensor.name}: torch has no tensors with negative strides")
        if tensor.byte_offset % tensor.item_bytes != 0:
            raise AdapterError(f"{tensor.name}: torch has no tensors between two elements")
        buffer = self._buffers[tensor.file]
        if buffer.data_ptr() % 64 != 0:
            raise AdapterError("torch returned memory that does not begin at a 64-byte boundary")
        dtype = getattr(self._torch, _TORCH_NAMES[tensor.dtype])
        return self._torch.empty(0, dtype=dtype, device=buffer.device).set_(
            buffer.untyped_storage(),
            tensor.byte_offset // tensor.item_bytes,
            tensor.shape,
            tensor.strides,
        )

    def write_back(self) -> None:
        """Waits for the device, and gives the caller all that is there, canaries and all."""
        for file, content in self._host.items():
            content.copy_(self._buffers[file])

    def fill_late(self, stream: Any) -> None:
        """Until `stream` comes to it, after it was busy for 200 ms, each tensor holds other
        bytes."""
        torch = self._torch
        kept = {file: buffer.clone() for file, buffer in self._buffers.items()}
        for buffer in self._buffers.values():
            buffer.fill_(_OTHER_BYTE)
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(_busy_cycles(torch))
            for file, buffer in self._buffers.items():
                buffer.copy_(kept[file], non_blocking=True)
                kept[file].record_stream(stream)


def _busy_cycles(torch: Any) -> int:
    clock_khz = getattr(torch.cuda.get_device_properties(0), "clock_rate", 2_500_000)
    return clock_khz * _BUSY_MS


def call_on_device(torch: Any, call: Call, make: Callable[[dict[str, Any]], Answer]) -> Answer:
    """Makes the call as its `gpu` says: make(tensors) calls the tuner on the current stream with
    torch tensors by name, and answers. What the tuner left in them is the caller's when this
    returns, and when it raises."""
    if call.gpu.get("context", 1) != 1 or call.gpu.get("device", 0) != 0:
        raise AdapterError("this adapter uses one context of one device")
    tensors = DeviceTensors(torch, call)
    torch.cuda.synchronize()
    try:
        if call.gpu.get("capture"):
            return _captured(torch, tensors, make)
        if call.gpu.get("stream") == "busy":
            stream = torch.cuda.Stream()  # waits for no other
            tensors.fill_late(stream)
            with torch.cuda.stream(stream):
                return make(tensors.views)
        return make(tensors.views)
    finally:
        torch.cuda.synchronize()
        tensors.write_back()


def _captured(
    torch: Any, tensors: DeviceTensors, make: Callable[[dict[str, Any]], Answer]
) -> Answer:
    graph = torch.cuda.CUDAGraph()
    answer: Optional[Answer] = None
    message = ""
    with torch.cuda.stream(torch.cuda.Stream()):
        graph.capture_begin()
        try:
            answer = make(tensors.views)
        except Exception as error:  # the caller sees it; the capture is ended all the same
            message = text_of(error)
        try:
            graph.capture_end()
            valid = True
        except RuntimeError as error:
            valid = False
            message = message or f"the capture failed: {text_of(error)}"
        if answer is None or not valid:
            return Answer(failed=True, message=message, cache="miss", capture_valid=valid)
        graph.replay()
    answer.capture_valid = True
    return answer


def _load_driver(triton: Any) -> None:
    """Triton's driver compiles a helper in C for itself, once per cache folder, as it would in a
    process that has used Triton for anything else. It is no config of the tuner under test."""
    try:
        triton.runtime.driver.active.utils
    except Exception:  # the next use of the driver raises the same
        pass


class TritonCode(Adapter):
    """A tuner whose kernels Triton compiles, called with torch tensors. A subclass sets `tuner`, and
    `triton_cache_below` to the variable of its cache folder if it keeps Triton's cache in there, and `kernel_version` to
    the file of a kernel's folder whose `KERNEL` takes the place of what load() returns for it, if there are such files."""

    triton_cache_below = ""
    kernel_version = ""

    def __init__(self, mutant: Optional[Mutant] = None) -> None:
        self.compiles = 0  # of Triton in this process, without what it found in its cache
        self._mutant = mutant

    def versions(self) -> str:
        """Of the packages; AdapterError where one is missing."""
        raise NotImplementedError

    def load(self) -> dict[str, Any]:
        """What the tuner has of its own, by the kernel's name. Called once, when a device works."""
        raise NotImplementedError

    def plant(self, mutant: Mutant) -> None:
        """For a tuner into which bugs can be planted. Called once, before `load`."""
        raise NotImplementedError

    def run(self, call: Call, tensors: dict[str, Any]) -> Answer:
        """The tuned call on the current stream."""
        raise NotImplementedError

    def open(self, backend: str) -> None:
        self.torch = open_cuda(backend)
        self.version = self.versions()
        check_ptxas()
        cache = os.environ.get(self.triton_cache_below)
        if cache:  # where the tuner would have it in a moment
            os.environ.setdefault("TRITON_CACHE_DIR", os.path.join(cache, "triton", "0"))
        import triton

        self.triton = triton
        if cache:
            _load_driver(triton)
        if self._mutant:
            self.tuner += f":{self._mutant.name}"
            self.plant(self._mutant)
        self.kernels = self.load()
        self.device = device_name(self.torch)
        self.arch = device_arch(self.torch)
        triton.knobs.compilation.listener = self._count_compile

    def _count_compile(self, *, cache_hit: bool, **_: Any) -> None:
        self.compiles += not cache_hit

    def call(self, call: Call) -> Answer:
        if self.kernel_version:
            version = load_version(call.kernel_folder, self.kernel_version)
            if version is not None:
                self.kernels[call.kernel] = named(version, "KERNEL")
        if call.kernel not in self.kernels:
            raise AdapterError(f"there is no kernel {call.kernel} for {self.tuner}")
        return call_on_device(self.torch, call, lambda tensors: self.run(call, tensors))
