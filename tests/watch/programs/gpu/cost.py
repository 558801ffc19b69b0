"""What watching costs: a training step and a serving loop of a small transformer.

  python cost.py train|serve [STEPS]           prints the seconds that the loop itself took
  python cost.py compare TUNECHECK [ROUNDS] [train|serve]
                                               runs both (or one) in turn: alone, with `--at-most 0` and watched,
                                               alone and watched also with the driver's pool of memory. Prints
                                               medians and ratios: of the whole program, of the loop, and of the
                                               memory of the device at its peak. One round, which is the default,
                                               takes two or three minutes"""
import ctypes
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time


def model():
    import torch
    torch.manual_seed(1)
    layer = torch.nn.TransformerEncoderLayer(1024, 16, 4096, dropout=0.0, batch_first=True)
    return torch.nn.TransformerEncoder(layer, 6).cuda().bfloat16()


def train(steps):
    import torch
    net = model()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4)
    x = torch.randn(32, 512, 1024, device="cuda", dtype=torch.bfloat16)
    for _ in range(steps):
        optimizer.zero_grad()
        net(x).float().square().mean().backward()
        optimizer.step()


def serve(steps):
    import torch
    net = model().eval()
    with torch.no_grad():
        for step in range(steps):
            x = torch.randn(4, 128 + 32 * (step % 4), 1024, device="cuda", dtype=torch.bfloat16)
            net(x).argmax(-1).cpu()


def loop(name, steps):
    import torch
    begun = time.perf_counter()
    {"train": train, "serve": serve}[name](steps)
    torch.cuda.synchronize()
    print(f"{name}: {time.perf_counter() - begun:.2f} s in {steps} steps")


class PeakMemory(threading.Thread):
    """Bytes of the first device that are in use at most, asked every few milliseconds."""

    class Info(ctypes.Structure):
        _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong)]

    def __init__(self):
        super().__init__(daemon=True)
        self.nvml = ctypes.CDLL("libnvidia-ml.so.1")
        self.nvml.nvmlInit_v2()
        self.device = ctypes.c_void_p()
        self.nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.device))
        self.before, self.peak, self.is_over = self.used(), 0, False

    def used(self):
        info = self.Info()
        self.nvml.nvmlDeviceGetMemoryInfo(self.device, ctypes.byref(info))
        return info.used

    def run(self):
        while not self.is_over:
            self.peak = max(self.peak, self.used())
            time.sleep(0.003)

    def end(self):
        self.is_over = True
        self.join()
        return self.peak - self.before


def measured(command):
    memory = PeakMemory()
    memory.start()
    begun = time.perf_counter()
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
    seconds, mib = time.perf_counter() - begun, memory.end() / 2**20
    inner = re.search(r"(?:train|serve): ([0-9.]+) s", ended.stdout)
    if ended.returncode != 0 or inner is None:
        print(f"status {ended.returncode}: {' '.join(command)}\n" + "\n".join(ended.stdout.splitlines()[-40:]), flush=True)
        return None
    return seconds, float(inner.group(1)), mib


def compare(tunecheck, rounds, only):
    with tempfile.TemporaryDirectory() as folder:
        for name, steps in (("serve", 300), ("train", 100)):
            if only not in (None, name):
                continue
            program = [sys.executable, str(pathlib.Path(__file__).resolve()), name, str(steps)]
            watch = [tunecheck, "watch", "--runs", "1", "--out", folder, "--allow", "AGAIN"]
            pool = ["env", "PYTORCH_CUDA_ALLOC_CONF=backend:cudaMallocAsync"]
            ways = {"alone": program, "--at-most 0": [*watch, "--at-most", "0", "--", *program],
                    "watched": [*watch, "--", *program], "alone, pool": [*pool, *program],
                    "watched, pool": [*pool, *watch, "--", *program]}
            found = {way: [] for way in ways}
            for _ in range(rounds):
                for way, command in ways.items():
                    if row := measured(command):
                        found[way].append(row)
            alone = None
            for way, rows in found.items():
                if not rows:
                    print(f"{name:6} {way:13} failed", flush=True)
                    continue
                seconds, inner, mib = (statistics.median(column) for column in zip(*rows))
                alone = alone or (seconds, inner, mib)
                print(f"{name:6} {way:13} {seconds:6.1f} s ({seconds / alone[0]:.2f}), the loop {inner:6.2f} s "
                      f"({inner / alone[1]:.2f}), {mib:7.0f} MiB ({mib / alone[2]:.3f})", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        compare(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1, sys.argv[4] if len(sys.argv) > 4 else None)
    else:
        loop(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200)
