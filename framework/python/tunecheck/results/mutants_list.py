"""what `tunecheck mutants list --json` writes"""

# Made by framework/python/generate_results.py from reports/schema/mutants-list.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ._reading import Document


@dataclass(frozen=True, kw_only=True)
class ListedMutant:
    name: str
    # as --adapter takes it
    adapter: str
    summary: str


@dataclass(frozen=True, kw_only=True)
class MutantsList(Document):
    """What `tunecheck mutants list --json` writes."""

    SCHEMA: ClassVar[str] = "1.0.0"

    schema: str
    tunecheck_version: str
    mutants: list[ListedMutant]
