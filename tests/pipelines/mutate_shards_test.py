"""Parts of a campaign of ci/mutate: who says which part it is, what each has, and what makes no whole."""

import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "ci" / "mutation"))

import shard  # noqa: E402
from tree import Refused  # noqa: E402

MUTATIONS = 5


def record(number, line, verdict="caught", **changes):
    part = {"number": number, "count": 2, "campaign": "tests", "seed": 1, "mutations": MUTATIONS, "listed": 9}
    part.update({name: changes.pop(name) for name in list(changes) if name in part})
    return {"file": "a.cpp", "line": line, "column": 1, "before": "+", "after": "-", "text": "a + b", "verdict": verdict,
            "by": "", "seconds": 1.0, "revision": "abc", "scenarios": "all", "most": None, "part": part, **changes}


class Asked(unittest.TestCase):
    def test_variables_are_those_of_the_program(self):
        cases = [
            ({"TUNECHECK_SHARD": "2/5", "CI_NODE_INDEX": "1"}, (2, 5)),
            ({"SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_COUNT": "4"}, (1, 4)),
            ({"SLURM_ARRAY_TASK_ID": "14", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "10",
              "SLURM_ARRAY_TASK_STEP": "2"}, (3, 4)),
            ({"CI_NODE_INDEX": "4", "CI_NODE_TOTAL": "4"}, (4, 4)),
            ({"JOB_COMPLETION_INDEX": "0", "TUNECHECK_SHARDS": "8"}, (1, 8)),
        ]
        for environment, expected in cases:
            self.assertEqual(shard.asked("auto", environment), expected)
        self.assertEqual(shard.asked(None, {"TUNECHECK_SHARD": "2/5"}), (2, 5))
        self.assertIsNone(shard.asked(None, {"CI_NODE_INDEX": "4", "CI_NODE_TOTAL": "4"}))
        source = (ROOT / "framework/judge/scenario/shard.cpp").read_text()
        table = source[source.index("schedulers[] = {"):]
        table = table[:table.index("};")]
        for index, count, first, step, _ in shard.SCHEDULERS:
            for name in filter(None, (index, count, first, step)):
                self.assertIn(f'"{name}"', table)
        self.assertEqual(table.count("    {\""), len(shard.SCHEDULERS))

    def test_half_of_what_a_scheduler_says_is_a_mistake(self):
        for option, environment in (("auto", {}), ("auto", {"JOB_COMPLETION_INDEX": "0"}), ("0/4", {}), ("5/4", {}),
                                    ("3", {}), ("1/4x", {}), ("auto", {"CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "4"})):
            with self.assertRaises(Refused) as refused:
                shard.asked(option, environment)
            self.assertEqual(refused.exception.status, 3)

    def test_parts_have_each_mutation_once(self):
        for count in (1, 2, 3, 7):
            parts = [shard.mutations_of((number, count), list(range(10))) for number in range(1, count + 1)]
            self.assertEqual(sorted(each for part in parts for each in part), list(range(10)))
            self.assertEqual([len(part) for part in parts], [shard.share((n, count), 10) for n in range(1, count + 1)])


class Joined(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.out = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, records):
        file = self.out / name / "tests-1.jsonl"
        file.parent.mkdir()
        file.write_text("".join(json.dumps(each) + "\n" for each in records))
        return file

    def parts(self, **changes):
        return [self.write("1", [record(1, line) for line in (1, 2, 3)]),
                self.write("2", [record(2, line, **changes) for line in (4, 5)])]

    def refused(self, files):
        with self.assertRaises(Refused) as refused:
            shard.write_whole(files, self.out / "whole")
        self.assertFalse((self.out / "whole").exists())
        return refused.exception.status, str(refused.exception)

    def test_they_are_the_whole(self):
        file, records = shard.write_whole(self.parts(), self.out / "whole")
        self.assertEqual(file.name, "tests-1.jsonl")
        self.assertEqual([each["line"] for each in records], [1, 2, 3, 4, 5])
        self.assertNotIn("part", file.read_text())

    def test_missing_and_doubled_parts_are_refused(self):
        first, second = self.parts()
        self.assertEqual(self.refused([first]), (4, "part 2 of 2 is missing"))
        self.assertIn("part 1 of 2 is there twice", self.refused([first, second, first])[1])

    def test_parts_of_something_else_are_refused(self):
        for number, (changes, message) in enumerate([
                ({"revision": "def"}, "expected the commit abc of the first part, found def"),
                ({"seed": 2}, "expected the seed 1 of the first part, found 2"),
                ({"mutations": 9}, "expected the number of mutations 5"),
                ({"campaign": "scenarios"}, "expected the campaign tests")]):
            with self.subTest(message), tempfile.TemporaryDirectory() as folder:
                self.out = pathlib.Path(folder)
                status, said = self.refused(self.parts(**changes))
                self.assertEqual(status, 4, number)
                self.assertIn(message, said)

    def test_a_part_that_has_not_ended_and_a_mutation_in_two_parts_are_refused(self):
        first, second = self.parts()
        second.write_text(json.dumps(record(2, 4)) + "\n")
        self.assertIn("expected 2 mutations that count, found 1: part 2 of 2 has not ended", self.refused([first, second])[1])
        second.write_text("".join(json.dumps(record(2, line)) + "\n" for line in (3, 4)))
        self.assertIn("expected each mutation in one part, found a.cpp:3 in two", self.refused([first, second])[1])
        second.write_text("{}\n")
        self.assertEqual(self.refused([first, second])[0], 3)

    def test_nothing_is_replaced_by_what_is_made_of_it(self):
        files = self.parts()
        with self.assertRaises(Refused) as refused:
            shard.write_whole(files, files[0].parent)
        self.assertEqual(refused.exception.status, 3)


if __name__ == "__main__":
    unittest.main()
