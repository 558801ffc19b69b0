"""FLA's config files, made from what Triton stored."""

import importlib.util
import json
import tempfile
import unittest
from pathlib import Path

ADAPTERS = Path(__file__).parents[2] / "framework/adapter/python"
SPEC = importlib.util.spec_from_file_location("config_files", ADAPTERS / "fla/config_files.py")
config_files = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(config_files)


def timings(folder, name, key, *times):
    """Configs 0, 1, ... with these times, as Triton stores them."""
    file = Path(folder, name, f"{name[0]}.autotune.json")
    file.parent.mkdir()
    configs = [[{"kwargs": {"BLOCK": i}}, time] for i, time in enumerate(times)]
    file.write_text(json.dumps({"key": key, "configs_timings": configs}))
    return file


class ConfigFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def extract(self):
        configs = self.folder / "configs"
        return config_files.extract(self.folder, configs, lambda key: f"hash of {key}", "3.6.0")

    def written(self, kernel):
        return json.loads((self.folder / "configs" / f"{kernel}.json").read_text())

    def test_each_key_has_its_fastest_config(self):
        timings(self.folder, "a1", [1], [3, 3, 3], [2, 2, 2], [4, 4, 4])
        timings(self.folder, "a2", [2], 1, 2)
        timings(self.folder, "b1", [1], [1, 1, 1])
        self.assertEqual(self.extract(), "")
        content = self.written("a")
        blocks = {
            name: (entry["autotune_key"], entry["config"]["kwargs"]["BLOCK"])
            for name, entry in content["autotune_entries"].items()
        }
        self.assertEqual(blocks, {"hash of [1]": ([1], 1), "hash of [2]": ([2], 0)})
        self.assertEqual((content["kernel_name"], content["triton_version"]), ("a", "3.6.0"))
        self.assertEqual(content["default_config"], {"kwargs": {"BLOCK": 1}})
        self.assertEqual(len(self.written("b")["autotune_entries"]), 1)

    def test_a_damaged_file_is_told_and_the_others_are_used(self):
        timings(self.folder, "a1", [1], 2, 1)
        timings(self.folder, "b1", [1], 1).write_text('{"key": [1]')
        self.assertRegex(self.extract(), "^b.autotune.json: ")
        self.assertIn("hash of [1]", self.written("a")["autotune_entries"])

    def test_what_cannot_be_written_is_told(self):
        timings(self.folder, "a1", [1], 1)
        (self.folder / "configs").write_text("a file")
        self.assertRegex(self.extract(), "^a.json is not stored: ")

    def test_nothing_is_left_behind(self):
        timings(self.folder, "a1", [1], 1)
        self.extract()
        self.assertEqual([file.name for file in (self.folder / "configs").iterdir()], ["a.json"])


if __name__ == "__main__":
    unittest.main()
