"""Within a pass: tells the watch which test goes on, and keeps the reports for the pytest that asked."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from ._pytest_pass import RECORDER
from ._sections import is_watched, section, send

ASKS = ("no_compile", "no_tuning", "tuned_once")
SAYS = {
    "no_compile": "no compiler is started by this test once caches are filled (cold=True: in no pass)",
    "no_tuning": "no kernel is tuned by this test once caches are filled (cold=True: in no pass)",
    "tuned_once": "each kernel is tuned exactly once by this test, and never again in a later start",
}
NOT_WATCHED = "nothing is watched: run pytest with --tunecheck-warm, or with --tunecheck"

_asks = pytest.StashKey[dict[str, bool]]()


def recorder() -> Path | None:
    """The socket of the pytest that asked for this pass, or None where nobody did."""
    named = os.environ.get(RECORDER)
    return Path(named) if named and is_watched() else None


def ask(item: pytest.Item, name: str, cold: bool = False) -> None:
    """Notes what the test must not do; skips it if nobody will judge that."""
    if recorder() is None:
        pytest.skip(NOT_WATCHED)
    asked: dict[str, bool] = item.stash.setdefault(_asks, {})
    asked[name] = asked.get(name, False) or cold


class Inner:
    """Registered in each process of a pass: with xdist, in its workers and in the one that leads them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._leads = not hasattr(config, "workerinput")

    # Wrappers of the old kind: pytest 7 knows no other.
    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, None]:
        with section(item.nodeid):
            yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, None]:
        outcome = yield
        if _asks in item.stash:
            outcome.get_result().__dict__["tunecheck_asks"] = item.stash[_asks].copy()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._write(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if not report.passed:
            self._write(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self._append({"finished": int(exitstatus)})

    def _write(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if not self._leads:
            return
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        data.pop("node", None)  # the worker, which is of this process alone
        self._append({"report": data})

    def _append(self, line: dict[str, Any]) -> None:
        socket = recorder()
        if self._leads and socket is not None:
            send(socket, json.dumps(line, default=str))
