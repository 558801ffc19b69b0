"""The fixtures and marks no_compile, no_tuning and tuned_once: the evidence of a watch decides."""

from __future__ import annotations

import pytest
from conftest import Suite


@pytest.mark.parametrize("name", ["no_compile", "no_tuning", "tuned_once"])
def test_without_a_watch_such_a_test_is_skipped(suite: Suite, name: str) -> None:
    suite.write(f"def test_it({name}): assert 0\n@pytest.mark.{name}\ndef test_marked(): assert 0\n")
    result = suite.run("-rs", "--strict-markers")
    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(["SKIPPED*nothing is watched: run pytest with --tunecheck-warm*"])


def test_a_tuner_that_remembers_holds_all_three(suite: Suite) -> None:
    suite.write("def test_it(no_compile, no_tuning, tuned_once): train('first')\n")
    suite.run("--tunecheck-warm").assert_outcomes(passed=2)


def test_no_compile_in_the_cold_pass_only_if_asked(suite: Suite) -> None:
    suite.write(
        "@pytest.mark.no_compile(cold=True)\ndef test_it(): train('first')\n"
        "@pytest.mark.no_compile\ndef test_other(): train('second')\n"
    )
    result = suite.run("--tunecheck-warm", "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        ["test_it.py::test_it FAILED*", "no_compile: the test compiles", "  observed  3 compilers, first *"]
    )


def test_no_compile_is_judged_where_its_word_is_allowed(suite: Suite) -> None:
    suite.write(
        "def test_it(no_compile, tmp_path): compile_something(tmp_path)\n"
        "def test_other(tmp_path): compile_something(tmp_path)\n"
    )
    result = suite.run("--tunecheck-warm", "--tunecheck-allow", "COMPILED", "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["test_it.py::test_it (warm) FAILED*", "no_compile: the test compiles"])


def test_no_tuning_names_what_is_tuned(suite: Suite) -> None:
    suite.write("def test_it(no_tuning): forget(train('first'))\n")
    result = suite.run("--tunecheck-warm", "-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["no_tuning: the test tunes", "  kernel    first (small_tuner.py:*)", "  expected  no tuning"]
    )
    result.stdout.no_fnmatch_line("AGAIN*")  # it is said once


def test_no_tuning_needs_a_launch_that_was_seen(suite: Suite) -> None:
    suite.write("def test_it(no_tuning): pass\ndef test_other(): train('first')\n")
    result = suite.run("--tunecheck-warm", "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["  observed  no launch of a kernel was looked at"])


def test_tuned_once_needs_a_tuning_that_was_seen(suite: Suite) -> None:
    suite.write("def test_it(tuned_once): pass\ndef test_other(): train('first')\n")
    result = suite.run("--tunecheck-warm", "-v")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["test_it.py::test_it FAILED*", "  observed  no tuning was seen"])


def test_tuned_once_fails_where_a_kernel_is_tuned_twice(suite: Suite) -> None:
    suite.write(
        # With other numbers: the second array may lie where the first one was.
        "def test_it(tuned_once):\n    forget(train('first'))\n    train('first', first=3)\n"
        "def test_other(tuned_once): train('second')\n"
    )
    result = suite.run("--tunecheck-warm", "-v")
    result.stdout.fnmatch_lines(
        ["test_it.py::test_it FAILED*", "test_it.py::test_other PASSED*", "tuned_once: tuned 2 times"]
    )


def test_tuned_once_fails_where_a_later_start_tunes_again(suite: Suite) -> None:
    suite.write("def test_it(tuned_once): forget(train('first'))\n")
    result = suite.run("--tunecheck-warm", "--tunecheck-allow", "AGAIN", "-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "test_it.py::test_it PASSED*",
            "test_it.py::test_it (warm) FAILED*",
            "tuned_once: tuned again in a later start",
            "  expected  no tuning",
        ]
    )


def test_a_tuner_that_lies_is_not_asked(suite: Suite) -> None:
    suite.write(
        "def test_it(no_compile, tmp_path):\n    compile_something(tmp_path)\n    print('cache hit, 0 compiles')\n"
    )
    suite.run("--tunecheck-warm").assert_outcomes(passed=1, failed=1)


def test_one_pass_with_own_caches(suite: Suite) -> None:
    suite.write("def test_it(no_compile): train('first')\n@pytest.mark.tuned_once\ndef test_other(): train('second')\n")
    result = suite.run("--tunecheck", "-v")  # nothing is there yet
    result.stdout.fnmatch_lines(["test_it.py::test_it FAILED*", "no_compile: the test compiles"])
    suite.write("def test_it(no_compile): train('first')\n")
    suite.run("--tunecheck").assert_outcomes(passed=1)


def test_a_fixture_that_is_asked_for_by_name(suite: Suite) -> None:
    suite.write(
        "def test_it(request, tmp_path):\n    request.getfixturevalue('no_compile')\n    compile_something(tmp_path)\n"
    )
    result = suite.run("--tunecheck-warm")
    result.stdout.fnmatch_lines(["no_compile: the test compiles"])
