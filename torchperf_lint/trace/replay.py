"""How long a step would take without some of its waits: the profiled steps are run again on paper.

The host goes from call to call, as long apart as they were; the GPU works through each stream in order; a wait holds the
host until the work before it is done. Drop the waits that a fix removes, and compare. Calls that are apart because the host
was observed between them are moved together, so that the steps on paper take what they take unobserved (`calibrate.py`).

Worked example: a step launches 1 ms of kernels within 0.2 ms, reads a number (a wait of 0.8 ms), and needs 0.5 ms for
its own work. On paper it takes 1.5 ms; without the wait the host is at the next step after 0.7 ms, and the GPU is the bound: 1 ms.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, fields
from statistics import median, stdev
from typing import Final

from torchperf_lint.trace import kernels
from torchperf_lint.trace.recording import Call, Kind, Span, Trace, Work

QUEUE: Final = 1000
"""So many launches fit into the queue of a stream; the host waits for room then."""
LEAST_GAP: Final = 0.2
"""The share of the time between two calls that is the program's own, however much was recorded in it."""
STEADY: Final = 0.25
"""The share of the steps that fill the queue, and are not counted."""
PINNED: Final = 20_000.0
"""Bytes a microsecond, at the least, between pinned memory and a GPU of a data centre; from pageable memory it is a fraction of that."""
DEPENDS: Final = 5.0
"""Microseconds within which work that follows other work of another stream has waited for it."""


@dataclass(frozen=True, slots=True)
class Observing:
    """What it cost the host to be observed: microseconds of an event that was recorded, and of a sample of a line."""

    event_us: float
    line_us: float
    slower: float = 1.0
    """How many times as long the host took for everything, whatever was recorded in it."""


@dataclass(frozen=True, slots=True)
class Removable:
    """Something that a fix could take away, by the numbers of calls and spans."""

    waits: tuple[int, ...] = ()
    spans: tuple[int, ...] = ()
    launches: tuple[int, ...] = ()
    """Calls that are gone altogether, with what they queue and what the host did before them."""
    works: tuple[int, ...] = ()
    """What the GPU does in no time."""

    def __add__(self, other: Removable) -> Removable:
        both = ((*getattr(self, each.name), *getattr(other, each.name)) for each in fields(self))
        return Removable(*both)


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


class Replay:
    """The profiled steps of a trace, to be run again with changes."""

    def __init__(self, trace: Trace) -> None:
        self.steps = trace.steps
        self.knows_operators = trace.knows_operators
        repeats = trace.timing.round if trace.timing else 1
        self._counted = trace.usual(int(trace.steps * STEADY / repeats) * repeats)
        self.error_ms = _error_ms(trace, self._counted)
        """What the mean of the counted steps is not known better than."""
        self._works = trace.works
        self._latency = _latency(trace)
        self._between = _between(trace, self._latency)
        self._moves = _moves(trace)
        self._marks = _marks(trace, self._moves)
        self._before = [(each.gap * LEAST_GAP, each.gap, each.events, each.lines) for each in self._moves]
        self._taken: dict[tuple[Observing, Removable], float] = {}
        """What was asked: the calibration comes to the same again and again, and so do gains that are ranked."""
        self._spans = [_calls_in(each, trace.calls) for each in trace.spans]
        last = trace.calls[-1] if trace.calls else None
        self._rest = trace.starts[-1] - _released(last) if last else 0.0

    def step_ms(self, observing: Observing, without: Removable = Removable()) -> float:
        """Milliseconds of a step, `without` some of what happens in it."""
        if (asked := (observing, without)) not in self._taken:
            self._taken[asked] = self._run(observing, without)
        return self._taken[asked]

    def _run(self, observing: Observing, without: Removable) -> float:
        short: defaultdict[int, float] = defaultdict(float)
        for call, time in (self._spans[each] for each in without.spans):
            short[call] += time
        gone, unsaid, spared = set(without.waits), set(without.launches), set(without.works)
        gaps, latency, between = self._gaps(observing), self._latency, self._between
        now, queued, busy = 0.0, 0, 0.0
        ends = [0.0] * len(self._works)
        free: dict[int, float] = {}
        reached: list[float] = []
        for index, move in enumerate(self._moves):
            whole = gap = 0.0 if index in unsaid else gaps[index]
            if index in short and move.gap:
                gap = max(0.0, whole - short[index] * whole / move.gap)
            if index in self._marks:
                reached += [max(now + min(gap, part * whole), busy) for part in self._marks[index]]
            now += gap
            if index in unsaid:
                continue
            for number, stream, time, unwaited, follows in move.works:
                if queued >= QUEUE and ends[number - QUEUE] > now:
                    now = ends[number - QUEUE]
                begin = now + latency
                if stream in free and free[stream] + between > begin:
                    begin = free[stream] + between
                if follows >= 0 and ends[follows] > begin:
                    begin = ends[follows]
                took = 0.0 if number in spared else unwaited if index in gone else time
                ends[number] = free[stream] = end = begin + took
                if end > busy:
                    busy = end
                queued += 1
            if move.waits and index not in gone:
                now = max(now, *(ends[each] for each in move.targets)) + move.tail if move.targets else now + move.tail
        reached += [max(now + self._rest, busy)] * (self.steps + 1 - len(reached))
        return sum(reached[each + 1] - reached[each] for each in self._counted) / max(1, len(self._counted)) / 1e3

    def _gaps(self, observing: Observing) -> list[float]:
        """For each call the time before it, as it would be unobserved."""
        event_us, line_us, slower = observing.event_us, observing.line_us, observing.slower
        return [
            (left if (left := gap - (event_us * events + line_us * lines)) > own else own) / slower
            for own, gap, events, lines in self._before
        ]

    def launch_us(self, observing: Observing) -> float:
        """What another launch would cost the host: the time before a usual one."""
        return median(self._gaps(observing))


def _error_ms(trace: Trace, counted: list[int]) -> float:
    """Two standard errors of the profiled steps: few were, and something else may have held some of them up."""
    each = [(trace.starts[number + 1] - trace.starts[number]) / 1e3 for number in counted]
    return 2 * stdev(each) / len(each) ** 0.5 if len(each) > 1 else 0.0


def _marks(trace: Trace, moves: list[Move]) -> dict[int, list[float]]:
    """Before which call each step begins, and after which part of the time before that call."""
    starts = [call.start for call in trace.calls]
    found: dict[int, list[float]] = {}
    for start in trace.starts:
        index = bisect_left(starts, start)
        if index < len(moves):
            gap = moves[index].gap
            found.setdefault(index, []).append(1 - min(1.0, (starts[index] - start) / gap) if gap else 1.0)
    return found


def _released(call: Call) -> float:
    """When a call lets the host go on; what a launch takes is the host's own time."""
    return call.start if call.kind == Kind.LAUNCH else call.start + call.time


def _calls_in(span: Span, calls: tuple[Call, ...]) -> tuple[int, float]:
    """The call before which a span of the host ends, and for how long it took."""
    return bisect_right(calls, span.start, key=lambda call: call.start), span.time


def _latency(trace: Trace) -> float:
    """From a launch to its beginning, where the GPU had nothing else to do."""
    found, free = [], 0.0
    for work in trace.works:
        launched = trace.calls[work.call].start
        if free < launched:
            found.append(work.start - launched)
        free = max(free, work.start + work.time)
    return median(found) if found else 5.0


def _between(trace: Trace, latency: float) -> float:
    """From the end of work to the beginning of the next one in its stream, where that was queued in time."""
    found: list[float] = []
    last: dict[int, float] = {}
    for work in trace.works:
        done = last.get(work.stream)
        if done is not None and trace.calls[work.call].start + 2 * latency < done <= work.start:
            found.append(work.start - done)
        last[work.stream] = work.start + work.time
    return median(found) if found else 0.0


def _moves(trace: Trace) -> list[Move]:
    of_call: dict[int, list[int]] = {}
    for number, work in enumerate(trace.works):
        of_call.setdefault(work.call, []).append(number)
    follows = _follows(trace.works)
    excess = _blocked(trace)
    moves, last = [], {}
    current = 0
    before = None
    for index, call in enumerate(trace.calls):
        gap = call.start - (_released(before) if before else 0.0)
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
