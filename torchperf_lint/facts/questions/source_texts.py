"""Questions about the text: what stands in the file, and how a cure can be written with the names it has."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

import libcst as cst

from torchperf_lint.facts.index import names, visible_names
from torchperf_lint.syntax import call_syntax as call_syntax
from torchperf_lint.syntax import layout, texts
from torchperf_lint.syntax.tree import PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torchperf_lint.syntax.source import Span

from torchperf_lint.facts.questions.base import Base

_TIGHT: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Dict)
"""Expressions that need no parentheses next to an operator or a dot."""


class TextQuestions(Base):
    """Questions about the text: what stands in the file, and how a cure can be written with the names it has."""

    def span(self, node: cst.CSTNode) -> Span:
        """Where a node stands in the file: Python's tree knows of most, LibCST's has to be written out to tell."""
        parsed = self.tree.ast(node)
        if isinstance(parsed, PLAIN) and self.module.with_string(parsed) is parsed:
            return self.tree.plain_span(parsed)
        return self.tree.span(node)

    def source(self, node: cst.CSTNode) -> str:
        """The text of a node as it stands in the file, an expression without its own parentheses; further lines are
        indented as if the statement stood at the margin, which is how fixes are written."""
        return self._at_margin(node, self.tree.source.cut(self.span(node)))

    def _at_margin(self, node: cst.CSTNode, text: str) -> str:
        if "\n" not in text:
            return text
        source, start = self.tree.source, self.tree.extent(self.tree.statement(node))[0]
        line = source.text[source.starts[source.place(start).line - 1] : start]
        return layout.as_written_at_the_margin(text, len(line) - len(line.lstrip()), source.level)

    def operand(self, node: cst.CSTNode) -> str:
        """The text of an expression, in parentheses where it would fall apart next to an operator or a dot."""
        text = self.source(node)
        at = self._at(node)
        return text if isinstance(at, _TIGHT) or at is None else f"({text})"

    def named(self, args: Sequence[cst.Arg]) -> str:
        """The text of arguments that are given by name, as they go on behind others."""
        given = ((arg.keyword, arg.value) for arg in args if arg.keyword is not None)
        return "".join(f", {self.source(name)}={self.source(value)}" for name, value in given)

    def as_percent(self, text: cst.FormattedString) -> tuple[str, list[cst.BaseExpression]] | None:
        """An f-string as a string for `%` and the expressions that fill it; None where `%` has no word for a part."""
        return texts.as_percent(text)

    def with_arguments(self, node: cst.BaseExpression, call: cst.Call, **arguments: str) -> str:
        """The text of an expression in which a call, itself or one inside of it, is given arguments by name."""
        made = call
        for name, value in arguments.items():
            made = call_syntax.given(made, name, value)
        return cst.Module([]).code_for_node(made if node is call else node.deep_replace(call, made))

    def rewritten(self, node: cst.CSTNode, parts: dict[cst.CSTNode, str]) -> str:
        """The text of a node in which some nodes below it, or itself, read otherwise."""
        text, (start, end) = self.tree.source.text, self.tree.extent(node)
        made, at = "", start
        for (first, last), content in sorted((self.tree.extent(each), content) for each, content in parts.items()):
            made, at = made + text[at:first] + content, last
        return self._at_margin(node, made + text[at:end])

    def behind(self, node: cst.CSTNode, condition: str) -> tuple[cst.Expr, str] | None:
        """The statement that a node is, and its text behind `if condition:`; None where it is no statement by itself,
        or has lines that must stay where they are."""
        statement = self.tree.parent(node)
        if not isinstance(statement, cst.Expr):
            return None
        text = self.source(statement)
        if '"""' in text or "'''" in text:
            return None
        return statement, f"if {condition}:\n" + "\n".join(f"    {line}" for line in text.split("\n"))

    def comments_say(self, node: cst.CSTNode, guess: Callable[[str], bool]) -> bool:
        """Whether a comment at a node's statement, or above it in its block, says something, by a guess of `comment_words`."""
        line = self.tree.statement(node)
        around = self.tree.parent(line)
        # `if a: b` has its one line for a body.
        if not isinstance(around, cst.IndentedBlock | cst.Module):
            return _says(line, guess)
        if (around, guess) not in self._commented:
            block = self.tree.body(around)
            first = next((at for at, each in enumerate(block) if _says(each, guess)), len(block))
            self._commented[around, guess] = set(block[first:])
        return line in self._commented[around, guess]

    def spelling(self, name: str) -> str | None:
        """How this file can write a dotted name with the imports it has; None if it cannot."""
        return names.spelling(self.module, name)

    def lies_on_gpu(self, weights: cst.BaseExpression | None) -> str | None:
        """How this file can ask whether the weights of a module are on a GPU: by them, or by whether there is one if
        that is what decides on the device; None where neither says."""
        asked = self.module.calls.get("is_available", ())
        if ("is_available" in self.module.names) and all(map(self._decides_alone, asked)):
            known = self.spelling("torch.cuda.is_available")
            return f"{known}()" if known else None
        match weights:
            case cst.Call(func=cst.Attribute(attr=cst.Name("parameters"), value=cst.Name() | cst.Attribute()), args=[]):
                return f"next({self.source(weights)}).is_cuda"
        return None

    def _decides_alone(self, call: ast.Call) -> bool:
        """Whether nothing else is asked around a call: `cuda if args.gpu and is_available() else cpu` goes by the setting, too."""
        below: ast.AST = call
        for above in self.module.ancestors(call):
            if isinstance(above, ast.BoolOp) or (isinstance(above, (ast.If, ast.IfExp)) and below is not above.test):
                return False
            if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return True
            below = above
        return True

    def readable(self, node: cst.CSTNode, *names: str) -> list[str]:
        """How a place can write those of some names that it can read, also as attributes of its object."""
        return visible_names.readable(self.analysis, self.module, self.at(node), names)


def _says(line: cst.CSTNode, guess: Callable[[str], bool]) -> bool:
    """Whether a comment of a line, or right above it, says something."""
    blank = (*getattr(line, "leading_lines", ()), getattr(line, "trailing_whitespace", None))
    comments = [each.comment.value.lower() for each in blank if each is not None and each.comment is not None]
    return any(map(guess, comments))
