"""Several ranks of one run: which one the others wait for, and in what they differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from torchperf_lint.trace.costs import budget, by_line
from torchperf_lint.trace.recording import Trace
from torchperf_lint.trace.words import ms

WORTH: Final = 0.05
"""Of a step: a difference that is worth a word."""
LEAST_GAP: Final = 0.01
"""Milliseconds: less at one line explains no difference."""


def own_ms(trace: Trace) -> float:
    """A profiled step without the time in which the GPU does nothing but communicate: waiting for others is part of that."""
    spent = budget(trace)
    return trace.profiled_ms - (spent.communication if spent else 0.0)


def words(traces: Mapping[int, Trace], slowest: int) -> list[str]:
    """In what the other ranks differ from the slowest."""
    if len(traces) < 2:
        return []
    worst = own_ms(traces[slowest])
    said = [
        f"{len(traces)} ranks were observed; rank {slowest} is shown: without communication its step takes most, {ms(worst)}."
    ]
    for rank, trace in traces.items():
        if rank == slowest:
            continue
        said += _of_rank(rank, traces[slowest], trace)
    return said if len(said) > 1 else [*said, "The others take as long, at the same lines."]


def _of_rank(rank: int, slow: Trace, fast: Trace) -> list[str]:
    """In what a rank differs from the slowest: in the time it takes, or only where it takes it."""
    less = own_ms(slow) - own_ms(fast)
    gaps = _gaps(slow, fast) or [(0.0, "")]
    (most, at), (least, other) = gaps[0], gaps[-1]
    worth = WORTH * slow.profiled_ms
    if less > worth:
        return [
            f"Rank {rank} takes {ms(less)} less" + (f"; the largest part, {ms(most)}, at {at}." if most > 0 else ".")
        ]
    if most > worth and -least > worth:
        return [f"Rank {rank} takes as long, but {ms(most)} less at {at}, and {ms(-least)} more at {other}."]
    return []


def _gaps(slow: Trace, fast: Trace) -> list[tuple[float, str]]:
    """By how much lines take longer in the slow rank, those first that make the largest difference."""
    ours, theirs = _by_place(slow), _by_place(fast)
    gaps = {place: ours.get(place, 0.0) - theirs.get(place, 0.0) for place in {**ours, **theirs}}
    found = [(gap, f"{path}:{line}") for (path, line), gap in gaps.items() if abs(gap) > LEAST_GAP]
    return sorted(found, reverse=True)


def _by_place(trace: Trace) -> dict[tuple[str, int], float]:
    """The host's time at each line, with what it waits and loads there."""
    return {
        place: cost.host_ms or cost.waited_ms + cost.loader_ms
        for line, cost in by_line(trace).items()
        if (place := trace.place(line)) is not None
    }
