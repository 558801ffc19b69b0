"""what `tunecheck history list --format json` writes"""

# Made by framework/python/generate_results.py from reports/schema/history-list.schema.json.
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
class BenchmarkSummary:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "runs": (1, None),
        "fingerprints": (1, None),
        "first_run": (1, None),
        "last_run": (1, None),
    }

    benchmark: str
    # times scatter, counts do not
    kind: Literal["time", "count"]
    unit: str
    # that have it
    runs: int
    # different conditions that it was measured under
    fingerprints: int
    first_run: int
    last_run: int
    # of the processes of the last run that has it
    last_median: float
    # in the last run of its suite
    missing: bool


@dataclass(frozen=True, kw_only=True)
class Rename:
    """What is stored as old is read as new."""

    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class HistoryList(Document):
    """What `tunecheck history list --format json` writes."""

    SCHEMA: ClassVar[str] = "1.1.0"

    schema: str
    # by their start
    runs: list[StoredRun]
    # by name
    benchmarks: list[BenchmarkSummary]
    renames: list[Rename]
