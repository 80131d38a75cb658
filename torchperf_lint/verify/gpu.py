"""What only the GPU can tell of a program: waits, memory, and the time for which it is busy.

A kernel that sleeps is queued first: a call that returns later by as long as that sleeps has waited for it. How often a
call waits is what the profiler counts (`set_sync_debug_mode` alone misses several forms). The GPU is busy while its
kernels and copies run, as the profiler sees them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, Final

import torch

from torchperf_lint.verify.stats import Pair

Call = Callable[[], object]
"""Runs a program once, with arguments of its own."""
Plain = dict[str, Any]

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


def measured(before: Call, after: Call, steps: int) -> tuple[Plain, list[Pair]]:
    """Waits of a step and memory of a call, and the seconds for which the GPU is busy with a step, where it is."""
    calls = (before, after)
    for call in calls:
        call()
    peaks = [peak(call) for call in calls]
    waits = [_waits(call) for call in calls]
    busy: list[Pair] = []
    for turn in range(PROFILED):
        pair = [_profiled(call) for call in calls]
        if turn:
            busy.append((pair[0][0] / steps, pair[1][0] / steps))
        counts, kernels = [each[1] for each in pair], [each[2] for each in pair]
    counted = [waits_counted(*each) for each in zip(waits, counts, kernels, strict=True)]
    found = {
        "waits_before": round(counted[0] / steps, 2), "waits_after": round(counted[1] / steps, 2),
        "peak_before": peaks[0], "peak_after": peaks[1],
    }  # fmt: skip
    return found, busy if all(one and other for one, other in busy) else []


def waits_counted(waited: bool, count: int, kernels: int) -> int:
    """How often a call waits, by the sleep and the profiler; a full queue looks like a wait."""
    return (0 if kernels >= QUEUE and not count else max(count, 1)) if waited else 0


def peak(call: Call) -> int:
    """The bytes that a call needs at its peak, beside its arguments."""
    torch.cuda.synchronize()
    held = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    call()
    torch.cuda.synchronize()
    return max(0, torch.cuda.max_memory_allocated() - held)


def _waits(call: Call) -> bool:
    """Whether a call waits for what was queued before it: it returns later by as long as that takes."""
    return median(_returned(call, _cycles()) - _returned(call, 0) for _ in range(3)) >= WAITED * SLEEP


def _returned(call: Call, cycles: int) -> float:
    """The seconds after which a call returns that is queued behind a sleep."""
    torch.cuda.synchronize()
    if cycles:
        torch.cuda._sleep(cycles)
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


_known: dict[str, int] = {}


def _cycles() -> int:
    """For how many cycles the kernel must sleep."""
    if "cycles" not in _known:
        probe = 10_000_000
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda._sleep(1000)
        torch.cuda.synchronize()
        start.record()
        torch.cuda._sleep(probe)
        end.record()
        torch.cuda.synchronize()
        _known["cycles"] = int(probe * SLEEP * 1000 / max(start.elapsed_time(end), 1e-3))
    return _known["cycles"]


def _profiled(call: Call) -> tuple[float, int, int]:
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
        event.name().endswith(WAITING_CALLS)
        and mark.start_ns() <= event.start_ns() <= mark.start_ns() + mark.duration_ns()
        for event in on_host
    )
    kernels = sorted(
        (event.start_ns(), event.start_ns() + event.duration_ns())
        for event in events
        if event.device_type() == torch.profiler.DeviceType.CUDA and not _is_note(event)
    )
    return covered(kernels) / 1e9, waits, len(kernels)


def _is_note(event: Any) -> bool:
    """Whether an event on the GPU's timeline is a note of the profiler and no work."""
    return event.name() == MARK or getattr(event, "is_user_annotation", bool)()


def covered(spans: Sequence[tuple[int, int]]) -> int:
    """The nanoseconds that sorted spans cover together."""
    covered, end = 0, 0
    for start, stop in spans:
        covered += max(0, stop - max(start, end))
        end = max(end, stop)
    return covered
