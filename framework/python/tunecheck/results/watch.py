"""watch.json: what `tunecheck watch` found"""

# Made by framework/python/generate_results.py from reports/schema/watch.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ._reading import Document, Limits


@dataclass(frozen=True, kw_only=True)
class WatchRun:
    """One run of the program."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "wall_ns": (0, None),
        "processes": (0, None),
        "compiles": (0, None),
        "launches": (0, None),
        "trials": (0, None),
        "ready_after_ns": (0, None),
    }

    # cold, warm 1, ...
    name: str
    # how the program ended
    end: str
    # it ended with status 0
    succeeded: bool
    wall_ns: int
    # that launched kernels
    processes: int
    # starts of compilers, and compiles inside a process
    compiles: int
    compilers_seen: bool | None = None
    # of kernels
    launches: int
    # launches in a tuning, other than the winner's own
    trials: int
    # from its start; missing where it never became ready, or nobody said how to tell
    ready_after_ns: int | None = None


@dataclass(frozen=True, kw_only=True)
class WatchPlace:
    """A line of the program."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "line": (0, None),
    }

    # empty where it is not known
    file: str
    # 0 where it is not known
    line: int
    function: str


@dataclass(frozen=True, kw_only=True)
class WatchFinding:
    # its stable name
    word: Literal[
        "WRONG",
        "STALE",
        "RANKS",
        "CHANGED",
        "SPOILT",
        "AGAIN",
        "COMPILED",
        "LATE",
        "EVERY_STEP",
    ]
    # false: the evidence does not decide, and the text says why
    certain: bool
    # empty where it is of the whole program
    kernel: str
    # of the tensors of the first launch that showed it
    shapes: str
    # where the program launches the kernel
    place: WatchPlace
    # where the function of Python begins that the kernel is made of
    definition: WatchPlace | None = None
    # the first that showed it
    run: str
    text: str
    details: list[str]
    # by --allow
    allowed: bool
    # false: the baseline has it
    new: bool


@dataclass(frozen=True, kw_only=True)
class WatchSettled:
    """What a kernel's launches with some shapes ended with."""

    shapes: str
    # for each run the code that was launched last, empty without a launch
    codes: list[str]


@dataclass(frozen=True, kw_only=True)
class WatchKernel:
    """A kernel that was launched."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "codes": (0, None),
        "launches": (0, None),
        "trials": (0, None),
        "tuning_ns": (0, None),
        "settled_left_out": (0, None),
    }

    name: str
    # different ones in the first run
    codes: int
    # for each run
    launches: list[int]
    # for each run
    trials: list[int]
    # for each run, from the first to the last launch of tunings
    tuning_ns: list[int] = field(default_factory=list)
    settled: list[WatchSettled] = field(default_factory=list)
    # further shapes
    settled_left_out: int | None = None


@dataclass(frozen=True, kw_only=True)
class WatchSpan:
    """Launches of one code."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "code": (0, None),
        "from_ns": (0, None),
        "to_ns": (0, None),
        "launches": (0, None),
    }

    # winner: after the trials; launch: in no tuning; counted: not looked at
    kind: Literal["trial", "winner", "launch", "counted"]
    # a place in the codes of the timeline
    code: int
    # since the run began
    from_ns: int
    to_ns: int
    launches: int


@dataclass(frozen=True, kw_only=True)
class WatchCall:
    """Launches of a kernel on the same arguments, or several such of one code."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "run": (0, None),
        "process": (0, None),
        "stream": (0, None),
        "repeated": (0, None),
        "measured": (0, None),
        "spoilt": (0, None),
        "restored": (0, None),
    }

    # a place in the runs
    run: int
    process: int
    # of the process
    rank: str
    # of the process, or its thread on a CPU; from 0
    stream: int
    # calls that this stands for
    repeated: int
    # the arguments that are no tensors
    numbers: str
    # how one clean launch of the winner compares with what the call left
    replayed: Literal["not_asked", "same", "differs", "not_steady", "on_copies"]
    # launches before which a clock had been read
    measured: int
    # launches before the winner's that found another content than the first one
    spoilt: int
    # launches that found the first content again, after another had been left
    restored: int
    spans: list[WatchSpan]


@dataclass(frozen=True, kw_only=True)
class WatchTimeline:
    """When a tuned kernel was launched, in all runs."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "spans_left_out": (0, None),
    }

    kernel: str
    shapes: str
    place: WatchPlace
    definition: WatchPlace
    codes: list[str]
    # by run, process, stream and time
    calls: list[WatchCall]
    spans_left_out: int


@dataclass(frozen=True, kw_only=True)
class WatchSectionTuning:
    """Several codes that were tried on the same arguments."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "launches": (0, None),
    }

    kernel: str
    shapes: str
    place: WatchPlace
    # false: the program may launch these codes on purpose
    certain: bool
    codes: list[str]
    launches: int


@dataclass(frozen=True, kw_only=True)
class WatchSection:
    """A part of a run that the program named, such as one test."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "run": (0, None),
        "process": (0, None),
        "from_ns": (0, None),
        "to_ns": (0, None),
        "compiles": (0, None),
        "unclear_compiles": (0, None),
    }

    # a place in the runs
    run: int
    name: str
    process: int
    # since the run began
    from_ns: int
    to_ns: int
    # starts of compilers, and compiles inside a process, by its process and what that starts
    compiles: int
    # whose starter is not known, while several sections were under way
    unclear_compiles: int
    # the first compilers
    commands: list[str]
    # that were launched in it, other than those whose launches were only counted by then
    kernels: list[str]
    # by kernel and shapes
    tunings: list[WatchSectionTuning]


@dataclass(frozen=True, kw_only=True)
class Watch(Document):
    """Watch.json: what `tunecheck watch` found."""

    SCHEMA: ClassVar[str] = "1.2.0"

    LIMITS: ClassVar[dict[str, Limits]] = {
        "timelines_left_out": (0, None),
    }

    schema: str
    tunecheck_version: str
    # when the first run began, in UTC
    started: str | None = None
    # the program and its arguments
    watched: list[str]
    # of the watch, as its user gave them, without --out
    options: list[str] = field(default_factory=list)
    # with the evidence of each run
    folder: str
    interrupted: bool
    # it was to be noticed when the program is ready, and no run became so
    never_ready: bool | None = None
    runs: list[WatchRun]
    # the gravest first
    findings: list[WatchFinding]
    # by name
    kernels: list[WatchKernel]
    # what could not be seen, and what else is worth knowing
    notes: list[str]
    # of kernels that are tuned
    timelines: list[WatchTimeline] = field(default_factory=list)
    timelines_left_out: int | None = None
    # if the program named any; by run and time
    sections: list[WatchSection] = field(default_factory=list)
