"""What takes the time of a step, in sentences that follow from the budget that stands above them.

A budget is that of the profiled steps. What is said of the others names the milliseconds, so that both can be right: a GPU that is
busy for 17 of 22 ms under the profiler is so for 17 of 18 without it.
"""

from __future__ import annotations

from typing import Final

from torchperf_lint.trace.analysis import Analysis
from torchperf_lint.trace.words import ms, percent

BY_GPU: Final = 0.9
"""The GPU works for so much of a step: it is what takes the time."""
MUCH: Final = 0.05
"""Of a step: what observing may cost it before the reason is named."""
IDLE: Final = 0.1
"""Of a profiled step: for so long the GPU stands still where the host is what it waits for."""


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def bound(analysis: Analysis) -> str:
    """What takes the time of a step that is not observed."""
    budget, step = analysis.budget, analysis.predicted.step_ms
    if budget is None or not step:
        return ""
    works = f"works for {ms(budget.busy)} of the {ms(step)} that a step takes without the profiler"
    if budget.busy >= step:
        return "The GPU is the bound: its work takes as long as a step does without the profiler."
    if budget.busy >= BY_GPU * step:
        return f"The GPU is the bound: it {works}."
    if budget.busy + budget.communication >= BY_GPU * step:
        return f"The GPU {works}, and only talks to others for {ms(budget.communication)}: both together are the bound."
    return f"The GPU {works}: the host's own work, and its launches, are the bound."


def observed(analysis: Analysis) -> str:
    """What it cost the program to be observed, and why."""
    trace, timing, budget = analysis.trace, analysis.trace.timing, analysis.budget
    if timing is None or not trace.steps:
        return ""
    longer = trace.profiled_ms - timing.ms
    if longer <= 0:
        return "Profiled steps took no longer than the others."
    said = f"Profiled steps took {percent(longer / timing.ms)} longer than the others"
    if trace.profiled_ms <= timing.high:
        return f"{said}, which differ by as much among themselves."
    events = sum(each.events for each in trace.calls) / trace.steps
    calibrated = " Predictions are calibrated to steps without the profiler." if events else ""
    idle = share(budget.host, budget.whole) if budget else 0.0
    if longer <= MUCH * timing.ms or idle < IDLE or not events:
        return f"{said}.{calibrated}"
    return (
        f"{said}, {1e3 * longer / events:.0f} us for each of the {events:,.0f} calls that were recorded in one: for {percent(idle)} "
        f"of them the GPU stood still until the host came with new work.{calibrated}"
    )
