"""One of the processes that run a bench together, each with a GPU of its own, or all on the CPU.

All make the same calls in the same order, for a collective that one rank makes alone never returns. Which calls depends on
the clock, so rank 0 decides, and tells the others over a group of its own, which is no part of what is measured:

    rank 0     ("time", "before", 4)  ->  all ranks run `before` four times from a common start
    the rest                          <-  how long each took; the slowest is what the calls took
"""

from __future__ import annotations

import faulthandler
import gc
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final

import torch
import torch.distributed as dist

from torchperf_lint.verify import gpu, parity, stats, worker
from torchperf_lint.verify.bench import bench_of
from torchperf_lint.verify.serve import serve

Plain = dict[str, Any]
Command = tuple[Any, ...]

END: Final = ("end",)


class Rank:
    """One process, with both programs."""

    def __init__(self, request: Plain) -> None:
        self.number: int = request["rank"]
        self.bench, self.settings = bench_of(request["module"]), request["settings"]
        self.device = torch.device(f"cuda:{self.number}" if request["device"] != "cpu" else "cpu")
        self.control = _joined(request, self.device)
        self.subjects = {
            name: worker.Subject(name, request[name], self.bench, self.settings, self.device, self.number)
            for name in ("before", "after")
        }
        self.calls: dict[str, Callable[[], object]] = {}

    # ---- what all do

    def compared(self, *, exact: bool) -> Plain:
        """Whether the programs do the same on every rank: each rank compares what it sees, and all hear of all."""
        before, after = (parity.Subject(each.run, each.arrange) for each in self.subjects.values())
        found = parity.compare(
            before,
            after,
            parity.cases(self.settings, *worker.small(self.bench, self.settings))[: None if self.bench.adverse else 2],
            exact=exact,
            unlike=self.bench.unlike,
            double=False,
        )
        return merged(self.gathered(asdict(found)))

    def gathered(self, own: Any) -> list[Any]:
        """What each rank has found."""
        found: list[Any] = [None] * dist.get_world_size()
        dist.all_gather_object(found, own, group=self.control)
        return found

    def act(self, command: Command) -> Any:
        """Do what rank 0 says."""
        match command:
            case ("ready", name, work):
                self.calls[name] = self.subjects[name].ready(work)
            case ("time", name, calls):
                worker.synchronize(self.device)
                dist.barrier(group=self.control)
                return worker.timer(self.calls[name], self.device)(calls)
            case ("peak", name):
                return gpu.peak(self.calls[name])
        return None

    def follow(self) -> None:
        """Do what rank 0 says until it says that this is the end."""
        while True:
            said: list[Command] = [END]
            dist.broadcast_object_list(said, src=0, group=self.control)
            if said[0] == END:
                return
            self.gathered(self.act(said[0]))

    # ---- what rank 0 does

    def lead(self, *command: Any) -> list[Any]:
        """Have all do something; what each has found."""
        dist.broadcast_object_list([command], src=0, group=self.control)
        return [] if command == END else self.gathered(self.act(command))

    def times(self, work: float, seconds: float) -> stats.Rounds:
        """The pairs of times, by round, with some host work."""

        def setup() -> tuple[stats.Sample, stats.Sample]:
            one, other = (self._sampler(name, work) for name in self.subjects)
            return one, other

        return stats.compare(setup, time.perf_counter, seconds)

    def _sampler(self, name: str, work: float) -> stats.Sample:
        self.lead("ready", name, work)
        return worker.sampler(lambda calls: max(self.lead("time", name, calls)), self.bench.steps)

    def peaks(self) -> Plain:
        """The most memory that a call needs on any rank, beside its arguments."""
        if self.device.type != "cuda":
            return {}
        return {f"peak_{name}": max(self.lead("peak", name)) for name in self.subjects}


def merged(found: Sequence[Plain]) -> Plain:
    """What the comparisons of all ranks come to; what differs is told of the first rank where something does."""
    whole = dict(next((each for each in found if not each["same"]), found[0]))
    if not whole["same"]:
        whole["reason"] = f"{whole['reason']}, on rank {found.index(next(e for e in found if not e['same']))}"
    whole["difference"] = max(each["difference"] for each in found)
    whole["broken"] = next((each["broken"] for each in found if each["broken"]), None)
    whole["unsteady"] = any(each["unsteady"] for each in found)
    return whole


def _joined(request: Plain, device: torch.device) -> dist.ProcessGroup:
    """Meet the other ranks; gives the group over which rank 0 says what to do."""
    if device.type == "cuda":
        torch.cuda.set_device(device)
    dist.init_process_group(
        "nccl" if device.type == "cuda" else "gloo",
        init_method=f"file://{request['meeting']}",
        rank=request["rank"],
        world_size=request["ranks"],
    )
    group = dist.new_group(backend="gloo")
    assert isinstance(group, dist.ProcessGroup)
    return group


def measure(request: Plain, tell: Callable[[Plain], None]) -> Plain:
    """Everything that is measured of one bench that several processes run."""
    tell({"stage": "meeting the other ranks"})
    rank = Rank(request)
    result: Plain = {"clocks": []}
    if not request["only_times"]:
        tell({"stage": "comparing results"})
        result["parity"] = rank.compared(exact=request["exact"])
        if result["parity"]["broken"]:
            return result
    tell({"stage": "timing"})
    gc.collect()
    gc.disable()
    if rank.number:
        rank.follow()
        return result
    for work in request["host_work"]:
        rounds = rank.times(work, request["seconds"])
        result["clocks"].append({"clock": "host", "host_work_ms": work, "rounds": rounds})
    if not request["only_times"]:
        result |= rank.peaks()
    rank.lead(*END)
    return result


def answer(request: Plain, tell: Callable[[Plain], None]) -> Plain:
    if hasattr(signal, "SIGUSR1"):  # `ranks` asks so where a rank hangs, even in a call that never comes back
        faulthandler.register(signal.SIGUSR1, file=sys.stderr, all_threads=True)
    return worker.tried(lambda: measure(request, tell))


if __name__ == "__main__":
    serve(answer)
