"""what `tunecheck history show RUN --format json` writes"""

# Made by framework/python/generate_results.py from reports/schema/history-run.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

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
class SampleSet:
    benchmark: str
    # times scatter, counts do not
    kind: Literal["time", "count"]
    unit: str
    # what the figures depend on besides the tuner
    fingerprint: dict[str, str]
    # of the processes
    median: float
    # for each process, the median of its samples, or its count
    processes: list[float]


@dataclass(frozen=True, kw_only=True)
class HistoryRun(Document):
    """What `tunecheck history show RUN --format json` writes."""

    SCHEMA: ClassVar[str] = "1.1.0"

    schema: str
    run: StoredRun
    # by name
    benchmarks: list[SampleSet]
