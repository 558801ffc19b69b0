"""What reports say about a tuner's version, and what a user is told who lacks it."""

import sys
import tempfile
import unittest
from importlib import metadata
from pathlib import Path
from unittest import mock

from tunecheck_adapter import AdapterError, package_version
from tunecheck_adapter.packages import import_alone

# The only package that is surely there.
PACKAGE = "pip"


class PackageVersion(unittest.TestCase):
    def setUp(self):
        try:
            self.installed = metadata.version(PACKAGE)
        except metadata.PackageNotFoundError:
            self.skipTest("this Python has no pip")

    def test_the_known_version_is_the_version(self):
        self.assertEqual(package_version(PACKAGE, self.installed), self.installed)

    def test_another_version_is_named_as_such(self):
        self.assertEqual(
            package_version(PACKAGE, "0.0.1"),
            f"{self.installed} (the adapter was written for 0.0.1)",
        )


class Missing(unittest.TestCase):
    def test_a_missing_package_comes_with_how_to_get_it(self):
        with self.assertRaises(AdapterError) as raised:
            package_version("no-such-package-of-anybody", "1.2")
        self.assertEqual(
            str(raised.exception),
            f"no-such-package-of-anybody is not installed for {sys.executable}; ci/bootstrap "
            "--adapters, or name a Python with no-such-package-of-anybody==1.2 in TUNECHECK_PYTHON",
        )
        with self.assertRaisesRegex(AdapterError, "; my/script, or name a Python"):
            package_version("no-such-package-of-anybody", "1.2", "my/script")


class Alone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        inner = Path(folder.name, "large_package", "inner")
        inner.mkdir(parents=True)
        for package in inner.parent, inner:
            (package / "__init__.py").write_text("raise ImportError('its compiler is missing')\n")
        (inner / "tuner.py").write_text(
            "from large_package import __version__\nfrom . import store\n"
        )
        (inner / "store.py").write_text("")
        for patch in (
            mock.patch.object(sys, "path", [folder.name, *sys.path]),
            mock.patch.dict(sys.modules),
            mock.patch.object(metadata, "version", lambda name: f"{name} 1.2"),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def test_a_module_comes_without_the_first_lines_of_its_packages(self):
        packages = ["large_package", "large_package.inner"]
        tuner = import_alone("large_package.inner.tuner", packages, "large")
        self.assertEqual(tuner.__version__, "large 1.2")
        self.assertEqual(tuner.store.__name__, "large_package.inner.store")
        self.assertIs(import_alone("large_package.inner.tuner", packages, "large"), tuner)

    def test_a_missing_package_is_named(self):
        with self.assertRaisesRegex(AdapterError, "large has no package no_such_package"):
            import_alone("no_such_package.tuner", ["no_such_package"], "large")


if __name__ == "__main__":
    unittest.main()
