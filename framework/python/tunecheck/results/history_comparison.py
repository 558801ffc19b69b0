"""what `tunecheck history show RUN --against RUN --format json` writes"""

# Made by framework/python/generate_results.py from reports/schema/history-comparison.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ._reading import Document, Limits


@dataclass(frozen=True, kw_only=True)
class StoredRun:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "id": (1, None),
    }

    id: int
    # runs of one suite are expected to have the same benchmarks
    suite: str
    # the file it was read from
    source: str
    # UTC, ISO 8601
    started: str
    # the commit that was measured; empty if unknown
    revision: str
    # name and version; empty if unknown
    tuner: str
    # empty if another program measured
    tunecheck_version: str
    # all that is known about the machine
    environment: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class ComparedBenchmark:
    benchmark: str
    unit: str
    # the median of its processes; null: added
    baseline: float | None
    # the median of its processes; null: removed
    present: float | None


@dataclass(frozen=True, kw_only=True)
class HistoryComparison(Document):
    """What `tunecheck history show RUN --against RUN --format json` writes."""

    SCHEMA: ClassVar[str] = "1.1.0"

    schema: str
    baseline: StoredRun
    present: StoredRun
    # by name
    benchmarks: list[ComparedBenchmark]
