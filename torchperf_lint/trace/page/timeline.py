"""One step as data for the picture of it: what the host called, where it waited, and what the GPU did meanwhile."""

from __future__ import annotations

from typing import Any, Final

from torchperf_lint.trace.costs import busy_stretches
from torchperf_lint.trace.recording import NOWHERE, Kind, Trace
from torchperf_lint.trace.words import ms

MOST: Final = 8000
"""Pieces of work that are drawn: more than a screen has room for, less than a browser minds."""

Plain = dict[str, Any]


def middle_step(trace: Trace) -> tuple[float, float]:
    """The step whose length is in the middle: from when to when."""
    steps = [(trace.starts[each], trace.starts[each + 1]) for each in range(trace.steps)]
    ranked = sorted(steps, key=lambda step: step[1] - step[0])
    return ranked[len(ranked) // 2] if ranked else (0.0, 0.0)


def data(trace: Trace) -> Plain:
    """The step in columns of microseconds from its beginning, and tables of names and lines."""
    start, end = middle_step(trace)
    names: dict[str, int] = {}

    def name(text: str) -> int:
        return names.setdefault(text, len(names))

    calls = [
        (
            round(call.start - start, 1),
            round(call.time, 1),
            call.kind,
            name(_called(trace, index)),
            name(_place(trace, call.site)),
        )
        for index, call in enumerate(trace.calls)
        if start <= call.start < end
    ]
    works = [
        (round(work.start - start, 1), round(work.time, 1), work.stream, name(trace.name(work.name)),
         name(_place(trace, trace.calls[work.call].site)))
        for work in trace.works
        if work.start + work.time >= start and work.start < end
    ]  # fmt: skip
    spans = [
        (round(span.start - start, 1), round(span.time, 1), name(trace.name(span.name)), name(_place(trace, span.site)))
        for span in trace.spans
        if start <= span.start < end
    ]
    return {
        "length": round(end - start, 1),
        "calls": calls[:MOST],
        "works": works[:MOST],
        "spans": spans,
        "names": list(names),
        "cut": len(calls) > MOST or len(works) > MOST,
    }


def _called(trace: Trace, index: int) -> str:
    call = trace.calls[index]
    operator = trace.name(call.operator)
    return f"{operator}: {trace.name(call.name)}" if operator else trace.name(call.name)


def _place(trace: Trace, site: int) -> str:
    if site == NOWHERE:
        return ""
    place = trace.place(trace.sites[site].line)
    return f"{place[0]}:{place[1]}" if place else ""


def in_words(trace: Trace) -> str:
    """What the picture shows, for those who see none."""
    start, end = middle_step(trace)
    waits = [call for call in trace.calls if call.kind != Kind.LAUNCH and start <= call.start < end]
    works = sum(max(0.0, min(stop, end) - max(begin, start)) for begin, stop in busy_stretches(trace.works))
    waited = sum(call.time for call in waits)
    return f"A step of {ms((end - start) / 1e3)}: {len(waits)} waits, {ms(waited / 1e3)} in all; {ms(works / 1e3)} in which the GPU works."
