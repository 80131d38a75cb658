"""The rows of a report: each line that waits or loads, with what it would gain, the findings on it, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from torchperf_lint.model.finding import Finding
from torchperf_lint.report.terminal import visible
from torchperf_lint.trace.analysis import Analysis, waits_in_words
from torchperf_lint.trace.bound import bound, share
from torchperf_lint.trace.join import Joined, Traced
from torchperf_lint.trace.predict import NO_GAIN, PAYS, Gain

NAMED: Final = 3
"""Ways to wait that are named of a line."""
KINDS: Final = {"wait_calls": "waits", "loader_spans": "loader stalls"}
"""What a step could do without, by what tells of it in the costs of a line."""

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


def conclusion(analysis: Analysis, found: Iterable[Row]) -> str:
    """The sentence that matters."""
    predicted = analysis.predicted
    if predicted.trouble:
        return f"Nothing can be predicted: {predicted.trouble}."
    if not predicted.gains:
        return f"No line waits for the GPU or for a loader. {bound(analysis)}".rstrip()
    paying = [row for row in found if row.gain.verdict == PAYS]
    everything = max(0.0, share(predicted.everything.ms, predicted.step_ms))
    kinds = _kinds(analysis)
    several, one = " and ".join(kinds), " or ".join(each.removesuffix("s") for each in kinds)
    if paying:
        first = paying[0]
        return (
            f"Begin with {visible(first.place)}: without it a step takes {share(first.gain.ms, predicted.step_ms):.1%} less; "
            f"without all {several} {everything:.1%}."
        )
    if predicted.everything.verdict == PAYS:
        return f"No {one} pays alone, all together do: without them a step takes {everything:.1%} less."
    if predicted.everything.verdict == NO_GAIN:
        return (
            f"Nothing here pays: without any {one}, a step would take {everything:.1%} less. {bound(analysis)}".rstrip()
        )
    low, high = (
        max(0.0, share(each, predicted.step_ms)) for each in (predicted.everything.low, predicted.everything.high)
    )
    return f"It cannot be told whether {several} cost anything: without all of them a step takes {low:.1%} to {high:.1%} less."


def _kinds(analysis: Analysis) -> list[str]:
    """What a figure of all lines counts, in words."""
    costs = [analysis.costs[line] for line in analysis.predicted.gains]
    return [words for name, words in KINDS.items() if any(getattr(each, name) for each in costs)]


def price(analysis: Analysis, per_hour: float) -> str:
    """What waits and loader stalls take of the price of a GPU-hour, in a sentence."""
    step, gain = analysis.predicted.step_ms, analysis.predicted.everything
    likely, low, high = (max(0.0, share(each, step)) * per_hour for each in (gain.ms, gain.low, gain.high))
    of = " and ".join(_kinds(analysis) or KINDS.values())
    return f"Of each GPU-hour at {per_hour:g}, {likely:.2f} ({low:.2f} to {high:.2f}) go to {of}."


def traced_plain(analysis: Analysis, traced: Traced) -> Plain:
    """What a trace says of a finding, as reports for machines show it."""
    gain = None if analysis.predicted.trouble else traced.gain
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
