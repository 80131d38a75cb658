"""Several ranks of one run: which one is shown, and what the others let it gain.

Ranks wait for each other in each step, so that all steps take as long. What a rank takes by itself is replayed: no work that only
communicates, and a host that is not observed. Where no rank holds up the others, the one that waits most is shown: often one rank
alone writes the log, and the others have no waits to speak of. All run the same code, so a fix is one in all of them; a step is as
long as the slowest takes then, and no rank gains more than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from torchperf_lint.trace import kernels
from torchperf_lint.trace.costs import LOADER, budget
from torchperf_lint.trace.recording import NOWHERE, Kind, Trace
from torchperf_lint.trace.replay.calibrate import likeliest
from torchperf_lint.trace.replay.replay import Observing, Removable, Replay

WORTH: Final = 0.05
"""Of a step: a difference between ranks that counts."""

Place = tuple[str, int]


class Rank:
    """One rank, by itself."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._replay = Replay(trace)
        talk = (number for number, each in enumerate(trace.works) if kernels.is_communication(trace.name(each.name)))
        self._talk = Removable(works=tuple(talk))
        self._observing = likeliest(self._replay, trace.timing) if trace.timing and trace.calls else None
        self.is_replayed = self._observing is not None
        self.alone_ms = self.without(frozenset()) if self.is_replayed else own_ms(trace)
        """A step without waiting for others; under the profiler where none was timed without it."""

    def without(self, places: frozenset[Place], observing: Observing | None = None) -> float:
        """A step that does without others, and without the waits and loaders of some lines; observed as little as another rank was."""
        trace = self.trace
        calls = (
            number
            for number, each in enumerate(trace.calls)
            if each.kind != Kind.LAUNCH and self._is_at(each.site, places)
        )
        spans = (
            number
            for number, each in enumerate(trace.spans)
            if trace.name(each.name).startswith(LOADER) and self._is_at(each.site, places)
        )
        how = observing or self._observing
        assert how is not None, "no step was timed"
        return self._replay.step_ms(how, self._talk + Removable(tuple(calls), tuple(spans)))

    def _is_at(self, site: int, places: frozenset[Place]) -> bool:
        return site != NOWHERE and self.trace.place(self.trace.sites[site].line) in places

    @property
    def waited_us(self) -> float:
        return sum(each.time for each in self.trace.calls if each.kind != Kind.LAUNCH)


def own_ms(trace: Trace) -> float:
    """A profiled step without the time in which the GPU does nothing but communicate: waiting for others is part of that."""
    spent = budget(trace)
    return trace.profiled_ms - (spent.communication if spent else 0.0)


class Others:
    """The ranks beside the one that is shown."""

    def __init__(self, ranks: Iterable[Rank]) -> None:
        self._ranks = [each for each in ranks if each.is_replayed]

    def least_ms(self, trace: Trace, without: Removable, observing: Observing) -> tuple[float, float]:
        """How long a step of theirs takes at the least, and how long it may, where they do without the same lines.

        They may have been observed as much as the one that is shown, or as much as makes their own steps as long as they were.
        """
        gone = [trace.calls[each].site for each in without.waits] + [trace.spans[each].site for each in without.spans]
        places = frozenset(
            place for site in gone if site != NOWHERE and (place := trace.place(trace.sites[site].line)) is not None
        )
        each = [(rank.without(places), rank.without(places, observing)) for rank in self._ranks]
        return max((min(both) for both in each), default=0.0), max((max(both) for both in each), default=0.0)


class Ranks:
    """All ranks of a run that were observed. One alone is shown as it is: it is held against none, and not replayed for that."""

    def __init__(self, traces: Mapping[int, Trace]) -> None:
        ranks = {number: Rank(each) for number, each in traces.items()} if len(traces) > 1 else {}
        self.alone: Mapping[int, float] = {number: each.alone_ms for number, each in ranks.items()}
        """What a step of each takes by itself, in milliseconds."""
        self.are_replayed = all(each.is_replayed for each in ranks.values())
        self.are_told_apart = any(each.has_gpu for each in traces.values())
        """Whether it shows which rank the others wait for: on a GPU they do so in kernels, elsewhere in any line."""
        self.shown = _most_telling(ranks) if ranks else next(iter(traces))
        self.others = Others(each for number, each in ranks.items() if number != self.shown) if ranks else None


def _most_telling(ranks: Mapping[int, Rank]) -> int:
    """The slowest rank; of those that take as long, the one that waits most."""
    slowest = max(each.alone_ms for each in ranks.values())
    equal = [number for number, each in ranks.items() if slowest - each.alone_ms <= WORTH * slowest]
    return max(equal, key=lambda number: (ranks[number].waited_us, ranks[number].alone_ms))
