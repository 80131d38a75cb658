"""One file as two trees: Python's own, on which facts stand, and LibCST's, which rules and fixes see.

`ast.parse` reads the whole text, in C. LibCST is shown a piece of it, a top-level statement or a method of a class,
when somebody asks for the LibCST node of an `ast` node in there, and not before; `stretches` says where it is cut, and
`pieces` pairs the two trees. For who asks of nothing around it, a statement `alone` will do. Where this Python is too
old for a text, LibCST reads all of it and `lower` makes the `ast` tree.
"""

from __future__ import annotations

import ast
from ast import AST, expr, stmt
from bisect import bisect_right
from contextlib import contextmanager
from functools import cached_property
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Final

from torchperf_lint.syntax.layout import dedent
from torchperf_lint.syntax.source import Place, Source, Span, SyntaxFault, TooLargeFault
from torchperf_lint.syntax.stretches import Stretch, header, lone, stretches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from libcst import CSTNode

    from torchperf_lint.syntax.pieces import Piece

PLAIN: Final = (
    ast.Call, ast.Subscript, ast.Attribute, ast.Name, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp
)  # fmt: skip
"""Nodes that both trees let start and end at the same places."""

SHOWN_AT_MOST: Final = 800_000
"""So many characters are shown to LibCST: some five seconds. The most that a file of torch needs is 670,000."""

_PLACED: Final = (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.alias, ast.excepthandler, ast.pattern)
"""The kinds of nodes that know where they stand."""


class NotAlone(Exception):  # noqa: N818
    """A statement cannot be shown alone, or somebody asks for what is not part of it."""


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
        self._unclimbed: list[CSTNode] = []
        """The tops of the pieces of which nobody has asked what a node is part of."""
        self._pieces: dict[CSTNode, Piece] = {}
        self._owners: dict[CSTNode, AST] = {}
        """By the nodes on top of them, modules and methods that were shown alone; and the classes of those methods."""
        self.spent = 0.0
        """Which part of what LibCST may be shown it was shown."""
        self._seen: set[Stretch] = set()
        self._faults: dict[Stretch, SyntaxFault] = {}
        """The stretches that LibCST has read, and those that it refuses."""
        self._alone: dict[AST, CSTNode] | None = None
        """The nodes of the statement that is shown alone, as long as it is."""
        self._glances: dict[stmt, dict[AST, CSTNode] | None] = {}
        """The nodes of each statement that was shown alone; None where that cannot be."""
        self.fixing: set[str] = set()
        """The rules whose last finding had a fix: the next one is likely to have one, which needs more than its statement."""
        if whole is not None:
            self._take(whole, whole.lowered.pairs.items(), self._cst)
            self._seen.update(self._stretches)

    # From one tree to the other

    def cst(self, node: AST) -> CSTNode:
        """The LibCST node of a node; `SyntaxFault`, each time the same, where LibCST cannot read the statement it is in.

        Contexts, operators and the tuple of `x[a, b]` have none: `LookupError`.
        """
        if self._alone is not None:
            if node not in self._alone:
                raise NotAlone
            return self._alone[node]
        found = self._cst.get(node)
        if found is not None:
            return found
        if node is self.root:
            self._load_whole()
        for stretch in self._homes(node):
            self._load(stretch)
            if node in self._cst:
                break
        return self._cst[node]

    def ast(self, node: CSTNode) -> AST | None:
        """The `ast` node of a LibCST node that `cst` gave, or that stands near one; None for what has none."""
        return self._ast.get(node)

    @contextmanager
    def alone(self, statement: stmt) -> Iterator[None]:
        """Show LibCST one statement and no more, for a while; `NotAlone` where that cannot be, or more was shown.

        The nodes that it gives know, at any time, of nothing that the statement is part of: to ask for that is `NotAlone` too.
        """
        if statement in self._cst:
            raise NotAlone
        if statement not in self._glances:
            self._glances[statement] = self._glance(statement)
        self._alone = self._glances[statement]
        if self._alone is None:
            raise NotAlone
        try:
            yield
        finally:
            self._alone = None

    def _glance(self, statement: stmt) -> dict[AST, CSTNode] | None:
        """The nodes of a statement that is read alone, if it can be."""
        from torchperf_lint.syntax import pieces

        stretch = lone(self.source, statement)
        if stretch is None:
            return None
        try:
            piece, pairs = self._read(stretch, in_block=True)
        except (pieces.Mismatch, SyntaxFault):
            return None
        found: dict[AST, CSTNode] = {}
        self._take(piece, pairs, found)
        return found

    def _homes(self, node: AST) -> Iterator[Stretch]:
        """The stretch that a node stands in as far as its line tells, then the one that holds it."""
        if not self._stretches:
            return
        line = next((each.lineno for each in chain([node], ast.walk(node)) if isinstance(each, _PLACED)), 1)
        found = self._stretches[bisect_right(self._stretches, line, key=lambda stretch: stretch.first) - 1]
        yield found if found.around is None or line <= found.last else found.around
        # Up to Python 3.11 what stands in an f-string may have the line of something else.
        for stretch in reversed(self._stretches):
            if any(each is node for statement in stretch.statements for each in ast.walk(statement)):
                yield stretch
                return

    @cached_property
    def _stretches(self) -> list[Stretch]:
        return stretches(self.source, self.root)

    def _load(self, stretch: Stretch) -> None:
        """Show LibCST a stretch; where it does not read it as Python does, that and what is around it."""
        from torchperf_lint.syntax import pieces

        if stretch in self._faults:
            raise self._faults[stretch]
        if stretch in self._seen or stretch.around in self._seen:
            return
        try:
            self._show(stretch)
        except (pieces.Mismatch, SyntaxFault) as error:
            if stretch.around is not None:
                self._stretches.remove(stretch)
                self._load(stretch.around)
            elif isinstance(error, SyntaxFault):
                self._faults[stretch] = error
                raise
            else:
                self._load_whole()
        else:
            self._seen.add(stretch)

    def _show(self, stretch: Stretch) -> None:
        """Show LibCST a stretch, and keep what it sees."""
        piece, pairs = self._read(stretch, in_block=stretch.around is not None)
        self._take(piece, pairs, self._cst)
        if stretch.around is not None:
            (self._owners[piece.top],) = stretch.around.statements

    def _read(self, stretch: Stretch, *, in_block: bool) -> tuple[Piece, list[tuple[AST, CSTNode]]]:
        """A stretch as LibCST sees it, and its nodes in both trees."""
        from torchperf_lint.syntax import pieces

        starts = self.source.starts
        end = starts[stretch.last] if stretch.last < len(starts) else None
        length = (end if end is not None else len(self.source.text)) - starts[stretch.first - 1]
        self.spent += length / SHOWN_AT_MOST
        if self.spent > 1:
            raise TooLargeFault(f"fixes need more than {SHOWN_AT_MOST:,} characters of it")
        above = header(self.source, stretch) if in_block else ""
        piece = pieces.read(self.source, starts[stretch.first - 1], end, above)
        return piece, list(pieces.pair(stretch.statements, piece))

    def _load_whole(self) -> None:
        from torchperf_lint.syntax import pieces

        self._seen.update(self._stretches)
        piece = pieces.read(self.source)
        pairs = dict(pieces.pair(self.root.body, piece))
        self._take(piece, [(self.root, piece.module), *pairs.items()], self._cst)

    def _take(self, piece: Piece, pairs: Iterable[tuple[AST, CSTNode]], nodes: dict[AST, CSTNode]) -> None:
        """Keep a piece, its LibCST nodes among others."""
        self._pieces[piece.top] = piece
        self._unclimbed.append(piece.top)
        for parsed, node in pairs:
            nodes.setdefault(parsed, node)
            self._ast.setdefault(node, parsed)

    # Around a node

    def parent(self, node: CSTNode) -> CSTNode | None:
        """What a node of code is part of; None for a module, which holds one piece of the file or all of it."""
        above = self._above(node)
        if above is not node:
            return above
        owner = self._owners.get(node)
        if owner is not None:
            return self.cst(owner).body  # type: ignore[attr-defined, no-any-return]
        if self._pieces[node].header:  # it is no method, so it was shown alone
            raise NotAlone
        return None

    def body(self, block: CSTNode) -> list[CSTNode]:
        """The lines of a block, a method as `cst` gives it: one that was shown alone stands in its class once more."""
        lines: Sequence[CSTNode] = block.body  # type: ignore[attr-defined]
        known = [(line, self._ast.get(line)) for line in lines]
        return [line if parsed is None else self.cst(parsed) for line, parsed in known]

    def _above(self, node: CSTNode) -> CSTNode:
        """What a node is part of in its piece; the one on top is its own."""
        from torchperf_lint.syntax import pieces

        if node not in self._parents:
            for top in self._unclimbed:
                self._parents[top] = top
                self._parents.update(pieces.parents(top))
            self._unclimbed.clear()
        return self._parents[node]

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

        for each in chain([node], self.ancestors(node)):
            match each:
                case cst.If() if getattr(self.parent(each), "orelse", None) is each:
                    continue
                case cst.SimpleStatementLine() | cst.SimpleStatementSuite() | cst.BaseCompoundStatement():
                    return each
        raise LookupError(f"{type(node).__name__} is no statement and stands in none")

    def within(self, node: CSTNode) -> Iterator[CSTNode]:
        """What a part of a statement is part of in there, the nearest first."""
        statement = self.statement(node)
        return takewhile(lambda above: above is not statement, self.ancestors(node))

    # Where things stand

    def extent(self, node: CSTNode) -> tuple[int, int]:
        """Where a node starts and ends, as offsets in the text; an expression's own parentheses are left out."""
        top = node
        while top not in self._pieces:
            top = self._above(top)
        return self._pieces[top].extent(node)

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
        """Where a node of Python's tree starts; up to Python 3.11 not always true of what stands in an f-string."""
        for each in chain([node], ast.walk(node)):
            if isinstance(each, _PLACED):
                return Place(each.lineno, self.source.column(each.lineno, each.col_offset))
        return Place(1, 1)

    def plain_span(self, node: expr) -> Span:
        """The span of a node of a plain kind, told by Python's tree; as true as `place` of what stands in an f-string."""
        line = node.end_lineno or node.lineno
        return Span(self.place(node), Place(line, self.source.column(line, node.end_col_offset or 0)))
