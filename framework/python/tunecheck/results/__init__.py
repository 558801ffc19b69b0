"""The files that tunecheck writes, as classes: `Result.read("out/result.json")`."""

# Made by framework/python/generate_results.py.
from __future__ import annotations

from .audit import Audit
from .gate import Gate
from .history_changes import HistoryChanges
from .history_comparison import HistoryComparison
from .history_list import HistoryList
from .history_run import HistoryRun
from .matrix import Matrix
from .result import Result
from .watch_diff import WatchDiff
from .watch import Watch

__all__ = [
    "Audit",
    "Gate",
    "HistoryChanges",
    "HistoryComparison",
    "HistoryList",
    "HistoryRun",
    "Matrix",
    "Result",
    "WatchDiff",
    "Watch",
]
