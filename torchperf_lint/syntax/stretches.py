"""The stretches of a text that LibCST is shown one at a time: top-level statements, each method of their classes, or less.

A stretch has whole lines, with the lines above it back to the statement before. The methods of a class are cut out of
it, for a class may have a thousand lines of which one is asked for. Knows nothing of LibCST's trees.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchperf_lint.syntax.scan import Kind, scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.syntax.source import Source


@dataclass(eq=False, slots=True)
class Stretch:
    """Statements that share lines, with those lines and what stands above them."""

    first: int
    last: int
    statements: list[ast.stmt]
    around: Stretch | None = None
    """The class, where this is a method of one."""


def stretches(source: Source, root: ast.Module) -> list[Stretch]:
    """All stretches of a text by their first lines; a class stands in front of its methods, which are part of it."""
    found: list[Stretch] = []
    for stretch in _cut(source, root.body, 0):
        found.append(stretch)
        found += _methods(source, stretch)
    return found


def header(source: Source, stretch: Stretch) -> str:
    """What a stretch that is part of a block needs above it to be read by itself."""
    start = source.starts[stretch.first - 1]
    return "class _:" + ("\r\n" if source.text.endswith("\r\n", 0, start) else source.text[start - 1])


def lone(source: Source, statement: ast.stmt) -> Stretch | None:
    """The stretch of a statement inside of another; None for functions and classes, and where it shares a line with something."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return None
    first, last = statement.lineno, statement.end_lineno or statement.lineno
    before = source.line(first)[: statement.col_offset]
    behind = source.line(last)[source.column(last, statement.end_col_offset or 0) - 1 :].lstrip()
    is_lone = before.isspace() and (not behind or behind.startswith("#"))
    return Stretch(first, last, [statement]) if is_lone else None


def _cut(source: Source, body: list[ast.stmt], end: int) -> list[Stretch]:
    """The statements of a block that begins below a line."""
    found: list[Stretch] = []
    for statement in body:
        first = min(each.lineno for each in (statement, *getattr(statement, "decorator_list", ())))
        last = statement.end_lineno or first
        while source.line(last).endswith("\\"):
            last += 1
        if found and first <= end:
            found[-1].last = max(end, last)
            found[-1].statements.append(statement)
        else:
            found.append(Stretch(end + 1, last, [statement]))
        end = found[-1].last
    return found


def _methods(source: Source, around: Stretch) -> Iterator[Stretch]:
    """The methods of a class, where that has any."""
    match around.statements:
        case [ast.ClassDef() as owner]:
            for stretch in _cut(source, owner.body, _header_end(source, owner)):
                match stretch.statements:
                    case [ast.FunctionDef() | ast.AsyncFunctionDef() as method]:
                        last = _below(source, method, range(stretch.last + 1, around.last + 1))
                        yield Stretch(stretch.first, last, [method], around)


def _header_end(source: Source, owner: ast.ClassDef) -> int:
    """The line on which the colon stands behind which the block of a class begins."""
    start, depth = source.starts[owner.lineno - 1], 0
    for kind, _, end in scan(source.text[start : source.starts[owner.body[0].lineno - 1]]):
        if kind is Kind.LINE and not depth:
            return source.place(start + end).line - 1
        depth += (kind is Kind.OPEN) - (kind is Kind.CLOSE)
    return owner.lineno


def _below(source: Source, method: ast.stmt, lines: range) -> int:
    """The last of the comments below a method that stand deeper than it: LibCST gives them to the blocks in there."""
    indent, last = source.line(method.lineno)[: method.col_offset], lines.start - 1
    for number in lines:
        blanks, sign, _ = source.line(number).partition("#")
        if blanks.strip(" \t") or (sign and not (len(blanks) > len(indent) and blanks.startswith(indent))):
            break
        if sign:
            last = number
    return last
