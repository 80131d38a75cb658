"""The lines of a file as fixes need them: where statements begin and end on them, and how they are indented."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias, TypeGuard

import libcst as cst

from torchperf_lint.fixes.changes import Anchor
from torchperf_lint.syntax.layout import indent
from torchperf_lint.syntax.scan import Kind, scan

if TYPE_CHECKING:
    from torchperf_lint.syntax.tree import Tree

_DOUBLE: Final = re.compile(r"\"[^'\"\\\r\n]*\"")
_NEWLINE: Final = re.compile(r"\r\n|\r|\n")
_REST: Final = re.compile(r"[^\r\n#]*")
_ROOM: Final = 120
"""Characters that a line has even where all of a file are shorter."""
_BLANKS: Final = re.compile(r"[ \t]*")
_SMALL: Final = (
    ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise, ast.Pass, ast.Break, ast.Continue,
    ast.Delete, ast.Assert, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom,
)  # fmt: skip

Shared: TypeAlias = "cst.SimpleStatementLine | cst.SimpleStatementSuite"
"""What small statements share a line in."""


def is_shared(node: object) -> TypeGuard[Shared]:
    return isinstance(node, cst.SimpleStatementLine | cst.SimpleStatementSuite)


class Lines:
    """The layout of one file."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.text = tree.source.text
        self.newline, self.level = tree.source.newline, tree.source.level

    def start(self, offset: int) -> int:
        """The start of the line of an offset."""
        return self.tree.source.starts[self.tree.source.place(offset).line - 1]

    def end(self, offset: int) -> int:
        """The end of the line of an offset, with its newline, and with the lines that a backslash joins to it."""
        source = self.tree.source
        line = source.place(offset).line
        while source.line(line).endswith("\\"):
            line += 1
        return source.starts[line] if line < len(source.starts) else len(self.text)

    def indent(self, offset: int) -> str:
        """The blanks that the line of an offset starts with."""
        blanks = _BLANKS.match(self.text, self.start(offset))
        assert blanks is not None
        return blanks[0]

    def begin(self, statement: cst.CSTNode) -> int:
        """Where a statement starts, with its decorators."""
        decorators = getattr(statement, "decorators", ())
        return self.tree.extent(decorators[0] if decorators else statement)[0]

    def anchor(self, node: cst.CSTNode) -> Anchor:
        """The line on which the statement of a node begins; one-line suites do not begin on a line."""
        statement = self.tree.statement(node)
        while isinstance(statement, cst.SimpleStatementSuite):
            above = self.tree.parent(statement)
            assert above is not None
            statement = self.tree.statement(above)
        begin = self.begin(statement)
        return Anchor(self.start(begin), self.indent(begin))

    def behind(self, statement: cst.CSTNode) -> int:
        """Where the lines of a statement end, with the comments that stand deeper than it right below."""
        end = self.end(self.tree.extent(statement)[1])
        if not isinstance(statement, cst.BaseCompoundStatement):
            return end
        width = len(self.indent(self.begin(statement)))
        while end < len(self.text):
            blanks = self.indent(end)
            if len(blanks) <= width or not self.text.startswith("#", end + len(blanks)):
                break
            end = self.end(end)
        return end

    def inner_indent(self, suite: cst.SimpleStatementSuite) -> str:
        """The indentation of a one-line suite, were it a block."""
        header = self.tree.parent(suite)
        assert header is not None
        return self.indent(self.tree.extent(header)[0]) + self.level

    def separator(self, shared: Shared, index: int) -> tuple[int, int]:
        """What stands between a small statement and what comes before it on the line: another one, or a colon."""
        start = self.tree.extent(shared.body[index])[0]
        if index:
            return self.tree.extent(shared.body[index - 1])[1], start
        end = start
        while end and self.text[end - 1] in " \t\f\\\r\n":
            end -= 1
        return end, start

    def written(self, content: str, indentation: str) -> str:
        """Code of a rule, as this file writes it, but for the indentation of its first line."""
        content = self._quoted(content.strip("\r\n"))
        return _NEWLINE.sub(self.newline, indent(content, indentation, self.level))

    def _quoted(self, content: str) -> str:
        """Code in which strings that the file does not hold have the quotes that it has most."""
        if '"' not in content or not self.tree.source.is_in_single_quotes:
            return content
        made, at = "", 0
        for kind, start, end in scan(content):
            string = content[start:end]
            if kind is Kind.STRING and _DOUBLE.fullmatch(string) and string not in self.text:
                made, at = f"{made}{content[at:start]}'{string[1:-1]}'", end
        return made + content[at:]

    def spread(self, content: str, node: cst.CSTNode, indentation: str) -> str:
        """A call that would make its line the longest of the file, taken apart at its brackets as a formatter does."""
        start, end = self.tree.extent(node)
        rest = _REST.match(self.text, end)
        assert rest is not None
        if "\n" in content or start - self.start(start) + len(content) + len(rest[0]) <= self.room:
            return content
        if any(isinstance(above, cst.FormattedStringExpression) for above in self.tree.within(node)):
            return content
        call = _call(content)
        before = self.text[self.start(start) : start]
        if call is None or any(before.count(one) != before.count(other) for one, other in ("()", "[]", "{}")):
            return content  # Ex) f(g(x), y): a formatter begins with the outer brackets
        code = cst.Module([]).code_for_node
        opened = len(code(call.func)) + 1
        if len(before) + opened > self.room:
            return content
        inner = content[opened:-1].strip()
        if len(indentation) + len(self.level) + len(inner) > self.room:
            inner = "\n    ".join(code(each.with_changes(comma=cst.Comma())) for each in call.args)
        return f"{content[:opened]}\n    {inner}\n)"

    @property
    def room(self) -> int:
        """How long a line may become."""
        return max(_ROOM, self.tree.source.longest)


def _call(content: str) -> cst.Call | None:
    """Code as a call of a name, if it is one that may be taken apart."""
    try:
        call = cst.parse_expression(content)
    except cst.ParserSyntaxError:
        return None
    if not isinstance(call, cst.Call) or not call.args or isinstance(call.args[0].value, cst.GeneratorExp):
        return None
    func = call.func
    while isinstance(func, cst.Attribute):
        func = func.value
    return call if isinstance(func, cst.Name) else None


def fits_on_a_line(content: str) -> bool:
    """Whether code can stand on a line with other statements."""
    try:
        body = ast.parse(content).body
    except SyntaxError:
        return False
    joined = all(left.end_lineno == right.lineno for left, right in pairwise(body))
    return joined and all(isinstance(statement, _SMALL) for statement in body)
