"""Starts `tunecheck run` and `tunecheck watch`, and reads what they write."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Union

from ._program import environment, program
from .errors import TunecheckError
from .results import Result, Watch

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class RunOutcome:
    """What `tunecheck run` ended with."""

    status: int  # 0 all held, 1 a check failed, 4 not to be trusted
    result: Result
    folder: Path  # paths in `result` are relative to it
    output: str  # what the command printed; "" where it printed it itself


@dataclass(frozen=True)
class WatchOutcome:
    """What `tunecheck watch` ended with."""

    status: int  # 0 nothing found, 1 something was found, 4 nothing was seen
    watch: Watch
    folder: Path
    output: str  # of the command and of the program; "" where they printed it themselves


def run(
    *scenarios: str,
    adapter: str | None = None,
    backend: str | None = None,
    quick: bool = False,
    seed: int | None = None,
    jobs: int | None = None,
    keep: bool = False,
    out: PathLike = "out",
    arguments: Sequence[str] = (),
    shown: bool = False,
) -> RunOutcome:
    """Judges a tuner by scenarios, as `tunecheck run` does.

    `scenarios` are names or patterns such as "reload.*"; all without any. `arguments` are further ones of the
    command. If `shown`, the command prints what it does. A failed check is no exception: look at `status`.
    Raises TunecheckError if the input is bad, or if the run did not get as far as a result.
    """
    command = ["run", *scenarios, "--out", os.fspath(out)]
    command += _given("--adapter", adapter) + _given("--backend", backend)
    command += _given("--seed", seed) + _given("--jobs", jobs)
    command += ["--quick"] * quick + ["--keep"] * keep + list(arguments)
    folder = Path(out)
    status, output = _start(command, folder / "result.json", shown)
    return RunOutcome(status, Result.read(folder / "result.json"), folder, output)


def watch(
    command: Sequence[str],
    *,
    runs: int | None = None,
    use_my_caches: bool = False,
    cache: Iterable[str] = (),
    hide: Iterable[str] = (),
    allow: Iterable[str] = (),
    baseline: PathLike | None = None,
    time_limit: int | None = None,
    out: PathLike = "out",
    arguments: Sequence[str] = (),
    shown: bool = False,
    log: IO[bytes] | None = None,
) -> WatchOutcome:
    """Runs a program cold and warm, unchanged, and says what its tuners did to it: `tunecheck watch`.

    `command` is the program and its arguments. `cache`, `hide` and `allow` are the values of the options of
    these names. Where `log` is a file, everything that is printed goes there. A finding is no exception: look
    at `status`. Raises TunecheckError if the input is bad, or the program cannot be started.
    """
    if isinstance(command, (str, bytes)):
        raise TypeError('expected a program and its arguments as a list, such as ["python", "train.py"]')
    words = ["watch", "--out", os.fspath(out)]
    words += _given("--runs", runs) + _given("--time-limit", time_limit)
    words += _given("--baseline", None if baseline is None else os.fspath(baseline))
    for option, values in (("--cache", cache), ("--hide", hide), ("--allow", allow)):
        for value in values:
            words += [option, value]
    words += ["--use-my-caches"] * use_my_caches + list(arguments) + ["--", *command]
    folder = Path(out)
    status, output = _start(words, folder / "watch.json", shown, log)
    return WatchOutcome(status, Watch.read(folder / "watch.json"), folder, output)


def _given(option: str, value: object) -> list[str]:
    return [] if value is None else [option, str(value)]


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _start(
    arguments: Sequence[str], file: Path, shown: bool, log: IO[bytes] | None = None
) -> tuple[int, str]:
    """The status and what was printed. The file must have been written anew."""
    before = _identity(file)
    if shown:
        ended = subprocess.run([program(), *arguments], env=environment(), check=False)
        output = ""
    else:
        ended = subprocess.run(
            [program(), *arguments],
            env=environment(),
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if log is None else log,
            stderr=subprocess.STDOUT,
        )
        output = "" if log is None else "see its log"
        if log is None:
            output = ended.stdout.decode(errors="replace")
    status = ended.returncode
    if status == 3 or _identity(file) in (None, before):
        said = output.strip() or f"it ended with status {status} before it wrote {file}"
        raise TunecheckError(status if status > 0 else 4, said)
    return status, "" if log is not None else output
