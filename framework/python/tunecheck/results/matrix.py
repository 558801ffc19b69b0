"""what `tunecheck matrix --format json` writes: results of several tuners"""

# Made by framework/python/generate_results.py from reports/schema/matrix.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ._reading import Document, Limits


@dataclass(frozen=True, kw_only=True)
class MatrixCell:
    """Scenarios that ask the check, by verdict."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "pass": (0, None),
        "fail": (0, None),
        "known": (0, None),
        "unsupported": (0, None),
        "error": (0, None),
    }

    pass_: int = field(metadata={"name": "pass"})
    fail: int
    known: int
    unsupported: int
    error: int
    # why no scenario has answered; empty if one has
    reason: str


@dataclass(frozen=True, kw_only=True)
class MatrixRow:
    family: str
    check: str
    # in the order of `tuners`
    cells: list[MatrixCell]


@dataclass(frozen=True, kw_only=True)
class MatrixPart:
    """A part of a divided run."""

    LIMITS: ClassVar[dict[str, Limits]] = {
        "number": (0, None),
        "scenarios": (0, None),
        "own": (0, None),
    }

    # parts of one run have the same
    selection: str
    # from 1
    number: int
    # of all parts
    scenarios: int
    # of this one, those that it has not come to included
    own: int


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A scenario that does not run on this kind of device."""

    name: str
    reason: str
    # that its calls name
    checks: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class UpstreamIssue:
    """An issue or a change where the tuner is developed."""

    link: str
    # open, closed or merged; empty if nobody has looked
    state: str
    # what it is about, if it is not about this very cause
    says: str


@dataclass(frozen=True, kw_only=True)
class TunerCause:
    """Why a tuner fails scenarios."""

    name: str
    title: str
    # whose promise it is that does not hold: the tuner's own, or none
    kind: Literal["broken_promise", "other_policy", "never_said"]
    # what the tuner itself says of it; empty if nothing
    promise: str
    # names with * and ?; empty if no scenario shows it
    scenarios: list[str]
    # the only ones that fail by it; empty if any may
    checks: list[str]
    # a page below docs/findings
    finding: str
    # below docs/findings; they show it with the tuner alone
    scripts: list[str]
    upstream: list[UpstreamIssue]
    # YYYY-MM-DD, when somebody looked upstream; empty if nobody has
    looked_at: str
    # the first version that has it; empty if not known
    since: str
    # the first that does not; empty if not known
    fixed_in: str


@dataclass(frozen=True, kw_only=True)
class Trouble:
    check: str
    verdict: Literal["pass", "fail", "unsupported", "error", "known"]
    expected: str
    observed: str


@dataclass(frozen=True, kw_only=True)
class MatrixMark:
    """The mark that it failed as."""

    reason: str
    link: str
    # YYYY-MM-DD
    until: str
    # where it passes as well: yes, or how many runs of how many were seen to fail
    at_times: str | None = None


@dataclass(frozen=True, kw_only=True)
class MatrixScenario:
    name: str
    # of the run that it is from
    started: str
    verdict: Literal["pass", "fail", "unsupported", "error", "known"]
    message: str
    # what the adapter would have to have, such as "capability threads"
    lacks: str | None = None
    # the worst answer of each check, or why it could not be asked
    checks: dict[str, Literal["pass", "fail", "unsupported", "error", "known"]]
    # the first answer of each check that is not a pass
    troubles: list[Trouble] = field(default_factory=list)
    known: MatrixMark | None = None


@dataclass(frozen=True, kw_only=True)
class MatrixTuner:
    adapter: str
    # name and version as the adapter says; empty if it never answered
    tuner: str
    backend: str
    # for a run on the CPU, the CPU
    device: str
    # of the last run
    tunecheck_version: str
    # UTC, ISO 8601
    first_started: str
    # likewise
    last_started: str
    # why nothing could be run; empty if it could
    trouble: str | None = None
    # scenarios that no run has reached
    pending: list[str] = field(default_factory=list)
    # none of a run that was not divided
    parts: list[MatrixPart] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    # of what is known to fail, as the adapter lists them
    causes: list[TunerCause] = field(default_factory=list)
    scenarios: list[MatrixScenario]


@dataclass(frozen=True, kw_only=True)
class Matrix(Document):
    """What `tunecheck matrix --format json` writes: results of several tuners."""

    SCHEMA: ClassVar[str] = "1.5.0"

    schema: str
    # checks, in the order of the table of checks
    rows: list[MatrixRow]
    # checks that no scenario of any tuner names; they have no row
    not_asked: list[str]
    tuners: list[MatrixTuner]
