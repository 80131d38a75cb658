"""What must not reach a parser: texts whose nesting would overflow its stack.

LibCST's native parser and its writer recurse once or more for each level of nesting. When the stack of the parser
overflows the process is gone, and nothing can catch that; so the depth of a text is found beforehand, by counting
tokens. Python's own parser has limits of its own and raises, with two exceptions.

Measured (libcst 1.9.0, CPython 3.11, Linux): the native parser ends the process at the levels of the first two
columns, for a stack of 8 MiB and of 1 MiB; the writer and `lower` raise RecursionError at the levels of the third,
with the usual limit of 1000 frames.

    nested brackets        1131    140     158 (subscripts), 232 (others)
    nested blocks          >100     40     232
    `f()()()`, `a.b.c`     5000    720     456
    `f().a().b()`          3002    381     232
    `lambda: lambda: ...`  3251    412     456
    `a + a + a`, `not`     >4000   814     456
    `"a" "b" "c"`          2877    >1000   456
    `elif`                 >4000   938     456

Real code stays far below: the deepest expression of timm, transformers, diffusers, monai and CPython's own library
nests 13 brackets, the longest chain outside of tables of strings has 106 tokens, the longest of all but two 259.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Final

from torchperf_lint.syntax.scan import Kind, scan
from torchperf_lint.syntax.source import Source, SyntaxFault

_BUDGET: Final = 800
"""How much stack a text may need, in frames of Python."""
_PER_BLOCK: Final = 12
_PER_BRACKET: Final = 6
_PER_TOKEN: Final = 2
"""Tokens count that stand in a row, with no comma between: each may be one more level, as in `a.b.c` or `- - a`."""

_PER_BRACKET_OF_A_CASE: Final = 90
"""LibCST takes twice to six times as long for each further level of a pattern: for `{1: {1: ...}}` 0.08 s at 8 levels,
2.5 s at 10, hours at 16."""

_WORDS_AND_SIGNS: Final = re.compile(r"\w+|[^\w \t\f\r\n]")
"""Each token begins with one, but for the blanks between the fields of an f-string."""

_DEADLY: Final = 100_000 if sys.version_info < (3, 11) else sys.maxsize
"""How long a text must be to end the process in `ast.parse`, halved: on 3.10 a chain of 200,000 calls does."""
_GREEDY: Final = 20_000
"""How long a line must be to fill the memory in `ast.parse`: for `import a.b.c...` it takes the square of this."""


def before_python(source: Source) -> None:
    """Refuse what `ast.parse` must not see."""
    null = source.text.find("\0")
    if null >= 0:
        raise SyntaxFault("source code cannot contain null bytes", source.place(null))
    size = len(source.text)
    if size >= _GREEDY and (size >= _DEADLY or _has_long_line(source.text)):
        before_libcst(source, budget=2 * _GREEDY)


def _has_long_line(text: str) -> bool:
    """Whether a line may be so long: then half as many characters, somewhere, have no end of a line among them."""
    half = _GREEDY // 2
    return any(text.find("\n", at, at + half) < 0 for at in range(0, len(text) - half, half))


def _at_most(text: str) -> int:
    """More than the stack that a text needs, were all of it in one row and each line and bracket in the one before: most
    functions are so short that no token of them need be looked at."""
    opened = sum(map(text.count, "([{"))
    tokens = len(_WORDS_AND_SIGNS.findall(text)) + text.count("{") + text.count("elif")
    per_bracket = _PER_BRACKET_OF_A_CASE if "case" in text else _PER_BRACKET
    return _PER_TOKEN * tokens + per_bracket * opened + _PER_BLOCK * (1 + text.count("\n") + text.count("\r"))


def before_libcst(source: Source, *, budget: int = _BUDGET) -> None:
    """Refuse what LibCST must not see."""
    if _at_most(source.text) <= budget:
        return
    depth = _Depth(source.text)
    for kind, start, end in scan(source.text):
        if depth.after(kind, start, end) > budget:
            raise SyntaxFault(f"too deep to parse safely: {depth.worst()}", source.place(start))


@dataclass(slots=True)
class _Block:
    """An open block: how far it is indented, and how many `elif` in a row it has come to."""

    indent: int
    elifs: int = 0


class _Depth:
    """How deep the parser of a text would have to go, as far as the text has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks = [_Block(0)]
        self.rows = [0]
        """For the statement and each open bracket: how many tokens stand in a row."""
        self.tokens = 0
        """Their sum."""
        self.line = 0
        """Where the line has begun."""
        self.fresh = True
        """No token of the statement has come."""
        self.outside = 0
        """What the blocks around the statement need."""
        self.per_bracket = _PER_BRACKET

    def after(self, kind: Kind, start: int, end: int) -> int:
        """The stack that is needed once a token is read."""
        rows = self.rows
        if kind is Kind.OTHER or kind is Kind.STRING or kind is Kind.OPEN:
            if self.fresh:
                self._statement(start, end)
            rows[-1] += 1
            self.tokens += 1
            if kind is Kind.OPEN:
                rows.append(0)
        elif kind is Kind.CLOSE:
            if len(rows) > 1:
                self.tokens -= rows.pop()
        elif kind is Kind.COMMA or (kind is Kind.LINE and len(rows) == 1):
            self.tokens -= rows[-1]
            rows[-1] = 0
            if kind is Kind.LINE:
                self.line, self.fresh = end, True
        return self.outside + self.per_bracket * (len(rows) - 1) + _PER_TOKEN * self.tokens

    def _statement(self, start: int, end: int) -> None:
        """A logical line begins."""
        self.fresh = False
        indent = start - self.line
        while self.blocks[-1].indent > indent:
            self.blocks.pop()
        if self.blocks[-1].indent < indent:
            self.blocks.append(_Block(indent))
        block = self.blocks[-1]
        word = self.text[start:end]
        block.elifs = block.elifs + 1 if word == "elif" else 0
        self.per_bracket = _PER_BRACKET_OF_A_CASE if word == "case" else _PER_BRACKET
        self.outside = _PER_BLOCK * (len(self.blocks) - 1) + _PER_TOKEN * sum(each.elifs for each in self.blocks)

    def worst(self) -> str:
        """What needs the most of it, in words."""
        blocks, brackets, elifs = len(self.blocks) - 1, len(self.rows) - 1, sum(each.elifs for each in self.blocks)
        return max(
            (_PER_BLOCK * blocks, f"{blocks} blocks inside each other"),
            (self.per_bracket * brackets, f"{brackets} brackets inside each other"),
            (_PER_TOKEN * self.tokens - brackets, f"{self.tokens} tokens that build on each other"),
            (_PER_TOKEN * elifs, f"{elifs} times `elif` in a row"),
        )[1]
