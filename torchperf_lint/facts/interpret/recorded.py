"""What runs of functions find, and which calls of a function are one: what the tables of the interpreter hold and ask."""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index.scopes import Function


class Recorded:
    """What a run for the record found in a function."""

    __slots__ = ("bound", "values")

    def __init__(self, values: dict[ast.AST, Value], bound: dict[str, Value]) -> None:
        self.values = values
        """The value of each expression that control comes to; of a target, what it was bound to."""
        self.bound = bound
        """All that each name was seen to hold."""

    def part(self, part: ast.AST | str) -> Value | None:
        return self.bound.get(part) if isinstance(part, str) else self.values.get(part)


NOT_RUN: Final = Recorded({}, {})
"""Of a function that is still to run."""


class Call:
    """A call of a function with some arguments, so many calls deep: equal ones have one result."""

    __slots__ = ("_hash", "_key", "depth", "env", "function", "left_module")

    def __init__(self, function: Function, depth: int, env: dict[str, Value], *, left_module: bool) -> None:
        self.function = function
        self.depth = depth
        self.left_module = left_module
        """It left the file in which it began."""
        self.env = env
        self._key = (function, depth, left_module, tuple([(name, value.key()) for name, value in env.items()]))
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Call) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash
