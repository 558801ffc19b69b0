"""what `tunecheck watch --diff OLD NEW --format json` writes"""

# Made by framework/python/generate_results.py from reports/schema/watch-diff.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ._reading import Document, Limits


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
class WatchFindingChange:
    change: Literal["new", "fixed", "still"]
    worse: bool
    # the earlier watch was not certain of it
    was_unclear: bool
    # as the later watch has it, if it is not fixed
    finding: WatchFinding


@dataclass(frozen=True, kw_only=True)
class WatchNumbers:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "launches": (0, None),
        "trials": (0, None),
        "compiles": (0, None),
        "ns": (0, None),
    }

    launches: int
    trials: int
    # of a run; 0 for a kernel
    compiles: int
    # of a run its whole time, of a kernel that of its tunings
    ns: int


@dataclass(frozen=True, kw_only=True)
class WatchPair:
    before: WatchNumbers | None = None
    now: WatchNumbers | None = None


@dataclass(frozen=True, kw_only=True)
class WatchRunChange:
    name: str
    numbers: WatchPair


@dataclass(frozen=True, kw_only=True)
class WatchWinnerChange:
    """Another code was launched last."""

    shapes: str
    run: str
    before: str
    now: str


@dataclass(frozen=True, kw_only=True)
class WatchKernelChange:
    name: str
    # of the first run
    cold: WatchPair
    # of the other runs, the most of each number
    warm: WatchPair
    # that are others
    winners: list[WatchWinnerChange]


@dataclass(frozen=True, kw_only=True)
class WatchDiff(Document):
    """What `tunecheck watch --diff OLD NEW --format json` writes."""

    SCHEMA: ClassVar[str] = "1.2.0"

    LIMITS: ClassVar[dict[str, Limits]] = {
        "exit_status": (0, None),
    }

    schema: str
    tunecheck_version: str
    # a file
    before: str
    # a file
    now: str
    # 1 where something is worse
    exit_status: int
    # empty where both are to be trusted
    why_untrusted: str
    # new ones first
    findings: list[WatchFindingChange]
    runs: list[WatchRunChange]
    # of which something differs but the time
    kernels: list[WatchKernelChange]
