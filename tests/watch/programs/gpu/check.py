#!/usr/bin/env python3
"""Watches each program of this folder on a GPU and compares the words with those that it is known to
deserve: a planted mistake has its word, what is right has none.

  python3 check.py TUNECHECK [NAME...] [--jobs N] [--runs N]

Liger Kernel, Flash Linear Attention, JAX and TileLang are needed for the programs that use them; without one of
them its programs fail. Ends with status 1 if some program was judged otherwise."""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# Without a cache Triton tunes in each process and NVRTC's loops do too: AGAIN is right of them. Which of
# the configs wins is a matter of luck, so CHANGED may be seen as well.
UNCACHED = {"AGAIN"}
# NVRTC compiles in this process, and keeps nothing for the next start.
BY_NVRTC = {"COMPILED"}
LUCK = {"CHANGED", "SPOILT"}
BY_LUCK = {"loop_in_rounds": {"WRONG", "AGAIN", "CHANGED", "SPOILT"},
           # Inductor looks for better configs in each warm start if the winner is a kernel of its own.
           "compiled_max_autotune": {"AGAIN", "COMPILED", "CHANGED", "SPOILT"}}
EXPECTED = {
    "train_step.py": {
        "forgotten_restore": {"WRONG"} | UNCACHED,
        "misspelt_restore": {"WRONG"} | UNCACHED,
        "hook_without_restore": {"WRONG"} | UNCACHED,
        "reset_forgotten": {"WRONG"} | UNCACHED,
        "reset_on_miss_only": {"WRONG"},
        "key_with_step": {"EVERY_STEP"} | UNCACHED,
        "compiled_max_autotune": set(),
        "restores": UNCACHED,
        "restores_and_caches": set(),
        "pure_output_cached": set(),
        "plain_torch": set(),
        "two_phases": set(),
        "compiled": set(),
        "graph": set(),
    },
    "more.py": {
        "loop_without_restore": {"WRONG"} | UNCACHED | BY_NVRTC,
        "other_winner_each_start": {"CHANGED"} | UNCACHED,
        "ranks_disagree": {"RANKS"} | UNCACHED,
        "tuned_in_a_capture": {"LATE"} | UNCACHED | BY_NVRTC,
        "loop_in_rounds": BY_NVRTC,
        "loop_restores": UNCACHED | BY_NVRTC,
        "ranks_agree": UNCACHED,
        "torchrun_disagrees": {"RANKS"} | UNCACHED,
        "torchrun_agrees": UNCACHED,
        "flash_attention": set(),
        "split_k": set(),
        "jax_function": set(),
        "data_loader": set(),
        "fused_optimizer": set(),
    },
    "libraries.py": {
        "tilelang_autotuned": set(),
        # Each tile shape is a kernel with a name of its own: no tuning is seen.
        "cutlass_gemm": set(),
    },
    "packages.py": {name: set() for name in (
        "liger_rms_norm liger_layer_norm liger_swiglu liger_geglu liger_cross_entropy liger_group_norm "
        "liger_softmax fla_chunk_gla fla_fused_recurrent_gla fla_chunk_retention fla_chunk_delta_rule "
        "fla_l2norm fla_layer_norm fla_parallel_attention torch_optimizers torch_streams "
        "torch_in_place").split()},
}


def watch(tunecheck, program, name, runs, folder):
    out = folder / name
    command = [tunecheck, "watch", "--runs", str(runs), "--time-limit", "300", "--out", str(out), "--",
               sys.executable, str(HERE / program), name]
    log = folder / f"{name}.log"
    with open(log, "wb") as sink:
        subprocess.run(command, stdout=sink, stderr=subprocess.STDOUT, check=False)
    try:
        return json.loads((out / "watch.json").read_text()), log
    except OSError:
        return None, log


def judge(name, result, expected):
    """What is not as expected, as a text; empty where all is."""
    if result is None:
        return "there is no watch.json"
    failed = [f"{run['name']}: {run['end']}" for run in result["runs"] if not run["succeeded"]]
    words = {finding["word"] for finding in result["findings"] if finding["certain"]}
    missing = sorted(expected - words)
    blamed = sorted(words - expected - (LUCK if "AGAIN" in expected else set()) - BY_LUCK.get(name, set()))
    parts = failed + [f"{word} is missing" for word in missing] + [f"{word} is too much" for word in blamed]
    if sum(run["launches"] for run in result["runs"]) == 0:
        parts.append("no launch was seen")
    return "; ".join(parts)


def line_of(name, result, trouble, log):
    unclear = sorted({finding["word"] for finding in (result or {}).get("findings", [])
                      if not finding["certain"]})
    words = sorted({finding["word"] for finding in (result or {}).get("findings", [])
                    if finding["certain"]})
    launches = "/".join(str(run["launches"]) for run in (result or {}).get("runs", []))
    text = f"{'ok ' if not trouble else 'BAD'} {name}: {' '.join(words) or 'nothing'}; {launches} launches"
    if unclear:
        text += f"; unclear {' '.join(unclear)}"
    if trouble:
        tail = log.read_text(errors="replace").splitlines()[-25:]
        text += f"; {trouble}\n    " + "\n    ".join(tail)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tunecheck")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--runs", type=int, default=4, help="one cold, the others warm")
    parser.add_argument("--keep", help="a folder for results and logs")
    arguments = parser.parse_args()
    asked = [(program, name, expected) for program, programs in EXPECTED.items()
             for name, expected in programs.items() if not arguments.names or name in arguments.names]
    if not asked:
        parser.error(f"no program is called {' or '.join(arguments.names)}")
    folder = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="watched-"))
    folder.mkdir(parents=True, exist_ok=True)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        begun = {pool.submit(watch, arguments.tunecheck, program, name, arguments.runs, folder):
                 (name, expected) for program, name, expected in asked}
        for done in concurrent.futures.as_completed(begun):
            name, expected = begun[done]
            result, log = done.result()
            trouble = judge(name, result, expected)
            bad += bool(trouble)
            print(line_of(name, result, trouble, log), flush=True)
    print(f"{len(asked) - bad} of {len(asked)} programs were judged as they should be")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
