"""JUnit's XML, which nearly every build server shows: a suite for each file, a test case for each finding."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from torchperf_lint.report.terminal import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from torchperf_lint.model.failure import Failure
    from torchperf_lint.model.finding import Finding
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report import View


def render(outcome: Outcome, _: View) -> str:
    suites = [_suite(path, list(group)) for path, group in groupby(outcome.findings, key=lambda each: each.path)]
    suites += [_broken(failure) for failure in outcome.failures]
    if not suites:
        suites = [_element("testsuite", {"name": "torchperf-lint", "tests": 1, "failures": 0, "errors": 0}, [_PASSED])]
    counts = {
        "name": "torchperf-lint",
        "tests": max(1, len(outcome.findings) + len(outcome.failures)),
        "failures": len(outcome.findings),
        "errors": len(outcome.failures),
        "time": f"{outcome.seconds:.3f}",
    }
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_element("testsuites", counts, suites)}\n'


_PASSED = '<testcase name="no findings" classname="torchperf-lint"/>'


def _suite(path: str, findings: Sequence[Finding]) -> str:
    counts = {"name": path, "tests": len(findings), "failures": len(findings), "errors": 0}
    return _element("testsuite", counts, map(_case, findings))


def _case(finding: Finding) -> str:
    start = finding.span.start
    cell = "" if finding.cell is None else f"cell {finding.cell}, "
    place = f"{cell}line {start.line}, column {start.column}"
    failure = _element("failure", {"message": finding.message, "type": str(finding.severity)}, [_text(place, finding)])
    at = {
        "name": f"{finding.code} {finding.name} ({place})",
        "classname": finding.path,
        "file": finding.path,
        "line": start.line,
    }
    return _element("testcase", at, [failure])


def _text(place: str, finding: Finding) -> str:
    notes = [f"{note.path}:{note.line}:{note.column}: {note.message}" for note in finding.because]
    return escape(visible("; ".join([f"{place}: {finding.message}", *notes])))


def _broken(failure: Failure) -> str:
    error = _element("error", {"message": failure.message, "type": "error"}, [])
    case = _element("testcase", {"name": "unreadable", "classname": failure.path}, [error])
    return _element("testsuite", {"name": failure.path, "tests": 1, "failures": 0, "errors": 1}, [case])


def _element(name: str, attributes: Mapping[str, object], inner: Iterable[str]) -> str:
    shown = "".join(f" {key}={quoteattr(visible(str(value)))}" for key, value in attributes.items())
    return f"<{name}{shown}>{''.join(inner)}</{name}>"
