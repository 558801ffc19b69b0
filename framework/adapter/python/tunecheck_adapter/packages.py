"""Which packages of PyPI are there, in which version."""

import sys
from importlib import metadata

from .answers import AdapterError


def package_version(
    package: str, known: str, installed_by: str = "ci/bootstrap --adapters"
) -> str:
    """The installed version of a package, for Adapter.version. An adapter is written for the
    version `known`; another one is judged all the same, and reports say so. AdapterError where the
    package is not installed, with how to get it."""
    try:
        installed = metadata.version(package)
    except metadata.PackageNotFoundError:
        raise AdapterError(
            f"{package} is not installed for {sys.executable}; {installed_by}, or name a Python "
            f"with {package}=={known} in TUNECHECK_PYTHON"
        ) from None
    if installed == known:
        return installed
    return f"{installed} (the adapter was written for {known})"
