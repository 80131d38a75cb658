"""From what a process wrote (the profiler's events, the samples of lines, its state) to a Trace.

Each call of the host to the driver gets its line, each piece of work its call. Only the program's own thread and those
of its backward passes are followed: what a thread of a loader waits for holds nobody up.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from torchperf_lint.trace.attribute import Clock, Lines
from torchperf_lint.trace.chrome import MOST, Event, Events
from torchperf_lint.trace.recording import NOWHERE, Call, File, Kind, Site, Span, Trace, Work

STEP: Final = "tpl:step:"
SPANS: Final = ("enumerate(DataLoader)#", "Optimizer.step#", "Optimizer.zero_grad#")
LONGEST_NAME: Final = 120
STAGED: Final = 30.0
"""Microseconds before the end of a copy from pageable memory at which its call returns: the rest lies staged."""
MOST_CALLS: Final = 120_000
"""More than these are cut off after a whole step: the file stays small, and a step is like another."""


class Names:
    """Numbers for names."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._known: dict[str, int] = {}

    def number(self, name: str) -> int:
        name = name[:LONGEST_NAME]
        found = self._known.setdefault(name, len(self.all))
        if found == len(self.all):
            self.all.append(name)
        return found


class Condensed:
    """One process on its way to a Trace."""

    def __init__(self, events: Events, lines: Lines | None, starts: list[float], main: int) -> None:
        self.names = Names()
        self.calls: list[Call] = []
        self.works: list[Work] = []
        self.spans: list[Span] = []
        self.starts = starts
        self._lines = lines
        self._main = main
        self._operators = {each.arguments.get("External id"): each.name for each in events.host}
        self._backward = [each for each in events.host if _is_backward(each) and each.thread != main]
        self._backward_starts = [each.start for each in self._backward]
        of_threads = Counter(each.arguments["Fwd thread id"] for each in self._backward)
        self._forward_thread = of_threads.most_common(1)[0][0] if of_threads else None
        threads = {main, *(each.thread for each in self._backward)}
        gpu = defaultdict(list)
        for each in events.gpu:
            gpu[each.arguments.get("correlation")].append(each)
        inside = [each for each in events.runtime if self._inside(each)]
        foreground = [each for each in inside if each.thread in threads]
        self._add_calls(foreground, gpu, _observing(events, lines, threads, foreground))
        for each in events.host:
            if each.name.startswith(SPANS) and self._inside(each) and each.thread in threads:
                site = self._site(each)
                self.spans.append(Span(self._at(each.start), each.time, self.names.number(each.name), site))

    def _inside(self, event: Event) -> bool:
        return self.starts[0] <= event.start < self.starts[-1]

    def _at(self, time: float) -> float:
        return time - self.starts[0]

    def _site(self, event: Event) -> int:
        if self._lines is None:
            return NOWHERE
        found = self._lines.at(event.thread, event.start)
        if found != NOWHERE or event.thread == self._main:
            return found
        called = self._lines.at(self._main, event.start)
        forward = self._forward_line(event)
        if called == NOWHERE or forward == NOWHERE:
            return called
        site = self._lines.sites[called]
        return self._lines.number(Site(site.line, site.own, forward))

    def _forward_line(self, event: Event) -> int:
        """The line of the forward pass whose gradient is computed."""
        index = bisect_left(self._backward_starts, event.start) - 1
        if index < 0 or self._backward[index].end < event.start or self._lines is None:
            return NOWHERE
        node = self._backward[index].arguments
        number, again = node.get("Sequence number"), node["Fwd thread id"] != self._forward_thread
        thread = event.thread if again else self._main  # a checkpoint computes again, and numbers nodes of its own
        site = self._lines.that_made(thread, number) if isinstance(number, int) else NOWHERE
        return self._lines.sites[site].own if site != NOWHERE else NOWHERE

    def _add_calls(self, calls: list[Event], gpu: Mapping[Any, list[Event]], observing: list[list[int]]) -> None:
        recorded = sampled = 0
        for index, each in enumerate(calls):
            recorded += observing[index][0]
            sampled += observing[index][1]
            works = gpu.get(each.arguments.get("correlation"), ())
            kind = _kind(each, works)
            if kind is None:
                continue
            number = len(self.calls)
            operator = self._operators.get(each.arguments.get("External id"), "")
            called = self.names.number(operator) if operator else NOWHERE
            start, name = self._at(each.start), self.names.number(each.name)
            self.calls.append(Call(start, each.time, int(kind), name, called, self._site(each), recorded, sampled))
            recorded = sampled = 0
            for work in sorted(works, key=lambda work: work.start):
                self.works.append(self._work(work, number))

    def _work(self, event: Event, call: int) -> Work:
        grid = event.arguments.get("grid")
        blocks = 0
        if isinstance(grid, list) and len(grid) <= 3 and all(isinstance(each, int) and each < MOST for each in grid):
            blocks = math.prod(grid)
        stream = event.arguments.get("stream", event.thread)
        size = event.arguments.get("bytes", 0)
        return Work(
            call, self._at(event.start), event.time, stream if isinstance(stream, int) else 0,
            self.names.number(event.name), size if isinstance(size, int) and size < MOST else 0, blocks,
        )  # fmt: skip


def _is_backward(event: Event) -> bool:
    """Whether it is a node of a backward pass, which knows what it is the gradient of."""
    thread = event.arguments.get("Fwd thread id")
    return isinstance(thread, int) and thread > 0


def _kind(call: Event, works: Iterable[Event]) -> Kind | None:
    """What a call does; None for one that does nothing to the GPU."""
    if "Synchronize" in call.name or call.name in ("cudaFree", "cuMemFree_v2"):
        return Kind.WAIT
    kind = None
    for work in works:
        kind = kind or Kind.LAUNCH
        if "Pageable" in work.name and call.end >= work.end - STAGED:
            kind = Kind.COPY
    return kind


def _observing(events: Events, lines: Lines | None, threads: set[int], calls: list[Event]) -> list[list[int]]:
    """What was recorded of the host between each call and the one before: events and lines."""
    starts = [each.start for each in calls]
    found = [[0, 0] for _ in range(len(calls) + 1)]
    for each in (*events.host, *events.runtime):
        if each.thread in threads:
            found[bisect_left(starts, each.start)][0] += 1
    for thread in threads:
        for time in lines.times(thread) if lines else ():
            found[bisect_left(starts, time)][1] += 1
    return found


def step_marks(events: Events) -> list[Event]:
    """Our markers of steps."""
    return [each for each in events.host if each.name.startswith(STEP) and each.name[len(STEP) :].isdigit()]


def condense(
    events: Events,
    lines: Mapping[str, Any] | None,
    about: Mapping[str, Any],
    files: tuple[File, ...],
    repeats: int = 1,
    **more: Any,
) -> Trace:
    """The Trace of a process that the recorder observed; of steps that repeat after some, whole rounds are kept."""
    marks = step_marks(events)
    clocks = lines["clocks"] if lines else []
    pairs = [(clocks[number], each.start) for each in marks if (number := int(each.name[len(STEP) :])) < len(clocks)]
    main = Counter(each.thread for each in marks).most_common(1)[0][0]
    starts = _cut(events, [each.start for each in marks])
    if len(starts) > repeats:
        starts = starts[: (len(starts) - 1) // repeats * repeats + 1]
    known = Lines(lines, files, Clock(pairs), starts[-1]) if lines and pairs else None
    return from_events(events, starts, main, known, about=about, files=files, **more)


def from_events(events: Events, starts: list[float], main: int, lines: Lines | None = None, **more: Any) -> Trace:
    """The Trace of some events, whose steps begin at `starts` on the thread `main`."""
    made = Condensed(events, lines, _cut(events, starts), main)
    return Trace(
        starts=tuple(time - starts[0] for time in made.starts),
        lines=lines.lines() if lines else (),
        sites=tuple(lines.sites) if lines else (),
        names=tuple(made.names.all),
        calls=tuple(made.calls),
        works=tuple(made.works),
        spans=tuple(made.spans),
        **more,
    )


def _cut(events: Events, starts: list[float]) -> list[float]:
    """The steps that are kept: all, but for those of a program with very many calls."""
    times = [each.start for each in events.runtime]
    first = bisect_left(times, starts[0])
    kept = [time for time in starts if bisect_left(times, time) - first <= MOST_CALLS]
    return kept if len(kept) > 1 else starts[:2]
