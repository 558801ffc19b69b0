"""What TileLang's autotuner does with an entry that is damaged, or that somebody else has written. Nothing is compiled or
launched, and no GPU is needed: each process looks for the entry and ends before it would tune."""

import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = '''
import os
os.environ.setdefault("TILELANG_DEFAULT_TARGET", '{"kind": "cuda", "arch": "sm_90"}')
import tilelang
import tilelang.language as T
from tilelang.autotuner.tuner import AutoTuner

load = AutoTuner._load_result_from_disk


def tell(self, key):
    print(self.cache_dir / key)
    try:
        found = load(self, key)
    except Exception as error:
        print("raised", type(error).__name__)
    else:
        print("not used" if found is None else "used")
    raise SystemExit


AutoTuner._load_result_from_disk = tell


@tilelang.autotune(configs=[{"block": 128}, {"block": 256}])
@tilelang.jit
def scale(n, block=None):
    @T.prim_func
    def scale(x: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, block), threads=128) as tile:
            for i in T.Parallel(block):
                x[tile * block + i] = 2.0 * x[tile * block + i]

    return scale


scale(4096)
'''


class Foreign:
    """What its bytes do where they are read."""

    def __init__(self, file):
        self.file = file

    def __reduce__(self):
        return os.system, (f"id -un > {self.file}",)


def process(folder):
    program = Path(folder, "program.py")
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        env={**os.environ, "TILELANG_CACHE_DIR": f"{folder}/cache"},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(done.stderr)
    entry, answer = done.stdout.splitlines()[-2:]
    return Path(entry), answer


with tempfile.TemporaryDirectory() as folder:
    entry, answer = process(folder)
    print("nothing there:", answer)
    entry.mkdir(parents=True)
    (entry / "best_config.json").write_text('{"block": 1')
    print("best_config.json was cut:", process(folder)[1])
    print("in the next process:", process(folder)[1])
    ran = Path(folder, "ran")
    (entry / "best_config.json").write_text('{"block": 128}')
    (entry / "function.pkl").write_bytes(pickle.dumps(Foreign(ran)))
    (entry / "latency.json").write_text('{"latency": 1.0, "ref_latency": null}')
    os.chmod(entry, 0o777)
    if os.geteuid() == 0:
        for file in (entry, *entry.iterdir()):
            os.chown(file, 65534, 65534)
    process(folder)
    print("a function.pkl of another user, in a folder that anybody may write:", "run" if ran.exists() else "not run")
sys.exit(not ran.exists())
