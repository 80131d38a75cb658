"""What each line costs in a step, and how a step is spent: sums over what a trace has seen."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from torchperf_lint.trace import kernels
from torchperf_lint.trace.recording import NOWHERE, Call, Kind, Span, Trace, Work

Stretch = tuple[float, float]
"""From when to when, in microseconds."""

LOADER: Final = "enumerate(DataLoader)#"
OPTIMIZER: Final = "Optimizer.step#"


@dataclass(slots=True)
class Cost:
    """What a line costs in a step, on the average of the profiled ones. Times are milliseconds."""

    ran: float = 0.0
    host_ms: float = 0.0
    waits: float = 0.0
    waited_ms: float = 0.0
    idle_ms: float = 0.0
    """The GPU had nothing to do after a wait, until the next work came."""
    launches: float = 0.0
    gpu_ms: float = 0.0
    backward_ms: float = 0.0
    """The GPU's time in the backward pass of what the line computes."""
    matrix_ms: float = 0.0
    tensor_core_ms: float = 0.0
    one_block: float = 0.0
    """Kernels of a single block, which leave all but one of the GPU's processors idle."""
    pageable_bytes: float = 0.0
    pinned_bytes: float = 0.0
    to_host_bytes: float = 0.0
    loader_ms: float = 0.0
    optimizer_ms: float = 0.0
    wait_calls: list[int] = field(default_factory=list)
    """The calls that wait here, by their numbers."""
    loader_spans: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Budget:
    """How a step is spent, in milliseconds of the profiled steps: the parts add up to the step."""

    busy: float
    communication: float
    """The GPU does nothing but talk to other GPUs."""
    loader: float
    """The GPU is idle while the host is in a loader."""
    after_waits: float
    """The GPU is idle because the host had waited for it and has to come up with new work."""
    host: float
    """The GPU is idle while the host does anything else."""

    @property
    def whole(self) -> float:
        return self.busy + self.communication + self.loader + self.after_waits + self.host


def by_line(trace: Trace) -> dict[int, Cost]:
    """The costs of each line that ran; under NOWHERE what no line is known of."""
    costs: defaultdict[int, Cost] = defaultdict(Cost)
    for number, line in enumerate(trace.lines):
        costs[number].ran, costs[number].host_ms = float(line.ran), line.host_us / 1e3
    idle = idle_after_waits(trace)
    for index, call in enumerate(trace.calls):
        if call.kind != Kind.LAUNCH:
            _add_wait(costs[line_of(trace, call.site)], trace, index, idle.get(index, 0.0))
    for work in trace.works:
        _add_work(costs, trace, work.call, work.time / 1e3, work.name, work.bytes, work.blocks)
    for index, span in enumerate(trace.spans):
        cost = costs[line_of(trace, span.site)]
        if trace.name(span.name).startswith(LOADER):
            cost.loader_ms += span.time / 1e3
            cost.loader_spans.append(index)
        elif trace.name(span.name).startswith(OPTIMIZER):
            cost.optimizer_ms += span.time / 1e3
    for cost in costs.values():
        _average(cost, max(1, trace.steps))
    return dict(costs)


def line_of(trace: Trace, site: int) -> int:
    return trace.sites[site].line if site != NOWHERE else NOWHERE


def _add_wait(cost: Cost, trace: Trace, index: int, idle: float) -> None:
    call = trace.calls[index]
    cost.wait_calls.append(index)
    cost.waited_ms += call.time / 1e3
    cost.idle_ms += idle / 1e3
    if not _is_first_half(trace, index):
        cost.waits += 1


def _is_first_half(trace: Trace, index: int) -> bool:
    """A copy whose operator waits for it right after, at the same line: both are one wait."""
    call, following = trace.calls[index], trace.calls[index + 1 : index + 2]
    return call.kind == Kind.COPY and any(
        (each.kind, each.operator, each.site) == (Kind.WAIT, call.operator, call.site) for each in following
    )


def _add_work(
    costs: defaultdict[int, Cost], trace: Trace, call: int, time: float, name: int, size: int, blocks: int
) -> None:
    site = trace.calls[call].site
    cost = costs[line_of(trace, site)]
    words = trace.name(name)
    cost.launches += 1
    cost.gpu_ms += time
    if site != NOWHERE and trace.sites[site].forward != NOWHERE:
        costs[trace.sites[site].forward].backward_ms += time
    if blocks == 1:
        cost.one_block += 1
    if blocks and kernels.is_matrix_product(words):
        cost.matrix_ms += time
        cost.tensor_core_ms += time * kernels.uses_tensor_cores(words)
    if kernels.to_gpu(words):
        if kernels.is_from_pageable(words):
            cost.pageable_bytes += size
        else:
            cost.pinned_bytes += size
    elif kernels.to_host(words):
        cost.to_host_bytes += size


def _average(cost: Cost, steps: int) -> None:
    for name in (
        "ran", "host_ms", "waits", "waited_ms", "idle_ms", "launches", "gpu_ms", "backward_ms", "matrix_ms",
        "tensor_core_ms", "one_block", "pageable_bytes", "pinned_bytes", "to_host_bytes", "loader_ms", "optimizer_ms",
    ):  # fmt: skip
        setattr(cost, name, getattr(cost, name) / steps)


def busy_stretches(works: Iterable[Work | Span]) -> list[Stretch]:
    """When the GPU does some of its works, or the host is in some spans, as stretches that do not touch."""
    found: list[Stretch] = []
    for start, end in sorted((work.start, work.start + work.time) for work in works):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def idle_after_waits(trace: Trace) -> dict[int, float]:
    """For each wait that ends on an idle GPU, the microseconds until the next work begins."""
    busy = busy_stretches(trace.works)
    starts = [start for start, _ in busy]
    found: dict[int, float] = {}
    for index, call in enumerate(trace.calls):
        if call.kind == Kind.LAUNCH:
            continue
        following = bisect_right(starts, call.start + call.time)
        if following == len(busy):
            continue
        done = busy[following - 1][1] if following else 0.0
        if done <= call.start + call.time:
            found[index] = starts[following] - max(done, call.start)
    return found


def budget(trace: Trace) -> Budget | None:
    """How a profiled step is spent, of those that count; None without a GPU."""
    counted = [(trace.starts[each], trace.starts[each + 1]) for each in trace.usual(0)]
    if not trace.works or not counted:
        return None
    busy = busy_stretches(trace.works)
    computing = busy_stretches(each for each in trace.works if not kernels.is_communication(trace.name(each.name)))
    loader = waits = host = 0.0
    loads = sorted(
        (each.start, each.start + each.time) for each in trace.spans if trace.name(each.name).startswith(LOADER)
    )
    begun, ended = [begin for begin, _ in loads], list(accumulate((end for _, end in loads), max))
    waiting = [call for call in trace.calls if call.kind != Kind.LAUNCH]
    for start, stop in _gaps(busy, trace.starts[-1]):
        idle = _shared([(start, stop)], counted)
        near = loads[bisect_right(ended, start) : bisect_right(begun, stop)]
        loading = min(idle, _shared([(max(start, begin), min(stop, end)) for begin, end in near], counted))
        loader += loading
        if _ends_in(waiting, start, stop):
            waits += idle - loading
        else:
            host += idle - loading
    unit = len(counted) * 1e3
    works, talks = _shared(computing, counted), _shared(busy, counted)
    return Budget(works / unit, (talks - works) / unit, loader / unit, waits / unit, host / unit)


def _shared(stretches: Iterable[Stretch], others: list[Stretch]) -> float:
    """For how long two lists of stretches, of which the second is in order and does not overlap, go on together."""
    total = 0.0
    for start, stop in stretches:
        for index in range(max(0, bisect_right(others, start, key=lambda each: each[0]) - 1), len(others)):
            begin, end = others[index]
            if begin >= stop:
                break
            total += max(0.0, min(stop, end) - max(start, begin))
    return total


def _gaps(busy: list[Stretch], end: float) -> list[Stretch]:
    edges = [0.0, *(edge for stretch in busy for edge in stretch if edge < end), end]
    edges = [*edges, end] if len(edges) % 2 else edges
    return [(edges[each], edges[each + 1]) for each in range(0, len(edges), 2) if edges[each + 1] > edges[each]]


def _ends_in(waiting: list[Call], start: float, stop: float) -> bool:
    """Whether a wait has held the host when the GPU ran out of work."""
    index = bisect_right(waiting, start, key=lambda call: call.start) - 1
    return index >= 0 and waiting[index].start + waiting[index].time >= start and waiting[index].start <= stop
