"""A kernel's version for one tuner: a Python file in the kernel's folder, which kernel.info names in `versions`
and adapter.info in `kernel_version`."""

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Optional

from .answers import AdapterError

_loaded: dict[str, ModuleType] = {}


def load_version(folder: Path, file: str) -> Optional[ModuleType]:
    """The file as a module, None if there is none. It is loaded once for each content, so that what it
    decorates lives as long as the process; what it raises, the caller of the tuner sees."""
    path = folder / file
    if not path.is_file():
        return None
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    name = f"tunecheck_version_{path.stem}_{digest[:16]}"
    if name not in _loaded:
        specification = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(specification)
        sys.modules[name] = module  # decorators look their functions' modules up
        try:
            specification.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
        _loaded[name] = module
    return _loaded[name]


def named(module: ModuleType, name: str) -> Any:
    """What the file must define; AdapterError where it does not."""
    if not hasattr(module, name):
        raise AdapterError(f"{module.__file__}: expected a definition of {name}")
    return getattr(module, name)
