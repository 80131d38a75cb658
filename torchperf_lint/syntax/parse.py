"""From a text to its trees: by Python, and where this Python is too old for the text, by LibCST."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from typing import Final

from torchperf_lint.syntax.guard import before_python
from torchperf_lint.syntax.scan import Kind, scan
from torchperf_lint.syntax.source import Place, Source, SyntaxFault, TooLargeFault
from torchperf_lint.syntax.tree import Tree

_NEWER: Final = re.compile(
    r"""^\s*(?: (?:async\s+def|def|class|type)\s+\w+\s*[\[=] | except\b ) | \b(?:f|t|rf|rt|fr|tr)["'] | \[\s*\*""",
    re.VERBOSE | re.IGNORECASE,
)
"""A line at which a Python may stop because it is too old: PEP 646, 654, 695, 696, 701, 750, 758."""


LARGEST: Final = 3_000_000
"""Characters of a text that is parsed; the largest file of torch has 1,400,000, of those that use it 2,000,000."""


def parse(source: Source) -> Tree:
    """The trees of a text; raises `SyntaxFault` where no parser reads it."""
    if len(source.text) > LARGEST:
        raise TooLargeFault(f"it has more than {LARGEST:,} characters")
    try:
        return Tree(source, by_python(source))
    except SyntaxError as error:
        line = min(max(error.lineno or 1, 1), len(source.starts))
        column = min(max(error.offset or 1, 1), len(source.line(line)) + 1)
        fault = SyntaxFault(error.msg or "invalid syntax", Place(line, column))
    except UnicodeEncodeError as error:
        raise SyntaxFault("half of a surrogate pair is no text", source.place(error.start)) from None
    except (RecursionError, MemoryError):
        fault = None
    return _parse_newer(source, fault)


def by_python(source: Source) -> ast.Module:
    """Python's tree of a text; raises what `ast.parse` raises, and `SyntaxFault` for what that must not see."""
    before_python(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source.text)


def _parse_newer(source: Source, fault: SyntaxFault | None) -> Tree:
    """The trees of a text that Python refuses, if that is because this Python is too old."""
    from torchperf_lint.syntax import pieces
    from torchperf_lint.syntax.positions import give_positions

    try:
        piece = pieces.read(source)
        if pieces.oldest_python(piece) > sys.version_info[:2]:
            give_positions(piece)
            return Tree(source, piece.lowered.root, piece)
    except SyntaxFault as other:
        if fault is None or (
            _NEWER.search(source.line(fault.place.line)) and _is_behind(other.place, fault.place, source)
        ):
            raise
    # Where LibCST reads what no newer Python does, it is only the more lenient of the two.
    raise fault or SyntaxFault("too deep to parse", Place(1, 1)) from None


def _is_behind(place: Place, first: Place, source: Source) -> bool:
    """Whether a place is in a later line than another, and nothing that is opened in that one is still open there."""
    opened: list[int] = []
    for kind, start, _ in scan(source.text[: source.offset(place)]):
        if kind is Kind.OPEN:
            opened.append(source.place(start).line)
        elif kind is Kind.CLOSE and opened:
            opened.pop()
    return place.line > first.line and first.line not in opened
