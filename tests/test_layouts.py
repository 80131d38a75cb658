"""However a program is laid out, its fixes make the same of it.

Every section of a fixture that a fix changes is written in other ways that Python reads as the same program: suites on
one line, statements that share a line, arguments one a line, comments on every line, tabs, other newlines. Then it is
put deeper: under a `with`, into a function. What the fixes make of it must be the same tree as before, and hold each comment.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Callable
from functools import reduce

import libcst as cst
import pytest
from fixture import Fixture, Section, fixtures
from for_each import for_each_section
from linted import fixed

from torchperf_lint.rule import all_rules

pytestmark = pytest.mark.slow

CODES = {rule.name: rule.code for rule in all_rules()}
MARGIN = cst.ParenthesizedWhitespace(indent=True, last_line=cst.SimpleWhitespace("    "))
Layout = Callable[[str], str]


# ---- the same program, written in other ways


def has_comment(line: cst.BaseStatement) -> bool:
    behind = isinstance(line, cst.SimpleStatementLine) and line.trailing_whitespace.comment
    return bool(behind) or any(above.comment for above in getattr(line, "leading_lines", ()))


def in_a_row(lines: list[cst.SimpleStatementLine]) -> list[cst.BaseSmallStatement]:
    return [small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT) for line in lines for small in line.body]


# ruff: noqa: N802
class OneLineSuites(cst.CSTTransformer):
    def leave_IndentedBlock(self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock) -> cst.BaseSuite:
        lines = [line for line in updated_node.body if isinstance(line, cst.SimpleStatementLine)]
        is_bare = not updated_node.header.comment and not any(each.comment for each in updated_node.footer)
        if is_bare and len(lines) == len(updated_node.body) and not any(map(has_comment, lines)):
            return cst.SimpleStatementSuite(in_a_row(lines))
        return updated_node


class SharedLines(cst.CSTTransformer):
    def leave_IndentedBlock(self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock) -> cst.BaseSuite:
        lines: list[cst.BaseStatement] = []
        for line in updated_node.body:
            last = lines[-1] if lines else None
            are_simple = isinstance(line, cst.SimpleStatementLine) and isinstance(last, cst.SimpleStatementLine)
            if are_simple and not has_comment(line) and not last.trailing_whitespace.comment:
                lines[-1] = last.with_changes(body=in_a_row([last, line]))
            else:
                lines.append(line)
        return updated_node.with_changes(body=lines)


class SpreadArguments(cst.CSTTransformer):
    def visit_FormattedString(self, node: cst.FormattedString) -> bool:
        return False

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        args = updated_node.args
        if not args or isinstance(args[0].value, cst.GeneratorExp):
            return updated_node
        spread = [each.with_changes(comma=cst.Comma(whitespace_after=MARGIN)) for each in args[:-1]]
        last = args[-1].with_changes(comma=cst.Comma(whitespace_after=cst.ParenthesizedWhitespace(indent=True)))
        return updated_node.with_changes(args=[*spread, last], whitespace_before_args=MARGIN)


class Comments(cst.CSTTransformer):
    count = 0

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        if not isinstance(updated_node, cst.SimpleStatementLine | cst.For | cst.With | cst.FunctionDef):
            return updated_node
        self.count += 1
        above = cst.EmptyLine(comment=cst.Comment(f"# above {self.count}"))
        if isinstance(updated_node, cst.SimpleStatementLine) and not updated_node.trailing_whitespace.comment:
            comment = cst.Comment(f"# behind {self.count}")
            behind = cst.TrailingWhitespace(whitespace=cst.SimpleWhitespace("  "), comment=comment)
            updated_node = updated_node.with_changes(trailing_whitespace=behind)
        return updated_node.with_changes(leading_lines=[*updated_node.leading_lines, above])


def with_tabs(text: str) -> str:
    lines = [(len(line) - len(line.lstrip(" ")), line) for line in text.split("\n")]
    return "\n".join("\t" * (blanks // 4) + " " * (blanks % 4) + line[blanks:] for blanks, line in lines)


def through(transformer: type[cst.CSTTransformer]) -> Layout:
    return lambda text: cst.parse_module(text).visit(transformer()).code


def windows(text: str) -> str:
    return text.replace("\n", "\r\n")


LAYOUTS: dict[str, tuple[Layout, ...]] = {
    "one-line suites, windows": (through(OneLineSuites), windows),
    "shared lines, tabs": (through(SharedLines), with_tabs),
    "spread arguments, comments": (through(SpreadArguments), through(Comments)),
}
"""Two at a time, where neither is in the other's way."""
LEFT_ALONE = {("TPL307", "one-line suites, windows"), ("TPL307", "shared lines, tabs")}
"""A `with` whose end would fall into the middle of a line is shown without a fix."""


def tree(text: str) -> str:
    return ast.dump(ast.parse(text))


def comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text, newline=None).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


FIXED = [fixture for fixture in fixtures() if fixture.fixed.exists()]
MENDED = ("doc", "case")


@for_each_section(FIXED)
def test_fixes_do_not_depend_on_the_layout(fixture: Fixture, section: Section) -> None:
    if section.kind not in MENDED:
        return
    code, written = CODES[fixture.name], section.closed_up
    codes = frozenset({code})
    expected = tree(fixed(section, codes, text=written).text)
    if expected == tree(written):
        return
    for name, layouts in LAYOUTS.items():
        text = reduce(lambda text, layout: layout(text), layouts, written)
        assert tree(text) == tree(written)
        found = fixed(section, codes, text=text)
        assert not found.failures, (name, [each.reason for each in found.failures])
        assert comments(text) == comments(found.text), name
        assert tree(found.text) == expected or (code, name) in LEFT_ALONE, name


# ---- the same program, further in


def put_under(head: str, text: str) -> str:
    """All but the imports at the top of a program under one more line."""
    lines = text.split("\n")
    first = next(
        statement.lineno - len(getattr(statement, "decorator_list", ())) - 1
        for statement in ast.parse(text).body
        if not isinstance(statement, ast.Import | ast.ImportFrom)
    )
    return "\n".join([*lines[:first], head, *(f"    {line}" if line.strip() else "" for line in lines[first:])])


@for_each_section(FIXED)
def test_fixes_do_not_depend_on_the_depth(fixture: Fixture, section: Section) -> None:
    """In a function, and there under a `with`."""
    if section.kind not in MENDED or "__main__" in section.text or "os.environ" in section.text:
        return  # what runs when a script starts is told by standing at its top
    codes = frozenset({CODES[fixture.name]})
    expected = fixed(section, codes, text=section.closed_up).text
    found = fixed(section, codes, text=deeper(section.closed_up))
    assert not found.failures, [each.reason for each in found.failures]
    assert tree(found.text) == tree(deeper(expected))


def deeper(text: str) -> str:
    defined = (each.name for each in ast.parse(text).body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    given = f"\n    return [{', '.join(defined)}]\n"  # what is said nowhere would not run
    return put_under("def outer():", put_under('with open("log") as log:', text)) + given
