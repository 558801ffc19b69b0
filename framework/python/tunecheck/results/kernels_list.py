"""what `tunecheck kernels list --json` writes"""

# Made by framework/python/generate_results.py from reports/schema/kernels-list.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ._reading import Document


@dataclass(frozen=True, kw_only=True)
class ListedKernel:
    name: str
    summary: str
    folder: str
    # kinds of device that it has a source for
    devices: list[str]
    sizes: list[str]
    # its variants, as `kernels tune --dtype` takes them
    dtypes: list[str]
    # tensors put back before each rep
    restore_value: list[str]
    # tensors zeroed before each rep
    reset_to_zero: list[str]


@dataclass(frozen=True, kw_only=True)
class KernelsList(Document):
    """What `tunecheck kernels list --json` writes."""

    SCHEMA: ClassVar[str] = "1.0.0"

    schema: str
    tunecheck_version: str
    kernels: list[ListedKernel]
