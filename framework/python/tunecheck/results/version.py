"""what `tunecheck --version --json` writes"""

# Made by framework/python/generate_results.py from reports/schema/version.schema.json.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ._reading import Document, Limits


@dataclass(frozen=True, kw_only=True)
class Version(Document):
    """What `tunecheck --version --json` writes."""

    SCHEMA: ClassVar[str] = "1.0.0"

    LIMITS: ClassVar[dict[str, Limits]] = {
        "protocol": (1, None),
    }

    schema: str
    tunecheck_version: str
    # of adapters
    protocol: int
    # the version of each kind of file that it writes
    schemas: dict[str, str]
