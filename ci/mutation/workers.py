"""Several things at once, each in a process of its own, which ends what it has started without harm to the others."""

import ctypes
import multiprocessing
import signal
import sys
import time
from multiprocessing import connection

import guarded
from tree import Refused

PR_SET_PDEATHSIG = 1
LONGEST_WAIT_S = 3600
CONTEXT = multiprocessing.get_context("fork")


def end_on_signals():
    """So that what is mutated is restored, and what runs is ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def begin():
    end_on_signals()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    guarded.adopt_orphans()


def work_once(pipe, function):
    begin()
    pipe.send(function())


def at_once(functions, most):
    """What the functions return, in the order in which they end; at most so many run at the same time."""
    open_ones, busy = list(functions), {}
    try:
        while open_ones or busy:
            while open_ones and len(busy) < most:
                ours, theirs = CONTEXT.Pipe()
                process = CONTEXT.Process(target=work_once, args=(theirs, open_ones.pop(0)))
                process.start()
                theirs.close()
                busy[ours] = process
            for pipe in connection.wait(list(busy)):
                process = busy.pop(pipe)
                try:
                    yield pipe.recv()
                except EOFError as ended:
                    raise Refused("a process of the baseline has ended") from ended
                process.join()
    finally:
        end_all(busy.values())


def end_all(processes):
    # Again and again: a signal that arrives while Python is in a callback of its own is lost.
    for process in processes:
        process.terminate()
    for process in processes:
        while process.is_alive():
            process.terminate()
            process.join(1)


def work(pipe, make_jury):
    begin()
    try:
        jury = make_jury()
        while (mutation := pipe.recv()) is not None:
            pipe.send((mutation, jury.record(mutation)))
    except Refused as refused:
        pipe.send((None, str(refused)))
    except OSError as error:
        pipe.send((None, str(error)))
    except (EOFError, KeyboardInterrupt):
        pass


class Workers:
    """Several trees, each with a process that judges one mutation after the other. records() may be left at any time;
    close() then ends them all, in the middle of a mutation too."""

    def __init__(self, make_juries):
        self._processes, self._pipes = [], []
        for make_jury in make_juries:
            ours, theirs = CONTEXT.Pipe()
            process = CONTEXT.Process(target=work, args=(theirs, make_jury))
            process.start()
            theirs.close()
            self._processes.append(process)
            self._pipes.append(ours)

    def records(self, mutations, until):
        """Of one mutation after the other, as they are judged; none that is judged behind `until`, a time of
        time.monotonic()."""
        mutations, busy = iter(mutations), []
        for pipe in self._pipes:
            busy += self._hand_out(pipe, mutations)
        while busy and (left := until - time.monotonic()) > 0:
            for pipe in connection.wait(busy, min(left, LONGEST_WAIT_S)):
                busy.remove(pipe)
                try:
                    mutation, record = pipe.recv()
                except EOFError as ended:
                    raise Refused("a process that judges mutations has ended") from ended
                if mutation is None:
                    raise Refused(record)
                yield record
                busy += self._hand_out(pipe, mutations)

    @staticmethod
    def _hand_out(pipe, mutations):
        mutation = next(mutations, None)
        if mutation is None:
            return []
        pipe.send(mutation)
        return [pipe]

    def close(self):
        end_all(self._processes)
