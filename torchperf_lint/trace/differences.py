"""Several ranks of one run: which one the others wait for, and in what they differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from torchperf_lint.trace.costs import budget, by_line
from torchperf_lint.trace.recording import NOWHERE, Trace
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
        less = worst - own_ms(trace)
        if less > WORTH * traces[slowest].profiled_ms:
            said.append(f"Rank {rank} takes {ms(less)} less{_why(traces[slowest], trace)}.")
    return said if len(said) > 1 else [*said, "The others take as long."]


def _why(slow: Trace, fast: Trace) -> str:
    """The line that makes the largest difference."""
    others = {fast.place(line): cost for line, cost in by_line(fast).items()}
    differences = []
    for line, cost in by_line(slow).items():
        other = others.get(slow.place(line))
        own = cost.host_ms + cost.loader_ms + cost.waited_ms
        differences.append((own - (other.host_ms + other.loader_ms + other.waited_ms if other else 0.0), line))
    gap, line = max(differences, default=(0.0, NOWHERE))
    place = slow.place(line)
    return f"; the largest part, {ms(gap)}, at {place[0]}:{place[1]}" if place and gap > LEAST_GAP else ""
