"""Runs every *_test.py of this folder."""

import sys
import unittest
from pathlib import Path

FOLDER = str(Path(__file__).parent)
TESTS = unittest.defaultTestLoader.discover(FOLDER, pattern="*_test.py")
sys.exit(not unittest.TextTestRunner().run(TESTS).wasSuccessful())
