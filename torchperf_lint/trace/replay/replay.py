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
from itertools import accumulate
from math import inf
from statistics import median, stdev
from typing import Final

from torchperf_lint.trace.recording import Call, Span, Trace
from torchperf_lint.trace.replay.moves import QUEUE, UNSAID, Move, moves_of, released

LEAST_GAP: Final = 0.2
"""The share of the time between two calls that is the program's own, however much was recorded in it."""
STEADY: Final = 0.25
"""The share of the steps that fill the queue, and are not counted."""


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


_NOTHING: Final = Removable()


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
        self._streams = {work.stream for work in trace.works}
        self._latency = _latency(trace)
        self._between = _between(trace, self._latency)
        self._moves = moves_of(trace)
        self._marks = _marks(trace, self._moves)
        self._before = [(each.gap * LEAST_GAP, each.gap, each.events, each.lines) for each in self._moves]
        self._asked_last: tuple[float, float] | None = None
        self._unobserved: list[float] = []
        """The time before each call, as it would be had observing cost what was asked last."""
        self._taken: dict[tuple[Observing, Removable], float] = {}
        """What was asked: the calibration comes to the same again and again, and so do gains that are ranked."""
        self._spans = [_calls_in(each, trace.calls) for each in trace.spans]
        last = trace.calls[-1] if trace.calls else None
        self._rest = trace.starts[-1] - released(last) if last else 0.0

    def step_ms(self, observing: Observing, without: Removable = _NOTHING) -> float:
        """Milliseconds of a step, `without` some of what happens in it."""
        if (asked := (observing, without)) not in self._taken:
            self._taken[asked] = self._run(observing, without)
        return self._taken[asked]

    def _run(self, observing: Observing, without: Removable) -> float:
        wholes = self._gaps(observing)
        moves, gaps = (self._moves, wholes) if without == _NOTHING else self._without(without, wholes)
        latency, between, queue = self._latency, self._between, QUEUE
        now, queued, busy = 0.0, 0, 0.0
        ends = [0.0] * len(self._works)
        free = dict.fromkeys(self._streams, -inf)
        reached: list[float] = []
        for whole, gap, move, marks in zip(wholes, gaps, moves, self._marks, strict=True):
            if marks:
                reached += [max(now + min(gap, part * whole), busy) for part in marks]
            now += gap
            for number, stream, time, _, follows in move.works:
                if queued >= queue and ends[number - queue] > now:
                    now = ends[number - queue]
                begin = now + latency
                if (ready := free[stream] + between) > begin:
                    begin = ready
                if follows >= 0 and ends[follows] > begin:
                    begin = ends[follows]
                ends[number] = free[stream] = end = begin + time
                if end > busy:
                    busy = end
                queued += 1
            if move.waits:
                for each in move.targets:
                    if ends[each] > now:
                        now = ends[each]
                now += move.tail
        reached += [max(now + self._rest, busy)] * (self.steps + 1 - len(reached))
        return sum(reached[each + 1] - reached[each] for each in self._counted) / max(1, len(self._counted)) / 1e3

    def _without(self, without: Removable, wholes: list[float]) -> tuple[list[Move], list[float]]:
        """The calls without something, and the time before each."""
        gone, unsaid, spared = set(without.waits), set(without.launches), set(without.works)
        moves = self._moves.copy()
        for index in gone | {self._works[number].call for number in spared}:
            moves[index] = moves[index].without(index in gone, spared)
        for index in unsaid:
            moves[index] = UNSAID
            wholes[index] = 0.0
        gaps, short = wholes.copy(), defaultdict[int, float](float)
        for call, time in (self._spans[each] for each in without.spans):
            short[call] += time
        for index, time in short.items():
            if index < len(gaps) and (gap := self._moves[index].gap):
                gaps[index] = max(0.0, wholes[index] - time * wholes[index] / gap)
        return moves, gaps

    def _gaps(self, observing: Observing) -> list[float]:
        """For each call the time before it, as it would be unobserved."""
        event_us, line_us, slower = observing.event_us, observing.line_us, observing.slower
        if self._asked_last != (event_us, line_us):
            self._asked_last = event_us, line_us
            self._unobserved = [
                left if (left := gap - (event_us * events + line_us * lines)) > own else own
                for own, gap, events, lines in self._before
            ]
        return [gap / slower for gap in self._unobserved]

    def launch_us(self, observing: Observing) -> float:
        """What another launch would cost the host: the time before a usual one."""
        return median(self._gaps(observing))


def _error_ms(trace: Trace, counted: list[int]) -> float:
    """Two standard errors of the profiled steps: few were, and something else may have held some of them up."""
    each = [(trace.starts[number + 1] - trace.starts[number]) / 1e3 for number in counted]
    return 2 * stdev(each) / len(each) ** 0.5 if len(each) > 1 else 0.0


def _marks(trace: Trace, moves: list[Move]) -> list[tuple[float, ...]]:
    """For each call after which part of the time before it steps begin."""
    starts = [call.start for call in trace.calls]
    found: list[tuple[float, ...]] = [()] * len(moves)
    for start in trace.starts:
        index = bisect_left(starts, start)
        if index < len(moves):
            gap = moves[index].gap
            found[index] += (1 - min(1.0, (starts[index] - start) / gap) if gap else 1.0,)
    return found


def _calls_in(span: Span, calls: tuple[Call, ...]) -> tuple[int, float]:
    """The call before which a span of the host ends, and for how long it took."""
    return bisect_right(calls, span.start, key=lambda call: call.start), span.time


def _latency(trace: Trace) -> float:
    """From a launch to its beginning, where the GPU had nothing else to do: before the first work it may have had, unseen."""
    found = []
    ends = accumulate((work.start + work.time for work in trace.works), max)
    for free, work in zip(ends, trace.works[1:], strict=False):
        launched = trace.calls[work.call].start
        if free < launched:
            found.append(work.start - launched)
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
