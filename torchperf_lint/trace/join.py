"""A trace and findings together: what each finding costs and would gain, and the waits that no finding speaks of.

A line is known by its digest: where lines have moved they are found again, and what has changed since the run is called
stale, never matched by its number. Findings of waits and copies are asked at their own lines; of the others, the time of
all that their lines do bounds what they can gain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from typing import Final

from torchperf_lint.model.finding import Finding
from torchperf_lint.trace.analysis import Analysis
from torchperf_lint.trace.costs import Cost
from torchperf_lint.trace.digests import digests
from torchperf_lint.trace.predict import CANNOT_TELL, NO_GAIN, PAYS, Gain
from torchperf_lint.trace.recording import NOWHERE, File

STALE: Final = "stale"
NEVER_RAN: Final = "never ran"
NOT_TRACED: Final = "not traced"
WAITS: Final = ("TPL1", "TPL2")
"""Families whose findings are about waits and copies at their own lines."""
LOADERS: Final = ("dataloader-workers-zero", "loader-does-host-work", "workers-restart-each-epoch")
"""Rules whose findings stand where a loader is made, and cost where it is asked."""
PINNING: Final = "dataloader-without-pin-memory"
OPTIMIZERS: Final = ("optimizer-not-fused", "scaler-with-unfused-optimizer", "zero-grad-keeps-buffers")

Texts = Callable[[str, int | None], Sequence[str] | None]
"""The lines of a file as they are now, by its path and cell; None where it cannot be read."""


@dataclass(frozen=True, slots=True)
class Traced:
    """What a trace says of one finding."""

    verdict: str
    """`pays`, `no gain`, `cannot tell`, `never ran`, `stale` or `not traced`."""
    why: str = ""
    ran: float = 0.0
    """Times a step."""
    waits: float = 0.0
    now_ms: float = 0.0
    """How long a step waits, copies or loads here."""
    gain: Gain | None = None
    at_most: bool = False
    """Whether the gain is a bound and no prediction."""


@dataclass(frozen=True, slots=True)
class Joined:
    """What comes of a trace and findings."""

    findings: Mapping[str, Traced]
    """By fingerprint."""
    spoken: Mapping[int, tuple[Finding, ...]]
    """The findings that speak of a line with waits or a loader."""


class _NowAndThen:
    """The lines of a file as they are, and those that ran."""

    def __init__(self, file: File, now: Sequence[str]) -> None:
        self._file = file
        self._now = digests(now)

    @cached_property
    def _then(self) -> dict[int, int]:
        """The number that a line had in the run, by its present one."""
        if tuple(self._now) == self._file.digests:
            return {number: number for number in range(1, len(self._now) + 1)}
        matcher = SequenceMatcher(None, self._now, self._file.digests, autojunk=False)
        return {
            block.a + offset + 1: block.b + offset + 1
            for block in matcher.get_matching_blocks()
            for offset in range(block.size)
        }

    def then(self, numbers: Iterable[int]) -> list[int]:
        return [self._then[number] for number in numbers if number in self._then]


class Join:
    """Findings asked of one trace."""

    def __init__(self, analysis: Analysis, texts: Texts) -> None:
        self.analysis = analysis
        self._texts = texts
        trace = analysis.trace
        self._lines = {(line.file, line.number): index for index, line in enumerate(trace.lines)}
        self._files: dict[tuple[str, int | None], tuple[int, _NowAndThen] | None] = {}

    def joined(self, findings: Iterable[Finding]) -> Joined:
        said: dict[str, Traced] = {}
        spoken: dict[int, list[Finding]] = {}
        for each in findings:
            traced, lines = self._of(each)
            said[each.fingerprint] = traced
            for line in lines:
                spoken.setdefault(line, []).append(each)
        return Joined(said, {line: tuple(each) for line, each in spoken.items()})

    def _of(self, finding: Finding) -> tuple[Traced, list[int]]:
        """What is said of a finding, and the lines with costs that it speaks of."""
        found = self._file(finding.path, finding.cell)
        if (set_up := self._set_up(finding)) is not None:
            return set_up if found is not None else (_if_it_is_of_the_program(set_up[0]), set_up[1])
        if found is None:
            return Traced(NOT_TRACED, "no line of this file ran"), []
        number, now_and_then = found
        present = {*range(finding.span.start.line, finding.span.end.line + 1), *_also(finding)}
        then = now_and_then.then(sorted(present))
        if not then:
            return Traced(STALE, "the line has changed since the run"), []
        lines = [line for each in then if (line := self._lines.get((number, each))) is not None]
        costs = [self.analysis.costs[line] for line in lines]
        if not any(cost.ran or cost.launches or cost.waits for cost in costs):
            return Traced(NEVER_RAN, "not in the profiled steps"), []
        return self._cost(finding, lines, costs)

    def _set_up(self, finding: Finding) -> tuple[Traced, list[int]] | None:
        """What is said of a finding about something that is made before the first step, and used at other lines."""
        if finding.name in LOADERS:
            return self._loader()
        if finding.name == PINNING:
            return self._pageable()
        if finding.name in OPTIMIZERS and (bound := self.analysis.optimizer_bound()):
            return self._bounded(bound, Cost(), "all that the optimizers do"), []
        return None

    def _cost(self, finding: Finding, lines: list[int], costs: Sequence[Cost]) -> tuple[Traced, list[int]]:
        total = _summed(costs)
        waiting = [line for line in lines if line in self.analysis.predicted.gains]
        if waiting:
            gains = self.analysis.predicted.gains
            gain = gains[waiting[0]] if len(waiting) == 1 else self.analysis.gain_of(waiting)
            now = total.waited_ms + total.loader_ms
            return Traced(gain.verdict, self.analysis.predicted.trouble, total.ran, total.waits, now, gain), waiting
        if not self.analysis.trace.has_gpu:
            return Traced(CANNOT_TELL, "no GPU was used", total.ran), []
        if finding.code.startswith(WAITS):
            verdict = CANNOT_TELL if self.analysis.predicted.trouble else NO_GAIN
            return Traced(verdict, "nothing waits here", total.ran), []
        bound = self.analysis.bound(lines)
        if bound is None:
            return Traced(CANNOT_TELL, "it does nothing for the GPU", total.ran), []
        return self._bounded(bound, total, "all that the line does for the GPU"), []

    def _bounded(self, bound: Gain, cost: Cost, of: str) -> Traced:
        """A finding that can gain no more than something takes."""
        verdict = NO_GAIN if bound.verdict == NO_GAIN else CANNOT_TELL
        now = cost.loader_ms or cost.gpu_ms
        why = self.analysis.predicted.trouble or of
        return Traced(verdict, why, cost.ran, cost.waits, now, bound, at_most=True)

    def _loader(self) -> tuple[Traced, list[int]]:
        costs = self.analysis.costs
        lines = [line for line, cost in costs.items() if cost.loader_ms and line != NOWHERE]
        if not lines:
            return Traced(NEVER_RAN, "no loader was asked in the profiled steps"), []
        gain = max((self.analysis.predicted.gains[line] for line in lines), key=lambda gain: gain.ms)
        now = sum(costs[line].loader_ms for line in lines)
        return self._bounded(gain, Cost(loader_ms=now), "all the time in loaders"), lines

    def _pageable(self) -> tuple[Traced, list[int]]:
        """Where batches lie in pageable memory, their copies wait, at other lines than the loader's."""
        costs = self.analysis.costs
        lines = [line for line, cost in costs.items() if cost.pageable_bytes and line != NOWHERE]
        if not lines:
            return Traced(NO_GAIN, "nothing was copied from pageable memory in the profiled steps"), []
        gain = self.analysis.gain_of(lines)
        total = _summed([costs[line] for line in lines])
        why = self.analysis.predicted.trouble or "copies from pageable memory"
        return Traced(gain.verdict, why, total.ran, total.waits, total.waited_ms, gain), lines

    def _file(self, path: str, cell: int | None) -> tuple[int, _NowAndThen] | None:
        if (path, cell) not in self._files:
            found = self._number(path)
            now = self._texts(path, cell) if found is not None else None
            known = None
            if found is not None and now is not None:
                known = (found, _NowAndThen(self.analysis.trace.files[found], now))
            self._files[path, cell] = known
        return self._files[path, cell]

    def _number(self, path: str) -> int | None:
        """The file of the trace that a path means: the one whose path ends alike, if it is the only one."""
        files = self.analysis.trace.files
        exact = [number for number, file in enumerate(files) if file.path == path]
        alike = exact or [
            number
            for number, file in enumerate(files)
            if f"/{path}".endswith(f"/{file.path}") or f"/{file.path}".endswith(f"/{path}")
        ]
        return alike[0] if len(alike) == 1 else None


def _if_it_is_of_the_program(traced: Traced) -> Traced:
    """What is made in a file of which no line ran in a step was made for it, or for another program."""
    verdict = CANNOT_TELL if traced.verdict == PAYS else traced.verdict
    return replace(
        traced, verdict=verdict, why=f"{traced.why} (no line of this file ran: it may be of another program)"
    )


def _also(finding: Finding) -> list[int]:
    """The lines of the places that a finding stands for besides its own."""
    return [spot.line for spot in finding.also if (spot.path, spot.cell) == (finding.path, finding.cell)]


def _summed(costs: Sequence[Cost]) -> Cost:
    return Cost(
        ran=max(cost.ran for cost in costs),
        waits=sum(cost.waits for cost in costs),
        waited_ms=sum(cost.waited_ms for cost in costs),
        gpu_ms=sum(cost.gpu_ms + cost.backward_ms for cost in costs),
        loader_ms=sum(cost.loader_ms for cost in costs),
    )
