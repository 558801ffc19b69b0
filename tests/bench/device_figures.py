#!/usr/bin/env python3
"""Runs tunecheck-gpu-figures and, where PyTorch and Triton are, triton_figures.py on this machine's
GPU, one after the other, and prints the goals with what was reached.

Usage: device_figures.py BIN OUT [--quick]
       device_figures.py BIN OUT --tunings [--kernels NAME,...] [--limit SECONDS]

BIN is the folder of tunecheck's programs. Writes OUT/figures.json (every sample) and
OUT/figures.md. Ends with 0 if all figures could be taken, whether or not a goal was reached.

--tunings takes other figures instead: cold tunings of all kernels at their full size, how long each
takes and how much of the device's memory, beside Triton's of those that its adapter has too. Each
tuning is a process with a limit of its own (60 s if not given); what is known is printed at once and
kept in OUT/tunings.json.
"""
import argparse
import datetime
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent

# Those of tunecheck's own that are tuned at their full size in a second or two.
KERNELS = [
    "axpy_inplace",
    "fused_add_rmsnorm",
    "rmsnorm",
    "rope_inplace",
    "softmax_inplace",
    "stencil_pingpong",
    "transpose_strided",
]
CLEAR_LEAD = 0.05  # of the best config before the second best
CHOSEN_LEAD = 0.07  # of those that are tuned again and again: each tuning is to be a clear one
LARGE_N = 1 << 27  # two tensors of f32: 1 GiB


class Figures:
    def __init__(self, programs, quick):
        self.program = str(programs / "tunecheck-gpu-figures")
        self.probe = programs / "libtunecheck-gpu-probe.so"
        self.quick = quick
        self.taken = {}
        self.troubles = []

    def run(self, command, environment=None, limit=120):
        """The JSON object that a command prints; None, and the reason in troubles, if it fails."""
        try:
            done = subprocess.run(
                command,
                env={**os.environ, **(environment or {})},
                capture_output=True,
                text=True,
                timeout=limit,
                check=True,
            )
            return json.loads(done.stdout.strip().splitlines()[-1])
        except subprocess.CalledProcessError as error:
            self.troubles.append(f"{' '.join(command)}: {error.stderr.strip()[-400:]}")
        except (subprocess.TimeoutExpired, json.JSONDecodeError, IndexError) as error:
            self.troubles.append(f"{' '.join(command)}: {error}")
        return None

    def own(self, *arguments, **options):
        return self.run([self.program, *arguments], **options)

    def triton(self, *arguments, **options):
        return self.run([sys.executable, str(HERE / "triton_figures.py"), *arguments], **options)

    def keep(self, name, samples):
        self.taken[name] = [sample for sample in samples if sample is not None]

    def take(self, has_triton):
        times = 3 if self.quick else 6
        with tempfile.TemporaryDirectory() as folder:
            self.keep("dispatch", [self.own("dispatch") for _ in range(3)])
            self.keep("bandwidth", [self.own("bandwidth") for _ in range(3)])
            self.keep("tune", [self.own("tune", "--cache", f"{folder}/t{i}") for i in range(5)])
            self.own("first", "--started", repr(time.time()), "--cache", f"{folder}/first")
            contexts, firsts = [], []
            for _ in range(times):
                contexts.append(self.own("context", "--started", repr(time.time())))
                firsts.append(
                    self.own("first", "--started", repr(time.time()), "--cache", f"{folder}/first")
                )
            self.keep("context", contexts)
            self.keep("first", firsts)
            if has_triton:
                self.take_triton(folder)
            self.take_observed(folder)

    def take_triton(self, folder):
        def cache(name):
            return {"TRITON_CACHE_DIR": f"{folder}/{name}"}

        taken = self.triton("all", environment=cache("all")) or {}
        for name in ("dispatch", "bandwidth"):
            self.keep(f"triton_{name}", [taken.get(name)])
        again = self.triton("tune", environment=cache("tune"))
        self.keep("triton_tune", [taken.get("tune"), again])
        self.triton("first", environment=cache("first"))
        self.keep(
            "triton_first",
            [self.triton("first", "--started", repr(time.time()), environment=cache("first"))],
        )

    def take_observed(self, folder):
        """Winners of fresh tunings without and with the probe in the process, in turn, and what the
        probe takes for the digests of large arguments."""
        if not self.probe.exists():
            self.troubles.append(f"there is no {self.probe}: the observer was not measured")
            return
        evidence = pathlib.Path(folder) / "evidence.jsonl"
        observed = {
            "CUDA_INJECTION64_PATH": str(self.probe),
            "TUNECHECK_PROBE_EVIDENCE": str(evidence),
            "TUNECHECK_PROBE_WATCH": "yes",
        }
        self.own(
            "winners", "--kernel", "axpy_inplace", "--n", str(LARGE_N), environment=observed
        )
        events = [json.loads(line) for line in evidence.read_text().splitlines()]
        self.taken["digests"] = [
            {"ms": event["cost_ns"] / 1e6}
            for event in events
            if event["event"] == "gpu_launch" and event["digests"]
        ]

        def tunings(kernel, times, environment=None):
            sample = self.own(
                "winners", "--kernel", kernel, "--times", str(times), environment=environment
            )
            return [{**tuning, "kernel": kernel} for tuning in sample["tunings"]] if sample else []

        # Where the best two configs are as good as each other, either may win with or without it.
        clear = [
            kernel
            for kernel in KERNELS
            if any(lead(tuning) > CHOSEN_LEAD for tuning in tunings(kernel, 1))
        ]
        if not clear:
            self.troubles.append("no kernel has a clear winner here: the observer was not measured")
            return
        pairs = []
        wanted = 8 if self.quick else 20
        times = -(-wanted // len(clear))
        for _ in range(3):
            for kernel in clear:
                pairs += zip(tunings(kernel, times), tunings(kernel, times, observed))
            if sum(lead(plain) > CLEAR_LEAD for plain, _ in pairs) >= wanted:
                break
        self.taken["unobserved"] = [plain for plain, _ in pairs]
        self.taken["observed"] = [watched for _, watched in pairs]


def own_kernels():
    """All of tunecheck's own that have a source for GPUs."""
    root = HERE.parents[1] / "kernels"
    return sorted(file.parent.name for file in root.glob("*/gpu.cu"))


# Those of framework/adapter/python/triton/kernels.py.
TRITON_KERNELS = [
    "axpy_inplace",
    "fused_add_rmsnorm",
    "histogram_accumulate",
    "moe_scatter_add",
    "rmsnorm",
    "softmax_inplace",
    "transpose_strided",
]
MIB = 1 << 20


def mebibytes(sample):
    """What a tuning took of the device above its tensors, and which part of it was counted."""
    if sample is None:
        return "not taken"
    counted = sample.get("copies_bytes", sample.get("counted_bytes", 0))
    return f"{sample['peak_bytes'] / MIB:.0f} (counted {counted / MIB:.0f})"


def milliseconds(sample):
    return "not taken" if sample is None else f"{sample['wall_ms']:.0f}"


class Tunings:
    """Cold tunings, each in a process and with a cache of its own, the two tuners in turn."""

    def __init__(self, figures, out, limit, has_triton):
        self.figures = figures
        self.out = out
        self.limit = limit
        self.has_triton = has_triton
        self.taken = {}

    def own(self, kernel, *more):
        with tempfile.TemporaryDirectory() as folder:
            return self.figures.own(
                "tuning", "--kernel", kernel, "--cache", folder, *more, limit=self.limit
            )

    def triton(self, kernel, *more):
        if not self.has_triton or kernel not in TRITON_KERNELS:
            return None
        space = self.figures.own("space", "--kernel", kernel, limit=self.limit)
        if space is None:
            return None
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "space.json"
            file.write_text(json.dumps(space))
            return self.figures.triton(
                "tuning",
                "--space",
                str(file),
                *more,
                environment={"TRITON_CACHE_DIR": f"{folder}/cache"},
                limit=self.limit,
            )

    def take(self, kernels):
        print("| kernel | configs | tunecheck, ms | Triton, ms | memory, MiB | Triton's, MiB |")
        print("|---|---|---|---|---|---|", flush=True)
        for kernel in kernels:
            begun = len(self.figures.troubles)
            sample = {
                "own": self.own(kernel),
                "triton": self.triton(kernel),
                "own_memory": self.own(kernel, "--memory"),
                "triton_memory": self.triton(kernel, "--memory"),
            }
            self.taken[kernel] = sample
            (self.out / "tunings.json").write_text(
                json.dumps({"device": device_name(), "tunings": self.taken}, indent=1)
            )
            has_both = self.has_triton and kernel in TRITON_KERNELS
            print(
                f"| `{kernel}` | {sample['own']['configs'] if sample['own'] else ''}"
                f" | {milliseconds(sample['own'])}"
                f" | {milliseconds(sample['triton']) if has_both else ''}"
                f" | {mebibytes(sample['own_memory'])}"
                f" | {mebibytes(sample['triton_memory']) if has_both else ''} |",
                flush=True,
            )
            for trouble in self.figures.troubles[begun:]:
                print(f"not taken: {trouble}", file=sys.stderr, flush=True)
        print(self.summary(), flush=True)

    def summary(self):
        def total(kernels, tuner):
            return sum(self.taken[kernel][tuner]["wall_ms"] for kernel in kernels) / 1e3

        own = [kernel for kernel, sample in self.taken.items() if sample["own"]]
        both = [kernel for kernel in own if self.taken[kernel]["triton"]]
        text = f"{len(own)} of {len(self.taken)} kernels tuned in {total(own, 'own'):.1f} s"
        if both:
            text += (
                f"; those {len(both)} that Triton tuned too: {total(both, 'own'):.1f} s,"
                f" Triton {total(both, 'triton'):.1f} s"
            )
        return text


def median(samples, key):
    return statistics.median(sample[key] for sample in samples)


def lead(sample):
    """By how much the second best config is slower than the best."""
    times = sorted(sample["medians_us"].values())
    return times[1] / times[0] - 1 if len(times) > 1 else 0.0


def rows_of(taken):
    """(figure, others, ours, goal, reached) in words."""

    def has(*names):
        return all(taken.get(name) for name in names)

    rows = []
    if has("dispatch"):
        ratio = median(taken["dispatch"], "ratio")
        others = f"raw cuLaunchKernel {median(taken['dispatch'], 'raw_us'):.2f} us"
        if has("triton_dispatch"):
            others += (
                f"; Triton autotuned {median(taken['triton_dispatch'], 'tuned_us'):.1f} us,"
                f" plain jit {median(taken['triton_dispatch'], 'jit_us'):.1f} us"
            )
        ours = f"{median(taken['dispatch'], 'hit_us'):.2f} us, {ratio:.3f} of raw"
        rows.append(("tuned call on a hit, enqueue", others, ours, "1.05 of raw", ratio <= 1.05))
    if has("tune"):
        wall = median(taken["tune"], "wall_ms")
        others, goal, reached = "", "a tenth of Triton", None
        if has("triton_tune"):
            theirs = median(taken["triton_tune"], "wall_ms")
            others = f"Triton {theirs:.0f} ms"
            goal = f"{theirs / 10:.0f} ms"
            reached = wall <= theirs / 10
        rows.append(
            ("cold tuning of 8 configs, axpy of 2^24", others, f"{wall:.0f} ms", goal, reached)
        )
    if has("context", "first"):
        above = median(taken["first"], "since_start_ms") - median(taken["context"], "since_start_ms")
        others = f"context alone {median(taken['context'], 'since_start_ms'):.0f} ms"
        if has("triton_first"):
            others += f"; Triton {median(taken['triton_first'], 'since_start_ms'):.0f} ms"
        right = all(sample["right"] and sample["cache"] == "hit" for sample in taken["first"])
        rows.append(
            (
                "fresh process to the first result, warm cache",
                others,
                f"{above:.0f} ms above the context{'' if right else ', WRONG'}",
                "150 ms above",
                right and above <= 150,
            )
        )
    if has("bandwidth"):
        share = median(taken["bandwidth"], "share_of_copy")
        others = f"copy {median(taken['bandwidth'], 'copy_TBps'):.2f} TB/s"
        if has("triton_bandwidth"):
            others += (
                f"; Triton {median(taken['triton_bandwidth'], 'winner_TBps'):.2f} TB/s,"
                f" {median(taken['triton_bandwidth'], 'share_of_copy'):.3f} of a copy"
            )
        rows.append(
            (
                "fused_add_rmsnorm in place, bf16, 8192 x 8192",
                others,
                f"{median(taken['bandwidth'], 'winner_TBps'):.2f} TB/s, {share:.3f} of the copy",
                "0.93 of the copy",
                share >= 0.93,
            )
        )
    if has("digests"):
        taken_ms = median(taken["digests"], "ms")
        rows.append(
            (
                "digests of 1 GiB of arguments before a launch",
                "",
                f"{taken_ms:.2f} ms",
                "some milliseconds",
                taken_ms < 10,
            )
        )
    if has("observed"):
        pairs = list(zip(taken["unobserved"], taken["observed"]))
        clear = [(a, b) for a, b in pairs if lead(a) > CLEAR_LEAD]
        same = sum(a["winner"] == b["winner"] for a, b in clear)
        regrets = [
            a["medians_us"][b["winner"]] / min(a["medians_us"].values()) - 1
            for a, b in pairs
            if b["winner"] in a["medians_us"]
        ]
        rows.append(
            (
                "the observer's influence",
                "",
                f"same winner in {same} of {len(clear)} tunings whose best two differ by over 5 %"
                f" ({len(pairs)} in all; worst regret {max(regrets, default=0):.1%})",
                "all; regret under 5 %",
                bool(clear) and same == len(clear) and max(regrets, default=1) < 0.05,
            )
        )
    return rows


def table(taken, device):
    lines = [
        f"{device}, {datetime.date.today().isoformat()}",
        "",
        "| figure | others, same run | tunecheck | goal | reached |",
        "|---|---|---|---|---|",
    ]
    words = {True: "yes", False: "no", None: "not measured"}
    for figure, others, ours, goal, reached in rows_of(taken):
        lines.append(f"| {figure} | {others} | {ours} | {goal} | {words[reached]} |")
    return "\n".join(lines) + "\n"


def device_name():
    if not shutil.which("nvidia-smi"):
        return "an unnamed device"
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    done = subprocess.run(query, capture_output=True, text=True, check=False)
    return done.stdout.strip().splitlines()[0] if done.returncode == 0 else "an unnamed device"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--tunings", action="store_true", help="of all kernels, instead")
    parser.add_argument("--kernels", help="only these, with commas")
    parser.add_argument("--limit", type=float, default=60, help="seconds that a tuning may take")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    figures = Figures(options.programs.resolve(), options.quick)
    has_triton = (
        subprocess.run(
            [sys.executable, "-c", "import torch, triton; assert torch.cuda.is_available()"],
            capture_output=True,
            check=False,
        ).returncode
        == 0
    )
    if options.tunings:
        kernels = options.kernels.split(",") if options.kernels else own_kernels()
        Tunings(figures, options.out, options.limit, has_triton).take(kernels)
        return 1 if figures.troubles else 0
    figures.take(has_triton)
    if not has_triton:
        print("PyTorch and Triton are not here: nothing to compare with")
    text = table(figures.taken, device_name())
    (options.out / "figures.json").write_text(
        json.dumps({"device": device_name(), "figures": figures.taken}, indent=1)
    )
    (options.out / "figures.md").write_text(text)
    print(text, end="")
    for trouble in figures.troubles:
        print(f"not taken: {trouble}", file=sys.stderr)
    return 1 if figures.troubles else 0


if __name__ == "__main__":
    sys.exit(main())
