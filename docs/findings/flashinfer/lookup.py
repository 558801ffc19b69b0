"""What FlashInfer's stored winners are used for. Without a GPU: a tactic's time is its number, and nothing is launched. The
operation, the store and the choice are a user's and FlashInfer's.

Of FlashInfer only the tuner is imported: the package itself imports all of its operations first, and the compilers of
these."""

import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from importlib import metadata
from types import ModuleType

CALLS = {
    "the same call": {},
    "another size": {"size": 9},
    "another dtype, in the extras": {"dtype": "float16"},
    "another stride": {"strided": True},
    "a tactic more": {"tactics": [4, 2, 3, 1]},
    "tactics in another order": {"tactics": [2, 3, 4]},
    "without the winner": {"tactics": [4, 3]},
    "without the winner, not validated": {"tactics": [4, 3], "validates": False},
    "an operation that was rewritten": {"source": 2},
}


def tuner():
    folder = importlib.util.find_spec("flashinfer").submodule_search_locations[0]
    for name, path in {"flashinfer": folder, "flashinfer.jit": f"{folder}/jit"}.items():
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = [path]
    sys.modules["flashinfer"].__version__ = metadata.version("flashinfer-python")
    return importlib.import_module("flashinfer.autotuner"), importlib.import_module(
        "flashinfer.autotune_cache"
    )


def make_call(size=8, dtype="float32", strided=False, tactics=(4, 2, 3), validates=True, source=1):
    import torch

    autotuner, store = tuner()
    torch.cuda.is_current_stream_capturing = lambda: False
    measured = []

    def timed(self, runner, inputs, tactic, *_, **__):
        measured.append(tactic)
        return 9.0 if tactic == -1 else float(tactic)

    autotuner.AutoTuner._profile_single_kernel = timed

    class Scale(autotuner.TunableRunner):
        def get_valid_tactics(self, inputs, profile):
            return list(tactics)

        def get_cache_key_extras(self, inputs):
            return (str(inputs[0].dtype),)

        def forward(self, inputs, tactic=-1, do_preparation=False, **_):
            return inputs[0] * 2.0 if source == 1 else inputs[0] + inputs[0]

    if validates:
        Scale.validate_tactic = lambda self, inputs, tactic: tactic == -1 or tactic in tactics
    made = torch.ones(size, 2, dtype=getattr(torch, dtype))
    given = made[:, 0] if strided else torch.ones(size, dtype=made.dtype)
    with store.autotune_v2():
        _, tactic = autotuner.AutoTuner.get().choose_one("scale", [Scale()], autotuner.TuningConfig(), [given])
    print({"tactic": tactic, "measured": len(measured)})


def asked(folder, what):
    done = subprocess.run(
        [sys.executable, "-B", __file__, "--call", what],
        env={
            **os.environ,
            "CUDA_VISIBLE_DEVICES": "",
            "FLASHINFER_AUTOTUNE_CACHE_DIR": folder,
            "FLASHINFER_LOGGING_LEVEL": "error",
        },
        capture_output=True,
        text=True,
    )
    return done.stdout.splitlines()[-1] if done.returncode == 0 else done.stderr[-1500:]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--call"]:
        make_call(**CALLS[sys.argv[2]])
        sys.exit()
    for what in sys.argv[1:] or CALLS:
        with tempfile.TemporaryDirectory() as folder:
            asked(folder, "the same call")
            print(f"after a tuning, {what}: {asked(folder, what)}", flush=True)
