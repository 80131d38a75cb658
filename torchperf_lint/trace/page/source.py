"""The program's source with its costs in the margin: plain HTML, an anchor a line, findings under the lines they speak of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from torchperf_lint.model.finding import Finding
from torchperf_lint.report.terminal import visible
from torchperf_lint.trace.costs import Cost
from torchperf_lint.trace.digests import digest
from torchperf_lint.trace.page.findings import card
from torchperf_lint.trace.report import Report
from torchperf_lint.trace.words import ms

MOST_LINES: Final = 6000
"""Lines of source on a page; beyond them, only what is around lines that cost something."""
AROUND: Final = 4
LONGEST: Final = 240
HEADS: Final = ("line", "runs", "host", "waits", "waited", "GPU", "backward", "")
LEAST: Final = 0.001
"""Milliseconds: less is not shown."""
WORTH: Final = 0.02
"""Of a step: a cost that is worth colour."""


def anchor(report: Report, path: str, number: int) -> str:
    """The name of a line on the page."""
    found = next((index for index, file in enumerate(report.analysis.trace.files) if file.path == path), 0)
    return f"f{found}l{number}"


def render(report: Report) -> str:
    """Every file of the program that ran, and what is around the waits of libraries."""
    costs = _costs(report)
    total = 0
    parts = []
    ranked = sorted(costs, key=lambda file: -sum(_weight(cost) for cost in costs[file].values()))
    for file in ranked:
        path = report.analysis.trace.files[file].path
        lines = report.texts(path, None)
        if lines is None:
            continue
        own = not path.startswith("site-packages/")
        whole = own and total + len(lines) <= MOST_LINES
        total += len(lines) if whole else 0
        wanted = range(1, len(lines) + 1) if whole else _around(costs[file], len(lines), report)
        body = "".join(_lines(report, file, list(lines), wanted, costs[file]))
        if body:
            parts.append(_file(path, body))
    return f"<section><h2>Source</h2>{''.join(parts)}</section>" if parts else ""


def _costs(report: Report) -> dict[int, dict[int, Cost]]:
    """By file and number of line."""
    found: defaultdict[int, dict[int, Cost]] = defaultdict(dict)
    for index, line in enumerate(report.analysis.trace.lines):
        found[line.file][line.number] = report.analysis.costs.get(index, Cost())
    return found


def _weight(cost: Cost) -> float:
    return cost.host_ms + cost.waited_ms + cost.gpu_ms


def _around(costs: dict[int, Cost], length: int, report: Report) -> list[int]:
    """The lines around those that wait or load, or take a share of a step."""
    step = report.analysis.predicted.step_ms or report.analysis.trace.profiled_ms
    costly = [number for number, cost in costs.items() if cost.waits or cost.loader_ms or _weight(cost) > WORTH * step]
    wanted = {each for number in costly for each in range(number - AROUND, number + AROUND + 1)}
    return sorted(each for each in wanted if 1 <= each <= length)


def _file(path: str, body: str) -> str:
    head = "".join(f"<th scope=col>{each}</th>" for each in HEADS)
    return (
        f"<details open><summary>{escape(path)}</summary><div class=wide><table class=source>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></details>"
    )


def _lines(report: Report, file: int, lines: list[str], wanted: Iterable[int], costs: dict[int, Cost]) -> Iterator[str]:
    trace = report.analysis.trace
    step = report.analysis.predicted.step_ms or trace.profiled_ms
    digests = trace.files[file].digests
    by_line: defaultdict[int, list[Finding]] = defaultdict(list)
    for each in report.findings:
        if each.path == trace.files[file].path:
            by_line[each.span.start.line].append(each)
    before = 0
    for number in wanted:
        if number > before + 1:
            yield f"<tr class=gap><td colspan={len(HEADS)}>…</td></tr>"
        before = number
        text = lines[number - 1]
        stale = number <= len(digests) and digests[number - 1] != digest(text)
        cost = None if stale else costs.get(number)
        yield _line(f"f{file}l{number}", number, text, cost, step, stale=stale)
        for finding in by_line[number]:
            yield f"<tr class=said><td colspan={len(HEADS) - 1}></td><td>{card(finding, report)}</td></tr>"


def _line(name: str, number: int, text: str, cost: Cost | None, step: float, *, stale: bool) -> str:
    cells = ["", "", "", "", "", ""]
    hot = "stale" if stale else ""
    if cost is not None and (cost.ran or max(_weight(cost), cost.backward_ms) >= LEAST):
        cells = [
            f"{round(cost.ran, 1):g}" if cost.ran else "",
            _time(cost.host_ms + cost.loader_ms, step),
            f"{cost.waits:g}" if cost.waits else "",
            _time(cost.waited_ms, step),
            _time(cost.gpu_ms, step),
            _time(cost.backward_ms, step),
        ]
        hot = "hot" if cost.waits or cost.loader_ms else "ran"
    figures = "".join(f"<td>{cell}</td>" for cell in cells)
    return (
        f'<tr id="{name}" class="{hot}"><th scope=row><a href="#{name}">{number}</a></th>{figures}'
        f"<td><code>{escape(visible(text[:LONGEST]))}</code></td></tr>"
    )


def _time(value: float, step: float) -> str:
    """A time, stronger the larger its share of the step is."""
    if value < LEAST:
        return ""
    heat = int(min(4.0, 12 * value / step)) if step else 0
    return f'<span class="heat{heat}">{ms(value)}</span>'
