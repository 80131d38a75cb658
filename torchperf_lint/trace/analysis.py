"""All that a trace comes to: the costs of lines, the budget of a step, and what it would gain."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from torchperf_lint.trace import kernels
from torchperf_lint.trace.costs import OPTIMIZER, Budget, Cost, budget, busy_stretches, by_line, line_of
from torchperf_lint.trace.predict import Gain, Predicted, Predictor
from torchperf_lint.trace.ranks import Others
from torchperf_lint.trace.recording import NOWHERE, OPERATORS, Call, Trace
from torchperf_lint.trace.replay.replay import Removable

AS_WRITTEN: Final = {"_local_scalar_dense": "item", "copy_": "copy"}
"""Operators whose name nobody writes."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A trace and what follows from it."""

    trace: Trace
    costs: Mapping[int, Cost]
    predicted: Predicted[int]
    """By line; what no line is known of is under NOWHERE."""
    budget: Budget | None
    predictor: Predictor

    def gain_of(self, lines: Iterable[int]) -> Gain:
        """What a step gains without the waits and the loaders of some lines."""
        several = [removable(self.costs).get(line, Removable()) for line in lines]
        return self.predictor.gain(sum(several, Removable()))

    def bound(self, lines: Iterable[int]) -> Gain | None:
        """What a step gains at the most if lines did nothing for the GPU at all, in both passes."""
        wanted = set(lines)
        sites = {number for number in range(len(self.trace.sites)) if wanted & self._of(number)}
        calls = tuple(index for index, call in enumerate(self.trace.calls) if call.site in sites)
        return self.predictor.gain(Removable(launches=calls)) if calls else None

    def optimizer_bound(self) -> Gain | None:
        """The same for all that the optimizers do."""
        trace = self.trace
        steps = busy_stretches(each for each in trace.spans if trace.name(each.name).startswith(OPTIMIZER))
        starts = [call.start for call in trace.calls]
        calls = tuple(
            index for start, end in steps for index in range(bisect_left(starts, start), bisect_left(starts, end))
        )
        return self.predictor.gain(Removable(launches=calls)) if calls else None

    def _of(self, site: int) -> set[int]:
        found = self.trace.sites[site]
        return {found.line, found.own} if found.forward == NOWHERE else {found.forward}


def analyse(trace: Trace, others: Others | None = None) -> Analysis:
    """What follows from a trace; the `others` are ranks of the same run."""
    costs = by_line(trace)
    predictor = Predictor(trace, others)
    return Analysis(trace, costs, predictor.predicted(removable(costs)), budget(trace), predictor)


def removable(costs: Mapping[int, Cost]) -> dict[int, Removable]:
    """For each line with waits or with a loader, what is gone without them."""
    return {
        line: Removable(tuple(cost.wait_calls), tuple(cost.loader_spans))
        for line, cost in costs.items()
        if cost.wait_calls or cost.loader_spans
    }


def waits_in_words(trace: Trace) -> Mapping[int, tuple[str, ...]]:
    """For each line that waits, that in which it does, the most frequent first."""
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    works = {each.call: trace.name(each.name) for each in trace.works}
    for index, call in enumerate(trace.calls):
        if call.kind:
            copied = works.get(index) or works.get(index - 1, "")
            counts[line_of(trace, call.site)][_in_words(trace, call, copied)] += 1
    return {line: tuple(name for name, _ in found.most_common()) for line, found in counts.items()}


def _in_words(trace: Trace, call: Call, copied: str) -> str:
    """An operator of torch where one is known, else the copy that was waited for, else a call of the driver."""
    operator = trace.name(call.operator)
    if operator.startswith(OPERATORS):
        short = operator.removeprefix(OPERATORS)
        return AS_WRITTEN.get(short, short)
    if kernels.to_host(copied):
        return "a copy to the host"
    return "a copy to the GPU" if kernels.to_gpu(copied) else trace.name(call.name)
