"""tunecheck verifies kernel autotuners and gates their regressions.

    import tunecheck

    outcome = tunecheck.run("reload.*", adapter="reference")
    for scenario in outcome.result.scenarios:
        print(scenario.name, scenario.verdict)

    outcome = tunecheck.watch([sys.executable, "train.py"])
    for finding in outcome.watch.findings:
        print(finding.word, finding.kernel, finding.text)

`tunecheck.results` has the classes of all files that tunecheck writes.
"""

from __future__ import annotations

from ._program import program
from ._running import RunOutcome, WatchOutcome, run, watch
from ._sections import section
from .errors import SchemaError, TunecheckError

__all__ = [
    "RunOutcome",
    "SchemaError",
    "TunecheckError",
    "WatchOutcome",
    "program",
    "run",
    "section",
    "watch",
]
