"""what `tunecheck checks list --json` writes"""

# Made by framework/python/generate_results.py from reports/schema/checks-list.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ._reading import Document


@dataclass(frozen=True, kw_only=True)
class ListedCheck:
    name: str
    family: str
    # yes is the good answer
    question: str
    summary: str
    # of the adapter; empty if it needs none
    capability: str
    # checks whose failure explains that this one fails as well
    explained_by: list[str]
    # it judges times
    is_statistical: bool


@dataclass(frozen=True, kw_only=True)
class ChecksList(Document):
    """What `tunecheck checks list --json` writes."""

    SCHEMA: ClassVar[str] = "1.0.0"

    schema: str
    tunecheck_version: str
    checks: list[ListedCheck]
