"""Making imports true: nothing where they are, into a line of the same module where there is one, else a new line.

Only imports at the top level of the file count: others may not have run. Works on Python's own tree.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeGuard

from torchperf_lint.fixes.changes import Anchor, Change
from torchperf_lint.syntax.scan import Kind, scan
from torchperf_lint.syntax.source import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torchperf_lint.fixes.lines import Lines
    from torchperf_lint.model.finding import AddImport

_OPENING = (ast.Import, ast.ImportFrom, ast.Expr, ast.Assign, ast.AnnAssign, ast.If, ast.Try)
"""What may stand between the imports at the top of a file; the first of other statements ends them."""


def changes(edits: Sequence[AddImport], lines: Lines) -> Iterator[Change]:
    """The changes that make all imports of a fix true."""
    body = lines.tree.root.body
    missing = [edit for edit in dict.fromkeys(edits) if not _is_there(edit, body)]
    for module in dict.fromkeys(edit.module for edit in missing):
        wanted = [edit for edit in missing if edit.module == module]
        names = [edit.name for edit in wanted if edit.name is not None]
        line = next((each for each in body if _takes(each, module)), None)
        if len(names) < len(wanted):
            yield _new_line(f"import {module}", wanted[0], lines)
        if names and line is not None:
            yield _longer(line, names, wanted[0], lines)
        elif names:
            yield _new_line(f"from {module} import {', '.join(names)}", wanted[0], lines)


def _is_there(edit: AddImport, body: Sequence[ast.stmt]) -> bool:
    """Whether the file has what is asked for; `import torch.nn as nn` is as good as `from torch import nn`."""
    return any(_binds(statement, edit) for statement in body)


def _binds(statement: ast.stmt, edit: AddImport) -> bool:
    match statement:
        case ast.Import(names=names) if edit.name is None:
            return any(
                f"{alias.name}.".startswith(f"{edit.module}.") if alias.asname is None
                else alias.name == alias.asname == edit.module
                for alias in names
            )  # fmt: skip
        case ast.Import(names=names):
            return any(alias.name == f"{edit.module}.{edit.name}" and alias.asname == edit.name for alias in names)
        case ast.ImportFrom(module=edit.module, level=0, names=names):
            return any(alias.name == edit.name and alias.asname in (None, edit.name) for alias in names)
        case _:
            return False


def _takes(statement: ast.stmt, module: str) -> TypeGuard[ast.ImportFrom]:
    """Whether a statement is an import from a module to which names can be added."""
    match statement:
        case ast.ImportFrom(module=name, level=0, names=names):
            return name == module and all(alias.name != "*" for alias in names)
        case _:
            return False


def _longer(statement: ast.ImportFrom, names: Sequence[str], edit: AddImport, lines: Lines) -> Change:
    """More names in an import, in the way its own are written: one line each, or one after the other."""
    text, final = lines.text, statement.names[-1]
    start, end, closing = _start(final, lines), _end(final, lines), _end(statement, lines)
    anchor = Anchor(lines.start(start), lines.indent(start))
    if text[closing - 1] != ")" or text[anchor.offset : start].strip():
        return Change(end, end, "".join(f", {name}" for name in names), edit, anchor)
    comma = next((after for kind, _, after in scan(text[end:closing]) if kind is Kind.COMMA), None)
    behind = lines.end(end)
    if comma is None or behind >= closing:
        return Change(end, end, "".join(f",{lines.newline}{anchor.indent}{name}" for name in names), edit, anchor)
    return Change(behind, behind, "".join(f"{anchor.indent}{name},{lines.newline}" for name in names), edit, anchor)


def _start(node: ast.alias, lines: Lines) -> int:
    source = lines.tree.source
    return source.offset(Place(node.lineno, source.column(node.lineno, node.col_offset)))


def _end(node: ast.alias | ast.stmt, lines: Lines) -> int:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    source = lines.tree.source
    return source.offset(Place(node.end_lineno, source.column(node.end_lineno, node.end_col_offset)))


def _new_line(code: str, edit: AddImport, lines: Lines) -> Change:
    """An import of its own: behind the last one at the top of the file, else behind the docstring, else at the top."""
    body, newline = lines.tree.root.body, lines.newline
    last: ast.stmt | None = None
    for statement in body:
        if not isinstance(statement, _OPENING):
            break
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            last = statement
    docstring = body[0] if body and _is_docstring(body[0]) else None
    above = last or docstring
    at = lines.end(_end(above, lines)) if above is not None else _behind_head(lines)
    before = newline if last is None and docstring is not None else ""
    after = "" if last is not None or _is_blank(lines, at) else newline
    content = f"{before}{code}{newline}{after}"
    if not lines.text.endswith(("\n", "\r"), 0, at) and at:
        content = f"{newline}{before}{code}"
    return Change(at, at, content, edit, Anchor(at, ""), behind=True)


def _is_docstring(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case _:
            return False


def _behind_head(lines: Lines) -> int:
    """Behind the comments that a file starts with: a shebang, the encoding, a licence."""
    at = 0
    while lines.text.startswith("#", at):
        at = lines.end(at)
    return at


def _is_blank(lines: Lines, at: int) -> bool:
    return at >= len(lines.text) or not lines.text[at : lines.end(at)].strip()
