"""tunecheck.run and tunecheck.watch start the real program and hand on what it found."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from conftest import Suite

import tunecheck


def test_a_run_of_the_reference_tuner(tmp_path: Path) -> None:
    outcome = tunecheck.run("reload.winner_survives_restart", adapter="reference", jobs=1, out=tmp_path / "out")
    assert outcome.status == 0 and outcome.result.counts.pass_ == 1
    scenario = outcome.result.scenarios[0]
    assert (scenario.name, scenario.verdict) == ("reload.winner_survives_restart", "pass")
    assert [process.launches > 0 for process in scenario.processes] == [True, True]
    assert "PASS: 1 of 1" in outcome.output


def test_a_failed_check_is_no_exception(tmp_path: Path) -> None:
    outcome = tunecheck.run(
        "restore.*", adapter="mutant:no_restore", arguments=["--quick"], out=tmp_path / "out"
    )
    failed = [check for each in outcome.result.scenarios for check in each.checks if check.verdict == "fail"]
    assert outcome.status == 1 and failed and failed[0].expected and failed[0].observed


def test_bad_input_is_an_exception(tmp_path: Path) -> None:
    with pytest.raises(tunecheck.TunecheckError, match="no_such") as caught:
        tunecheck.run("no_such.scenario", out=tmp_path / "out")
    assert caught.value.status == 3


def test_an_older_result_is_not_taken_for_that_of_a_run_that_wrote_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tunecheck.run("reload.winner_survives_restart", jobs=1, out=tmp_path / "out")
    monkeypatch.setenv("TUNECHECK_PROGRAM", "/bin/false")
    with pytest.raises(tunecheck.TunecheckError, match="before it wrote"):
        tunecheck.run(out=tmp_path / "out")


def test_a_watch_knows_the_sections_of_a_program(suite: Suite) -> None:
    suite.write(
        "import tunecheck\n"
        "with tunecheck.section('warm up'):\n    train('first')\n"
        "with tunecheck.section('work'):\n    train('first')\n",
        "program.py",
    )
    outcome = tunecheck.watch([sys.executable, "program.py"], out=suite.path / "out", runs=2)
    assert outcome.status == 0 and outcome.watch.runs[0].compilers_seen
    cold = [section for section in outcome.watch.sections if section.run == 0]
    assert [section.name for section in cold] == ["warm up", "work"]
    assert [section.compiles for section in cold] == [3, 0]
    assert [(tuning.kernel, tuning.certain) for tuning in cold[0].tunings] == [("first", True)]
    assert cold[1].kernels == ["first"] and cold[1].tunings == []


def test_what_a_watch_finds_is_no_exception(suite: Suite) -> None:
    suite.write("train('first', restores=False)\n", "program.py")
    outcome = tunecheck.watch([sys.executable, "program.py"], out=suite.path / "out")
    assert outcome.status == 1
    assert [(each.word, each.kernel) for each in outcome.watch.findings] == [("WRONG", "first")]


def test_a_program_that_cannot_be_started_is_an_exception(tmp_path: Path) -> None:
    with pytest.raises(tunecheck.TunecheckError) as caught:
        tunecheck.watch([str(tmp_path / "nothing")], out=tmp_path / "out")
    assert caught.value.status == 3


def test_a_section_does_nothing_without_a_watch() -> None:
    assert "TUNECHECK_WATCH_EVIDENCE" not in os.environ
    with tunecheck.section("of a test"):
        pass


def test_adapters_in_python_are_run_by_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    from tunecheck import _program

    assert _program.environment()["TUNECHECK_PYTHON"] == sys.executable
    monkeypatch.setenv("TUNECHECK_PYTHON", "/another")
    assert _program.environment()["TUNECHECK_PYTHON"] == "/another"


def test_a_program_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUNECHECK_PROGRAM", "/nothing/tunecheck")
    with pytest.raises(tunecheck.TunecheckError, match="TUNECHECK_PROGRAM"):
        tunecheck.program()
