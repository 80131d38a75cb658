"""Several ranks of one run: which one the others wait for, and in what they differ.

What a rank takes by itself is replayed (`ranks.py`). The profiler makes ranks slower, and not all alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from torchperf_lint.trace.costs import by_line
from torchperf_lint.trace.ranks import WORTH, Ranks
from torchperf_lint.trace.recording import Trace
from torchperf_lint.trace.words import ms

LEAST_GAP: Final = 0.01
"""Milliseconds: less at one line explains no difference."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What is said of several ranks."""

    said: tuple[str, ...] = ()
    first: bool = False
    """Whether a rank holds the others up: that stands above everything else."""


NONE: Final = Differences()


def between(traces: Mapping[int, Trace], ranks: Ranks) -> Differences:
    """In what the other ranks differ from the one that is shown."""
    if len(traces) < 2:
        return NONE
    own, slowest = ranks.alone, ranks.shown
    slow = traces[slowest]
    worth = WORTH * (slow.timing.ms if slow.timing else slow.profiled_ms)
    less = {rank: own[slowest] - each if ranks.are_told_apart else 0.0 for rank, each in own.items()}
    differ = max(less.values()) > worth
    alone = f"without waiting for others its step takes {ms(own[slowest])}{'' if ranks.are_replayed else ' under the profiler'}"
    if not ranks.are_told_apart:
        alone = "which of them the others wait for does not show without a GPU"
    said = [
        f"Rank {slowest} holds up the others: {alone}." if differ
        else f"{len(traces)} ranks were observed; rank {slowest} is shown: {alone}."
    ]  # fmt: skip
    for rank, trace in traces.items():
        if rank != slowest:
            said += _of_rank(rank, less[rank], worth, _gaps(slow, trace))
    return Differences((*said, *(() if len(said) > 1 else ("The others take as long, at the same lines.",))), differ)


def _of_rank(rank: int, less: float, worth: float, gaps: Sequence[tuple[float, str]]) -> list[str]:
    """In what a rank differs from the slowest: in the time it takes, or only where it takes it."""
    (most, at), (least, other) = (gaps[0], gaps[-1]) if gaps else ((0.0, ""), (0.0, ""))
    if less > worth:
        return [f"Rank {rank} takes {ms(less)} less" + (f", the largest part of it at {at}." if most > 0 else ".")]
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
