"""The answers of an adapter to `call`, as the protocol has them."""

import math
from dataclasses import dataclass, field
from typing import Any, Optional


@dataclass
class Trial:
    """One config that was tried: measured, or out for a reason."""

    config: dict[str, int]
    median_ns: float = 0.0  # of one launch; not finite where the tuner says so
    reps: int = 0  # timed launches
    failure: str = ""  # why the config is out; "" if it was measured

    def as_json(self) -> dict[str, Any]:
        finite = math.isfinite(self.median_ns)
        return {
            "config": {name: int(value) for name, value in self.config.items()},
            "failure": one_line(self.failure),
            "median_ns": float(self.median_ns) if finite else None,  # JSON has no infinity
            "reps": int(self.reps),
        }


@dataclass
class Answer:
    """What the tuner says about a call; nothing of it is believed.

    winner: the config that was launched for the caller, None if the tuner does not say.
    cache: "hit", "miss", "stale" (an entry was there and not fit for use) or "disabled".
    failed: the caller of the tuner would see an error; `message` is what they would read.
    compiles: how often the tuner ran its compiler, None if it does not say.
    capture_valid, snapshot_bytes: only on a GPU, None if there is nothing to say.
    """

    winner: Optional[dict[str, int]] = None
    cache: str = "disabled"
    message: str = ""
    failed: bool = False
    missed_axes: list[str] = field(default_factory=list)
    compiles: Optional[int] = None
    trials: list[Trial] = field(default_factory=list)
    capture_valid: Optional[bool] = None
    snapshot_bytes: Optional[int] = None

    def as_json(self) -> dict[str, Any]:
        winner = self.winner
        answer: dict[str, Any] = {
            "answer": "call",
            "outcome": "failed" if self.failed else "done",
            "message": one_line(self.message),
            "winner": None
            if winner is None
            else {name: int(value) for name, value in winner.items()},
            "cache": self.cache,
            "missed_axes": list(self.missed_axes),
            "trials": [trial.as_json() for trial in self.trials],
        }
        if self.compiles is not None:
            answer["compiles"] = int(self.compiles)
        if self.capture_valid is not None:
            answer["capture_valid"] = bool(self.capture_valid)
        if self.snapshot_bytes is not None:
            answer["snapshot_bytes"] = int(self.snapshot_bytes)
        return answer


class AdapterError(Exception):
    """Something that a reader is told in these words: what is missing, what cannot be done."""


def one_line(text: object) -> str:
    """The text with everything that would break a line replaced by a blank."""
    return " ".join(str(text).split())


def text_of(error: BaseException) -> str:
    """What a reader is told about an exception: its kind and its text, in one line."""
    text = one_line(error)
    if isinstance(error, AdapterError):
        return text
    kind = type(error).__name__
    return f"{kind}: {text}" if text else kind
