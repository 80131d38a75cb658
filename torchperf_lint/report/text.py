"""The report for people: the line with its span underlined, the evidence where it stands, the fix as a small diff.

warning[TPL101]: `loss.item()` makes the host wait for the GPU in every step
  --> train.py:12:18 (scalar-read-every-step)
   |
 8 |     for x, y in loader:
   |     ^ the loop calls `.backward()`: it is the step loop
   …
12 |         total += loss.item()
   |                  ~~~~~~~~~~~
   |
   = fix (unsafe): add up on the device
12 -         total += loss.item()
12 +         total += loss.detach().double()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from torchperf_lint.model.finding import Confidence, Finding, Fix, Note, Safety, Severity, TextEdit
from torchperf_lint.model.record import url
from torchperf_lint.model.together import WAITING
from torchperf_lint.report import hints
from torchperf_lint.report.locations import place
from torchperf_lint.report.ranking import Group, groups
from torchperf_lint.report.snippet import Mark, Snippet, changed
from torchperf_lint.report.terminal import Ink, Pen, visible
from torchperf_lint.report.traced import in_words
from torchperf_lint.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report import View

LINES: Final = 20
"""Of the lines that one finding is about so many are named."""
INKS: Final = {Severity.ERROR: Ink.ERROR, Severity.WARNING: Ink.WARNING, Severity.INFO: Ink.INFO}
TITLES: Final = {Safety.SAFE: "fix", Safety.UNSAFE: "fix (unsafe)", Safety.SHOWN: "suggestion"}


def render(outcome: Outcome, view: View) -> str:
    short = hints.among(outcome) if view.short_hints else []
    named = set(map(id, short))
    whole = [each for each in outcome.findings if id(each) not in named]
    found = groups(whole, outcome.traced) if view.by_impact else [(finding,) for finding in whole]
    text = "".join("\n".join(_finding(group, outcome, view)) + "\n\n" for group in found)
    return text + hints.render(short, outcome, view)


def _finding(group: Group, outcome: Outcome, view: View) -> Iterator[str]:
    """The first of some findings that say the same, and where the others are."""
    finding, *others = group
    pen = Pen(view.color)
    code = pen.link(finding.code, url(finding.code, finding.name))
    yield (pen(f"{finding.severity}[{code}]", INKS[finding.severity]) + pen(f": {visible(finding.message)}", Ink.BOLD))
    source = view.sources.of(finding.path, finding.cell)
    here, elsewhere = _sorted_notes(finding)
    snippet = Snippet(source or Source(""), pen, columns=view.columns)
    indent = " " * snippet.gutter([finding.span.end.line, *(note.line for note in here), *_edited(finding)])
    name = finding.name if finding.confidence is Confidence.PROVEN else f"{finding.name}, {finding.confidence}"
    at = place(outcome, view, finding.path, finding.cell, finding.span.start)
    yield f"{indent}{pen('-->', Ink.NOTE)} {at} {pen(f'({name})', Ink.DIM)}"

    marks = [Mark.at(note.line, note.column, note.message) for note in here]
    yield from snippet.show(Mark(finding.span, "", INKS[finding.severity]), marks)
    for note in elsewhere:
        yield from _note(note, outcome, view, indent, pen)
    if finding.impact is not None:
        yield f"{indent} {pen('=', Ink.NOTE)} {pen(f'{finding.impact.label}:', Ink.BOLD)} {finding.impact.words}"
    if finding.also:
        lines = ", ".join(str(spot.line) for spot in finding.also[:LINES])
        lines += f" and {len(finding.also) - LINES} more" if len(finding.also) > LINES else ""
        said = f"line{'s' if len(finding.also) > 1 else ''} {lines}"
        if finding.code.startswith(WAITING):
            said += "; mend all, for one that stays waits for what was queued all the same"
        yield f"{indent} {pen('=', Ink.NOTE)} {pen('with it:', Ink.BOLD)} {said}"
    if (traced := outcome.traced.get(finding.fingerprint)) is not None:
        yield f"{indent} {pen('=', Ink.NOTE)} {pen('trace:', Ink.BOLD)} {in_words(traced)}"
    if others:
        lines = ", ".join(str(other.span.start.line) for other in others)
        yield f"{indent} {pen('=', Ink.NOTE)} {pen('also:', Ink.BOLD)} line{'s' if len(others) > 1 else ''} {lines}"
    if finding.fix is not None:
        yield from _fix(finding.fix, finding, snippet, indent, pen)


def _sorted_notes(finding: Finding) -> tuple[list[Note], list[Note]]:
    """The notes that stand in the text of the finding, and those that do not."""
    here = [note for note in finding.because if (note.path, note.cell) == (finding.path, finding.cell)]
    return here, [note for note in finding.because if note not in here]


def _note(note: Note, outcome: Outcome, view: View, indent: str, pen: Pen) -> Iterator[str]:
    source = view.sources.of(note.path, note.cell)
    mark = Mark.at(note.line, note.column, note.message)
    yield f"{indent}{pen(':::', Ink.NOTE)} {place(outcome, view, note.path, note.cell, mark.span.start)}"
    yield from Snippet(source or Source(""), pen, len(indent), view.columns).show(mark, [])


def _edited(finding: Finding) -> Iterator[int]:
    for edit in finding.fix.edits if finding.fix else ():
        yield edit.span.end.line + edit.content.count("\n")


def _fix(fix: Fix[TextEdit], finding: Finding, snippet: Snippet, indent: str, pen: Pen) -> Iterator[str]:
    yield f"{indent} {pen('=', Ink.NOTE)} {pen(TITLES[fix.safety] + ':', Ink.BOLD)} {visible(fix.title)}"
    edits = [edit for edit in fix.edits if (edit.path, edit.cell) == (finding.path, finding.cell)]
    yield from snippet.diff(changed(snippet.source, edits))
