"""The report of a trace as one HTML file: no network, no library, readable without its script.

What comes from the program is escaped where it becomes text, and no script but ours may run (the page's own policy).
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.report.page_policy import policy
from torchperf_lint.report.terminal import visible
from torchperf_lint.report.verified import in_words
from torchperf_lint.trace.bound import share
from torchperf_lint.trace.page import findings, source, timeline
from torchperf_lint.trace.report import Report
from torchperf_lint.trace.rows import Row, conclusion, price
from torchperf_lint.trace.table import budget_lines, findings_of, heading, notes
from torchperf_lint.trace.words import after, gained, ms, percent
from torchperf_lint.version import VERSION

HERE: Final = Path(__file__).parent
PARTS: Final = (
    ("busy", "GPU busy", "busy"),
    ("communication", "only communicating", "talk"),
    ("loader", "idle: the loader", "load"),
    ("after_waits", "idle after a wait", "wait"),
    ("host", "idle: the host", "host"),
)
KEYS: Final = (
    ("j, k", "next and previous line of the table"),
    ("Enter", "go to its source"),
    ("+, −", "zoom the timeline"),
    ("←, →", "move in it"),
    ("0", "the whole step"),
    ("d", "light or dark"),
    ("?", "show or hide the keys"),
)


def render(report: Report) -> str:
    style, script = _text("style.css"), _text("script.js")
    data = json.dumps(timeline.data(report.analysis.trace), separators=(",", ":"))
    data = data.replace(
        "<", "\\u003c"
    )  # neither `</script>` nor `<!--<script>`, behind which the page would be part of the data
    first = "document.documentElement.dataset.theme = localStorage.getItem('theme') || '';"
    body = "\n".join(
        (_top(report), _budget(report), _table(report), _timeline(report), source.render(report), _end(report))
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy(style, first, script))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(heading(report.analysis))}</title>
<script>{first}</script>
<style>{style}</style>
</head>
<body>
{body}
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def _text(name: str) -> str:
    return read_file(HERE / name).decode("utf-8")


def _top(report: Report) -> str:
    lines = "".join(f"<p class=dim>{escape(each)}</p>" for each in budget_lines(report.analysis))
    ranks = report.differences
    said = [*notes(report.analysis), *(() if ranks.first else ranks.said)]
    if report.gpu_price is not None and not report.analysis.predicted.trouble:
        said.append(price(report.analysis, report.gpu_price))
    more = "".join(f"<li>{escape(each)}</li>" for each in said)
    before = f"<p class=answer>{escape(' '.join(ranks.said))}</p>" if ranks.first else ""
    answer = conclusion(report.analysis, report.rows) if report.analysis.trace.has_gpu else ""
    return (
        f"<header><h1>{escape(heading(report.analysis))}</h1>"
        "<div class=buttons><button id=theme type=button>light / dark</button> "
        "<button id=help type=button aria-expanded=false aria-controls=keys>keys</button></div></header>"
        f"{before}<p class=answer>{escape(answer)}</p>{lines}" + (f"<ul>{more}</ul>" if more else "") + _keys()
    )


def _keys() -> str:
    rows = "".join(f"<dt><kbd>{escape(key)}</kbd></dt><dd>{escape(does)}</dd>" for key, does in KEYS)
    return f"<dl id=keys hidden>{rows}</dl>"


def _budget(report: Report) -> str:
    """How a step is spent, as a bar with its legend."""
    budget = report.analysis.budget
    if budget is None:
        return ""
    parts = [(getattr(budget, name), title, kind) for name, title, kind in PARTS]
    bar, legend, at = "", "", 0.0
    for part, title, kind in parts:
        width = 100 * share(part, budget.whole)
        if width:
            bar += f'<rect class="{kind}" x="{at:.3f}" y="0" width="{width:.3f}" height="10"><title>{escape(title)}</title></rect>'
            key = f'<span class="key {kind}"></span>'
            legend += f"<li>{key}{escape(title)} <b>{percent(width / 100)}</b> <span class=dim>{ms(part)}</span></li>"
        at += width
    return (
        "<section><h2>A step</h2><svg id=budget viewBox='0 0 100 10' preserveAspectRatio=none role=img "
        f"aria-label='How a profiled step is spent'>{bar}</svg><ul class=legend>{legend}</ul></section>"
    )


def _table(report: Report) -> str:
    if not report.rows:
        return ""
    heads = (
        "",
        "line",
        "what",
        "waits a step",
        "now",
        "without it a step takes less",
        "after those above",
        "verdict",
        "found by",
        *(("measured",) if report.measured else ()),
    )
    head = "".join(f"<th scope=col>{each}</th>" for each in heads)
    rows = "".join(_row(rank, row, report) for rank, row in enumerate(report.rows, 1))
    return (
        "<section><h2>Lines that wait or load</h2><div class=wide><table id=rows>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _row(rank: int, row: Row, report: Report) -> str:
    step = report.analysis.predicted.step_ms
    place = escape(row.place)
    if row.number:
        place = f'<a href="#{source.anchor(report, row.path, row.number)}">{place}</a>'
    kind = row.gain.verdict.replace(" ", "-")
    cells = (
        str(rank), place, escape(row.what), f"{row.waits:g}" if row.waits else "", ms(row.now_ms),
        escape(gained(row.gain, step)), after(row.gain, step),
        f'<span class="verdict {kind}">{row.gain.verdict}</span>', escape(findings_of(row.findings)),
        *((_measured(row, report),) if report.measured else ()),
    )  # fmt: skip
    return "<tr tabindex=-1>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _measured(row: Row, report: Report) -> str:
    """What was measured of the fixes of a line's findings."""
    found = [report.measured[each.fingerprint] for each in row.findings if each.fingerprint in report.measured]
    return "<br>".join(escape(visible(in_words(each))) for each in found)


def _timeline(report: Report) -> str:
    if not report.analysis.trace.has_gpu:
        return ""
    return (
        "<section><h2>One step</h2><div id=timeline tabindex=0 role=application "
        "aria-label='Timeline of one step: plus and minus zoom, arrows move'></div>"
        "<p id=detail class=dim aria-live=polite>Point at something, or zoom with + and −.</p>"
        f"<noscript>{escape(timeline.in_words(report.analysis.trace))}</noscript></section>"
    )


def _end(report: Report) -> str:
    left = findings.others(report)
    more = f"<section><h2>Other findings</h2>{left}</section>" if left else ""
    return f"{more}<footer class=dim>torchperf-lint {VERSION}</footer>"
