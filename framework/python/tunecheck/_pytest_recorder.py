"""Takes in what the passes of a suite tell of their tests."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from ._pytest_pass import RECORDER


class Pass:
    """One pass, as far as it has been told."""

    def __init__(self) -> None:
        self.reports: list[dict[str, Any]] = []
        self.status: int | None = None  # None: it did not end by itself


class Recorder:
    """A socket that the passes find through the environment, from `with` to its end.

    Each line comes on a connection of its own, and passes follow each other.
    """

    def __init__(self) -> None:
        self.passes: list[Pass] = []
        self.troubles: list[str] = []
        self._folder = Path(tempfile.mkdtemp(prefix="tunecheck-"))
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # Bound by a short name: an address has room for 107 bytes.
        folder = os.open(self._folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self._socket.bind(f"/proc/self/fd/{folder}/pytest.sock")
        os.close(folder)
        self._socket.listen(64)
        self._thread = threading.Thread(target=self._take, daemon=True)

    def __enter__(self) -> Recorder:
        os.environ[RECORDER] = str(self._folder / "pytest.sock")
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        del os.environ[RECORDER]
        self._socket.shutdown(socket.SHUT_RDWR)  # ends accept()
        self._thread.join()
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _take(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as file:
                text = file.read()
            try:
                self._add(json.loads(text))
            except (ValueError, KeyError, IndexError):
                # It died while it sent that.
                self.troubles.append(f"a report of a test could not be read: {text[:80]!r}")

    def _add(self, line: dict[str, Any]) -> None:
        if "begins" in line:
            self.passes.append(Pass())
        elif "report" in line:
            self.passes[-1].reports.append(line["report"])
        else:
            self.passes[-1].status = int(line["finished"])
