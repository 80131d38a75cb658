import os
import time

import torch
from torch import nn


# doc: A step that waits for the GPU before it goes on
def train_one_epoch(model, criterion, loader, optimizer, meter):
    for samples, targets in loader:
        samples, targets = samples.cuda(non_blocking=True), targets.cuda(non_blocking=True)
        loss = criterion(model(samples), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()  # expect: TPL117 @ torch.cuda.synchronize()
        meter.update(loss=loss.detach())


# case: with a device, behind the usual guard
def fit(model, loader, optimizer, device):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
        if torch.cuda.is_available():
            torch.cuda.synchronize(device)  # expect: TPL117 @ torch.cuda.synchronize(device)


# case: in forward, and of the current stream
class Careful(nn.Module):
    def forward(self, x):
        x = x * 2
        torch.cuda.current_stream().synchronize()  # expect: TPL117 @ torch.cuda.current_stream().synchronize()
        return x.sum(dim=0)


# case: before a counter of the allocator, which needs no wait
def watch(model, loader, optimizer, meter):
    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()  # expect: TPL117 @ torch.cuda.synchronize()
        meter.add(torch.cuda.max_memory_allocated())


# case: every kernel waited for
import torchvision

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # expect: TPL117 @ os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
os.environ.setdefault("CUDA_LAUNCH_BLOCKING", "1")  # expect: TPL117 @ os.environ.setdefault("CUDA_LAUNCH_BLOCKING", "1")


# ok: time is measured
def timed(model, loader, optimizer):
    for x in loader:
        torch.cuda.synchronize()
        start = time.perf_counter()
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()
        print(time.perf_counter() - start)


def timed_by_events(model, loader, optimizer):
    first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for x in loader:
        first.record()
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        last.record()
        torch.cuda.synchronize()
        print(first.elapsed_time(last))


def timed_by_a_helper(model, loader, optimizer, timers):
    for x in loader:
        timers("forward").start()
        loss = model(x.cuda()).mean()
        torch.cuda.synchronize()
        timers("forward").stop()
        loss.backward()
        optimizer.step()


def now():
    torch.cuda.synchronize()
    return time.time()


# ok: the host reads what was copied without waiting
def copied(model, loader, host):
    for x in loader:
        y = model(x.cuda())
        host.copy_(y, non_blocking=True)
        torch.cuda.synchronize()
        print(host[0])


def copied_by_to(model, loader, results):
    for x in loader:
        y = model(x.cuda()).to("cpu", non_blocking=True)
        torch.cuda.synchronize()
        results.append(y.numpy())


# ok: streams of one's own, and what else reads the memory
def streams(model, loader, optimizer):
    side = torch.cuda.Stream()
    for x in loader:
        with torch.cuda.stream(side):
            x = x.cuda(non_blocking=True)
        torch.cuda.synchronize()
        model(x).mean().backward()
        optimizer.step()
        side.synchronize()


def kernels(model, loader, library, optimizer):
    for x in loader:
        y = model(x.cuda())
        torch.cuda.synchronize()
        library.launch(y.data_ptr(), y.numel())
        y.mean().backward()
        optimizer.step()


# ok: before other processes go on, and before the program leaves
import sys
import torch.distributed as dist


def together(model, loader, optimizer):
    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        dist.barrier()
        torch.cuda.synchronize()


def last(model, loader, optimizer):
    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        if loss is None:
            torch.cuda.synchronize()
            sys.exit(1)


# ok: seldom, or once
def seldom(model, loader, optimizer, verbose):
    for step, x in enumerate(loader):
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            torch.cuda.synchronize()
        if verbose:
            torch.cuda.synchronize()
    torch.cuda.synchronize()


# ok: a function for others that wish to wait
def synchronize():
    """Wait until the GPU is done."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def finish(): torch.cuda.synchronize(); return


def use(model, loader, optimizer):
    for x in loader:
        model(x.cuda()).mean().backward()
        finish()
        optimizer.step()
        synchronize()


# ok: what only shares the name
def others(model, loader, optimizer, queue):
    for x in loader:
        model(x.cuda()).mean().backward()
        optimizer.step()
        queue.synchronize()


# ok: waiting for kernels is switched on on purpose, or off
def configure(args):
    if args.debug:
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
    os.environ["CUDA_LAUNCH_BLOCKING"] = "0"
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"


# ok: waiting for kernels as a part of repeatable results
def repeatable(seed):
    torch.manual_seed(seed)
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
    torch.use_deterministic_algorithms(True)


# ok: once for each key of a cache
tables = {}


class Cached(nn.Module):
    def forward(self, x):
        key = (x.dtype, x.device)
        if key not in tables:
            tables[key] = torch.linspace(0, 1, 64, device=x.device)
            torch.cuda.current_stream().synchronize()
        return x * tables[key]


# ok: behind a kernel of an extension of one's own
from extension import _C


class Filter(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = _C.filter(x)
        torch.cuda.synchronize()
        return y


# missed: a stream that is only there to be waited for
def own(model, loader, optimizer):
    side = torch.cuda.Stream()
    for x in loader:
        with torch.cuda.stream(side):
            loss = model(x.cuda()).mean()
        side.synchronize()
        loss.backward()
        optimizer.step()


# ok: a function that is there to be timed
def bm_backward(model, x):
    loss = model.cuda()(x.cuda()).sum()

    def closure():
        loss.backward(retain_graph=True)
        torch.cuda.synchronize()

    return closure


# ok: the peak of memory is measured turn by turn
def peak_of_each(model, loader):
    for x in loader:
        torch.cuda.reset_peak_memory_stats()
        loss = model(x.cuda()).mean()
        loss.backward()
        torch.cuda.synchronize()
        print(torch.cuda.max_memory_allocated())


# ok: a function of one's own that waits for those who measure time
def wait_for(device):
    # work is queued, and a clock would not see it
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def profile_steps(model: nn.Module, loader, optimizer, device, profiler):
    for x in loader:
        loss = model(x.to(device)).mean()
        wait_for(device)
        profiler.tick("forward")
        loss.backward()
        optimizer.step()
