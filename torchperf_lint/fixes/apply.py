"""Fixes, applied to a text until nothing is left to apply: choose, apply, check, lint again, repeat.

A fix is taken whole or not at all. Of two that touch each other the first one is taken, and the other waits for the
next pass, in which it is found anew, on the text as it then is. After each pass the guards look at what has come out:

    the text parses, and compiles if it did before        every comment is still there (unless unsafe fixes are allowed)
    the findings that were fixed are gone                 nothing new is found in what the fixes wrote
    no earlier text has come back

When a guard fails, the pass is undone and its fixes are tried in halves, so that the culprit is found with few lints;
it is banned, with the reason, and the rest goes on. Where there are many culprits that takes long, so there is a limit to
it: what is not settled by then is left as it is, and counted.

    pass 1   a.cuda().cuda()      two findings; their edits touch: the inner one waits      a.cuda()
    pass 2   a.cuda()             the inner one, found anew                                 a
    pass 3   a                    nothing to apply: done

What is found is for `lint` to say, which is passed in, and whether once more is worth it for `affords`. Knows no rule, no
file and no tree.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right, insort
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.fixes.changes import comments
from torchperf_lint.fixes.splice import Splice
from torchperf_lint.model.finding import Safety
from torchperf_lint.syntax.parse import parse
from torchperf_lint.syntax.source import Source, SyntaxFault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torchperf_lint.model.finding import Finding

    Lint = Callable[[Source], list[Finding]]
    Rivals = Callable[[str, str], bool]

_Stretch = tuple[int, int, str]
"""Where an edit begins and ends, and what it puts there."""

PASSES: Final = 10
"""Fixes that lead to each other are followed so far."""
TRIED_AT_MOST: Final = 10_000_000
TRIALS_AT_LEAST: Final = 50
"""So many characters are linted to find out which fixes of a text must be left out, and so often at least."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A fix that a guard has refused."""

    finding: Finding
    """As it was found, in the text as it was then."""
    reason: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """What became of a text."""

    text: str
    applied: tuple[Finding, ...]
    """Findings that are fixed, each as it was found, in the text as it was then."""
    left: tuple[Finding, ...]
    """What is found in the new text."""
    deferred: int
    """How often a fix had to wait for a later pass, because it touched another."""
    failures: tuple[Failure, ...]
    untried: int = 0
    """How many fixes were left because others were refused too often, or the text is too long to be linted again."""


def fix_text(
    text: str,
    path: str,
    lint: Lint,
    allow: Safety,
    rivals: Rivals | None = None,
    affords: Callable[[], bool] = lambda: True,
) -> Fixed:
    """Apply every fix that is at least as safe as `allow`.

    `rivals` says whether two rules claim the same expressions, so that one is silent where the other speaks: what it then
    says of a fixed text is what is left to say, and nothing new. `affords` says whether it may be linted once more.
    """
    fixing = _Fixing(text, path, lint, allow, rivals, affords)
    for _ in range(PASSES):
        if not fixing.step():
            break
    return Fixed(
        fixing.text,
        tuple(fixing.applied),
        tuple(fixing.findings),
        fixing.deferred,
        tuple(fixing.failures),
        fixing.untried,
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    """A text with some fixes applied, and what is found in it."""

    splice: Splice
    findings: list[Finding]
    fixed: list[Finding]


class _Refused(Exception):  # noqa: N818
    """A guard has failed."""


class _Fixing:
    """One text on its way."""

    def __init__(
        self, text: str, path: str, lint: Lint, allow: Safety, rivals: Rivals | None, affords: Callable[[], bool]
    ) -> None:
        self.text = text
        self.path = path
        self.lint = lint
        self.allow = allow
        self.rivals = rivals
        self.affords = affords
        self.findings = lint(Source(text, path))
        self.applied: list[Finding] = []
        self.failures: list[Failure] = []
        self.deferred = 0
        self.seen = {text}
        self.banned: set[tuple[str, int, int]] = set()
        """Findings whose fix was refused: code, start and end in the text as it is."""
        self.trial: _Trial | None = None
        self.trials = max(TRIALS_AT_LEAST, TRIED_AT_MOST // max(1, len(text)))
        """How often a text may still be tried."""
        self.untried = 0

    def step(self) -> bool:
        """One pass; whether there was anything to do."""
        chosen = self._choose()
        if not chosen:
            return False
        self.trial = None
        self._settle([], chosen)
        if self.trial is not None:
            self._accept(self.trial)
        return True

    def _choose(self) -> list[Finding]:
        """The fixes of this pass: the first of those that touch."""
        source = Source(self.text, self.path)
        taken: list[_Stretch] = []
        chosen = []
        for finding in sorted((each for each in self.findings if self._may(each, source)), key=_first_edit):
            assert finding.fix is not None
            extents = [(*source.extent(edit.span), edit.content) for edit in finding.fix.edits]
            if any(_touches(extent, taken) for extent in extents):
                self.deferred += 1
                continue
            for extent in extents:
                insort(taken, extent)
            chosen.append(finding)
        return chosen

    def _may(self, finding: Finding, source: Source) -> bool:
        fix = finding.fix
        if fix is None or fix.safety < self.allow or not fix.edits:
            return False
        if any((edit.path, edit.cell) != (self.path, None) for edit in fix.edits):
            return False
        return (finding.code, *source.extent(finding.span)) not in self.banned

    def _settle(self, taken: list[Finding], candidates: list[Finding]) -> list[Finding]:
        """The candidates that can be applied on top of others; the rest are banned."""
        if self.trials == 0 or not self.affords():
            self.untried += len(candidates)
            self._ban(candidates)
            return taken
        self.trials -= 1
        try:
            self.trial = self._try([*taken, *candidates])
        except _Refused as refused:
            if len(candidates) == 1:
                self._ban(candidates)
                self.failures.append(Failure(candidates[0], str(refused)))
                return taken
        else:
            return [*taken, *candidates]
        half = len(candidates) // 2
        return self._settle(self._settle(taken, candidates[:half]), candidates[half:])

    def _ban(self, findings: list[Finding]) -> None:
        source = Source(self.text)
        self.banned.update((each.code, *source.extent(each.span)) for each in findings)

    def _accept(self, trial: _Trial) -> None:
        self.banned = {(code, *trial.splice.image(start, end)) for code, start, end in self.banned}
        self.text = trial.splice.text
        self.seen.add(self.text)
        self.findings = trial.findings
        self.applied += trial.fixed

    # The guards

    def _try(self, fixed: list[Finding]) -> _Trial:
        """The text with some fixes applied; raises `_Refused`."""
        splice = Splice(Source(self.text, self.path), [edit for each in fixed if each.fix for edit in each.fix.edits])
        if splice.text in self.seen:
            raise _Refused("it brings an earlier text back")
        source = Source(splice.text, self.path)
        self._check_text(source, [splice.source.extent(each.span) for each in fixed])
        findings = self.lint(source)
        self._check_findings(splice, fixed, source, findings)
        return _Trial(splice, findings, fixed)

    def _check_text(self, source: Source, flagged: list[tuple[int, int]]) -> None:
        try:
            parse(source)
        except SyntaxFault as fault:
            raise _Refused(f"the text would not parse: line {fault.place.line}, {fault.message}") from None
        if not _compiles(source.text) and _compiles(self.text):
            raise _Refused("the text would not compile")
        lost = comments(self.text, flagged) - comments(source.text)
        if lost and self.allow is Safety.SAFE:
            raise _Refused(f"a comment would be lost: {next(iter(lost))}")

    def _check_findings(self, splice: Splice, fixed: list[Finding], new: Source, findings: Sequence[Finding]) -> None:
        """The fixed findings are gone, and what was written gives no reason for new ones."""
        old = splice.source
        image = {id(each): (each.code, *splice.image(*old.extent(each.span))) for each in self.findings}
        gone = {image[id(each)] for each in fixed}
        codes = {each.code for each in fixed}
        fixed_ids = {id(each) for each in fixed}
        left = [each for each in self.findings if id(each) not in fixed_ids]
        known = Counter(image[id(each)] for each in left)
        rewritten = Counter(each.code for each in left if splice.rewrote(*old.extent(each.span)))
        for each in findings:
            place = (each.code, *new.extent(each.span))
            if known[place]:
                known[place] -= 1
            elif place in gone:
                raise _Refused(f"{each.code} would still be found")
            elif splice.wrote_in(*place[1:]) and not self._was_silent(each, codes):
                if not rewritten[each.code]:
                    raise _Refused(f"{each.code} would be found in what it writes")
                rewritten[each.code] -= 1

    def _was_silent(self, finding: Finding, codes: set[str]) -> bool:
        """Whether the rule of a finding may have been silent because one of those that were fixed spoke."""
        return self.rivals is not None and any(self.rivals(code, finding.code) for code in codes)


def _first_edit(finding: Finding) -> tuple[object, ...]:
    assert finding.fix is not None
    return (min(edit.span for edit in finding.fix.edits), finding.order)


def _touches(edit: _Stretch, taken: list[_Stretch]) -> bool:
    """Whether an edit meets another; two that insert something at one place, but not the same, follow each other.

    Those that are taken are in order and overlap nowhere: from where this one ends, the last that it meets come first.
    """
    start, end, content = edit
    for at in range(bisect_right(taken, end, key=lambda each: each[0]) - 1, -1, -1):
        first, last, other = taken[at]
        if last < start:
            return False
        if not (start == end == first == last and content != other):
            return True
    return False


def _compiles(text: str) -> bool:
    """Whether Python can compile a text, which runs nothing of it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<text>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
