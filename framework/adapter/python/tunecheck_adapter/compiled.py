"""A source in C++ that stands for what a tuner's own compiler would make of a kernel, for tuners that are
judged on a CPU: compiled once per config, by the compiler that the judge watches, and launched where it watches."""

import os
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Optional

from .answers import AdapterError
from .configs import Config, config_text
from .cpu import Library, include_folder

_TYPES = {
    "f64": "double", "f32": "float", "bf16": "tunecheck::bf16", "f16": "tunecheck::f16",
    "i32": "int32_t", "i64": "int64_t", "u8": "uint8_t",
}  # fmt: skip


class _Launched(threading.local):
    config: Optional[Config] = None  # of the last launch in this thread


launched = _Launched()


class Compiled:
    """A function with the arguments of the kernel in `source`, a file like kernels/NAME/cpu.cpp: its tensors by
    position and in their order, its scalars behind them, its config by name.

    tensors: the names of the tensors, whose dtypes the source finds in macros such as Y_TYPE.
    """

    def __init__(self, source: Path, tensors: list[str]) -> None:
        self._source = Path(source)
        self._tensors = tensors
        self._folder = tempfile.TemporaryDirectory()  # artifacts stay while they are launched
        self._libraries: dict[tuple[str, ...], Library] = {}
        self._lock = threading.Lock()

    def __call__(self, *arguments: Any, **config: int) -> None:
        tensors = [argument.tensor for argument in arguments[: len(self._tensors)]]
        launched.config = dict(config)
        status = self._library(tensors, config).launch(tensors, arguments[len(tensors) :])
        if status != 0:
            raise RuntimeError(f"the launch was refused with status {status}")

    def _library(self, tensors: list[Any], config: Config) -> Library:
        types = [
            f"-D{name.upper()}_TYPE={_TYPES[tensor.dtype]}"
            for name, tensor in zip(self._tensors, tensors)
        ]
        macros = [f"-D{name.upper()}={value}" for name, value in config.items()]
        options = (*types, *macros, f"-DTUNECHECK_CONFIG={config_text(config)}")
        with self._lock:
            if options not in self._libraries:
                self._libraries[options] = self._compile(options)
            return self._libraries[options]

    def _compile(self, options: tuple[str, ...]) -> Library:
        file, output = tempfile.mkstemp(suffix=".so", dir=self._folder.name)
        os.close(file)
        command = ["c++", "-std=c++20", "-O3", "-fPIC", "-shared", "-fvisibility=hidden"]
        command += [f"-I{include_folder()}", *options, str(self._source), "-o", output]
        if subprocess.run(command).returncode != 0:
            raise AdapterError(f"{self._source} does not compile with {' '.join(options)}")
        return Library(Path(output))
