"""Taking statements and arguments away, so that what is left is as one would have written it.

Several removals of one fix are looked at together: whether a block is emptied, and which comma goes, depends on all
of them.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Final

import libcst as cst

from torchperf_lint.fixes.changes import BadEdit, Change
from torchperf_lint.fixes.lines import Lines, Shared, is_shared
from torchperf_lint.syntax.scan import Kind, scan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from torchperf_lint.model.finding import Remove

_BLANK: Final = re.compile(r"[ \t]*(?:\r\n|\r|\n)")
ASKING: Final = frozenset(("is_available", "isinstance", "issubclass", "hasattr", "getattr", "callable", "len", "bool"))
"""What a condition may call and still do nothing but ask."""


def changes(edits: Sequence[Remove], lines: Lines, filled: Collection[cst.CSTNode]) -> Iterator[Change]:
    """The changes of all removals of a fix; blocks in `filled` get new statements and need no `pass`."""
    tree = lines.tree
    gone = {edit.node: edit for edit in edits}
    holders: dict[cst.CSTNode, None] = {}
    for edit in edits:
        above = tree.parent(edit.node)
        if isinstance(edit.node, cst.Arg) and isinstance(above, (cst.Call, cst.ClassDef)):
            holders[above] = None
        elif isinstance(edit.node, cst.BaseSmallStatement) and is_shared(above):
            holders[above] = None
            if all(small in gone for small in above.body):
                gone[above] = edit
        elif not isinstance(edit.node, (cst.SimpleStatementLine, cst.BaseCompoundStatement, cst.SimpleStatementSuite)):
            raise BadEdit(f"Remove takes statements and arguments, not a {type(edit.node).__name__}")
    for holder in holders:
        if is_shared(holder):
            if holder not in gone:
                yield from _small_statements(holder, gone, lines)
        else:
            yield from _arguments(holder, gone, lines)
    _with_conditions(gone, lines, filled)
    yield from _statements(gone, lines, filled)


def _with_conditions(gone: dict[cst.CSTNode, Remove], lines: Lines, filled: Collection[cst.CSTNode]) -> None:
    """Where all of an `if` goes, and its condition does nothing by itself, the `if` goes with it."""
    todo = list(gone)
    while todo:
        node = todo.pop()
        block = node if isinstance(node, cst.SimpleStatementSuite) else lines.tree.parent(node)
        above = lines.tree.parent(block) if block is not None else None
        if node not in gone or not isinstance(above, cst.If) or above.body is not block or block in filled:
            continue
        if block is not node and len(block.body) > len(gone):
            continue
        statements = [block] if block is node else lines.tree.body(block)
        if all(each in gone for each in statements) and _is_needless(above, lines):
            gone[above] = gone[node]
            for each in statements:
                del gone[each]
            todo.append(above)


def _is_needless(condition: cst.If, lines: Lines) -> bool:
    """Whether an `if` has no other branch, is none itself, holds no comment, and asks without doing anything."""
    start, end = lines.tree.extent(condition)
    has_comment = any(kind is Kind.COMMENT for kind, _, _ in scan(lines.text[start : lines.end(end)]))
    has_comment |= any(line.comment is not None for line in getattr(condition.body, "footer", ()))
    is_branch = isinstance(lines.tree.parent(condition), cst.If)
    return condition.orelse is None and not is_branch and not has_comment and _only_asks(condition.test)


def _only_asks(test: cst.CSTNode) -> bool:
    """Whether an expression calls nothing but what is known to have no effect."""
    match test:
        case cst.Call(func=cst.Name(name) | cst.Attribute(attr=cst.Name(name))) if name not in ASKING:
            return False
        case cst.NamedExpr() | cst.Await() | cst.Yield():
            return False
    return all(_only_asks(child) for child in test.children)


def _arguments(call: cst.CSTNode, gone: dict[cst.CSTNode, Remove], lines: Lines) -> Iterator[Change]:
    """Arguments in a row go up to the next that stays; the last ones go from the end of the one that stays."""
    assert isinstance(call, (cst.Call, cst.ClassDef))
    args = call.args if isinstance(call, cst.Call) else (*call.bases, *call.keywords)
    extent = lines.tree.extent
    for run in _runs(args, gone):
        first, last = args[run[0]], args[run[-1]]
        if run[-1] + 1 < len(args):
            start, end = extent(first)[0], extent(args[run[-1] + 1])[0]
        elif run[0]:
            start, end = extent(args[run[0] - 1])[1], extent(last)[1]
        else:
            before = extent(call.func if isinstance(call, cst.Call) else call.name)[1]
            start, end = _brackets(lines.text, before, extent(first)[0], extent(last)[1])
        yield Change(start, end, "", gone[first], lines.anchor(first))


def _brackets(text: str, before: int, first: int, last: int) -> tuple[int, int]:
    """The inside of the brackets around arguments, from behind what is called to their own closing one."""
    opened: list[int] = []
    for kind, _, end in scan(text[before:first]):
        if kind is Kind.OPEN:
            opened.append(before + end)
        elif kind is Kind.CLOSE and opened:
            opened.pop()
    closed = next(start for kind, start, _ in scan(text[last:]) if kind is Kind.CLOSE)
    return opened[-1], last + closed


def _small_statements(shared: Shared, gone: dict[cst.CSTNode, Remove], lines: Lines) -> Iterator[Change]:
    """Statements of a line of which others stay, with the semicolons that they no longer need."""
    extent, body = lines.tree.extent, shared.body
    for run in _runs(body, gone):
        first, last = body[run[0]], body[run[-1]]
        if run[-1] + 1 < len(body):
            start, end = extent(first)[0], extent(body[run[-1] + 1])[0]
        else:
            start, end = extent(body[run[0] - 1])[1], extent(last)[1]
        yield Change(start, end, "", gone[first], lines.anchor(first))


def _runs(nodes: Sequence[cst.CSTNode], gone: dict[cst.CSTNode, Remove]) -> Iterator[list[int]]:
    """The places of those that go, those next to each other together."""
    for going, run in groupby(range(len(nodes)), key=lambda index: nodes[index] in gone):
        if going:
            yield list(run)


def _statements(gone: dict[cst.CSTNode, Remove], lines: Lines, filled: Collection[cst.CSTNode]) -> Iterator[Change]:
    """Statements with their lines; the first of a block that is emptied becomes `pass`."""
    for node, edit in gone.items():
        if isinstance(node, (cst.Arg, cst.BaseSmallStatement)):
            continue
        begin, end = lines.begin(node), lines.tree.extent(node)[1]
        anchor = lines.anchor(node)
        if isinstance(node, cst.SimpleStatementSuite) or _leads_an_empty_block(node, gone, lines, filled):
            yield Change(begin, end, "pass", edit, anchor)
        else:
            behind = lines.end(end)
            is_filled = lines.tree.parent(node) in filled
            yield Change(anchor.offset, behind if is_filled else _past_blank(node, behind, lines), "", edit, anchor)


def _past_blank(node: cst.CSTNode, behind: int, lines: Lines) -> int:
    """The start of what stays behind a statement: an empty line goes with it inside of a block, where one stands in front too."""
    begin = lines.anchor(node).offset
    is_inner = isinstance(lines.tree.parent(node), cst.IndentedBlock)
    if not is_inner or not _BLANK.fullmatch(lines.text, lines.start(max(begin - 1, 0)), begin):
        return behind
    blank = _BLANK.match(lines.text, behind)
    return behind if blank is None else blank.end()


def _leads_an_empty_block(
    node: cst.CSTNode, gone: dict[cst.CSTNode, Remove], lines: Lines, filled: Collection[cst.CSTNode]
) -> bool:
    block = lines.tree.parent(node)
    if not isinstance(block, cst.IndentedBlock) or block in filled:
        return False
    if len(block.body) > len(gone):
        return False  # most blocks: not each statement is looked at for each that goes
    body = lines.tree.body(block)
    return body[0] is node and all(statement in gone for statement in body)
