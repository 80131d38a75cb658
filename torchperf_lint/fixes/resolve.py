"""A fix as a rule writes it, on nodes -> the same fix on text.

What a rule writes is code without the indentation of its place, with four blanks for each level inside of it. It gets
the indentation of the statement it belongs to, the file's own width of a level and the file's newlines; the lines of
strings stay as they are. Statements that share a line are taken apart where lines go between them:

    if done: log(x); stop()        InsertBefore(stop(), "flush()")        if done:
                                                                              log(x)
                                                                              flush()
                                                                              stop()

Comments are never lost: see `changes`. Knows nothing of rules, and applies nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import libcst as cst

from torchperf_lint.fixes import imports, removals
from torchperf_lint.fixes.changes import Anchor, BadEdit, Change, settle
from torchperf_lint.fixes.lines import Lines, Shared, fits_on_a_line, is_shared
from torchperf_lint.model.finding import AddImport, Edit, Fix, InsertAfter, InsertBefore, Remove, Replace, TextEdit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.syntax.tree import Tree

__all__ = ["BadEdit", "resolve"]

_COMMENT: Final = re.compile(r"[ \t]*(#[^\r\n]*)")


def resolve(fix: Fix[Edit], tree: Tree) -> Fix[TextEdit]:
    """The fix on text; raises `BadEdit` where its edits cannot be done, or not together."""
    lines = Lines(tree)
    resolver = _Resolver(lines)
    for edit in fix.edits:
        resolver.add(edit)
    return Fix(fix.title, settle(list(resolver.changes()), tree.source, lines.newline), fix.safety)


@dataclass(slots=True)
class _Gap:
    """Where a shared line is taken apart, and what goes in between."""

    indent: str
    edit: Edit
    anchor: Anchor
    behind: list[str] = field(default_factory=list)
    front: list[str] = field(default_factory=list)


class _Resolver:
    """The edits of one fix."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.tree = lines.tree
        self.made: list[Change] = []
        self.gaps: dict[tuple[int, int], _Gap] = {}
        self.removed: list[Remove] = []
        self.imported: list[AddImport] = []
        self.filled: set[cst.CSTNode] = set()
        """Blocks that get a statement."""

    def add(self, edit: Edit) -> None:
        match edit:
            case Replace():
                self._replace(edit)
            case InsertBefore():
                self._insert_before(edit)
            case InsertAfter():
                self._insert_after(edit)
            case Remove():
                self.removed.append(edit)
            case AddImport():
                self.imported.append(edit)

    def changes(self) -> Iterator[Change]:
        yield from self.made
        yield from removals.changes(self.removed, self.lines, self.filled)
        yield from imports.changes(self.imported, self.lines)
        for (start, end), gap in self.gaps.items():
            turn = self.lines.newline + gap.indent
            content = turn + "".join(block + turn for block in (*gap.behind, *gap.front))
            yield Change(start, end, content, gap.edit, gap.anchor)

    def _replace(self, edit: Replace) -> None:
        node, anchor = edit.node, self.lines.anchor(edit.node)
        indent = anchor.indent
        shared = node if isinstance(node, cst.SimpleStatementSuite) else self.tree.parent(node)
        if is_shared(shared) and self._shares_its_line(shared) and not fits_on_a_line(edit.content):
            first, last = (0, len(shared.body) - 1) if node is shared else (shared.body.index(node),) * 2
            if first or isinstance(shared, cst.SimpleStatementSuite):
                indent = self._gap(shared, first, edit).indent
            if last + 1 < len(shared.body):
                self._gap(shared, last + 1, edit)
        start, end = self.tree.extent(node)
        content = edit.content if isinstance(node, cst.BaseStatement) else self.lines.spread(edit.content, node, indent)
        content = self._without_what_stays(self.lines.written(content, indent), end)
        self.made.append(Change(start, end, content, edit, anchor))

    def _without_what_stays(self, content: str, end: int) -> str:
        """Content without the comment at its end that stands in the text behind what is replaced, and stays there."""
        comment = _COMMENT.match(self.lines.text, end)
        if comment is None or not content.endswith(comment[1]):
            return content
        return content.removesuffix(comment[1]).rstrip(" \t")

    def _shares_its_line(self, shared: Shared) -> bool:
        return isinstance(shared, cst.SimpleStatementSuite) or len(shared.body) > 1

    def _insert_before(self, edit: InsertBefore) -> None:
        statement, index = self._place(edit.node, last=False)
        if is_shared(statement) and (index or isinstance(statement, cst.SimpleStatementSuite)):
            gap = self._gap(statement, index, edit)
            gap.front.append(self.lines.written(edit.content, gap.indent))
            return
        self._fill(statement)
        anchor = self.lines.anchor(statement)
        content = anchor.indent + self.lines.written(edit.content, anchor.indent) + self.lines.newline
        self.made.append(Change(anchor.offset, anchor.offset, content, edit, anchor))

    def _insert_after(self, edit: InsertAfter) -> None:
        statement, index = self._place(edit.node, last=True)
        if is_shared(statement) and index + 1 < len(statement.body):
            gap = self._gap(statement, index + 1, edit)
            gap.behind.append(self.lines.written(edit.content, gap.indent))
            return
        anchor = self.lines.anchor(statement)
        indent = anchor.indent
        if isinstance(statement, cst.SimpleStatementSuite):
            indent = self._gap(statement, 0, edit).indent
        self._fill(statement)
        text, at, newline = self.lines.text, self.lines.behind(statement), self.lines.newline
        content = indent + self.lines.written(edit.content, indent)
        content = content + newline if text.endswith(("\n", "\r"), 0, at) else newline + content
        self.made.append(Change(at, at, content, edit, anchor, behind=True))

    def _place(self, node: cst.CSTNode, *, last: bool) -> tuple[cst.CSTNode, int]:
        """The statement of a node; and in a line that statements share, which of them it is."""
        statement = self.tree.statement(node)
        if not is_shared(statement):
            return statement, 0
        if node is statement:
            return statement, len(statement.body) - 1 if last else 0
        within = {node, *self.tree.within(node)}
        return statement, next(index for index, small in enumerate(statement.body) if small in within)

    def _fill(self, statement: cst.CSTNode) -> None:
        block = self.tree.parent(statement)
        if block is not None:
            self.filled.add(block)

    def _gap(self, shared: Shared, index: int, edit: Edit) -> _Gap:
        """Take a shared line apart in front of a small statement; a one-line suite behind its colon as well."""
        anchor = self.lines.anchor(shared)
        indent = anchor.indent
        if isinstance(shared, cst.SimpleStatementSuite):
            indent = self.lines.inner_indent(shared)
            if index:
                self._gap(shared, 0, edit)
        return self.gaps.setdefault(self.lines.separator(shared, index), _Gap(indent, edit, anchor))
