"""The rows of a report: each line that waits or loads, with what it would gain, the findings on it, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from torchperf_lint.model.finding import Finding
from torchperf_lint.report.terminal import visible
from torchperf_lint.trace.analysis import Analysis, waits_in_words
from torchperf_lint.trace.join import Joined, Traced
from torchperf_lint.trace.predict import NO_GAIN, PAYS, Gain

HOURS: Final = 3_600_000.0
"""Milliseconds of an hour."""
BOUND_BY_GPU: Final = 0.9
"""The GPU works for so much of a step: it is what takes the time."""
NAMED: Final = 3
"""Ways to wait that are named of a line."""

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """A line that waits for the GPU, or in which the GPU waits for a loader."""

    line: int
    path: str
    number: int
    """0 where no line is known."""
    what: str
    waits: float
    now_ms: float
    gain: Gain
    findings: tuple[Finding, ...]

    @property
    def place(self) -> str:
        return f"{self.path}:{self.number}" if self.number else self.path


def rows(analysis: Analysis, spoken: Mapping[int, tuple[Finding, ...]]) -> list[Row]:
    """All rows, what gains most first."""
    words = waits_in_words(analysis.trace)
    made = []
    for line, gain in analysis.predicted.gains.items():
        cost = analysis.costs[line]
        path, number = analysis.trace.place(line) or ("(no line known)", 0)
        what = f"waits in {', '.join(words[line][:NAMED])}" if line in words else "loads"
        now = cost.waited_ms + cost.loader_ms
        made.append(Row(line, path, number, what, cost.waits, now, gain, spoken.get(line, ())))
    return made


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def conclusion(analysis: Analysis, found: Iterable[Row]) -> str:
    """The sentence that matters."""
    predicted = analysis.predicted
    if predicted.trouble:
        return f"Nothing can be predicted: {predicted.trouble}."
    paying = [row for row in found if row.gain.verdict == PAYS]
    everything = share(predicted.everything.ms, predicted.step_ms)
    if paying:
        first = paying[0]
        return (
            f"Begin with {visible(first.place)}: without it a step takes {share(first.gain.ms, predicted.step_ms):.1%} less; "
            f"without all waits and loader stalls {everything:.1%}."
        )
    if predicted.everything.verdict == PAYS:
        return f"No wait pays alone, all together do: without them a step takes {everything:.1%} less."
    if predicted.everything.verdict == NO_GAIN:
        return f"Nothing here pays: without any wait or loader stall, a step would take {max(0.0, everything):.1%} less. {_bound(analysis)}"
    return (
        f"It cannot be told whether waits cost anything: without all of them a step takes about {everything:.1%} less."
    )


def _bound(analysis: Analysis) -> str:
    """What takes the time instead."""
    busy = gpu_share(analysis)
    if busy >= BOUND_BY_GPU:
        return "The GPU is the bound: it works all the time."
    return f"The GPU works for {busy:.0%} of a step: the host's own work, and its launches, are the bound."


def gpu_share(analysis: Analysis) -> float:
    """The share of an unobserved step for which the GPU works."""
    if analysis.budget is None or not analysis.predicted.step_ms:
        return 0.0
    return min(1.0, (analysis.budget.busy + analysis.budget.communication) / analysis.predicted.step_ms)


def price(analysis: Analysis, gain_ms: float, per_hour: float) -> float:
    """What a gain saves of the price of a GPU-hour, for each hour that is paid now."""
    return share(gain_ms, analysis.predicted.step_ms) * per_hour


def traced_plain(analysis: Analysis, traced: Traced) -> Plain:
    """What a trace says of a finding, as reports for machines show it."""
    gain = traced.gain
    step = analysis.predicted.step_ms
    return {
        "steps": analysis.trace.steps,
        "step_ms": round(step, 4),
        "ran": round(traced.ran, 2),
        "waits": round(traced.waits, 2),
        "now_ms": round(traced.now_ms, 4),
        "predicted_ms": round(step - gain.ms, 4) if gain else None,
        "low_ms": round(step - gain.high, 4) if gain else None,
        "high_ms": round(step - gain.low, 4) if gain else None,
        "at_most": traced.at_most,
        "verdict": traced.verdict,
        "why": traced.why,
    }


def traced_plains(analysis: Analysis, joined: Joined) -> dict[str, Plain]:
    return {fingerprint: traced_plain(analysis, traced) for fingerprint, traced in joined.findings.items()}


def unspoken(found: Iterable[Row]) -> list[Row]:
    """Waits and loader stalls that no finding speaks of."""
    return [row for row in found if not row.findings]
