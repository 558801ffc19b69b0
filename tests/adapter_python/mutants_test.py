"""Bugs that adapters can plant: the command line, and what the lists say."""

import contextlib
import io
import json
import subprocess
import sys
import unittest
from pathlib import Path

from tunecheck_adapter.mutants import Mutant, chosen_mutant

ADAPTERS = Path(__file__).parents[2] / "framework" / "adapter" / "python"
ONE = Mutant("no_restore", "restores nothing", {"restore.first": "inputs.pristine"}, lambda part: part)


class CommandLine(unittest.TestCase):
    def ended(self, *arguments):
        """The status with which the process would end, and what it printed."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            with self.assertRaises(SystemExit) as end:
                chosen_mutant([ONE], list(arguments))
        return end.exception.code, out.getvalue(), err.getvalue()

    def test_without_arguments_plants_nothing(self):
        self.assertIsNone(chosen_mutant([ONE], []))

    def test_names_a_mutant(self):
        self.assertIs(chosen_mutant([ONE], ["--mutant", "no_restore"]), ONE)

    def test_lists_all_as_json(self):
        status, out, _ = self.ended("--list")
        self.assertEqual(status, 0)
        self.assertEqual(
            json.loads(out),
            [
                {
                    "name": "no_restore",
                    "summary": "restores nothing",
                    "caught_by": {"restore.first": "inputs.pristine"},
                }
            ],
        )

    def test_an_unknown_one_is_bad_input(self):
        status, out, err = self.ended("--mutant", "no_restor")
        self.assertEqual((status, out), (3, ""))
        self.assertIn('there is no mutant "no_restor"', err)

    def test_other_arguments_are_bad_input(self):
        for arguments in (["plain"], ["--mutant"], ["--list", "--mutant"]):
            status, _, err = self.ended(*arguments)
            self.assertEqual(status, 3)
            self.assertIn("expected --list, --mutant NAME or nothing", err)


class MutantsOfAdapters(unittest.TestCase):
    def test_are_listed_by_any_python_and_named_once(self):
        for adapter in ("flydsl", "helion", "inductor", "kernel_tuner", "triton"):
            # Without packages: -S leaves them out.
            listed = subprocess.run(
                [sys.executable, "-B", "-S", ADAPTERS / adapter / "adapter.py", "--list"],
                env={"PYTHONPATH": str(ADAPTERS)},
                capture_output=True,
                text=True,
                check=True,
            )
            mutants = json.loads(listed.stdout)
            names = [mutant["name"] for mutant in mutants]
            self.assertEqual(len(set(names)), len(names))
            for mutant in mutants:
                self.assertRegex(mutant["name"], r"^[a-z_]+$")
                self.assertFalse(mutant["summary"].endswith("."))
                self.assertTrue(mutant["caught_by"], mutant["name"])


if __name__ == "__main__":
    unittest.main()
