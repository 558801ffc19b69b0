"""Runs commands that may be broken on purpose: they may hang, fill the disk or the memory, say without end, and
leave processes behind. One process of ours runs one of them at a time."""

import ctypes
import dataclasses
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time

GIB = 1 << 30
MEMORY = 12 * GIB  # of one process; tests map sparse files of a few GiB
LEAST_FREE_MEMORY = GIB
DISK = 8 * GIB  # that a command may take away
LEAST_FREE_DISK = 2 * GIB
OUTPUT = GIB // 4
PR_SET_CHILD_SUBREAPER = 36


@dataclasses.dataclass
class Outcome:
    status: int  # as of subprocess: the negative number of a signal
    ended_for: str  # why it was ended: "", or a limit, or "stopped" where stop_at was found
    output: str
    seconds: float


def adopt_orphans():
    """What a command leaves behind becomes our child, so that it can be found and ended."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants():
    children = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(name))
    found, open_ends = [], [os.getpid()]
    while open_ends:
        below = children.get(open_ends.pop(), [])
        found += below
        open_ends += below
    return found


def end_descendants():
    while left := descendants():
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
        time.sleep(0.01)


def available_memory():
    with open("/proc/meminfo", encoding="ascii") as file:
        return int(re.search(r"MemAvailable: *(\d+) kB", file.read())[1]) * 1024


def set_limits():
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Watch:
    """What a command may still do. reason() is asked again and again while it runs."""

    def __init__(self, folder, output, limit_s, stop_at):
        self.folder, self.output, self.stop_at = folder, output, stop_at
        self.limit_s, self.begun = limit_s, time.monotonic()
        self.least_disk = max(LEAST_FREE_DISK, shutil.disk_usage(folder).free - DISK)
        self.read, self.line = 0, b""

    def seconds(self):
        return time.monotonic() - self.begun

    def is_to_stop(self):
        """Looks only at what was written since the last time."""
        new = os.pread(self.output.fileno(), OUTPUT, self.read)
        self.read += len(new)
        *lines, self.line = (self.line + new).split(b"\n")
        return any(self.stop_at.match(line.decode(errors="replace")) for line in lines)

    def reason(self):
        if self.stop_at and self.is_to_stop():
            return "stopped"
        if self.seconds() > self.limit_s:
            return f"time limit of {self.limit_s:.0f} s"
        if shutil.disk_usage(self.folder).free < self.least_disk:
            return "too much on the disk"
        if available_memory() < LEAST_FREE_MEMORY:
            return "too much memory"
        if os.fstat(self.output.fileno()).st_size > OUTPUT:
            return "too much output"
        return ""


def run(command, folder, environment, limit_s, stop_at=None):
    """stop_at is a pattern for a line of the output: nothing behind it is of interest."""
    with tempfile.TemporaryFile() as output:
        watch = Watch(environment.get("TMPDIR", "/tmp"), output, limit_s, stop_at)
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, preexec_fn=set_limits, start_new_session=True)
        reason = ""
        try:
            while process.poll() is None and not reason:
                reason = watch.reason()
                time.sleep(0.05)
        finally:
            process.poll() is None and process.kill()
            process.wait()
            end_descendants()
        text = os.pread(output.fileno(), OUTPUT, 0).decode(errors="replace")
        return Outcome(process.returncode, reason, text, watch.seconds())
