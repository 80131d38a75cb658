"""One file as two trees: Python's own, on which facts stand, and LibCST's, which rules and fixes see.

`ast.parse` reads the whole text, in C. LibCST is shown a piece of it, a top-level statement, when somebody asks for
the LibCST node of an `ast` node in there, and not before; `pieces` pairs the two trees. Where this Python is too old
for a text, LibCST reads all of it and `lower` makes the `ast` tree.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from ast import AST
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from torchperf_lint.syntax.guard import before_python
from torchperf_lint.syntax.layout import dedent
from torchperf_lint.syntax.scan import Kind, scan
from torchperf_lint.syntax.source import Place, Source, Span, SyntaxFault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from libcst import CSTNode

    from torchperf_lint.syntax.pieces import Piece

__all__ = ["SyntaxFault", "Tree", "parse"]

_NEWER: Final = re.compile(
    r"""^\s*(?: (?:async\s+def|def|class|type)\s+\w+\s*[\[=] | except\b ) | \b(?:f|t|rf|rt|fr|tr)["'] | \[\s*\*""",
    re.VERBOSE | re.IGNORECASE,
)
"""A line at which a Python may stop because it is too old: PEP 646, 654, 695, 696, 701, 750, 758."""

_PLACED: Final = (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.alias, ast.excepthandler, ast.pattern)
"""The kinds of nodes that know where they stand."""

_FORMATTED: Final = re.compile(r"""(?:f|t|rf|rt|fr|tr)["']""", re.IGNORECASE)


def parse(source: Source) -> Tree:
    """The trees of a text; raises `SyntaxFault` where no parser reads it."""
    before_python(source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Tree(source, ast.parse(source.text))
    except SyntaxError as error:
        line = min(max(error.lineno or 1, 1), len(source.starts))
        column = min(max(error.offset or 1, 1), len(source.line(line)) + 1)
        fault = SyntaxFault(error.msg or "invalid syntax", Place(line, column))
    except UnicodeEncodeError as error:
        raise SyntaxFault("half of a surrogate pair is no text", source.place(error.start)) from None
    except (RecursionError, MemoryError):
        fault = None
    return _parse_newer(source, fault)


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


@dataclass(slots=True)
class _Stretch:
    """Top-level statements that share lines, and the lines above them back to the statement before."""

    first: int
    last: int
    statements: list[ast.stmt]


class Tree:
    """The two trees of one file, and the text."""

    def __init__(self, source: Source, root: ast.Module, whole: Piece | None = None) -> None:
        self.source = source
        self.root = root
        self.is_lowered = whole is not None
        """LibCST read the text, not this Python: the root holds together with its LibCST nodes alone."""
        self._cst: dict[AST, CSTNode] = {}
        self._ast: dict[CSTNode, AST] = {}
        self._parents: dict[CSTNode, CSTNode] = {}
        self._pieces: dict[CSTNode, Piece] = {}
        """By their modules."""
        self._seen: set[int] = set()
        """Which stretches LibCST has been shown."""
        self._faults: dict[int, SyntaxFault] = {}
        """Those that it refuses."""
        if whole is not None:
            self._take(whole, whole.lowered.pairs.items())
            self._seen.update(range(len(self._stretches)))

    # From one tree to the other

    def cst(self, node: AST) -> CSTNode:
        """The LibCST node of a node; `SyntaxFault`, each time the same, where LibCST cannot read the statement it is in.

        Contexts, operators and the tuple of `x[a, b]` have none: `LookupError`.
        """
        found = self._cst.get(node)
        if found is not None:
            return found
        if node is self.root:
            self._load_whole()
        else:
            self._load(self._home(node))
            if node not in self._cst:
                # Up to Python 3.11 what stands in an f-string may have the line of something else.
                for index, stretch in enumerate(self._stretches):
                    if any(each is node for statement in stretch.statements for each in ast.walk(statement)):
                        self._load(index)
        return self._cst[node]

    def ast(self, node: CSTNode) -> AST | None:
        """The `ast` node of a LibCST node that `cst` gave, or that stands near one; None for what has none."""
        return self._ast.get(node)

    def _home(self, node: AST) -> int:
        """The stretch that a node stands in, as far as its line tells."""
        line = next((each.lineno for each in ast.walk(node) if isinstance(each, _PLACED)), 1)
        return max(0, bisect_right(self._stretches, line, key=lambda stretch: stretch.first) - 1)

    @cached_property
    def _stretches(self) -> list[_Stretch]:
        stretches: list[_Stretch] = []
        end = 0
        for statement in self.root.body:
            first = min(each.lineno for each in (statement, *getattr(statement, "decorator_list", ())))
            last = statement.end_lineno or first
            while self.source.line(last).endswith("\\"):
                last += 1
            if stretches and first <= end:
                stretches[-1].last = max(end, last)
                stretches[-1].statements.append(statement)
            else:
                stretches.append(_Stretch(end + 1, last, [statement]))
            end = stretches[-1].last
        return stretches

    def _load(self, index: int) -> None:
        """Show LibCST a stretch, and pair what it sees."""
        from torchperf_lint.syntax import pieces

        if index in self._faults:
            raise self._faults[index]
        if index in self._seen or not self._stretches:
            return
        self._seen.add(index)
        stretch, starts = self._stretches[index], self.source.starts
        end = starts[stretch.last] if stretch.last < len(starts) else None
        try:
            piece = pieces.read(self.source, starts[stretch.first - 1], end)
            self._take(piece, list(pieces.pair(stretch.statements, piece)))
        except pieces.Mismatch:
            self._load_whole()
        except SyntaxFault as fault:
            self._faults[index] = fault
            raise

    def _load_whole(self) -> None:
        from torchperf_lint.syntax import pieces

        self._seen.update(range(len(self._stretches)))
        piece = pieces.read(self.source)
        pairs = dict(pieces.pair(self.root.body, piece))
        self._take(piece, [(self.root, piece.module), *pairs.items()])

    def _take(self, piece: Piece, pairs: Iterable[tuple[AST, CSTNode]]) -> None:
        self._pieces[piece.module] = piece
        for parsed, node in pairs:
            self._cst.setdefault(parsed, node)
            self._ast.setdefault(node, parsed)

    # Around a node

    def parent(self, node: CSTNode) -> CSTNode | None:
        """What a node of code is part of; None for a module, which holds one piece of the file or all of it."""
        from torchperf_lint.syntax import pieces

        if node not in self._parents:
            for module in self._pieces:
                if module not in self._parents:
                    self._parents[module] = module
                    self._parents.update(pieces.parents(self._pieces[module].module))
        above = self._parents[node]
        return None if above is node else above

    def ancestors(self, node: CSTNode) -> Iterator[CSTNode]:
        """What a node is part of, the nearest first, the module last."""
        above = self.parent(node)
        while above is not None:
            yield above
            above = self.parent(above)

    def statement(self, node: CSTNode) -> CSTNode:
        """The whole line of small statements, or the compound statement, that a node is or stands in.

        The line may be the one-line suite of `if a: b; c`. An `elif` is part of its `if`.
        """
        import libcst as cst

        for each, above in _steps([node, *self.ancestors(node)]):
            match each:
                case cst.If() if isinstance(above, cst.If) and above.orelse is each:
                    continue
                case cst.SimpleStatementLine() | cst.SimpleStatementSuite() | cst.BaseCompoundStatement():
                    return each
        raise LookupError(f"{type(node).__name__} is no statement and stands in none")

    # Where things stand

    def extent(self, node: CSTNode) -> tuple[int, int]:
        """Where a node starts and ends, as offsets in the text; an expression's own parentheses are left out."""
        *_, module = (node, *self.ancestors(node))
        return self._pieces[module].extent(node)

    def span(self, node: CSTNode) -> Span:
        """Where a node stands in the file; an expression's own parentheses are left out."""
        start, end = self.extent(node)
        return Span(self.source.place(start), self.source.place(end))

    def code(self, node: CSTNode) -> str:
        """The text of a node, moved to the left by the indentation of the line that it starts on."""
        start, end = self.extent(node)
        line = self.source.line(self.source.place(start).line)
        return dedent(self.source.text[start:end], len(line) - len(line.lstrip()))

    def place(self, node: AST) -> Place:
        """Where a node of Python's tree starts; inside of an f-string, where that one does.

        Up to Python 3.11 the positions in there are not always true, and no report may depend on the Python.
        """
        node = self._formatted.get(node, node)
        for each in ast.walk(node):
            if isinstance(each, _PLACED):
                return Place(each.lineno, self.source.column(each.lineno, each.col_offset))
        return Place(1, 1)

    @cached_property
    def _formatted(self) -> dict[AST, AST]:
        """Everything that stands in an f-string, with the outermost f-string it stands in."""
        found: dict[AST, AST] = {}
        if _FORMATTED.search(self.source.text):
            for string in ast.walk(self.root):
                if string.__class__.__name__ in ("JoinedStr", "TemplateStr") and string not in found:
                    found.update((inner, string) for inner in ast.walk(string) if inner is not string)
        return found


def _steps(nodes: list[CSTNode]) -> Iterator[tuple[CSTNode, CSTNode | None]]:
    """Each node with the one after it."""
    yield from zip(nodes, [*nodes[1:], None], strict=True)
