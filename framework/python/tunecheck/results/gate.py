"""gate.json: what `tunecheck gate` found"""

# Made by framework/python/generate_results.py from reports/schema/gate.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ._reading import Document, Limits


@dataclass(frozen=True, kw_only=True)
class GateSettings:
    """Of the rule; docs/gate-rule.md."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "delta": (0, None),
        "tolerance": (0, None),
        "alpha": (0, 1),
        "same_alpha": (0, 1),
        "pass_alpha": (0, 1),
        "planned_power": (0, 1),
        "stated_power": (0, 1),
        "planted": (0, None),
        "screen_pairs": (0, None),
        "least_pairs": (0, None),
        "most_pairs": (0, None),
    }

    delta: float
    tolerance: float
    alpha: float
    same_alpha: float | None = None
    pass_alpha: float
    planned_power: float
    stated_power: float
    planted: float
    screen_pairs: int
    least_pairs: int
    most_pairs: int


@dataclass(frozen=True, kw_only=True)
class GateSide:
    # as the command line named it
    given: str
    # of the build; empty of recordings and of a stored run
    folder: str
    # of a revision; empty of a folder
    commit: str
    # name and version as the adapter says
    tuner: str
    # digests of program and kernels
    environment: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class MeasuredProcess:
    """One fresh process."""

    # why there is no result; else empty
    failure: str
    # of samples; null if there is none
    median: float | None
    # in the unit of the benchmark; null: no finite number
    samples: list[float | None]
    # of cpu_samples; null if there is none
    cpu_median: float | None = None
    # CPU time of what samples has the wall time of; empty if it is not known, or if the
    # benchmark is about another time
    cpu_samples: list[float | None] = field(default_factory=list)
    # how long the first thread neither worked nor waited for a core, as a share of the CPU
    # time; null: not known
    waited: float | None = None
    # how often a thread waited for anything; -1: not known
    waits: int | None = None


@dataclass(frozen=True, kw_only=True)
class GatePair:
    # the process that ran first
    first: Literal["base", "head"]
    base: MeasuredProcess
    head: MeasuredProcess


@dataclass(frozen=True, kw_only=True)
class GateBenchmark:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "screen_pairs": (0, None),
        "confirmation_pairs": (0, None),
    }

    name: str
    # what is measured; docs/gate.md
    metric: str
    # empty if there is none
    kernel: str
    # empty if there is none
    size: str
    backend: str
    unit: str
    # same and slowed are canaries
    role: Literal["measured", "same", "slowed"]
    # the benchmark whose processes a canary runs; else empty
    canary_of: str | None = None
    # how the head of a canary is slowed down: by work in the process, by stopping it, by a
    # longer launch, by taking its answer late, by a loop in the kernel; else empty
    slowed_by: Literal["", "work", "stops", "launch", "answer", "loop"] | None = None
    # false: it still needed pairs
    settled: bool
    # inconclusive until settled
    answer: Literal["pass", "improved", "inconclusive", "regression", "invalid"]
    reason: str
    # the time that the changes are of: CPU time only if wall time could not decide
    decided_by: Literal["wall_time", "cpu_time"] | None = None
    # estimated; null: none
    change: float | None
    # null: not bounded
    at_least: float | None
    # null: not bounded
    at_most: float | None
    # null: not known
    detectable: float | None
    screen_pairs: int
    confirmation_pairs: int
    # the median of the processes' medians; null: none
    base_median: float | None
    head_median: float | None
    # if kind is stored, records of one process each: the other side has no sample
    pairs: list[GatePair]


@dataclass(frozen=True, kw_only=True)
class GateCount:
    """What is counted, not timed."""

    name: str
    # what is measured; docs/gate.md
    metric: str
    # empty if there is none
    kernel: str
    # empty if there is none
    size: str
    backend: str
    unit: str
    answer: Literal["pass", "improved", "inconclusive", "regression", "invalid"]
    reason: str
    # of each process
    base: list[int]
    head: list[int]


@dataclass(frozen=True, kw_only=True)
class WinnerChange:
    """The tunings of base and head chose differently."""

    kernel: str
    size: str
    backend: str
    # the config that won most often
    base: str
    head: str
    # tunings that chose a config
    base_winners: dict[str, int]
    head_winners: dict[str, int]
    # the name of the benchmark that measures one config against the other; empty: none
    benchmark: str
    # why there is none; else empty
    reason: str


@dataclass(frozen=True, kw_only=True)
class Renaming:
    base: str
    head: str


@dataclass(frozen=True, kw_only=True)
class NotMeasured:
    name: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Gate(Document):
    """Gate.json: what `tunecheck gate` found."""

    SCHEMA: ClassVar[str] = "1.1.0"

    LIMITS: ClassVar[dict[str, Limits]] = {
        "seed": (0, None),
        "wall_ns": (0, None),
    }

    schema: str
    tunecheck_version: str
    # UTC, ISO 8601
    started: str
    # processes of an adapter; of a Google Benchmark program; its JSON files; processes of an
    # adapter against a stored run
    kind: Literal["adapter", "google_benchmark", "recordings", "stored"]
    # empty if kind is google_benchmark or recordings
    adapter: str
    backend: str
    # of the order of the processes
    seed: int
    settings: GateSettings
    # about the machine
    environment: dict[str, str]
    # whether processes were pinned, and to which CPU
    pinning: str
    wall_ns: int
    # false: the session was still running when this was written, or was interrupted
    complete: bool
    # of the whole session; invalid until complete
    answer: Literal["pass", "improved", "inconclusive", "regression", "invalid"]
    # why it is invalid, and what to do; else empty
    reason: str
    # the smallest slowdown that every measured benchmark would have shown with the probability
    # stated_power; null: not known
    detectable: float | None
    fail_on_inconclusive: bool
    # 0 nothing is slower; 2 a regression; 4 not to be trusted; 5 inconclusive, if that counts
    # as a failure
    exit_status: Literal[0, 2, 4, 5]
    base: GateSide
    head: GateSide
    benchmarks: list[GateBenchmark]
    counts: list[GateCount]
    winner_changes: list[WinnerChange]
    # benchmarks that only the head has
    added: list[str]
    # benchmarks that only the base has
    removed: list[str]
    # benchmarks that may have another name in the head; also in removed and added
    renamed: list[Renaming]
    # what was asked for and cannot be measured
    not_measured: list[NotMeasured]
