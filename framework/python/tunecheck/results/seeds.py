"""seeds.json: what `tunecheck run --seeds` found"""

# Made by framework/python/generate_results.py from reports/schema/seeds.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ._reading import Document, Limits


@dataclass(frozen=True, kw_only=True)
class SeedRun:
    LIMITS: ClassVar[dict[str, Limits]] = {
        "seed": (0, None),
        "exit_status": (0, None),
    }

    seed: int
    # as the run with this seed alone would end
    exit_status: int
    # its result.json, from the folder of this file
    result: str
    # scenarios that failed or were in error, by name
    failed: list[str]


@dataclass(frozen=True, kw_only=True)
class Seeds(Document):
    """Seeds.json: what `tunecheck run --seeds` found."""

    SCHEMA: ClassVar[str] = "1.0.0"

    LIMITS: ClassVar[dict[str, Limits]] = {
        "exit_status": (0, None),
        "pending": (0, None),
    }

    schema: str
    tunecheck_version: str
    adapter: str
    # the first of 4, 3, 1 among those of the seeds
    exit_status: int
    # in the order in which they were run
    seeds: list[SeedRun]
    # seeds that were not run
    pending: list[int]
