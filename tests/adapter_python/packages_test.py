"""What reports say about a tuner's version, and what a user is told who lacks it."""

import sys
import unittest
from importlib import metadata

from tunecheck_adapter import AdapterError, package_version

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


if __name__ == "__main__":
    unittest.main()
