"""An MLP with five waits between host work, as in the table of the method: each can be switched off by its letter."""
import sys
import time
import torch
LAYERS, WIDTH, HOST = (float(a) for a in sys.argv[1:4])
WITHOUT = sys.argv[4] if len(sys.argv) > 4 else ""
STEPS = int(sys.argv[5]) if len(sys.argv) > 5 else 200
model = torch.nn.Sequential(*[torch.nn.Sequential(torch.nn.Linear(int(WIDTH), int(WIDTH)), torch.nn.ReLU()) for _ in range(int(LAYERS))]).cuda()
optimizer = torch.optim.AdamW(model.parameters(), fused=True)
x = torch.randn(512, int(WIDTH), device="cuda")


def host(ms):
    end = time.perf_counter() + ms / 1e3
    while time.perf_counter() < end:
        pass


def step(without):
    y = model(x)
    loss = y.square().mean()
    if "A" not in without:
        loss.item()
    host(HOST)
    if "B" not in without and loss > 1e9:
        pass
    loss.backward()
    if "C" not in without:
        torch.nonzero(x[0])
    host(2 * HOST)
    if "D" not in without:
        y[y > 0].sum()
    optimizer.step()
    optimizer.zero_grad()
    if "E" not in without:
        float(loss)


for _ in range(STEPS):
    step(WITHOUT)
