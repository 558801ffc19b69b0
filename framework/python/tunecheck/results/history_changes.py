"""what `tunecheck history changes --format json` writes"""

# Made by framework/python/generate_results.py from reports/schema/history-changes.schema.json.
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
class Fingerprint:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "id": (1, None),
    }

    id: int
    facts: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class HistoryPoint:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "run": (1, None),
    }

    run: int
    # of the run's processes
    median: float


@dataclass(frozen=True, kw_only=True)
class HistorySeries:
    """One benchmark in one unit under one set of conditions."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "fingerprint": (1, None),
    }

    benchmark: str
    kind: Literal["time", "count"]
    unit: str
    fingerprint: int
    # by the start of their runs
    points: list[HistoryPoint]


@dataclass(frozen=True, kw_only=True)
class HistoryChange:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "fingerprint": (1, None),
        "last_before": (1, None),
        "first_after": (1, None),
        "p": (0, None),
    }

    benchmark: str
    # times scatter, counts do not
    kind: Literal["time", "count"]
    unit: str
    # number of the conditions in this history
    fingerprint: int
    # the last run before the change
    last_before: int
    # the first run after it
    first_after: int
    # the median of the runs since the previous change
    before: float
    # the median of the runs until the next change
    after: float
    # 0.05 is 5 % more; null: from nothing
    change: float | None
    # how often chance gives as much; 0 of a count, which is exact
    p: float


@dataclass(frozen=True, kw_only=True)
class Appearance:
    """Compared with the previous run of the same suite."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "run": (1, None),
    }

    benchmark: str
    run: int
    event: Literal["added", "removed"]


@dataclass(frozen=True, kw_only=True)
class Rename:
    """What is stored as old is read as new."""

    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class TooShort:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "fingerprint": (1, None),
        "runs": (1, None),
    }

    benchmark: str
    fingerprint: int
    runs: int


@dataclass(frozen=True, kw_only=True)
class HistoryChanges(Document):
    """What `tunecheck history changes --format json` writes."""

    SCHEMA: ClassVar[str] = "1.1.0"

    LIMITS: ClassVar[dict[str, Limits]] = {
        "seed": (0, None),
        "small_changes": (0, None),
    }

    schema: str
    # the chance of finding any change in times if none changed
    level: float
    # of each series of times
    level_each: float
    # smaller changes in times are only counted: 0.02 is 2 %
    least_change: float
    seed: int
    # by their start
    runs: list[StoredRun]
    # what times depend on besides the tuner; since 1.1.0
    fingerprints: list[Fingerprint] = field(default_factory=list)
    # the runs of each benchmark that may be compared; by name, then by the first run; since
    # 1.1.0
    series: list[HistorySeries] = field(default_factory=list)
    changes: list[HistoryChange]
    small_changes: int
    appearances: list[Appearance]
    renames: list[Rename]
    # series of times that have too few runs to show a change
    too_short: list[TooShort]
