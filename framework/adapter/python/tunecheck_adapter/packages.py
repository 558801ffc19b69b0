"""Which packages of PyPI are there, in which version, and how a part of one is imported."""

import importlib
import importlib.util
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Sequence

from .answers import AdapterError


def installer(in_tree: str, packages: str) -> str:
    """How packages are installed: a command of the source tree, or pip where this is a copy that was installed,
    which has no ci/bootstrap."""
    tree = Path(__file__).resolve().parents[4]
    return in_tree if (tree / "ci" / "bootstrap").exists() else f"pip install {packages}"


def package_version(
    package: str, known: str, installed_by: str = "ci/bootstrap --adapters"
) -> str:
    """The installed version of a package, for Adapter.version. An adapter is written for the
    version `known`; another one is judged all the same, and reports say so. AdapterError where the
    package is not installed, with how to get it."""
    try:
        installed = metadata.version(package)
    except metadata.PackageNotFoundError:
        how = installer(installed_by, f"{package}=={known}")
        raise AdapterError(
            f"{package} is not installed for {sys.executable}; {how}, or name a Python "
            f"with {package}=={known} in TUNECHECK_PYTHON"
        ) from None
    if installed == known:
        return installed
    return f"{installed} (the adapter was written for {known})"


def import_alone(module: str, packages: Sequence[str], distribution: str) -> ModuleType:
    """A module with what it imports itself, and no more. `packages`, the outermost first, are put in place without
    their own first lines, which import what the module does not need: kernels, and compilers of these. AdapterError
    where the outermost is not there."""
    if module in sys.modules:
        return sys.modules[module]
    outermost = packages[0]
    spec = importlib.util.find_spec(outermost)
    if spec is None or not spec.submodule_search_locations:
        raise AdapterError(f"{distribution} has no package {outermost}")
    folder = spec.submodule_search_locations[0]
    for name in packages:
        package = ModuleType(name)
        package.__path__ = ["/".join([folder, *name.split(".")[1:]])]
        sys.modules[name] = package
    sys.modules[outermost].__version__ = metadata.version(distribution)  # type: ignore[attr-defined]
    return importlib.import_module(module)
