"""The protocol: requests as lines of JSON on stdin, one answer each on stdout."""

import gc
import json
import os
import sys
import threading
import traceback
from typing import Any, TextIO

from .answers import Answer, one_line, text_of
from .calls import read_call

PROTOCOL = 2
VERSION_HELP = 'docs/adapter-protocol.md says under "What changed" what each version is'


class Adapter:
    """What an adapter does; derive from it. The attributes are read after open().

    tuner, version: what reports call the tuner.
    device, arch: where it runs, and for what it compiles if a call does not say.
    devices: how many devices a call may choose among.
    """

    tuner = ""
    version = ""
    device = ""
    arch = ""
    devices = 1

    def open(self, backend: str) -> None:
        """Makes the tuner ready for a kind of device ("cpu", "cuda", "hip"). What it raises is
        answered to the judge, and the run ends with it: a missing package, no such device."""

    def call(self, call: Any) -> Answer:
        """Makes one Call. What it raises is what the caller of the tuner sees: the answer is
        `failed` with its text. Called in several threads at once where the capability `threads`
        is declared, and once for each call of a burst where `burst` is."""
        raise NotImplementedError


def serve(adapter: Adapter) -> None:
    """Answers requests until it is asked to quit, or stdin ends.

    stdin and stdout belong to the protocol: both descriptors are moved away first, so that a tuner
    that prints writes to the log, and one that reads finds the end. Children do not inherit them.

    A process lives for a few calls, and large packages make a million objects that stay: the
    collector of cycles seldom looks at them, and not at the end, where it would three times.
    """
    gc.set_threshold(100_000, 50, 100)
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    _answer_all(adapter, requests, answers)
    gc.collect()  # what is garbage now ends as it would
    gc.freeze()


def _answer_all(adapter: Adapter, requests: TextIO, answers: TextIO) -> None:
    for line in requests:
        answer = _answer(adapter, line)
        sys.stdout.flush()  # the log is in the order of what happened
        print(json.dumps(answer), file=answers, flush=True)
        if answer["answer"] == "quit":
            break


def _answer(adapter: Adapter, line: str) -> dict[str, Any]:
    try:
        request = json.loads(line)
        kind = request["request"]
    except (ValueError, KeyError, TypeError):
        return _error(f"expected a request as one line of JSON, found: {line[:200]}")
    if kind == "hello":
        return _hello(adapter, request)
    if kind == "call":
        return _call(adapter, request)
    if kind == "calls":
        return {"answer": "calls", "calls": _calls(adapter, request["calls"])}
    if kind == "quit":
        return {"answer": "quit"}
    return _error(f'expected hello, call, calls or quit, found "{kind}"')


def _error(message: str) -> dict[str, Any]:
    return {"answer": "error", "message": one_line(message)}


def _hello(adapter: Adapter, request: dict[str, Any]) -> dict[str, Any]:
    backend = request.get("backend", "cpu")
    theirs = request.get("protocol", PROTOCOL)
    if theirs != PROTOCOL:
        return _error(f"expected protocol version {PROTOCOL}, found {theirs}: {VERSION_HELP}")
    try:
        adapter.open(backend)
    except BaseException as error:  # a tuner that calls sys.exit() does not end the adapter
        traceback.print_exc()
        return _error(text_of(error))
    return {
        "answer": "hello",
        "protocol": PROTOCOL,
        "tuner": adapter.tuner,
        "version": adapter.version,
        "backend": backend,
        "device": adapter.device,
        "arch": adapter.arch,
        "devices": adapter.devices,
        # What counts are those of adapter.info.
        "capabilities": [],
        "policies": {},
    }


def _call(adapter: Adapter, request: dict[str, Any]) -> dict[str, Any]:
    try:
        for name, value in request.get("environment", {}).items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        call = read_call(request)
        return (_burst(adapter, call) if call.burst else adapter.call(call)).as_json()
    except BaseException as error:
        traceback.print_exc()
        return Answer(failed=True, message=text_of(error)).as_json()


def _burst(adapter: Adapter, call: Any) -> Answer:
    """Makes all calls of a burst; one answer for all of them."""
    burst, first = call.burst, call.scalars[call.burst.scalar]
    answer = Answer(cache="hit")
    for index in range(burst.calls):
        call.scalars[burst.scalar] = first + index % burst.keys
        one = adapter.call(call)
        answer.winner = one.winner
        if one.cache != "hit":
            answer.cache = one.cache
        if one.compiles is not None:
            answer.compiles = one.compiles + (answer.compiles or 0)
        if one.failed:
            answer.failed, answer.message = True, one.message
            break
    return answer


def _calls(adapter: Adapter, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All at the same moment, a thread each."""
    ready = threading.Barrier(len(requests))
    answers: list[dict[str, Any]] = [{} for _ in requests]

    def make(index: int) -> None:
        ready.wait()
        answers[index] = _call(adapter, requests[index])

    threads = [threading.Thread(target=make, args=(i,)) for i in range(len(requests))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
