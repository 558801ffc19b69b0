"""an offline table of configs: `tunecheck kernels tune --emit FILE`"""

# Made by framework/python/generate_results.py from reports/schema/table.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ._reading import Document


@dataclass(frozen=True, kw_only=True)
class TableDevice:
    # that the kernel is compiled for
    arch: str
    # of a GPU its name, multiprocessors and warp size; empty for a CPU
    kind: str


@dataclass(frozen=True, kw_only=True)
class TableEntry:
    kernel: str
    device: TableDevice
    # of each tensor, by its name
    dtypes: dict[str, str]
    # by the names of the kernel file
    sizes: dict[str, int]
    # a value for each parameter of the kernel's space
    config: dict[str, int]
    # of one launch, when the config won
    median_ns: float | None = None
    # SHA-256 of the kernel's source and headers then, without comments
    code: str | None = None
    # XXH3-128 of the configs that the kernel allowed then
    space: str | None = None


@dataclass(frozen=True, kw_only=True)
class Table(Document):
    """An offline table of configs: `tunecheck kernels tune --emit FILE`."""

    SCHEMA: ClassVar[str] = "1.0.0"

    schema: str
    kind: str
    # one for each kernel, device, dtypes and sizes
    entries: list[TableEntry]
