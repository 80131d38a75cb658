"""Which line did what: from the samples of the recorder, the stack of lines at each moment on each thread.

A sample begins a function, ends it, or is a line in it. A function that is left by an exception has no end: what the
next sample tells of is what runs, and all above it is gone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from math import inf
from statistics import median
from typing import Any, Final

from torchperf_lint.trace.recording import NOWHERE, File, Line, Site

START: Final = 0
END: Final = -1

Plain = Mapping[str, Any]
Frame = tuple[int, int]
"""A code and a line."""


class Lines:
    """All lines that ran, and which one ran when."""

    def __init__(self, plain: Plain, files: tuple[File, ...], to_events: Clock, end: float = inf) -> None:
        """What runs after `end` is not counted."""
        self.files = files
        self.sites: list[Site] = []
        self._end = end
        self._codes: list[int] = [file for file, _, _ in plain["codes"]]
        self._left_at: dict[int, int] = {code: first for code, (_, _, first) in enumerate(plain["codes"])}
        self._own = [_is_own(each.path) for each in files]
        self._numbers: dict[tuple[int, int], int] = {}
        self._sites: dict[Site, int] = {}
        self._ran: Counter[int] = Counter()
        self._host: defaultdict[int, float] = defaultdict(float)
        self._threads: dict[int, tuple[list[float], list[int]]] = {}
        self._nodes: dict[int, list[int]] = {}
        stack = [(code, line) for code, line in plain["stack"]]
        for each in sorted(plain["threads"], key=lambda each: -len(each["times"])):
            self._threads[each["thread"]] = self._history(each, stack, to_events)
            self._nodes[each["thread"]] = each["nodes"]
            stack = []

    def _history(self, thread: Plain, stack: list[Frame], to_events: Clock) -> tuple[list[float], list[int]]:
        """The site at each moment of a thread, and, by the way, how often lines ran and for how long."""
        times: list[float] = []
        sites: list[int] = []
        before, line = 0.0, self._line(stack[-1]) if stack else NOWHERE
        for time, number, code in _samples(thread):
            now = to_events(time)
            if times and line != NOWHERE and now <= self._end:
                self._host[line] += now - before
            self._follow(stack, code, number)
            line = self._line(stack[-1]) if stack else NOWHERE
            if number > START and now <= self._end:
                self._ran[line] += 1
            times.append(now)
            sites.append(self._site(stack))
            before = now
        return times, sites

    def _follow(self, stack: list[Frame], code: int, number: int) -> None:
        """A stack after a sample; a generator goes on where it stopped."""
        if number == START:
            stack.append((code, self._left_at[code]))
            return
        depth = next((depth for depth in range(len(stack) - 1, -1, -1) if stack[depth][0] == code), None)
        if depth is not None:
            if number == END:
                self._left_at[code] = stack[depth][1]
            del stack[depth:]
        if number != END:
            stack.append((code, number))

    def _line(self, frame: Frame) -> int:
        code, number = frame
        return self._numbers.setdefault((self._codes[code], number), len(self._numbers))

    def _site(self, stack: list[Frame]) -> int:
        if not stack:
            return NOWHERE
        own = next((frame for frame in reversed(stack) if self._own[self._codes[frame[0]]]), None)
        return self.number(Site(self._line(stack[-1]), self._line(own) if own else NOWHERE))

    def number(self, site: Site) -> int:
        found = self._sites.setdefault(site, len(self.sites))
        if found == len(self.sites):
            self.sites.append(site)
        return found

    def at(self, thread: int, time: float) -> int:
        """The site at a moment; none on a thread that ran no recorded line."""
        times, sites = self._threads.get(thread, ((), ()))
        index = bisect_right(times, time) - 1
        return sites[index] if index >= 0 else NOWHERE

    def that_made(self, thread: int, node: int) -> int:
        """The site that made a node of a gradient on a thread: the last one at which the next node was none after it."""
        index = bisect_right(self._nodes.get(thread, ()), node) - 1
        return self._threads[thread][1][index] if index >= 0 else NOWHERE

    def times(self, thread: int) -> list[float]:
        """When samples were taken on a thread."""
        return self._threads.get(thread, ([], []))[0]

    def lines(self) -> tuple[Line, ...]:
        return tuple(
            Line(file, number, self._ran[index], round(self._host[index], 1))
            for (file, number), index in self._numbers.items()
        )


class Clock:
    """From the program's clock, in nanoseconds, to that of the events, in microseconds.

    The first markers are set late, and so are some later ones: medians of both halves are right.
    """

    def __init__(self, pairs: list[tuple[int, float]]) -> None:
        half = max(1, len(pairs) // 2)
        offsets = [(clock, time - clock / 1e3) for clock, time in pairs]
        self._first, self._offset = _middle(offsets[:half] if half > 2 else offsets)
        last, offset = _middle(offsets[half:] if half > 2 else offsets)
        self._drift = (offset - self._offset) / (last - self._first) if last > self._first else 0.0

    def __call__(self, time: int) -> float:
        return time / 1e3 + self._offset + (time - self._first) * self._drift


def _middle(offsets: list[tuple[int, float]]) -> tuple[float, float]:
    return median(clock for clock, _ in offsets), median(offset for _, offset in offsets)


def _samples(thread: Plain) -> Iterator[tuple[int, int, int]]:
    time = 0
    for step, number, code in zip(thread["times"], thread["lines"], thread["codes"], strict=True):
        time += step
        yield time, number, code


def _is_own(path: str) -> bool:
    return "site-packages/" not in path and "dist-packages/" not in path
