"""An adapter whose tuner misbehaves as the kernel's name says; for loop_test.py."""

import os
import sys
import threading

from tunecheck_adapter import Adapter, AdapterError, Answer, Trial, serve


class Noisy(Adapter):
    tuner = "noisy"
    version = "1"

    def __init__(self):
        self.together = threading.Barrier(2)

    def open(self, backend):
        if backend == "cuda":
            raise AdapterError("no such device:\ncuda")
        if backend == "hip":
            sys.exit("the tuner does not like hip")

    def call(self, call):
        if call.kernel == "counts":
            value = int(call.scalars["variant"])
            return Answer(
                winner={"block": value},
                cache="miss" if value == call.request["misses_at"] else "hit",
                compiles=1,
                failed=value == call.request["fails_at"],
                message=f"call {value}",
            )
        message = getattr(self, call.kernel)(call) or ""
        return Answer(
            winner={"block": 64},
            cache="miss",
            message=message,
            compiles=2,
            trials=[
                Trial({"block": 64}, median_ns=12.5, reps=3),
                Trial({"block": 8}, median_ns=float("inf")),
                Trial({"block": 1}, failure="it\ncrashed"),
            ],
        )

    def prints(self, call):
        print("from Python")
        os.write(1, b"from a descriptor\n")
        os.system("echo from a child")

    def reads(self, call):
        return "read: " + repr(sys.stdin.read())

    def forks(self, call):
        child = os.fork()
        if child == 0:
            print("from a fork")
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)

    def raises(self, call):
        raise ValueError("two\nlines")

    def exits(self, call):
        sys.exit(3)

    def doubles(self, call):
        y = call.tensors["y"]
        y.array()[...] *= 2
        return f"{y.address % 64} {y.is_contiguous}"

    def meets(self, call):
        self.together.wait(timeout=10)


if __name__ == "__main__":
    serve(Noisy())
