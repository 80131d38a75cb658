"""The process that measures one bench: programs in, parity, waits, times and memory out, as JSON lines.

It imports torch, holds a CUDA context of its own, and ends with the bench, so nothing of one bench reaches another; what
a program switches while it runs is switched back after each call, so nothing of `before` reaches `after`.

    host clock     wall time from a GPU that is done to a GPU that is done, the host's work included
    device clock   the time that the GPU is busy: its kernels and copies, as the profiler sees them
    waits          a kernel that sleeps is queued first: a call that takes as long as it has waited for it; the profiler
                   counts how often (`set_sync_debug_mode` alone misses several forms)

The last line on the standard output is the result; when the standard input closes, whoever asked has gone.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from statistics import median
from types import ModuleType
from typing import Any, Final

import torch

from torchperf_lint.verify import parity, stats
from torchperf_lint.verify.bench import Bench, Settings, Size, bench_of
from torchperf_lint.verify.benches.stage import Stage

Plain = dict[str, Any]

SAMPLE: Final = 0.002
"""Seconds that a sample should take at least, so that reading the clock does not matter."""
SLEEP: Final = 0.025
"""Seconds that the sleeping kernel takes."""
WAITED: Final = 0.6
"""The share of them that a call must have taken to have waited."""
QUEUE: Final = 900
"""So much work in the queue makes the host wait for room in it."""
PROFILED: Final = 6
"""Profiled calls of each program."""
WAITING_CALLS: Final = ("StreamSynchronize", "DeviceSynchronize", "EventSynchronize")
MARK: Final = "torchperf-lint"


class Subject:
    """One of the two programs, at the settings of the bench."""

    def __init__(self, name: str, text: str, bench: Bench, settings: Settings, device: torch.device) -> None:
        self.bench = bench
        self.settings = settings
        self.device = device
        self.module = ModuleType(f"torchperf_lint_{name}")
        sys.modules[self.module.__name__] = self.module
        with kept_switches():
            exec(compile(text, f"<{name}>", "exec"), self.module.__dict__)

    def arrange(self, settings: Mapping[str, Any], host_work: float = 0.0) -> tuple[Any, ...]:
        return self.bench.arrange(Stage(self.device, self.module, host_work), **settings)

    def run(self, *arguments: Any) -> Any:
        with kept_switches():
            return self.module.run(*arguments)

    def ready(self, host_work: float = 0.0) -> Callable[[], object]:
        """A call of the program with arguments of its own."""
        torch.manual_seed(parity.SEED)
        arguments = self.arrange(self.settings, host_work)
        return lambda: self.run(*arguments)


def sampler(call: Callable[[], object], device: torch.device, steps: int) -> stats.Sample:
    """What gives the seconds of a step on the host clock, over as many calls as make a sample long enough."""

    def timed(calls: int) -> float:
        synchronize(device)
        start = time.perf_counter()
        for _ in range(calls):
            call()
        synchronize(device)
        return time.perf_counter() - start

    timed(1)
    once = min(timed(1), timed(1))
    calls = max(1, min(1000, round(SAMPLE / max(once, 1e-7))))
    return lambda: timed(calls) / (calls * steps)


def synchronize(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()


# ---- what a program may switch


def _switches() -> tuple[tuple[Callable[[], Any], Callable[[Any], object]], ...]:
    cuda, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    return (
        (torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly),
        (torch.get_float32_matmul_precision, torch.set_float32_matmul_precision),
        (lambda: cuda.allow_fp16_reduced_precision_reduction, lambda v: setattr(cuda, "allow_fp16_reduced_precision_reduction", v)),
        (lambda: cudnn.allow_tf32, lambda value: setattr(cudnn, "allow_tf32", value)),
        (lambda: cudnn.benchmark, lambda value: setattr(cudnn, "benchmark", value)),
        (lambda: cudnn.deterministic, lambda value: setattr(cudnn, "deterministic", value)),
        (torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms),
        (torch.get_default_dtype, torch.set_default_dtype),
        (torch.is_grad_enabled, torch.set_grad_enabled),
        (torch.get_num_threads, torch.set_num_threads),
    )


@contextmanager
def kept_switches() -> Iterator[None]:
    """Puts every switch back that is turned inside."""
    before = [(read, turn, read()) for read, turn in _switches()]
    try:
        yield
    finally:
        for read, turn, value in before:
            if read() != value:
                turn(value)


# ---- measuring


def measure(request: Plain, tell: Callable[[Plain], None]) -> Plain:
    """Everything that is measured of one bench."""
    bench, settings = bench_of(request["module"]), request["settings"]
    device = torch.device(request["device"])
    before = Subject("before", request["before"], bench, settings, device)
    after = Subject("after", request["after"], bench, settings, device)
    tell({"stage": "comparing results"})
    same = parity.compare(
        parity.Subject(before.run, before.arrange),
        parity.Subject(after.run, after.arrange),
        parity.cases(settings, *_small(bench, settings))[: None if bench.adverse else 2],
        exact=request["exact"],
        unlike=bench.unlike,
    )
    result: Plain = {"parity": asdict(same), "clocks": []}
    if same.broken:
        return result
    tell({"stage": "timing"})
    gc.collect()
    gc.disable()
    for work in request["host_work"]:
        found = stats.compare(_setup(before, after, work), time.perf_counter, request["seconds"])
        result["clocks"].append({"clock": "host", "host_work_ms": work, **asdict(found)})
    if device.type == "cuda":
        tell({"stage": "counting waits"})
        result |= _on_device(before, after, result["clocks"])
    return result


def _small(bench: Bench, settings: Settings) -> tuple[dict[str, Any], dict[str, tuple[int, ...]]]:
    """Settings with small sizes, and the smallest that each size may be."""
    small, extremes = dict(settings), {}
    for name, parameter in bench.parameters.items():
        if isinstance(parameter, Size) and name not in bench.literals():
            small[name] = min(int(settings[name]), max(parameter.small, parameter.least))
            extremes[name] = tuple(value for value in (0, 1) if value >= parameter.least)
    return small, extremes


def _setup(before: Subject, after: Subject, work: float) -> Callable[[], tuple[stats.Sample, stats.Sample]]:
    def setup() -> tuple[stats.Sample, stats.Sample]:
        steps = before.bench.steps
        return tuple(sampler(each.ready(work), each.device, steps) for each in (before, after))  # type: ignore[return-value]

    return setup


# ---- on the GPU


def _on_device(before: Subject, after: Subject, clocks: list[Plain]) -> Plain:
    """Waits, memory, and the time that the GPU is busy."""
    steps = before.bench.steps
    calls = (before.ready(), after.ready())
    for call in calls:
        call()
    peaks = [_peak(call) for call in calls]
    waits = [_waits(call) for call in calls]
    busy: list[tuple[float, float]] = []
    for turn in range(PROFILED):
        pair = [_profiled(call) for call in calls]
        if turn:
            busy.append((pair[0][0] / steps, pair[1][0] / steps))
        counts, kernels = [each[1] for each in pair], [each[2] for each in pair]
    if all(one and other for one, other in busy):
        clocks.append({"clock": "device", "host_work_ms": 0.0, **asdict(stats.summarise([busy]))})
    told = [_waits_told(*each) for each in zip(waits, counts, kernels, strict=True)]
    return {
        "waits_before": round(told[0] / steps, 2), "waits_after": round(told[1] / steps, 2),
        "peak_before": peaks[0], "peak_after": peaks[1],
    }  # fmt: skip


def _waits_told(waited: bool, count: int, kernels: int) -> int:
    """How often a call waits, by the sleep and the profiler; a full queue looks like a wait."""
    return (0 if kernels >= QUEUE and not count else max(count, 1)) if waited else 0


def _peak(call: Callable[[], object]) -> int:
    """The bytes that a call needs at its peak, beside its arguments."""
    torch.cuda.synchronize()
    held = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    call()
    torch.cuda.synchronize()
    return max(0, torch.cuda.max_memory_allocated() - held)


def _waits(call: Callable[[], object]) -> bool:
    """Whether a call waits for what was queued before it: it returns later by as long as that takes."""
    return median(_returned(call, _cycles()) - _returned(call, 0) for _ in range(3)) >= WAITED * SLEEP


def _returned(call: Callable[[], object], cycles: int) -> float:
    """The seconds after which a call returns that is queued behind a sleep."""
    torch.cuda.synchronize()
    if cycles:
        torch.cuda._sleep(cycles)
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


_measured: dict[str, int] = {}


def _cycles() -> int:
    """For how many cycles the kernel must sleep."""
    if "cycles" not in _measured:
        probe = 10_000_000
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda._sleep(1000)
        torch.cuda.synchronize()
        start.record()
        torch.cuda._sleep(probe)
        end.record()
        torch.cuda.synchronize()
        _measured["cycles"] = int(probe * SLEEP * 1000 / max(start.elapsed_time(end), 1e-3))
    return _measured["cycles"]


def _profiled(call: Callable[[], object]) -> tuple[float, int, int]:
    """The seconds for which the GPU is busy with a call, how often the host waits in it, and how much is queued."""
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=activities) as profile:
        with torch.profiler.record_function(MARK):
            call()
        torch.cuda.synchronize()
    events = profile.profiler.kineto_results.events()
    on_host = [event for event in events if event.device_type() == torch.profiler.DeviceType.CPU]
    mark = next(event for event in on_host if event.name() == MARK)
    waits = sum(
        event.name().endswith(WAITING_CALLS) and mark.start_ns() <= event.start_ns() <= mark.start_ns() + mark.duration_ns()
        for event in on_host
    )
    kernels = sorted(
        (event.start_ns(), event.start_ns() + event.duration_ns())
        for event in events
        if event.device_type() == torch.profiler.DeviceType.CUDA and not _is_note(event)
    )
    return _covered(kernels) / 1e9, waits, len(kernels)


def _is_note(event: Any) -> bool:
    """Whether an event on the GPU's timeline is a note of the profiler and no work."""
    return event.name() == MARK or getattr(event, "is_user_annotation", bool)()


def _covered(spans: Sequence[tuple[int, int]]) -> int:
    """The nanoseconds that sorted spans cover together."""
    covered, end = 0, 0
    for start, stop in spans:
        covered += max(0, stop - max(start, end))
        end = max(end, stop)
    return covered


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
        return {**found, "device": None, "reason": f"there is no cuda:{index}, only {torch.cuda.device_count()} device(s)"}
    properties = torch.cuda.get_device_properties(index)
    toolkit = f"ROCm {torch.version.hip}" if torch.version.hip else f"CUDA {torch.version.cuda}"
    memory = round(properties.total_memory / 2**30)
    return {**found, "device": f"cuda:{index}", "name": properties.name, "toolkit": toolkit, "memory_gib": memory}


def answer(request: Plain, tell: Callable[[Plain], None]) -> Plain:
    if "about" in request:
        return about(request["about"])
    if request["device"] != "cpu":
        torch.cuda.set_device(request["device"])
    try:
        return measure(request, tell)
    except (torch.cuda.OutOfMemoryError, MemoryError):
        return {"out_of_memory": True}
    except Exception as error:
        memory = "not enough memory" in str(error) or "can't allocate memory" in str(error)
        return {"out_of_memory": True} if memory else {"failed": f"{type(error).__name__}: {error}".split("\n")[0][:200]}


def main() -> None:
    """Answer the one request on the standard input."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what programs print is none of the answer

    def tell(said: Plain) -> None:
        out.write(json.dumps(said) + "\n")
        out.flush()

    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    tell({"result": answer(request, tell)})
    out.flush()
    os._exit(0)


def _end_with_the_parent() -> None:
    """Waits on the bare descriptor: a lock on `sys.stdin` would be held for ever in processes forked meanwhile."""
    while os.read(0, 1024):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
