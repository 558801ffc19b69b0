"""--tunecheck-warm: a cold and a warm pass, each with outcomes of its own."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest
from conftest import Suite


def test_a_suite_whose_tuner_remembers_passes_in_both_passes(suite: Suite) -> None:
    suite.write("def test_it(): train('first')\n")
    result = suite.run("--tunecheck-warm", "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["test_it.py::test_it PASSED*", "test_it.py::test_it (warm) PASSED*"])
    assert result.ret == 0


def test_a_test_that_compiles_in_the_warm_pass_fails_there_alone(suite: Suite) -> None:
    suite.write("def test_it(tmp_path): compile_something(tmp_path)\n")
    result = suite.run("--tunecheck-warm", "-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "test_it.py::test_it PASSED*",
            "test_it.py::test_it (warm) FAILED*",
            "COMPILED: a warm start compiles",
            "  expected  no compiler",
            "  observed  1 compiler, first *-c *x.c*",
            "  evidence  .tunecheck/pytest/watch/run-2/evidence.jsonl, from * s to * s",
            "  repeat    pytest * --tunecheck-warm test_it.py::test_it",
            "FAILED test_it.py::test_it (warm) - COMPILED: *",
        ]
    )
    assert result.ret == 1


def test_what_is_repeated_fails_again(suite: Suite) -> None:
    suite.write("def test_it(tmp_path): compile_something(tmp_path)\ndef test_other(): pass\n")
    result = suite.run("--tunecheck-warm")
    repeat = next(line.split()[1:] for line in result.outlines if line.startswith("  repeat"))
    assert repeat[0] == "pytest"
    suite.run(*repeat[1:]).assert_outcomes(passed=1, failed=1)


def test_what_is_repeated_has_the_options_that_were_given(suite: Suite) -> None:
    suite.write("def test_kept(tmp_path): compile_something(tmp_path)\ndef test_other(): pass\n")
    result = suite.run("--tunecheck-warm", "-k", "kept or more", "-q", "test_it.py")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["  repeat    pytest * --tunecheck-warm -k 'kept or more' test_it.py::test_kept"])
    (suite.path / "x.c").write_text("int x;")
    suite.write(
        "subprocess.run([os.environ['COMPILER'], '-c', 'x.c', '-o', 'x.o'], check=True)\ndef test_it(): pass\n"
    )
    result = suite.run("--tunecheck-warm", "-k", "it")
    result.stdout.fnmatch_lines(["  repeat    pytest * --tunecheck-warm -k it"])


@pytest.mark.parametrize("option", ["--tunecheck", "--tunecheck-warm"])
def test_a_selection_of_nothing_ends_as_without_the_plugin(suite: Suite, option: str) -> None:
    suite.write("def test_it(): train('first')\n")
    result = suite.run(option, "-k", "nothing")
    result.assert_outcomes()
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "NOT TRUSTED" not in result.stdout.str()


def test_a_tuner_that_keeps_no_winner_fails_in_the_warm_pass(suite: Suite) -> None:
    suite.write("def test_it(): forget(train('first'))\ndef test_other(): train('second')\n")
    result = suite.run("--tunecheck-warm", "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        [
            "test_it.py::test_it (warm) FAILED*",
            "test_it.py::test_other (warm) PASSED*",
            "AGAIN: tuned again in a warm start",
            "  kernel    first (small_tuner.py:*)",
            "  observed  first (small_tuner.py:*): 3 codes, * launches in all",
        ]
    )


def test_a_tuning_that_changes_a_result_fails_the_test_that_tuned(suite: Suite) -> None:
    suite.write("def test_it(): train('first', restores=False)\ndef test_other(): train('second')\n")
    result = suite.run("--tunecheck-warm", "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        ["test_it.py::test_it FAILED*", "test_it.py::test_it (warm) PASSED*", "WRONG: the tuning changed*"]
    )


def test_a_word_that_is_allowed_fails_nothing(suite: Suite) -> None:
    suite.write("def test_it(tmp_path): compile_something(tmp_path)\n")
    suite.run("--tunecheck-warm", "--tunecheck-allow", "COMPILED").assert_outcomes(passed=2)


def test_a_word_that_is_none_is_refused(suite: Suite) -> None:
    suite.write("def test_it(): pass\n")
    result = suite.run("--tunecheck-warm", "--tunecheck-allow", "COMPILE")
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*unknown word "COMPILE"; did you mean "COMPILED"?*Expected one of: WRONG, *'])


def test_failures_skips_and_expected_failures_are_those_of_each_pass(suite: Suite) -> None:
    suite.write(
        """
def test_trains(): train('first')
def test_is_cold(): assert not list(pathlib.Path.home().glob('.cache/second')); (pathlib.Path.home() / '.cache/second').mkdir(parents=True)
def test_skips(): pytest.skip('why')
@pytest.mark.xfail
def test_is_expected(): assert 0
@pytest.fixture
def broken(): raise ValueError('in a fixture')
def test_broken(broken): pass
"""
    )
    result = suite.run("--tunecheck-warm", "-rA")
    result.assert_outcomes(passed=3, failed=1, skipped=2, xfailed=2, errors=2)
    result.stdout.fnmatch_lines(["FAILED test_it.py::test_is_cold (warm) - *"])


def test_a_module_that_cannot_be_imported_is_an_error(suite: Suite) -> None:
    suite.write("def test_it(): train('first')\n")
    (suite.path / "test_broken.py").write_text("import nothing_of_this_name\n")
    result = suite.run("--tunecheck-warm", "--continue-on-collection-errors")
    result.assert_outcomes(passed=2, errors=1)
    assert result.ret == 1


def test_a_compiler_at_import_belongs_to_no_test(suite: Suite) -> None:
    suite.write("import tempfile\ncompile_something(pathlib.Path(tempfile.mkdtemp()))\ndef test_it(): pass\n")
    result = suite.run("--tunecheck-warm", "-v")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["tunecheck::COMPILED (warm) FAILED*", "COMPILED: a warm start compiles outside of any test"]
    )


def test_a_suite_in_which_nothing_is_seen_is_not_trusted(suite: Suite) -> None:
    suite.write("def test_it(): pass\n")
    result = suite.run("--tunecheck-warm")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["NOT TRUSTED: nothing was seen*"])
    assert result.ret == 1


def test_a_pass_that_dies_is_not_trusted(suite: Suite) -> None:
    suite.write("def test_one(): train('first')\ndef test_two(): os._exit(3)\n")
    result = suite.run("--tunecheck-warm")
    result.stdout.fnmatch_lines(["NOT TRUSTED: the pass did not end by itself", "*pytest.log"])
    assert result.ret == 1


def test_the_selection_of_tests_is_the_same_in_both_passes(suite: Suite) -> None:
    suite.write("def test_one(): train('first')\ndef test_two(): train('second')\n")
    suite.run("--tunecheck-warm", "-k", "two").assert_outcomes(passed=2)
    suite.run("--tunecheck-warm", "test_it.py::test_one").assert_outcomes(passed=2)


def test_the_last_failed_test_is_known_whichever_pass_it_failed_in(suite: Suite) -> None:
    suite.write("def test_one(): train('first')\ndef test_two(tmp_path): compile_something(tmp_path)\n")
    run = suite.pytester.runpytest_subprocess
    run("--tunecheck-warm").assert_outcomes(passed=3, failed=1)
    last = suite.path / ".pytest_cache" / "v" / "cache" / "lastfailed"
    assert json.loads(last.read_text()) == {"test_it.py::test_two": True}
    run("--tunecheck-warm", "--lf").assert_outcomes(passed=1, failed=1)


def test_junit_has_both_passes(suite: Suite) -> None:
    suite.write("def test_it(tmp_path): compile_something(tmp_path)\n")
    suite.run("--tunecheck-warm", "--junitxml", "junit.xml")
    cases = ElementTree.parse(suite.path / "junit.xml").getroot().findall(".//testcase")
    assert [case.get("name") for case in cases] == ["test_it", "test_it (warm)"]
    assert cases[0].find("failure") is None
    failure = cases[1].find("failure")
    assert failure is not None and "COMPILED" in (failure.get("message") or "")


def test_options_that_mean_nothing_together_are_refused(suite: Suite) -> None:
    suite.write("def test_it(): pass\n")
    for option in (["--pdb"], ["--tunecheck"], ["--tunecheck-runs", "1"]):
        assert suite.run("--tunecheck-warm", *option).ret == 4, option


def test_what_a_watch_leaves_is_not_collected(suite: Suite) -> None:
    suite.write("def test_it(): train('first')\n")  # the suite is in the home folder
    suite.run("--tunecheck-warm", "--tunecheck-out", "kept").assert_outcomes(passed=2)
    suite.run("--tunecheck-warm", "--tunecheck-out", "kept").assert_outcomes(passed=2)
    suite.run("--tunecheck-out", "kept").assert_outcomes(passed=1)


def test_collecting_runs_no_pass(suite: Suite) -> None:
    suite.write("def test_it(): pass\n")
    result = suite.run("--tunecheck-warm", "--collect-only", "-q")
    result.stdout.fnmatch_lines(["test_it.py::test_it"])
    assert not (suite.path / ".tunecheck").exists()


def test_three_passes_have_numbers(suite: Suite) -> None:
    suite.write("def test_it(): train('first')\n")
    result = suite.run("--tunecheck-warm", "--tunecheck-runs", "3", "-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["*test_it PASSED*", "*test_it (warm 1) PASSED*", "*test_it (warm 2) PASSED*"])


def test_the_plugin_can_be_named_where_none_is_loaded_by_itself(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    suite.write("def test_it(no_compile): train('first')\n")
    suite.run("-p", "tunecheck", "--tunecheck-warm").assert_outcomes(passed=2)
