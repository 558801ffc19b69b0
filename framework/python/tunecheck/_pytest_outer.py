"""Runs the passes of a suite under `tunecheck watch`, and reports each test of each pass with its outcome."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import ReprFileLocation, TerminalRepr
from _pytest._io import TerminalWriter

from ._pytest_judge import Judge, Verdict
from ._pytest_recorder import Pass, Recorder
from ._running import watch
from .errors import TunecheckError
from .results import Watch


class Failure(TerminalRepr):
    """What pytest shows of a test that tunecheck fails."""

    def __init__(self, verdicts: list[Verdict], repeat: str) -> None:
        self.verdicts = verdicts
        self.repeat = repeat
        first = verdicts[0]
        # pytest's short summary shows this message.
        message = f"{first.word}: {first.kernel + ': ' if first.kernel else ''}{first.text}"
        self.reprcrash = ReprFileLocation(first.file, first.line, message)

    def toterminal(self, tw: TerminalWriter) -> None:
        for verdict in self.verdicts:
            tw.line(f"{verdict.word}: {verdict.text}", red=True, bold=True)
            if verdict.kernel:
                place = f" ({verdict.file}:{verdict.line})" if verdict.line else ""
                tw.line(f"  kernel    {verdict.kernel}{place}")
            tw.line(f"  expected  {verdict.expected}")
            tw.line(f"  observed  {verdict.observed}")
            for detail in verdict.details:
                tw.line(f"            {detail}")
            tw.line(f"  evidence  {verdict.evidence}")
        tw.line(f"  repeat    {self.repeat}")


def out_folder(config: pytest.Config) -> Path:
    """Where the evidence goes: a folder with a dot is one in which pytest looks for no tests."""
    return Path(config.invocation_params.dir, config.getoption("tunecheck_out") or ".tunecheck/pytest")


class Outer:
    """Registered in the pytest that was asked for the passes, in which no test runs itself."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._warm = bool(config.getoption("tunecheck_warm"))
        self._out = out_folder(config)
        self._notes: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool:
        session.items = []
        return True  # the passes collect

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        found, passes = self._run()
        folder = os.path.relpath(found.folder, self._config.invocation_params.dir)
        judge = Judge(found, folder, 1 if self._warm else 0, self._config.getoption("tunecheck_allow"))
        ran = [each for one in passes for each in one.reports if each["$report_type"] == "TestReport"]
        session.testscollected = len({(each["nodeid"]) for each in ran}) * len(passes)
        for number, one in enumerate(passes):
            self._replay(number, one, judge)
        for number, verdict in judge.of_none(expects_evidence=bool(ran) or not _selected_nothing(passes)):
            self._report(number, f"tunecheck::{verdict.word}", Failure([verdict], self._repeat("")))
        self._notes += judge.unclear() + list(found.notes)
        if found.interrupted:
            raise KeyboardInterrupt
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        # --lf is to run a test again whichever pass it failed in.
        plugin = self._config.pluginmanager.get_plugin("lfplugin")
        failed = getattr(plugin, "lastfailed", None)
        if not isinstance(failed, dict):
            return
        for key in list(failed):  # texts, or since pytest 9.2 objects that are made of texts
            test = str(key).rsplit(" (warm", 1)[0]
            if test != str(key) or test.startswith("tunecheck::"):
                failed.pop(key)
            if test != str(key) and not test.startswith("tunecheck::"):
                failed[getattr(type(key), "parse", str)(test)] = True

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self._notes:
            return
        terminalreporter.section("tunecheck")
        for note in self._notes:
            terminalreporter.line(note)

    def _run(self) -> tuple[Watch, list[Pass]]:
        cache = getattr(self._config, "cache", None)
        own_cache = str(cache._cachedir) if cache is not None else ""
        command = [sys.executable, "-m", "tunecheck._pytest_pass", own_cache, sys.path[0]]
        command += self._config.invocation_params.args
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if terminal is not None:
            terminal.write_line(f"tunecheck: {self._says()}; evidence in {self._out}")
        self._out.mkdir(parents=True, exist_ok=True)
        log = self._out / "pytest.log"
        try:
            with Recorder() as recorder, log.open("wb") as file:
                outcome = watch(
                    command,
                    runs=self._config.getoption("tunecheck_runs") if self._warm else 1,
                    use_my_caches=not self._warm,
                    allow=self._config.getoption("tunecheck_allow"),
                    out=self._out,
                    log=file,
                )
        except TunecheckError as error:
            raise pytest.UsageError(f"tunecheck: {error}{_end_of(log)}") from None
        self._notes += recorder.troubles
        if len(recorder.passes) != len(outcome.watch.runs):
            ends = ", ".join(run.end for run in outcome.watch.runs)
            raise pytest.UsageError(f"tunecheck: pytest did not start ({ends}){_end_of(log)}")
        return outcome.watch, recorder.passes

    def _says(self) -> str:
        if not self._warm:
            return "one pass with your caches"
        return f"a cold pass and {self._config.getoption('tunecheck_runs') - 1} warm, in caches of their own"

    def _suffix(self, number: int) -> str:
        if number == 0 or not self._warm:
            return ""
        return " (warm)" if self._config.getoption("tunecheck_runs") == 2 else f" (warm {number})"

    def _replay(self, number: int, one: Pass, judge: Judge) -> None:
        last = None
        for test, reports in _by_test(one.reports):
            verdicts = judge.of_test(number, test, _asks(reports))
            judged = self._judged(reports)
            for data in reports:
                if isinstance(data["longrepr"], list):  # of a skipped test: JSON has no tuples
                    data["longrepr"] = tuple(data["longrepr"])
                report = self._config.hook.pytest_report_from_serializable(config=self._config, data=data)
                if isinstance(report, pytest.CollectReport):
                    if number == 0:
                        self._config.hook.pytest_collectreport(report=report)
                    continue
                if verdicts and data is judged:
                    self._add(report, Failure(verdicts, self._repeat(test)))
                self._log(report, number, starts=last != test, ends=report.when == "teardown")
                last = test
        if one.status is None:
            died = Verdict(
                "NOT TRUSTED",
                "the pass did not end by itself",
                "all tests of the pass",
                f"{len({each['nodeid'] for each in one.reports})} tests, then nothing",
                str(self._out / "pytest.log"),
            )
            self._report(number, "tunecheck::pass", Failure([died], self._repeat("")))

    @staticmethod
    def _judged(reports: list[dict[str, Any]]) -> dict[str, Any] | None:
        """The report that says how the test ended, other than skipped."""
        calls = [each for each in reports if each.get("when") == "call"]
        ended = calls or [each for each in reports if each.get("when") == "setup"]
        return ended[-1] if ended and ended[-1]["outcome"] != "skipped" else None

    @staticmethod
    def _add(report: pytest.TestReport, failure: Failure) -> None:
        if report.outcome == "failed" or hasattr(report, "wasxfail"):
            report.sections.append(("tunecheck", str(failure)))
            return
        report.outcome = "failed"
        report.longrepr = failure

    def _log(self, report: pytest.TestReport, number: int, starts: bool, ends: bool) -> None:
        suffix = self._suffix(number)
        report.nodeid += suffix
        file, line, domain = report.location
        report.location = (file, line, domain + suffix)
        hook = self._config.hook
        if starts:
            hook.pytest_runtest_logstart(nodeid=report.nodeid, location=report.location)
        hook.pytest_runtest_logreport(report=report)
        if ends:
            hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)

    def _report(self, number: int, nodeid: str, failure: Failure) -> None:
        report = pytest.TestReport(
            nodeid=nodeid,
            location=("tunecheck", None, nodeid.rsplit("::", 1)[-1]),
            keywords={},
            outcome="failed",
            longrepr=failure,
            when="call",
        )
        self._log(report, number, starts=True, ends=True)

    def _repeat(self, test: str) -> str:
        """With the options that were given, and of the tests that were named only the one, if there is one."""
        words = _without_looks([str(word) for word in self._config.invocation_params.args])
        if test:
            words = _without(words, getattr(self._config.option, "file_or_dir", None) or []) + [test]
        return shlex.join(["pytest", *words])


# Options that change what is shown or where it is kept, and nothing of what is found; those that take a value.
_LOOKS = re.compile(r"-[vq]+|--(verbose|quiet|no-header|no-summary)|--(verbosity|color|tb|basetemp|junit-?xml|durations)=.*")
_LOOKS_OF = ("--verbosity", "--color", "--tb", "--basetemp", "--junitxml", "--junit-xml", "--durations")


def _without_looks(words: list[str]) -> list[str]:
    left: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in _LOOKS_OF:
            next(rest, None)
        elif not _LOOKS.fullmatch(word):
            left.append(word)
    return left


def _without(words: list[str], named: list[str]) -> list[str]:
    """The words of a command line without the tests that it names; the value of an option comes before those."""
    left = list(words)
    for name in reversed(named):
        if name in left:
            del left[len(left) - 1 - left[::-1].index(name)]
    return left


def _selected_nothing(passes: list[Pass]) -> bool:
    """Each pass ended because no test was selected: there is nothing that evidence could be of."""
    return all(one.status == pytest.ExitCode.NO_TESTS_COLLECTED for one in passes)


def _by_test(reports: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Reports of each test together: with xdist, those of several tests come in turn."""
    tests: dict[str, list[dict[str, Any]]] = {}
    for report in reports:
        tests.setdefault(report["nodeid"], []).append(report)
    yield from tests.items()


def _asks(reports: list[dict[str, Any]]) -> dict[str, bool]:
    asks: dict[str, bool] = {}
    for report in reports:
        for name, cold in (report.get("tunecheck_asks") or {}).items():
            asks[name] = asks.get(name, False) or bool(cold)
    return asks


def _end_of(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    return "".join(f"\n  {line}" for line in lines[-20:]) + f"\n(all of it: {log})"
