"""A table for a job summary or a comment on a pull request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from torchperf_lint.model.finding import Finding, Safety
from torchperf_lint.model.record import url
from torchperf_lint.report.summary import line
from torchperf_lint.report.terminal import visible
from torchperf_lint.report.verified import in_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report import View

_FIXES: Final = {Safety.SAFE: "safe", Safety.UNSAFE: "unsafe", Safety.SHOWN: "by hand"}

_MARKUP: Final = {ord(char): f"&#{ord(char)};" for char in "\\`<>*_[]#~@"}
_ODD: Final = re.compile(r"``|\\\|")
"""More than one backtick begin what as many end; a bar behind a backslash is not escaped by another one."""


def render(outcome: Outcome, _: View) -> str:
    parts = ["## torchperf-lint", "", line(outcome)]
    if outcome.findings:
        more = (" measured |", "---|") if outcome.verified else ("", "")
        parts += ["", f"| | rule | place | finding | fix |{more[0]}", f"|---|---|---|---|---|{more[1]}"]
        parts += [_row(each, outcome) for each in outcome.findings]
    if outcome.failures:
        parts += ["", "Not linted:", ""]
        parts += [f"- {as_code(failure.path)}: {as_cell(failure.message)}" for failure in outcome.failures]
    return "\n".join(parts) + "\n"


def _row(finding: Finding, outcome: Outcome) -> str:
    start = finding.span.start
    cell = "" if finding.cell is None else f":cell {finding.cell}"
    cells = [
        str(finding.severity),
        f"[{finding.code}]({url(finding.code, finding.name)})",
        as_code(f"{finding.path}{cell}:{start.line}:{start.column}"),
        as_cell(finding.message),
        _FIXES[finding.fix.safety] if finding.fix else "",
    ]
    if outcome.verified:
        verified = outcome.verified.get(finding.fingerprint)
        cells.append(as_cell(in_words(verified)) if verified else "")
    return f"| {' | '.join(cells)} |"


def as_cell(text: str) -> str:
    """Text in a table: markup of the linted code must not become markup of the page."""
    return quoted(visible(text), _escaped).replace("|", "\\|")


def quoted(text: str, escape: Callable[[str], str]) -> str:
    """A text in which Markdown acts on the backticks alone, or on nothing where those of the linted code are among them."""
    if _ODD.search(text) or text.count("`") % 2:  # for Markdown, other parts would be inside of them than for us
        return escape(text)
    return "`".join(part if index % 2 else escape(part) for index, part in enumerate(text.split("`")))


def as_code(text: str) -> str:
    shown = visible(text)
    if _ODD.search(shown):
        return as_cell(shown)
    shown = shown.replace("|", "\\|")
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"


def _escaped(text: str) -> str:
    return text.translate(_MARKUP)
