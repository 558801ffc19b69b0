"""What watching costs: a training step and a serving loop of a small transformer. Prints the seconds
that the loop itself took.

  python cost.py train|serve [STEPS]"""
import sys
import time

import torch


def model():
    torch.manual_seed(1)
    layer = torch.nn.TransformerEncoderLayer(1024, 16, 4096, dropout=0.0, batch_first=True)
    return torch.nn.TransformerEncoder(layer, 6).cuda().bfloat16()


def train(steps):
    net = model()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4)
    x = torch.randn(8, 512, 1024, device="cuda", dtype=torch.bfloat16)
    for _ in range(steps):
        optimizer.zero_grad()
        net(x).float().square().mean().backward()
        optimizer.step()


def serve(steps):
    net = model().eval()
    with torch.no_grad():
        for step in range(steps):
            x = torch.randn(4, 128 + 32 * (step % 4), 1024, device="cuda", dtype=torch.bfloat16)
            net(x).argmax(-1).cpu()


if __name__ == "__main__":
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    begun = time.perf_counter()
    {"train": train, "serve": serve}[sys.argv[1]](count)
    torch.cuda.synchronize()
    print(f"{sys.argv[1]}: {time.perf_counter() - begun:.2f} s in {count} steps")
