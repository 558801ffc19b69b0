"""The files that tunecheck writes, as classes: `Result.read("out/result.json")`."""

# Made by framework/python/generate_results.py.
from __future__ import annotations

from .adapters_list import AdaptersList
from .audit import Audit
from .checks_list import ChecksList
from .gate import Gate
from .history_changes import HistoryChanges
from .history_comparison import HistoryComparison
from .history_list import HistoryList
from .history_run import HistoryRun
from .kernels_list import KernelsList
from .matrix import Matrix
from .mutants_list import MutantsList
from .result import Result
from .scenarios_list import ScenariosList
from .seeds import Seeds
from .table import Table
from .version import Version
from .watch_diff import WatchDiff
from .watch import Watch

__all__ = [
    "AdaptersList",
    "Audit",
    "ChecksList",
    "Gate",
    "HistoryChanges",
    "HistoryComparison",
    "HistoryList",
    "HistoryRun",
    "KernelsList",
    "Matrix",
    "MutantsList",
    "Result",
    "ScenariosList",
    "Seeds",
    "Table",
    "Version",
    "WatchDiff",
    "Watch",
]
