"""A trace for the terminal: what a step is spent on, the lines that pay first, and what cannot be told."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from torchperf_lint.model.finding import Finding, Safety
from torchperf_lint.report.terminal import Ink, Pen, visible
from torchperf_lint.trace.analysis import Analysis
from torchperf_lint.trace.bound import observed, share
from torchperf_lint.trace.predict import CANNOT_TELL, NO_GAIN, PAYS
from torchperf_lint.trace.rows import Row, conclusion, price
from torchperf_lint.trace.words import after, gained, ms, percent

INKS: Final = {PAYS: Ink.NEW, NO_GAIN: Ink.DIM, CANNOT_TELL: Ink.WARNING}
HEADS: Final = ("", "line", "what", "a step", "now", "without it", "after those above", "verdict", "found by")
FIXES: Final = {Safety.SAFE: "fix", Safety.UNSAFE: "unsafe fix", Safety.SHOWN: "by hand"}
HOST: Final = f"{'the line itself':>16}  {'loader':>10}  {'optimizer':>10}  {'runs':>8}  line"
MOST: Final = 20
LEAST_MS: Final = 0.0005
"""The host's time at a line that would not be shown as nothing."""
MUCH_LOADING: Final = 0.5
"""Of a step: what its loader needs for a batch is worth a word from here on."""
_WIDTH: Final = 110


def render(
    analysis: Analysis, found: Sequence[Row], pen: Pen, gpu_price: float | None = None, hidden: Sequence[Row] = ()
) -> str:
    """The whole report; rows that are `hidden` count for what it comes to."""
    lines = [pen(heading(analysis), Ink.BOLD), *budget_lines(analysis), ""]
    if found and analysis.trace.has_gpu:
        lines += [*_table(analysis, found[:MOST], pen)]
        if len(found) > MOST:
            lines.append(f"and {len(found) - MOST} more lines")
        lines.append("")
    if not analysis.trace.has_gpu:
        host = list(_host_lines(analysis))
        lines += [pen(HOST, Ink.DIM), *host, ""] if host else []
    else:
        lines.append(pen(conclusion(analysis, sorted([*found, *hidden], key=lambda row: -row.gain.ms)), Ink.BOLD))
    if gpu_price is not None and not analysis.predicted.trouble:
        lines.append(price(analysis, gpu_price))
    lines += [line for said in notes(analysis) for line in textwrap.wrap(said, _WIDTH, subsequent_indent="  ")]
    return "\n".join(lines) + "\n"


def heading(analysis: Analysis) -> str:
    trace = analysis.trace
    about = trace.about
    where = f"on {visible(str(about['gpu']))}" if about.get("gpu") else "without a GPU"
    step = (
        f"a step takes {ms(trace.timing.ms)}"
        if trace.timing
        else f"a step takes {ms(trace.profiled_ms)} under the profiler"
    )
    rank = f", rank {about['rank']} of {about['size']}" if about.get("size", 1) > 1 else ""
    return (
        f"{visible(str(about.get('script', '')))}: {step} {where} (torch {visible(str(about.get('torch', '?')))}{rank})"
    )


def budget_lines(analysis: Analysis) -> Iterator[str]:
    """How a step is spent, and how it was seen."""
    trace, budget = analysis.trace, analysis.budget
    if budget is not None:
        parts = {
            "GPU busy": budget.busy, "only communicating": budget.communication, "idle: the loader": budget.loader,
            "idle after a wait": budget.after_waits, "idle: the host": budget.host,
        }  # fmt: skip
        said = [f"{name} {percent(share(part, budget.whole))}" for name, part in parts.items() if part]
        yield f"under the profiler: {', '.join(said)}"
    unhooked = f", {trace.timing.steps} timed without it" if trace.timing else ""
    found = f"; a step begins at {visible(str(trace.about['found_by']))}" if trace.about.get("found_by") else ""
    yield f"{trace.steps} steps profiled at {ms(trace.profiled_ms)}{unhooked}{found}"


def _table(analysis: Analysis, found: Sequence[Row], pen: Pen) -> Iterator[str]:
    step = analysis.predicted.step_ms
    cells = [
        (
            str(rank),
            visible(row.place),
            visible(row.what),
            f"{row.waits:g} wait{'' if row.waits == 1 else 's'}" if row.waits else "",
            ms(row.now_ms),
            gained(row.gain, step),
            after(row.gain, step),
            row.gain.verdict,
            findings_of(row.findings),
        )
        for rank, row in enumerate(found, 1)
    ]
    widths = [max(len(row[column]) for row in [HEADS, *cells]) for column in range(len(HEADS))]
    yield pen(_line(HEADS, widths), Ink.DIM)
    for row, shown in zip(found, cells, strict=True):
        line = _line(shown, widths)
        at = line.index(shown[7], line.index(shown[5])) if shown[7] in line else 0
        yield line[:at] + pen(shown[7], INKS[row.gain.verdict]) + line[at + len(shown[7]) :]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def findings_of(findings: Sequence[Finding]) -> str:
    """The rules that speak of a line, with what is ready for them."""
    if not findings:
        return "no finding"
    named: Mapping[str, str] = {
        finding.code: f"{finding.code} ({FIXES[finding.fix.safety]})" if finding.fix else finding.code
        for finding in findings
    }
    return ", ".join(named.values())


def _host_lines(analysis: Analysis) -> Iterator[str]:
    """Where the host's time goes: all that can be said without a GPU."""
    trace = analysis.trace
    ranked = sorted(analysis.costs.items(), key=lambda item: -item[1].host_ms)[:10]
    for line, cost in ranked:
        if (place := trace.place(line)) is None or cost.host_ms < LEAST_MS:
            continue
        loader, optimizer = (ms(each) if each else "" for each in (cost.loader_ms, cost.optimizer_ms))
        at = visible(f"{place[0]}:{place[1]}")
        yield f"{ms(cost.host_ms):>16}  {loader:>10}  {optimizer:>10}  {round(cost.ran, 1):>8g}  {at}"


def notes(analysis: Analysis) -> list[str]:
    """What else is worth knowing."""
    trace, counters = analysis.trace, analysis.trace.counters
    said = list(map(visible, trace.untold))
    if trace.timing and trace.timing.round > 1:
        said.append(f"Steps repeat after {trace.timing.round}: figures are those of a round, by its steps.")
    if trace.timing and trace.steps:
        said.append(observed(analysis))
    if trace.timing and trace.timing.loading >= MUCH_LOADING * trace.timing.ms:
        said.append(
            f"A loader's workers need {ms(trace.timing.loading)} of the processor for the batches of a step: as long as it stays, no step "
            "takes less."
        )
    if counters.get("allocator_retries"):
        said.append(
            f"The allocator gave memory back to the GPU {counters['allocator_retries']} times, and waited for it each time."
        )
    if counters.get("graph_breaks") or counters.get("compiled_graphs"):
        said.append(
            f"torch.compile was at work in the profiled steps: {counters.get('compiled_graphs', 0)} graphs compiled, "
            f"{counters.get('graph_breaks', 0)} graph breaks."
        )
    return said
