"""The report of a scan as one HTML file: no network, no script, light or dark as the reader has it.

All names come from strangers' repositories and are escaped where they become text; the page's own policy runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.fleet.report.figures import MOST, Change, Changes, Figures, Rule
from torchperf_lint.fleet.report.text import place, summary
from torchperf_lint.model.impact import impacts
from torchperf_lint.model.record import url
from torchperf_lint.report.page_policy import policy
from torchperf_lint.report.terminal import visible
from torchperf_lint.version import VERSION

STYLE: Final = Path(__file__).with_name("style.css")
Cell = str | int | float
Row = Sequence[Cell]
"""Texts are HTML."""


def render(found: Figures, changed: Changes | None) -> str:
    """The page."""
    style = read_file(STYLE).decode("utf-8")
    first, _, second = summary(found).partition("\n")
    parts = [_rules(found), _changes(changed) if changed else "", _fixes(found), _repositories(found), _errors(found)]
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy(style))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>torchperf-lint: a fleet</title>
<style>{style}</style>
</head>
<body>
<h1>{escape(second)}</h1>
<p class=dim>{escape(first)}</p>
{"".join(parts)}
<footer class=dim>torchperf-lint {escape(VERSION)}</footer>
</body>
</html>
"""


def _rules(found: Figures) -> str:
    most = max((each.findings for each in found.rules), default=1)
    rows = [
        (
            _code(each), f"<span class={each.severity}>{each.severity}</span>", each.findings,
            _bar(each.findings / most, each.severity), found.rate(each.findings), len(each.repositories), _measured(each),
        )
        for each in found.rules
    ]  # fmt: skip
    head = ("rule", "worst", "findings", "", "in 1,000 lines", "repositories", "measured of such a finding")
    return _section("Which rules", head, rows)


def _fixes(found: Figures) -> str:
    most = max((each.fixes.total() for each in found.by_fix), default=1)
    rows = [
        (
            _code(each), each.fixes["safe"], each.fixes["unsafe"], _bar(each.fixes.total() / most, "fix"),
            len(each.files), len(each.fixed_in),
        )
        for each in found.by_fix
    ]  # fmt: skip
    return _section("What fixes would change", ("rule", "safe", "unsafe", "", "files", "repositories"), rows)


def _repositories(found: Figures) -> str:
    some = [each for each in found.repositories if each.findings]
    most = max((each.findings for each in some), default=1)
    rows = [
        (
            _name(each.name), each.findings, each.warnings, _bar(each.findings / most, "warning"), each.lines,
            found.rate(each.findings, each.lines),
        )
        for each in some
    ]  # fmt: skip
    head = ("repository", "findings", "warnings", "", "lines with torch", "in 1,000 lines")
    return _section("Which repositories", head, rows)


def _errors(found: Figures) -> str:
    rows = [(_name(where), escape(kind), _name(message)) for where, kind, message in found.lost]
    return _section("What was not linted", ("where", "kind", "why"), rows, found.errors.total())


def _changes(changed: Changes) -> str:
    said = f"{changed.new:,} new, {changed.gone:,} gone, {changed.same:,} as they were"
    if changed.added or changed.removed:
        said += f"; repositories only now: {len(changed.added):,}, only before: {len(changed.removed):,}"
    parts = [
        f"<h2>Since the scan before</h2>\n<p>{escape(said)}</p>\n",
        _section("", ("rule", "new", "gone"), _changed(changed.rules)),
        _section("", ("repository", "new", "gone"), _changed(changed.repositories)),
        _section("New", ("where", "rule", "what"), _listed(changed.new_ones), changed.new),
        _section("Gone", ("where", "rule", "what"), _listed(changed.gone_ones), changed.gone),
    ]
    return "".join(parts)


def _listed(rows: Iterable[dict[str, Any]]) -> list[Row]:
    return [(_name(place(row)), escape(row["code"]), _name(row["message"])) for row in rows]


def _changed(changes: Iterable[Change]) -> list[Row]:
    return [(_name(each.name), each.new, each.gone) for each in changes]


def _code(rule: Rule) -> str:
    return f'<a href="{escape(url(rule.code, rule.name))}">{escape(rule.code)}</a> {escape(rule.name)}'


def _measured(rule: Rule) -> str:
    impact = impacts().get(rule.code)
    return escape(impact.words) if impact is not None else ""


def _name(text: str) -> str:
    return f"<span class=name>{escape(visible(text))}</span>"


def _bar(share: float, kind: str) -> str:
    """A bar of up to a hundred units; what it shows stands in numbers beside it."""
    width = max(1.0, 100 * share)
    return f'<svg class=bar viewBox="0 0 100 10" aria-hidden=true><rect class={kind} width="{width:.1f}" height="10"/></svg>'


def _section(title: str, head: Sequence[str], rows: Sequence[Row], count: int | None = None) -> str:
    if not rows:
        return ""
    left = (len(rows) if count is None else count) - min(len(rows), MOST)
    more = f"<p class=dim>… and {left:,} more: they are in the files of the scan</p>" if left else ""
    is_number = [not isinstance(value, str) for value in rows[0]]
    heads = "".join(
        f"<th scope=col{' class=number' if right else ''}>{escape(each)}</th>"
        for each, right in zip(head, is_number, strict=True)
    )
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in rows[:MOST])
    heading = f"<h2>{escape(title)}</h2>\n" if title else ""
    return f"{heading}<div class=wide><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table></div>\n{more}"


def _cell(value: Cell) -> str:
    if isinstance(value, str):
        return f"<td>{value}</td>"
    return f"<td class=number>{value:,}</td>" if isinstance(value, int) else f"<td class=number>{value:.3f}</td>"
