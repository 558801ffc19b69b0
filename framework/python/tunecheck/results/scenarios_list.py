"""what `tunecheck scenarios list --json` writes"""

# Made by framework/python/generate_results.py from reports/schema/scenarios-list.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ._reading import Document, Limits


@dataclass(frozen=True, kw_only=True)
class ListedScenario:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "line": (1, None),
    }

    name: str
    # the name up to its first dot
    family: str
    # the bug that it guards against
    because: str
    kernel: str
    file: str
    line: int
    # kinds of device, the --backend of a run, that run it
    devices: list[str]
    # capabilities of the adapter
    needs: list[str]
    # that it asks for by name
    checks: list[str]
    # mutants that it must notice
    catches: list[str]
    # it judges times, and so it runs alone
    measures: bool


@dataclass(frozen=True, kw_only=True)
class ScenariosList(Document):
    """What `tunecheck scenarios list --json` writes."""

    SCHEMA: ClassVar[str] = "1.0.0"

    schema: str
    tunecheck_version: str
    scenarios: list[ListedScenario]
