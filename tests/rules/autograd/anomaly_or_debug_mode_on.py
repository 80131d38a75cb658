import os

import torch
import torch.nn.functional as F
from torch import autograd, nn


# doc: Anomaly detection was left on after a hunt for a NaN
torch.autograd.set_detect_anomaly(True)  # expect: TPL404 @ torch.autograd.set_detect_anomaly(True)


def train(model, loader, optimizer):
    model.cuda()
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: as a context around the backward pass, of the module or of its function
def step(model, x, y, optimizer):
    loss = F.cross_entropy(model(x.cuda()), y.cuda())
    with autograd.detect_anomaly():  # expect: TPL404 @ autograd.detect_anomaly()
        loss.backward()
    with torch.autograd.set_detect_anomaly(mode=True, check_nan=True):  # expect: TPL404 @ torch.autograd.set_detect_anomaly(mode=True, check_nan=True)
        model(x).sum().backward()
    optimizer.step()


# case: by name, in `main`, where there is a GPU anyway
from torch.autograd import detect_anomaly as anomalies, set_detect_anomaly

DEBUG = True


def main():
    if torch.cuda.is_available():
        set_detect_anomaly(DEBUG)  # expect: TPL404 @ set_detect_anomaly(DEBUG)
    with torch.device("cuda"), anomalies():  # expect: TPL404 @ anomalies()
        nn.Linear(3, 3)(torch.ones(3)).sum().backward()


if __name__ == "__main__":
    main()


# case: every kernel is waited for
os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # expect: TPL404 @ os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
os.environ.setdefault("CUDA_LAUNCH_BLOCKING", "1")  # expect: TPL404 @ os.environ.setdefault("CUDA_LAUNCH_BLOCKING", "1")


# case: markers for a profiler that nobody asked for, and a check that belongs into a test
def train(model, loader, optimizer):
    with torch.autograd.profiler.emit_nvtx():  # expect: TPL404 @ torch.autograd.profiler.emit_nvtx()
        for x in loader:
            torch.autograd.gradcheck(model, (x.cuda().double(),))  # expect: TPL404 @ torch.autograd.gradcheck(model, (x.cuda().double(),))
            model(x.cuda()).sum().backward()
            optimizer.step()


# ok: off, or as the user says
def main(args, config):
    torch.autograd.set_detect_anomaly(False)
    torch.autograd.set_detect_anomaly(args.detect_anomaly)
    torch.autograd.profiler.emit_nvtx(False)
    torch.autograd.set_detect_anomaly(mode=config["debug"])
    if args.debug:
        torch.autograd.set_detect_anomaly(True)
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
    with torch.autograd.profiler.emit_nvtx(enabled=args.nvtx):
        nn.Linear(3, 3).cuda()
    os.environ["CUDA_LAUNCH_BLOCKING"] = "0"


# ok: a helper that is called behind a flag
def hunt():
    torch.autograd.set_detect_anomaly(True)
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"


def main(args):
    if args.hunt_nans:
        hunt()
    nn.Linear(3, 3).cuda()


# ok: runs that repeat bit by bit
def make_deterministic():
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":16:8"
    torch.use_deterministic_algorithms(True)


# ok: a profiler with a schedule
def train(model, loader, optimizer):
    plan = torch.profiler.schedule(wait=1, warmup=1, active=3, repeat=1)
    with torch.profiler.profile(schedule=plan) as profiler:
        for x in loader:
            model(x.cuda()).sum().backward()
            optimizer.step()
            profiler.step()


# ok: a test
def test_gradients_are_finite():
    with torch.autograd.detect_anomaly():
        x = torch.ones(3, device="cuda", requires_grad=True)
        x.log().sum().backward()
    assert torch.autograd.gradcheck(torch.sin, (torch.ones(2, device="cuda", dtype=torch.double, requires_grad=True),))


# ok: somebody measures what it costs
import time


def compare(model, x):
    start = time.perf_counter()
    with torch.autograd.detect_anomaly():
        model(x.cuda()).sum().backward()
    print(time.perf_counter() - start)


# ok: a program that never leaves the CPU
if __name__ == "__main__":
    torch.autograd.set_detect_anomaly(True)
    nn.Linear(3, 3)(torch.ones(3)).sum().backward()


# ok: settings of others that look alike
import numpy as np


class Monitor:
    def set_detect_anomaly(self, mode):
        self.mode = mode


Monitor().set_detect_anomaly(True)
os.environ["CUDA_DEVICE_ORDER"] = "1"
np.seterr(all="raise")


# missed: the switch is thrown by hand
class Debugger:
    def __init__(self):
        self.context = torch.autograd.detect_anomaly
        self.context().__enter__()
