"""Several trees at once, each with a process of its own that judges one mutation after the other."""

import ctypes
import multiprocessing
import signal
import sys
from multiprocessing import connection

import guarded
from tree import Refused

PR_SET_PDEATHSIG = 1
CONTEXT = multiprocessing.get_context("fork")


def end_on_signals():
    """So that what is mutated is restored, and what runs is ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def work(pipe, make_jury):
    end_on_signals()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    guarded.adopt_orphans()
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
    """records() may be left at any time; close() then ends them all, in the middle of a mutation too."""

    def __init__(self, make_juries):
        self._processes, self._pipes = [], []
        for make_jury in make_juries:
            ours, theirs = CONTEXT.Pipe()
            process = CONTEXT.Process(target=work, args=(theirs, make_jury))
            process.start()
            theirs.close()
            self._processes.append(process)
            self._pipes.append(ours)

    def records(self, mutations):
        """Of one mutation after the other, as they are judged."""
        mutations, busy = iter(mutations), []
        for pipe in self._pipes:
            busy += self._hand_out(pipe, mutations)
        while busy:
            for pipe in connection.wait(busy):
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
        # Again and again: a signal that arrives while Python is in a callback of its own is lost.
        for process in self._processes:
            while process.is_alive():
                process.terminate()
                process.join(1)
