"""Suppression comments for findings that are there: `--add-ignores`.

A comment goes to the end of the first line, from where the finding begins, that can take one: not inside of a string
over several lines, not before a `\\` at its end. Such a line is of the same statement, so the comment holds there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from torchperf_lint.model.catalogue import OWN
from torchperf_lint.syntax.scan import Kind, scan
from torchperf_lint.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchperf_lint.model.finding import Finding

_OURS: Final = re.compile(r"#\s*tpl:\s*ignore\[([^\]]*)\]")
_CANNOT: Final = frozenset(entry.code for entry in OWN)
"""What no comment can hide: a file that does not parse, a rule that broke, a comment that hides nothing."""


def with_ignores(text: str, findings: Iterable[Finding], reason: str) -> str:
    """A text with a comment for each finding that a comment can hide."""
    source = Source(text)
    ends = _ends(text)
    wanted: dict[tuple[int, int], set[str]] = defaultdict(set)
    for finding in findings:
        start = source.offset(finding.span.start)
        if finding.code not in _CANNOT:
            wanted[ends[bisect_left(ends, start, key=itemgetter(1))]].add(finding.code)
    parts, done = [], 0
    for (comment, end), codes in sorted(wanted.items()):
        parts += [text[done:comment], _commented(text[comment:end], codes, reason)]
        done = end
    return "".join([*parts, text[done:]])


def _ends(text: str) -> list[tuple[int, int]]:
    """The ends of the lines that can take a comment, each with where the comment that is there begins."""
    ends = []
    comment = None
    for kind, start, _ in scan(text):
        if kind is Kind.LINE:
            ends.append((start if comment is None else comment, start))
        comment = start if kind is Kind.COMMENT else None
    return [*ends, (len(text) if comment is None else comment, len(text))]


def _commented(comment: str, codes: set[str], reason: str) -> str:
    """A comment that hides some codes more."""
    if match := _OURS.search(comment):
        every = {code.strip() for code in match.group(1).split(",") if code.strip()} | codes
        return f"{comment[: match.start(1)]}{', '.join(sorted(every))}{comment[match.end(1) :]}"
    added = f"# tpl: ignore[{', '.join(sorted(codes))}] {reason}".rstrip()
    return f"{comment.rstrip()}  {added}"
