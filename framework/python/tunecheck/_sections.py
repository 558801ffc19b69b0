"""Names parts of a program for a watch that goes on: what is compiled and tuned meanwhile belongs to them."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

# As framework/observe/watch/settings.hpp has it.
EVIDENCE = "TUNECHECK_WATCH_EVIDENCE"


def is_watched() -> bool:
    """Whether `tunecheck watch` runs this program."""
    return bool(os.environ.get(EVIDENCE))


@contextlib.contextmanager
def section(name: str) -> Iterator[None]:
    """Names what this process, and what it starts, does within it.

    `watch.json` says of each section what was compiled and tuned in it. Does nothing without a watch. Sections
    of several processes may go on at once; those of one process may lie in each other, and the innermost one
    counts.
    """
    begun = time.monotonic_ns()
    try:
        yield
    finally:
        if is_watched():
            _tell(
                {
                    "watch": "section",
                    "pid": os.getpid(),
                    "name": name,
                    "from_ns": begun,
                    "to_ns": time.monotonic_ns(),
                }
            )


def _tell(event: dict[str, object]) -> None:
    line = json.dumps(event, separators=(",", ":")) + "\n"
    path = Path(os.environ[EVIDENCE])
    if path.is_socket():
        send(path, line)
    else:
        with path.open("ab", buffering=0) as file:
            file.write(line.encode())


def send(path: Path, text: str) -> None:
    """Sends it to the socket, whose path may be longer than an address can be."""
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(f"/proc/self/fd/{folder}/{path.name}")
            connection.sendall(text.encode())
    finally:
        os.close(folder)
