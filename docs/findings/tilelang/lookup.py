"""Under which key TileLang's autotuner looks for a winner on disk: what is in the key, and what is not. Nothing is compiled
or launched, and no GPU is needed; each question is a process of its own, as it would be for a user.

Prints for each change whether it finds the entry of the same program without it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = '''
import os
os.environ.setdefault("TILELANG_DEFAULT_TARGET", '{{"kind": "cuda", "arch": "sm_90"}}')
import tilelang
import tilelang.language as T
from tilelang.autotuner import set_autotune_inputs
from tilelang.autotuner.tuner import AutoTuner


class Looked(Exception):
    pass


def look(self, key):
    raise Looked(key)


AutoTuner._load_result_from_disk = look


def factor():
    return {factor}


FLAGS, VERBOSE = {flags}, {verbose}


@tilelang.autotune(configs={configs}{autotune})
@tilelang.jit(compile_flags=FLAGS, verbose=VERBOSE)
def scale(n, dtype, block=None):{comment}
    @T.prim_func
    def scale(x: T.Tensor((n,), dtype), y: T.Tensor((n,), dtype)):
        with T.Kernel(T.ceildiv(n, block), threads=128) as tile:
            for i in T.Parallel(block):
                if tile * block + i < n:
                    y[tile * block + i] = factor() * x[tile * block + i]

    return scale


import torch
with {inputs}:
    try:
        scale({call})
        print("never looks")
    except Looked as looked:
        print(looked)
    except Exception as error:
        print("never looks")
'''
FIRST = {
    "factor": "2.0", "configs": "[{'block': 128}, {'block': 256}]", "autotune": "", "flags": "None", "verbose": "False",
    "comment": "",
    "inputs": "set_autotune_inputs([torch.ones(4096), torch.ones(4096)]) if 0 else __import__('contextlib').nullcontext()",
    "call": "4096, 'float32'",
}  # fmt: skip
CHANGES = {
    "nothing": {},
    "another size": {"call": "8192, 'float32'"},
    "another dtype": {"call": "4096, 'float16'"},
    "the size by name": {"call": "n=4096, dtype='float32'"},
    "a function that the program calls": {"factor": "3.0"},
    "a comment in the program": {"comment": "  # a comment"},
    "a compiler's option (compile_flags)": {"flags": "['-use_fast_math']"},
    "a config more": {"configs": "[{'block': 128}, {'block': 256}, {'block': 512}]"},
    "configs in another order": {"configs": "[{'block': 256}, {'block': 128}]"},
    "more launches for each time (rep)": {"autotune": ", rep=1000"},
    "a longer output (verbose)": {"verbose": "True"},
    "the caller's tensors (set_autotune_inputs)": {
        "inputs": "set_autotune_inputs([torch.ones(4096), torch.ones(4096)])"
    },
}
ENVIRONMENT = {
    "another nvcc (CUDA_HOME)": {"CUDA_HOME": "/opt/another"},
    "another arch (TILELANG_DEFAULT_TARGET)": {
        "TILELANG_DEFAULT_TARGET": '{"kind": "cuda", "arch": "sm_80"}'
    },
}


def key_of(change, environment=()):
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program.py")
        program.write_text(PROGRAM.format(**{**FIRST, **change}))
        done = subprocess.run(
            [sys.executable, "program.py"],
            cwd=folder,
            env={**os.environ, "TILELANG_CACHE_DIR": folder, **dict(environment)},
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout.splitlines()[-1]


def answer_to(what):
    key = key_of(CHANGES.get(what, {}), ENVIRONMENT.get(what, ()))
    if key == "never looks":
        return "never stored, never found"
    return "found" if key == first else "another entry"


first = key_of({})
for what in sys.argv[1:] or [*CHANGES, *ENVIRONMENT]:
    print(f"{what}: {answer_to(what)}", flush=True)
