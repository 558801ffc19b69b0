"""What is asked of a mutant, one after the other: programs of tests, and runs of scenarios. Each stage is asked of
the unmutated tree first, in the same way: it must pass there, and how long it takes sets its limit."""

import json
import re

import guarded

FAILED_TEST = re.compile(r"^\[  FAILED  \] ([^\s,]+)", re.MULTILINE)
ALL_PASSED = re.compile(r"^\[  PASSED  \] ", re.MULTILINE)
BEGUN_TEST = re.compile(r"^\[ RUN      \] (\S+)", re.MULTILINE)
BAD_SCENARIO = re.compile(r"(fail|error) (\S+)  ")
PASSED = re.compile(r"^PASS: (\d+) of (\d+) scenarios?", re.MULTILINE)
FIRST_LIMIT_S = 1800


class Stage:
    """targets() is built, then first() is run. What it notices counts only if again() notices it too: on a
    machine that others use, a test may fail for another reason."""

    def __init__(self, label):
        self.label = label
        self.seconds = None  # as the unmutated tree took

    def limit_s(self):
        return FIRST_LIMIT_S if self.seconds is None else 30 + 5 * self.seconds


class TestProgram(Stage):
    def __init__(self, part):
        super().__init__(f"tests/{part}")
        self.part = part

    def targets(self):
        return [f"tunecheck-test-{self.part}"]

    def _run(self, tree, environment, name):
        return guarded.run([str(tree.bin / self.targets()[0]), "--gtest_fail_fast", "--gtest_color=no",
                            f"--gtest_filter={name}"], tree.source, environment, self.limit_s())

    def first(self, tree, environment):
        """What went wrong: the name of a test, "*" for the whole program, or "" for nothing; and the outcome."""
        outcome = self._run(tree, environment, "*")
        if self._has_passed(outcome):
            return "", outcome
        failed = FAILED_TEST.findall(outcome.output) or BEGUN_TEST.findall(outcome.output)[-1:]
        return (failed[0] if failed else "*"), outcome

    @staticmethod
    def _has_passed(outcome):
        """A program that ends early may do so with status 0."""
        passed = ALL_PASSED.search(outcome.output) and not FAILED_TEST.search(outcome.output)
        return outcome.status == 0 and not outcome.ended_for and bool(passed)

    def again(self, tree, environment, name):
        return not self._has_passed(self._run(tree, environment, name))

    def noticed(self, name):
        return f"{self.label}: {name}" if name != "*" else f"{self.label} ends before its first test"


class Scenarios(Stage):
    def __init__(self, label, names, programs, jobs):
        super().__init__(f"scenarios: {label}")
        self.names, self.programs, self.jobs = names, programs, jobs

    def targets(self):
        return self.programs

    def _run(self, tree, environment, names, stop_at=BAD_SCENARIO):
        return guarded.run([str(tree.bin / "tunecheck"), "run", *names, "--adapter", "reference", "--jobs",
                            str(self.jobs), "--out", environment["TMPDIR"] + "/out"],
                           tree.source, environment, self.limit_s(), stop_at)

    def to_the_end(self, tree, environment):
        """All of them, whatever fails."""
        return self._run(tree, environment, self.names, None)

    @staticmethod
    def seconds_of_each(result_file):
        """For each that passed."""
        if not result_file.exists():
            return {}
        result = json.loads(result_file.read_text(encoding="utf-8"))
        return {each["name"]: round(each["wall_ns"] / 1e9, 2) for each in result["scenarios"]
                if each["verdict"] == "pass"}

    @staticmethod
    def _has_passed(outcome):
        passed = PASSED.search(outcome.output)
        return outcome.status == 0 and not outcome.ended_for and passed and passed[1] == passed[2]

    def first(self, tree, environment):
        outcome = self._run(tree, environment, self.names)
        if self._has_passed(outcome):
            return "", outcome
        bad = [found for line in outcome.output.splitlines() if (found := BAD_SCENARIO.match(line))]
        return (bad[0][2] if bad else "*"), outcome

    def again(self, tree, environment, name):
        return not self._has_passed(self._run(tree, environment, self.names if name == "*" else [name]))

    def noticed(self, name):
        return f"scenario {name}" if name != "*" else f"{self.label}: the run ends in disorder"
