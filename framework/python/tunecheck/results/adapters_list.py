"""what `tunecheck adapters list --json` writes"""

# Made by framework/python/generate_results.py from reports/schema/adapters-list.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ._reading import Document


@dataclass(frozen=True, kw_only=True)
class ListedAdapter:
    # as --adapter takes it
    name: str
    summary: str
    # its adapter.info
    file: str
    # kinds of device
    devices: list[str]
    capabilities: list[str]
    # `tunecheck mutants list --adapter NAME`
    has_mutants: bool


@dataclass(frozen=True, kw_only=True)
class AdaptersList(Document):
    """What `tunecheck adapters list --json` writes."""

    SCHEMA: ClassVar[str] = "1.0.0"

    schema: str
    tunecheck_version: str
    adapters: list[ListedAdapter]
