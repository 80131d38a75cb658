"""Stretches of a text as LibCST sees them, each node paired with the `ast` node that is the same piece of code.

LibCST's parser takes ten times as long as Python's. So it is shown a text in pieces, and only those that somebody asks
for. A method is shown below a line that makes a class of it; what LibCST makes of that line is nobody's. This is the
module that loads LibCST; `tree` imports it when it must.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Final

import libcst as cst

from torchperf_lint.syntax.guard import before_libcst
from torchperf_lint.syntax.lower import Lowered, lower
from torchperf_lint.syntax.source import Place, Source, SyntaxFault
from torchperf_lint.syntax.spans import Spans

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOUND_AT: Final = re.compile(r"error at (\d+):(\d+)")


@dataclass(eq=False, slots=True)
class Piece:
    """One stretch of a text, in LibCST's tree and in the lowered one."""

    source: Source
    start: int
    """Where it begins in the whole text."""
    text: str
    """What LibCST was shown."""
    module: cst.Module
    lowered: Lowered
    header: int = 0
    """How long the line is that was put above a method."""
    _spans: Spans | None = field(default=None, repr=False)

    def extent(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where a node stands in the whole text."""
        if self._spans is None:
            try:
                self._spans = Spans(self.module, self.text)
            except (RecursionError, ValueError) as error:
                raise SyntaxFault(f"LibCST cannot write this back: {error}", self.source.place(self.start)) from None
        start, end = self._spans.of(node)
        begin = self.start - self.header
        return begin + start, begin + end

    @property
    def top(self) -> cst.CSTNode:
        """What holds all else that stands in the file: the module, or the method."""
        return self.module.body[0].body.body[0] if self.header else self.module  # type: ignore[union-attr]

    @property
    def statements(self) -> list[ast.stmt]:
        """The lowered statements of the stretch."""
        body = self.lowered.root.body
        return body[0].body if self.header else body  # type: ignore[attr-defined]


def read(source: Source, start: int = 0, end: int | None = None, header: str = "") -> Piece:
    """LibCST's tree of a stretch of a text, below a line that it needs; raises `SyntaxFault`."""
    stretch = Source(header + source.text[start:end], source.path)
    try:
        before_libcst(stretch)
        module = _parse(stretch)
        with warnings.catch_warnings():  # strings with escapes that are none are evaluated
            warnings.simplefilter("ignore")
            return Piece(source, start, stretch.text, module, lower(module), len(header))
    except RecursionError:
        message, place = "too deep to parse safely", Place(1, 1)
    except SyntaxFault as fault:
        message, place = fault.message, fault.place
    except (SyntaxError, ValueError) as error:  # a literal that Python refuses
        message, place = str(error), Place(1, 1)
    raise SyntaxFault(message, source.place(start + max(0, stretch.offset(place) - len(header))))


def _parse(stretch: Source) -> cst.Module:
    try:
        return cst.parse_module(stretch.text)
    except cst.ParserSyntaxError as error:
        raise _fault(stretch, error) from None
    except (KeyboardInterrupt, SystemExit, RecursionError, MemoryError):
        raise
    except BaseException as error:  # the native parser panics with an exception of its own kind
        raise SyntaxFault(f"LibCST cannot parse this: {error}", Place(1, 1)) from None


def _fault(stretch: Source, error: cst.ParserSyntaxError) -> SyntaxFault:
    """LibCST's refusal, at the token that it did not expect."""
    found = _FOUND_AT.search(error.message)
    if found is None:
        return SyntaxFault(f"LibCST cannot parse this: {error.message}", Place(error.raw_line, 1))
    line = min(int(found[1]), len(stretch.starts))
    column = max(1, min(int(found[2]), len(stretch.line(line))))
    return SyntaxFault("LibCST cannot parse this", Place(line, column))


def oldest_python(piece: Piece) -> tuple[int, int]:
    """The oldest Python that reads a piece."""
    if sys.version_info < (3, 12):
        text = piece.source.text
        for node in piece.lowered.pairs.values():
            if isinstance(node, (cst.FormattedString, cst.ConcatenatedString)):
                start, end = piece.extent(node)
                try:
                    ast.parse(f"({text[start:end]})", mode="eval")
                except SyntaxError:
                    return max(piece.lowered.needs, (3, 12))
    return piece.lowered.needs


class Mismatch(Exception):  # noqa: N818
    """Two trees that should be equal differ."""


def pair(parsed: list[ast.stmt], piece: Piece) -> Iterator[tuple[ast.AST, cst.CSTNode]]:
    """The nodes of `ast.parse`, each with the LibCST node that is the same piece of code; raises `Mismatch`."""
    pairs = piece.lowered.pairs
    stack: list[tuple[ast.AST, ast.AST]] = []
    _together(parsed, piece.statements, stack)
    while stack:
        theirs, ours = stack.pop()
        if theirs.__class__ is not ours.__class__:
            raise Mismatch(f"{theirs} is not {ours}")
        node = pairs.get(ours)
        if node is not None:
            yield theirs, node
        for name in _below(theirs.__class__):  # type: ignore[arg-type]  # mypy takes it for unhashable
            left, right = getattr(theirs, name), getattr(ours, name)
            if left.__class__ is list:
                _together(left, right, stack)
            elif left is not None:
                stack.append((left, right))


def _together(theirs: list[ast.stmt], ours: list[ast.stmt], stack: list[tuple[ast.AST, ast.AST]]) -> None:
    if len(theirs) != len(ours):
        # Python 3.12.0 to 3.12.3 puts an empty text after a field in a format specification.
        theirs = [each for each in theirs if not (isinstance(each, ast.Constant) and each.value == "")]
    if len(theirs) != len(ours):
        raise Mismatch(f"{theirs} are not as many as {ours}")
    stack += [(left, right) for left, right in zip(theirs, ours, strict=True) if left is not None]


_LEAVES: Final = frozenset({
    "ctx", "op", "ops", "type_comment", "type_ignores", "kind", "conversion", "simple", "level", "id", "attr", "arg",
    "name", "names", "asname", "module", "rest", "kwd_attrs", "is_async", "str",
})  # fmt: skip
"""Fields that hold names, numbers and operators."""


@cache
def _below(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a node that hold nodes."""
    if issubclass(kind, (ast.Constant, ast.Global, ast.Nonlocal, ast.MatchSingleton)):
        return ()
    if issubclass(kind, (ast.Import, ast.ImportFrom)):
        return ("names",)
    kept = [each for each in kind._fields if each not in _LEAVES]
    return (*kept, "name") if kind.__name__ == "TypeAlias" else tuple(kept)


_PUNCTUATION: Final = frozenset({
    "lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "comma", "semicolon", "equal", "colon", "dot",
    "header", "footer", "trailing_whitespace", "indent", "separator", "first_colon", "second_colon", "encoding",
    "default_indent", "default_newline", "has_trailing_newline", "leading_lines", "lines_after_decorators",
})  # fmt: skip


@cache
def _parts(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a LibCST node that hold code."""
    names = [each.name for each in fields(kind)]
    return tuple(each for each in names if each not in _PUNCTUATION and not each.startswith("whitespace"))


def parents(top: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """Every node of code below another, with the node that it is part of."""
    stack = [top]
    while stack:
        above = stack.pop()
        for name in _parts(above.__class__):
            value = getattr(above, name)
            for part in value if isinstance(value, (list, tuple)) else (value,):
                if isinstance(part, cst.CSTNode):
                    yield part, above
                    stack.append(part)
