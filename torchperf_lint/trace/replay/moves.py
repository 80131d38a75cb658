"""What the calls of a trace are to the replay: how far apart, what each queues, and for what it waits."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from torchperf_lint.trace import kernels
from torchperf_lint.trace.recording import Call, Kind, Trace, Work

QUEUE: Final = 1000
"""So many launches fit into the queue of a stream; the host waits for room then."""
PINNED: Final = 20_000.0
"""Bytes a microsecond, at the least, between pinned memory and a GPU of a data centre; from pageable memory it is a fraction of that."""
DEPENDS: Final = 5.0
"""Microseconds within which work that follows other work of another stream has waited for it."""


@dataclass(frozen=True, slots=True)
class Move:
    """What the replay needs of one call."""

    gap: float
    """Microseconds of the host since the call before."""
    events: int
    lines: int
    waits: bool
    tail: float
    """A wait: how much longer the host needs once the GPU is done."""
    targets: tuple[int, ...]
    """A wait: the works it waits for."""
    works: tuple[tuple[int, int, float, float, int], ...]
    """Each: its number, stream, time, the time without the wait, and the work of another stream it follows, or -1."""

    def without(self, wait: bool, spared: Set[int]) -> Move:
        """The same that does not wait, where a `wait` is gone, and whose works that are spared take no time."""
        works = tuple(
            (number, stream, 0.0 if number in spared else unwaited if wait else time, unwaited, follows)
            for number, stream, time, unwaited, follows in self.works
        )
        return replace(self, works=works, waits=self.waits and not wait)


UNSAID: Final = Move(0.0, 0, 0, waits=False, tail=0.0, targets=(), works=())
"""A call that is gone altogether."""


def released(call: Call) -> float:
    """When a call lets the host go on; what a launch takes is the host's own time."""
    return call.start if call.kind == Kind.LAUNCH else call.start + call.time


def moves_of(trace: Trace) -> list[Move]:
    of_call: dict[int, list[int]] = {}
    for number, work in enumerate(trace.works):
        of_call.setdefault(work.call, []).append(number)
    follows = _follows(trace.works)
    excess = _blocked(trace)
    moves, last = [], {}
    current = 0
    before = None
    for index, call in enumerate(trace.calls):
        gap = call.start - (released(before) if before else 0.0)
        gap -= excess.get(index - 1, 0.0)
        numbers = of_call.get(index, [])
        works = tuple(
            (each, trace.works[each].stream, trace.works[each].time, _unwaited(trace, each), follows.get(each, -1))
            for each in numbers
        )
        for each in numbers:
            current = trace.works[each].stream
            last[current] = each
        targets: tuple[int, ...] = ()
        waits = call.kind != Kind.LAUNCH
        if waits:
            targets = tuple(numbers) or _targets(trace.name(call.name), last, current)
        moves.append(
            Move(max(0.0, gap), call.events, call.lines, waits, _tail(call, targets, trace.works), targets, works)
        )
        before = call
    return moves


def _unwaited(trace: Trace, number: int) -> float:
    """How long a piece of work takes whose host does not wait: a copy is one from or to pinned memory then."""
    work = trace.works[number]
    if trace.calls[work.call].kind != Kind.COPY or not work.bytes:
        return work.time
    return min(work.time, work.bytes / PINNED)


def pinning_us(trace: Trace) -> dict[int, float]:
    """For each copy to the GPU that waits, what it takes to bring to pinned memory what it copies: the driver does so in such a copy,
    and the host takes as long."""
    found: defaultdict[int, float] = defaultdict(float)
    for number, work in enumerate(trace.works):
        if kernels.to_gpu(trace.name(work.name)):
            found[work.call] += work.time - _unwaited(trace, number)
    return dict(found)


def _targets(name: str, last: dict[int, int], current: int) -> tuple[int, ...]:
    if "Stream" in name or "Event" in name:
        return (last[current],) if current in last else ()
    return tuple(last.values())


def _tail(call: Call, targets: tuple[int, ...], works: tuple[Work, ...]) -> float:
    done = max((works[each].start + works[each].time for each in targets), default=0.0)
    return max(0.0, min(call.time, call.start + call.time - done))


def _follows(works: tuple[Work, ...]) -> dict[int, int]:
    """Works that began when one of another stream ended, and not when they could have by their own: they waited for it."""
    found: dict[int, int] = {}
    if len({work.stream for work in works}) < 2:
        return found
    order = sorted(range(len(works)), key=lambda each: works[each].start + works[each].time)
    ends = [works[each].start + works[each].time for each in order]
    own: dict[int, float] = {}
    for number, work in enumerate(works):
        index = bisect_right(ends, work.start) - 1
        if index >= 0 and own.get(work.stream, 0.0) + DEPENDS < work.start <= ends[index] + DEPENDS:
            other = order[index]
            if works[other].stream != work.stream and other < number:
                found[number] = other
        own[work.stream] = work.start + work.time
    return found


def _blocked(trace: Trace) -> dict[int, float]:
    """Launches that waited for room in the queue, and for how much longer than a launch takes."""
    launches = [each.time for each in trace.calls if each.kind == Kind.LAUNCH]
    if len(launches) <= QUEUE:
        return {}
    usual = median(launches)
    ends = sorted(work.start + work.time for work in trace.works)
    queued, found = 0, {}
    of_call = [0] * (len(trace.calls) + 1)
    for work in trace.works:
        of_call[work.call] += 1
    for index, call in enumerate(trace.calls):
        waiting = queued - bisect_right(ends, call.start)
        if call.kind == Kind.LAUNCH and call.time > 10 * usual and waiting > QUEUE // 2:
            found[index] = call.time - usual
        queued += of_call[index]
    return found
