"""The protocol loop, as a judge sees it: an adapter in a process of its own."""

import json
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

LIMIT_S = 20
ADAPTER = Path(__file__).with_name("noisy_adapter.py")

try:
    import numpy
except ImportError:
    numpy = None


def call_of(kernel, tensors=()):
    return {
        "request": "call",
        "kernel_folder": "/nowhere",
        "kernel": kernel,
        "tensors": list(tensors),
        "scalars": {},
        "sizes": {},
        "space": {"parameters": [{"name": "block", "values": [1, 8, 64]}], "where": ""},
        "arguments": {"tensors": [each["name"] for each in tensors], "scalars": []},
        "restore_value": [],
        "reset_to_zero": [],
        "key_scalars": [],
        "variables": [],
        "source": "",
        "build_options": [],
        "configs": [{"values": {"block": block}, "options": []} for block in (1, 8, 64)],
        "arch": "",
        "compile_options": [],
        "compile_jobs": 1,
        "hook_zeroes": [],
    }


class Loop(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(ADAPTER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        # An adapter that hangs fails its test, and no more.
        self.watchdog = threading.Timer(LIMIT_S, self.process.kill)
        self.watchdog.start()

    def tearDown(self):
        self.watchdog.cancel()
        self.process.kill()
        self.process.communicate()

    def ask(self, request):
        line = request if isinstance(request, str) else json.dumps(request)
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        """Quits; what was left on stdout, and the log."""
        self.assertEqual(self.ask({"request": "quit"}), {"answer": "quit"})
        rest, log = self.process.communicate(timeout=LIMIT_S)
        self.assertEqual(self.process.returncode, 0)
        return rest, log

    def test_hello_says_who_is_judged(self):
        answer = self.ask({"request": "hello", "protocol": 2, "backend": "cpu"})
        self.assertEqual(answer["answer"], "hello")
        self.assertEqual(answer["protocol"], 2)
        self.assertEqual((answer["tuner"], answer["version"]), ("noisy", "1"))
        self.assertEqual(self.end()[0], "")

    def test_what_open_raises_is_the_answer_to_hello_in_one_line(self):
        answer = self.ask({"request": "hello", "protocol": 2, "backend": "cuda"})
        self.assertEqual(answer, {"answer": "error", "message": "no such device: cuda"})
        answer = self.ask({"request": "hello", "protocol": 2, "backend": "hip"})
        self.assertEqual(
            answer, {"answer": "error", "message": "SystemExit: the tuner does not like hip"}
        )

    def test_another_version_is_refused_in_one_line(self):
        answer = self.ask({"request": "hello", "protocol": 1, "backend": "cpu"})
        self.assertEqual(answer["answer"], "error")
        self.assertIn("expected protocol version 2, found 1", answer["message"])

    def test_an_answer_has_every_trial_and_no_number_that_json_has_not(self):
        answer = self.ask(call_of("prints"))
        self.assertEqual(answer["outcome"], "done")
        self.assertEqual(answer["winner"], {"block": 64})
        self.assertEqual(
            [(trial["median_ns"], trial["failure"]) for trial in answer["trials"]],
            [(12.5, ""), (None, ""), (0.0, "it crashed")],
        )

    def test_whatever_prints_writes_to_the_log(self):
        for kernel in ("prints", "forks"):
            self.assertEqual(self.ask(call_of(kernel))["outcome"], "done")
        rest, log = self.end()
        self.assertEqual(rest, "")
        for text in ("from Python", "from a descriptor", "from a child", "from a fork"):
            self.assertEqual(log.count(text), 1, log)

    def test_whatever_reads_finds_the_end(self):
        self.assertEqual(self.ask(call_of("reads"))["message"], "read: ''")
        self.end()

    def test_what_a_call_raises_is_a_failed_call_and_the_next_one_works(self):
        for kernel, message in (("raises", "ValueError: two lines"), ("exits", "SystemExit: 3")):
            answer = self.ask(call_of(kernel))
            self.assertEqual((answer["outcome"], answer["message"]), ("failed", message))
            self.assertIsNone(answer["winner"])
        self.assertEqual(self.ask(call_of("prints"))["outcome"], "done")
        self.assertIn("Traceback", self.end()[1])

    def test_nonsense_is_an_error_and_no_end(self):
        for line in ("tune!", "[]", '{"request": "tune"}'):
            self.assertEqual(self.ask(line)["answer"], "error")
        self.end()

    def test_calls_are_made_at_the_same_moment(self):
        answer = self.ask({"request": "calls", "calls": [call_of("meets"), call_of("meets")]})
        self.assertEqual([each["outcome"] for each in answer["calls"]], ["done", "done"])
        self.end()

    @unittest.skipIf(numpy is None, "Tensor.array() needs numpy")
    def test_what_is_written_to_an_array_is_in_the_caller_s_file(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"\xaa" * 4096 + struct.pack("<4f", 1, 2, 3, 4) + b"\xaa" * 4096)
            file.flush()
            # Every other element, from the last on: the view is reversed.
            tensor = {
                "name": "y",
                "file": file.name,
                "byte_offset": 4096 + 12,
                "dtype": "f32",
                "shape": [2],
                "strides": [-2],
            }
            answer = self.ask(call_of("doubles", [tensor]))
            self.assertEqual(answer["message"], "12 False")
            file.seek(0)
            content = file.read()
        self.assertEqual(struct.unpack("<4f", content[4096 : 4096 + 16]), (1, 4, 3, 8))
        self.assertEqual(content[:4096], b"\xaa" * 4096)
        self.assertEqual(content[-4096:], b"\xaa" * 4096)

    def burst(self, calls, keys, misses_at=-1, fails_at=-1):
        return self.ask(
            call_of("counts")
            | {
                "scalars": {"variant": 5},
                "burst": {"calls": calls, "keys": keys, "scalar": "variant"},
                "misses_at": misses_at,
                "fails_at": fails_at,
            }
        )

    def test_a_burst_is_so_many_calls_and_one_answer(self):
        answer = self.burst(calls=8, keys=3)
        self.assertEqual(answer["outcome"], "done")
        self.assertEqual((answer["cache"], answer["compiles"]), ("hit", 8))
        self.assertEqual(answer["winner"], {"block": 5 + 7 % 3})

    def test_a_burst_hit_only_if_each_of_its_calls_did(self):
        self.assertEqual(self.burst(calls=8, keys=8, misses_at=7)["cache"], "miss")
        self.assertEqual(self.burst(calls=8, keys=2, misses_at=7)["cache"], "hit")

    def test_a_burst_ends_with_the_call_that_fails(self):
        answer = self.burst(calls=8, keys=8, fails_at=7)
        self.assertEqual((answer["outcome"], answer["message"]), ("failed", "call 7"))
        self.assertEqual(answer["compiles"], 3)


if __name__ == "__main__":
    unittest.main()
