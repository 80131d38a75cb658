"""Findings that promise no gain, a rule a line: they are true, and few will change a program for one of them.

Hints: right, but nothing shows that these cost much: `trace` tells what they cost your program. `--show-hints` shows ...

info[TPL201]: A tensor is made on the CPU and then moved to the GPU.
  --> losses.py:12, 40, model.py:7 and 3 more places
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.model.catalogue import OWN, by_code
from torchperf_lint.model.finding import Finding, Severity
from torchperf_lint.model.record import url
from torchperf_lint.report.locations import shown
from torchperf_lint.report.terminal import Ink, Pen, visible

if TYPE_CHECKING:
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report import View

HEAD: Final = (
    "Hints: right, but nothing shows that these cost much: `torchperf-lint trace` tells what they cost your program. "
    "`--show-hints` shows their code, evidence and fixes.\n\n"
)
PLACES: Final = 6
"""So many places of a rule are named."""
Place = tuple[str, int | None, int]
"""A line: the file, its cell, and which."""
_OWN: Final = frozenset(entry.code for entry in OWN)


def among(outcome: Outcome) -> list[Finding]:
    """The findings that are hints: information, of which neither a trace nor a measurement says more."""
    told = outcome.traced.keys() | outcome.verified.keys()
    return [
        each
        for each in outcome.findings
        if each.severity is Severity.INFO and each.code not in _OWN and each.fingerprint not in told
    ]


def render(hints: Iterable[Finding], outcome: Outcome, view: View) -> str:
    """A rule after the other, with the places of its hints."""
    by_rule: dict[str, list[Finding]] = {}
    for each in sorted(hints, key=lambda finding: finding.order):
        by_rule.setdefault(each.code, []).append(each)
    lines = [line for code, found in sorted(by_rule.items()) for line in _rule(code, found, outcome, view)]
    return "".join((HEAD, *(f"{line}\n" for line in lines))) if lines else ""


def _rule(code: str, found: list[Finding], outcome: Outcome, view: View) -> Iterator[str]:
    pen, entry = Pen(view.color), by_code()[code]
    severity = pen(f"{Severity.INFO}[{pen.link(code, url(code, entry.name))}]", Ink.NOTE)
    yield f"{severity}{pen(f': {entry.summary}', Ink.BOLD)}"
    places = sorted((place for each in found for place in _places(each)), key=lambda at: (at[0], at[1] or 0, at[2]))
    left = f" and {len(places) - PLACES} more places" if len(places) > PLACES + 1 else ""
    named = places[:PLACES] if left else places
    yield f"  {pen('-->', Ink.NOTE)} {', '.join(_written(named, outcome, view))}{left}"
    yield ""


def _places(finding: Finding) -> list[Place]:
    """All places that a finding stands for."""
    return [
        (finding.path, finding.cell, finding.span.start.line),
        *((at.path, at.cell, at.line) for at in finding.also),
    ]


def _written(places: Iterable[Place], outcome: Outcome, view: View) -> Iterator[str]:
    """Lines, behind the name of their file where that is another than before."""
    before: tuple[str, int | None] | None = None
    for path, cell, line in places:
        inside = f":cell {cell}" if cell is not None else ""
        name = f"{visible(shown(outcome, view, path))}{inside}:" if (path, cell) != before else ""
        before = (path, cell)
        yield f"{name}{line}"
