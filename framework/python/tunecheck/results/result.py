"""result.json: what `tunecheck run` found"""

# Made by framework/python/generate_results.py from reports/schema/result.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ._reading import Document, Limits


@dataclass(frozen=True, kw_only=True)
class ResultCounts:
    """Scenarios by verdict."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "pass": (0, None),
        "fail": (0, None),
        "unsupported": (0, None),
        "error": (0, None),
        "known": (0, None),
    }

    pass_: int = field(metadata={"name": "pass"})
    fail: int
    unsupported: int
    error: int
    known: int


@dataclass(frozen=True, kw_only=True)
class Stages:
    """Where the time went; own_ns is the judge's own part."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "prepare_ns": (0, None),
        "adapter_ns": (0, None),
        "reference_ns": (0, None),
        "evidence_ns": (0, None),
        "check_ns": (0, None),
        "own_ns": (0, None),
        "total_ns": (0, None),
    }

    prepare_ns: int
    adapter_ns: int
    reference_ns: int
    evidence_ns: int
    check_ns: int
    own_ns: int
    total_ns: int


@dataclass(frozen=True, kw_only=True)
class Shard:
    """What a part of a run or an audit that was divided among machines says of the whole."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "number": (1, None),
        "count": (1, None),
        "scenarios": (0, None),
    }

    # from 1
    number: int
    # of parts
    count: int
    # of all parts; of an audit with each tuner that runs them
    scenarios: int
    # digest of their names: parts of one run have the same
    selection: str
    # of a matrix: all of them, each of which has as many parts
    tuners: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A scenario that does not run on this kind of device."""

    name: str
    reason: str
    # that its calls name
    checks: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Check:
    """The answer of a check about a call or a process."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "call": (0, None),
        "line": (0, None),
    }

    check: str
    verdict: Literal["pass", "fail", "unsupported", "error", "known"]
    # its name in the scenario
    process: str
    # number of the call in its process, from 1; 0 for the process itself
    call: int
    # in the scenario's file
    line: int
    expected: str
    observed: str
    # files
    evidence: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class TriedConfig:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "median_ns": (0, None),
        "reps": (0, None),
        "own_median_ns": (0, None),
        "launches": (0, None),
        "samples_ns": (0, None),
    }

    # "block=64,vec=4"; "artifact DIGEST" if the config is not known
    config: str
    is_winner: bool
    # what the kernel file would choose
    is_default: bool
    # why it cannot win, as the tuner says
    failure: str
    # of a launch, as the tuner says; 0 if it does not
    median_ns: float
    # likewise
    reps: int
    # as the judge measured; 0 if it did not
    own_median_ns: float
    # why it did not run for the judge
    own_failure: str
    # trials that observers saw
    launches: int
    # how long the successful ones took, ascending; if there are more than 32, that many
    # quantiles, from the least to the greatest. None on a GPU, where a launch only enqueues
    samples_ns: list[int]


@dataclass(frozen=True, kw_only=True)
class CallEvent:
    """Launches of one config in a row are one event."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "at_ns": (0, None),
        "wall_ns": (0, None),
        "count": (0, None),
        "failed": (0, None),
        "differing": (0, None),
    }

    # launch: the one on the caller's arguments; captured: into a graph, not run
    kind: Literal["compile", "trials", "launch", "captured", "burst", "fault", "killed"]
    # since the call was asked
    at_ns: int
    # 0 if it has no length
    wall_ns: int
    # empty if it is not known
    config: str
    # launches, else 1
    count: int
    # of them
    failed: int
    # launches that saw arguments other than they should
    differing: int
    # a compile that the spy's store answered
    from_store: bool
    # of a fault: at which point of which file
    text: str


@dataclass(frozen=True, kw_only=True)
class Call:
    """One tuned call: what was asked, what the tuner says, what observers saw."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "number": (1, None),
        "line": (0, None),
        "asked_ns": (0, None),
        "wall_ns": (0, None),
        "bytes": (0, None),
        "flops": (0, None),
        "compiles": (0, None),
        "launches": (0, None),
        "trial_launches": (0, None),
        "configs_left_out": (0, None),
        "events_left_out": (0, None),
    }

    # in its process
    number: int
    # in the scenario's file
    line: int
    # since the scenario's first call was asked
    asked_ns: int
    # until the answer; for concurrent calls, until the answers of all of them
    wall_ns: int
    outcome: Literal["done", "failed", "no answer"]
    # of the tuner; cut after 400 bytes
    message: str
    # as it says
    cache: Literal["hit", "miss", "stale", "disabled", ""]
    missed_axes: list[str] = field(default_factory=list)
    # a config; empty if there is none
    winner: str
    # empty for the device's own
    arch: str
    sizes: dict[str, int]
    # that one launch moves; 0 if the kernel file does not say
    bytes: float
    # likewise
    flops: float
    # seen by the compiler spy
    compiles: int
    # seen by the probe
    launches: int
    # all except the caller's own
    trial_launches: int
    # of a call that tuned, at most 256: the winner and the default, then the fastest, those
    # that failed last
    configs: list[TriedConfig]
    configs_left_out: int
    # what observers saw, in the order of time; the first 100
    events: list[CallEvent]
    events_left_out: int


@dataclass(frozen=True, kw_only=True)
class Process:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "signal": (0, None),
        "wall_ns": (0, None),
        "cpu_ns": (0, None),
        "peak_memory_kib": (0, None),
        "compiles": (0, None),
        "compiles_from_store": (0, None),
        "launches": (0, None),
        "calls_left_out": (0, None),
    }

    name: str
    # how it ended, in words
    end: str
    # meaningful if signal is 0
    exit_status: int
    signal: int
    timed_out: bool
    wall_ns: int
    cpu_ns: int
    peak_memory_kib: int
    compiles: int
    compiles_from_store: int
    launches: int
    log: str
    # the first 100
    calls: list[Call] = field(default_factory=list)
    calls_left_out: int | None = None


@dataclass(frozen=True, kw_only=True)
class Mark:
    """The mark that a scenario was judged by, regardless of its verdict."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "line": (1, None),
    }

    # that may fail; none: any may
    checks: list[str] = field(default_factory=list)
    reason: str
    link: str
    # the last day on which it holds, YYYY-MM-DD
    until: str
    # where the scenario passes as well: yes, or how many runs of how many were seen to fail
    at_times: str | None = None
    line: int
    file: str


@dataclass(frozen=True, kw_only=True)
class Scenario:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "line": (0, None),
        "wall_ns": (0, None),
    }

    name: str
    family: str
    file: str
    line: int
    because: str
    kernel: str
    adapter: str
    # empty if it did not answer
    tuner: str
    # likewise
    device: str | None = None
    verdict: Literal["pass", "fail", "unsupported", "error", "known"]
    # if no check says why
    message: str
    # what the adapter would have to have, such as "capability threads"
    lacks: str | None = None
    checks: list[Check]
    # checks that its calls name and that could not be asked
    unanswered: list[str] = field(default_factory=list)
    processes: list[Process]
    stages: Stages
    wall_ns: int
    # empty if it was not kept
    workspace: str
    # the command that repeats this scenario
    repro: str
    known: Mark | None = None


@dataclass(frozen=True, kw_only=True)
class Result(Document):
    """Result.json: what `tunecheck run` found."""

    SCHEMA: ClassVar[str] = "1.5.0"

    LIMITS: ClassVar[dict[str, Limits]] = {
        "seed": (0, None),
        "jobs": (1, None),
        "wall_ns": (0, None),
        "judge_share": (0, 1),
    }

    schema: str
    tunecheck_version: str
    # UTC, ISO 8601
    started: str
    adapter: str
    # its adapter.info; empty if the result is older
    adapter_file: str | None = None
    # name and version as the adapter says; empty if it never answered
    tuner: str
    backend: str
    seed: int
    # scenarios at once
    jobs: int
    # facts about the machine
    environment: dict[str, str]
    # 0 all held, or failed as known; 1 a check failed; 4 not to be trusted
    exit_status: Literal[0, 1, 4]
    # scenarios by verdict
    counts: ResultCounts
    wall_ns: int
    stages: Stages
    # own_ns of total_ns
    judge_share: float
    # why nothing could be run; empty if it could
    trouble: str | None = None
    # false while it runs, and for a run that was interrupted: scenarios are pending
    complete: bool
    # scenarios that were not run yet: none unless the run was interrupted
    pending: list[str] = field(default_factory=list)
    shard: Shard | None = None
    left_out: list[LeftOut] = field(default_factory=list)
    scenarios: list[Scenario]
