"""Packages whose third-party notices are not complete are named: ci/packaging/artifacts.py."""

import io
import json
import pathlib
import sys
import tarfile
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "ci" / "packaging"))

import artifacts  # noqa: E402

NOTICES = (ROOT / "THIRD-PARTY-NOTICES.txt").read_text()
LIBRARIES = [each["library"] for each in artifacts.COMPONENTS if each["how"] == "bundled"]


class Artifacts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.files = {"tunecheck-1.dist-info/licenses/LICENSE": (ROOT / "LICENSE").read_text(),
                      "tunecheck-1.dist-info/licenses/THIRD-PARTY-NOTICES.txt": NOTICES,
                      **{f"tunecheck.libs/{name}-0123abcd.so.1": "" for name in LIBRARIES}}
        self.components = set(artifacts.sections_of(NOTICES))

    def tearDown(self):
        self.folder.cleanup()

    def wheel(self):
        path = pathlib.Path(self.folder.name) / "a.whl"
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in self.files.items():
                archive.writestr(name, text)
        return path

    def tarball(self):
        path = pathlib.Path(self.folder.name) / "a.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for name, text in self.files.items():
                member = tarfile.TarInfo(name)
                member.size = len(text.encode())
                archive.addfile(member, io.BytesIO(text.encode()))
        return path

    def wrong(self, path=None):
        return artifacts.wrong_with(path or self.wheel(), NOTICES, self.components)[0]

    def test_each_component_of_the_list_has_a_notice(self):
        self.assertEqual({each["name"] for each in artifacts.COMPONENTS} - self.components, set())
        self.assertEqual(artifacts.wrong_with_notices(NOTICES, self.components), [])
        wanted = json.loads((ROOT / "reports/html/package.json").read_text())["dependencies"]
        self.assertEqual(set(wanted) - self.components, set())

    def test_a_complete_package_is_right(self):
        self.assertEqual(self.wrong(), [])
        self.assertEqual(self.wrong(self.tarball()), [])

    def test_what_is_missing_is_named(self):
        for name, message in (("LICENSE", "tunecheck's licence"), ("THIRD-PARTY-NOTICES.txt", "third-party notices"),
                              (LIBRARIES[0] + "-0123abcd.so.1", f"the library {LIBRARIES[0]}")):
            kept = dict(self.files)
            self.files = {key: text for key, text in kept.items() if not key.endswith(name)}
            self.assertIn(message, "".join(self.wrong()))
            self.files = kept

    def test_notices_of_another_commit_and_libraries_of_nobody_are_named(self):
        self.files["tunecheck-1.dist-info/licenses/THIRD-PARTY-NOTICES.txt"] = NOTICES.replace("MIT", "BSD")
        self.assertIn("found others", "".join(self.wrong()))
        self.files["tunecheck.libs/libodd-0123abcd.so.1"] = ""
        self.assertIn("expected a component for libodd", "".join(self.wrong()))

    def test_a_component_without_a_notice_and_a_notice_without_a_text_are_named(self):
        self.assertEqual(artifacts.wrong_with_notices(NOTICES, self.components | {"odd"}), ["expected a notice for odd, found none"])
        part = "\n" + "=" * 100 + "\n\nodd 1.0 (MIT), page; https://a\n\nshort\n"
        self.assertIn("expected the licence of odd", "".join(artifacts.wrong_with_notices(NOTICES + part, self.components | {"odd"})))


if __name__ == "__main__":
    unittest.main()
