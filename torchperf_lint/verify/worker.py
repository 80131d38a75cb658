"""The process that measures one bench: programs in, parity, waits, times and memory out, as JSON lines.

It imports torch, holds a CUDA context of its own, and ends with the bench, so nothing of one bench reaches another; what
a program switches while it runs is switched back after each call, so nothing of `before` reaches `after`.

    host clock     wall time from a GPU that is done to a GPU that is done, the host's work included
    device clock   the time that the GPU is busy

The last line on the standard output is the result; when the standard input closes, whoever asked has gone.
"""

from __future__ import annotations

import gc
import platform
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from types import ModuleType
from typing import Any, Final

import torch

from torchperf_lint.verify import gpu, graphs, parity, stats, switches
from torchperf_lint.verify.bench import Bench, Settings, Size, bench_of
from torchperf_lint.verify.benches.stage import Stage
from torchperf_lint.verify.serve import serve

Plain = dict[str, Any]

SAMPLE: Final = 0.002
"""Seconds that a sample should take at least, so that reading the clock does not matter."""


class Subject:
    """One of the two programs, at the settings of the bench."""

    def __init__(
        self, name: str, text: str, bench: Bench, settings: Settings, device: torch.device, rank: int = 0
    ) -> None:
        self.bench = bench
        self.rank = rank
        self.settings = settings
        self.device = device
        self.module = ModuleType(f"torchperf_lint_{name}")
        sys.modules[self.module.__name__] = self.module
        with switches.kept():
            exec(compile(text, f"<{name}>", "exec"), self.module.__dict__)

    def arrange(self, settings: Mapping[str, Any], host_work: float = 0.0) -> tuple[Any, ...]:
        return self.bench.arrange(Stage(self.device, self.module, host_work, self.rank), **settings)

    def run(self, *arguments: Any) -> Any:
        with switches.kept():
            return self.module.run(*arguments)

    def ready(self, host_work: float = 0.0) -> Callable[[], object]:
        """A call of the program with arguments of its own."""
        torch.manual_seed(parity.SEED)
        arguments = self.arrange(self.settings, host_work)
        return lambda: self.run(*arguments)


def sampler(timed: Callable[[int], float], steps: int) -> stats.Sample:
    """What gives the seconds of a step, over as many calls as make a sample long enough."""
    timed(1)
    once = min(timed(1), timed(1))
    calls = max(1, min(1000, round(SAMPLE / max(once, 1e-7))))
    return lambda: timed(calls) / (calls * steps)


def timer(call: Callable[[], object], device: torch.device) -> Callable[[int], float]:
    """What gives the seconds of some calls on the host clock."""

    def timed(calls: int) -> float:
        synchronize(device)
        start = time.perf_counter()
        for _ in range(calls):
            call()
        synchronize(device)
        return time.perf_counter() - start

    return timed


def synchronize(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()


# ---- measuring


def measure(request: Plain, tell: Callable[[Plain], None]) -> Plain:
    """Everything that is measured of one bench."""
    bench, settings = bench_of(request["module"]), request["settings"]
    device = torch.device(request["device"])
    before = Subject("before", request["before"], bench, settings, device)
    after = Subject("after", request["after"], bench, settings, device)
    if bench.compiles and (obstacle := graphs.obstacle(device)) is not None:
        return {"failed": obstacle}
    if request["only_times"]:
        return {"clocks": _times(before, after, request, tell)}
    tell({"stage": "comparing results"})
    same = parity.compare(
        parity.Subject(before.run, before.arrange),
        parity.Subject(after.run, after.arrange),
        parity.cases(settings, *small(bench, settings))[: None if bench.adverse else 2],
        exact=request["exact"],
        unlike=bench.unlike,
    )
    result: Plain = {"parity": asdict(same), "clocks": []}
    if same.broken:
        return result
    result["clocks"] += _times(before, after, request, tell)
    if bench.compiles:
        tell({"stage": "counting graphs"})
        for name, subject in (("before", before), ("after", after)):
            made = graphs.counted(subject.ready, lambda: synchronize(device))
            result |= {f"{what}_{name}": value for what, value in made._asdict().items()}
    if device.type == "cuda":
        tell({"stage": "counting waits"})
        found, busy = gpu.measured(before.ready(), after.ready(), bench.steps)
        result |= found
        if busy:
            result["clocks"].append({"clock": "device", "host_work_ms": 0.0, "rounds": [busy]})
    return result


def _times(before: Subject, after: Subject, request: Plain, tell: Callable[[Plain], None]) -> list[Plain]:
    """The pairs of times on the host clock, by round, with each amount of host work."""
    tell({"stage": "timing"})
    gc.collect()
    gc.disable()
    return [
        {
            "clock": "host",
            "host_work_ms": work,
            "rounds": stats.compare(_setup(before, after, work), time.perf_counter, request["seconds"]),
        }
        for work in request["host_work"]
    ]


def small(bench: Bench, settings: Settings) -> tuple[dict[str, Any], dict[str, tuple[int, ...]]]:
    """Settings with small sizes, and the smallest that each size may be."""
    found, extremes = dict(settings), {}
    for name, parameter in bench.parameters.items():
        if isinstance(parameter, Size) and name not in bench.literals():
            found[name] = min(int(settings[name]), max(parameter.small, parameter.least))
            extremes[name] = tuple(value for value in (0, 1) if value >= parameter.least)
    return found, extremes


def _setup(before: Subject, after: Subject, work: float) -> Callable[[], tuple[stats.Sample, stats.Sample]]:
    def setup() -> tuple[stats.Sample, stats.Sample]:
        steps = before.bench.steps
        one, other = (sampler(timer(each.ready(work), each.device), steps) for each in (before, after))
        return one, other

    return setup


# ---- the process


def about(wanted: str) -> Plain:
    """The device that a wish comes to, and what is worth knowing of it."""
    found = {"torch": str(torch.__version__), "python": platform.python_version(), "system": platform.platform()}
    has_cuda = torch.cuda.is_available()
    if wanted == "cpu" or (wanted == "auto" and not has_cuda):
        mps = wanted == "auto" and torch.backends.mps.is_available()
        return {**found, "device": "cpu", "name": platform.processor() or platform.machine(), "mps": mps}
    if not has_cuda:
        return {**found, "device": None, "reason": f"no CUDA device is available to torch {torch.__version__}"}
    index = int(wanted.partition(":")[2] or 0) if wanted != "auto" else 0
    if index >= torch.cuda.device_count():
        return {
            **found,
            "device": None,
            "reason": f"there is no cuda:{index}, only {torch.cuda.device_count()} device(s)",
        }
    properties = torch.cuda.get_device_properties(index)
    toolkit = f"ROCm {torch.version.hip}" if torch.version.hip else f"CUDA {torch.version.cuda}"
    memory = round(properties.total_memory / 2**30)
    told = {"device": f"cuda:{index}", "name": properties.name, "toolkit": toolkit, "memory_gib": memory}
    return {**found, **told, "gpus": torch.cuda.device_count()}


def answer(request: Plain, tell: Callable[[Plain], None]) -> Plain:
    if "about" in request:
        return about(request["about"])
    if request["device"] != "cpu":
        torch.cuda.set_device(request["device"])
    return tried(lambda: measure(request, tell))


def tried(measuring: Callable[[], Plain]) -> Plain:
    """What measuring gives, or why it gives nothing."""
    try:
        return measuring()
    except (torch.cuda.OutOfMemoryError, MemoryError):
        return {"out_of_memory": True}
    except Exception as error:
        memory = "not enough memory" in str(error) or "can't allocate memory" in str(error)
        return (
            {"out_of_memory": True} if memory else {"failed": f"{type(error).__name__}: {error}".split("\n")[0][:200]}
        )


if __name__ == "__main__":
    serve(answer)
