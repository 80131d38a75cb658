"""What stands in a node: in a loop, in a function. Each is walked once, however many of its lines ask.

Knows syntax alone.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import walk

_BLOCKS: Final = ("body", "orelse", "finalbody")


def is_inside(module: Module, node: ast.AST, around: ast.AST) -> bool:
    """Whether a node is another one, or stands in it."""
    at: ast.AST | None = node
    while at is not None:
        if at is around:
            return True
        at = module.parents.get(at)
    return False


@once
def calls(_: Module, around: ast.AST) -> list[ast.Call]:
    """The calls in a node, those in functions and classes in there left out."""
    return [node for node in walk(around, into_scopes=False) if isinstance(node, ast.Call)]


@once
def names(_: Module, around: ast.AST) -> dict[str, list[ast.Name]]:
    """Every name in a node, read or bound, by its identifier."""
    found: dict[str, list[ast.Name]] = {}
    for node in walk(around):
        if isinstance(node, ast.Name):
            found.setdefault(node.id, []).append(node)
    return found


@dataclass(slots=True)
class LeavingSeen:
    """How far the statements that may leave a block were asked something, and the first whose answer is yes, in words."""

    next: int = 0
    found: tuple[int, ast.expr, str] | None = None


class Block:
    """Statements that run one after the other."""

    def __init__(self, statements: list[ast.stmt]) -> None:
        self.statements = statements
        self._bound: dict[str, list[tuple[int, list[ast.Name]]]] | None = None
        self._left: list[tuple[int, ast.If]] | None = None

    @property
    def bound(self) -> dict[str, list[tuple[int, list[ast.Name]]]]:
        """By name, the statements that bind it, by their number, and where; those in functions and classes are left out."""
        if self._bound is None:
            self._bound = {}
            for number, statement in enumerate(self.statements):
                for node in walk(statement, into_scopes=False):
                    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                        places = self._bound.setdefault(node.id, [])
                        if not places or places[-1][0] != number:
                            places.append((number, []))
                        places[-1][1].append(node)
        return self._bound

    @property
    def left(self) -> list[tuple[int, ast.If]]:
        """The statements that, if their condition holds, leave the function or the turn of the loop, with their numbers."""
        if self._left is None:
            self._left = [
                (at, each)
                for at, each in enumerate(self.statements)
                if isinstance(each, ast.If)
                and not each.orelse
                and isinstance(each.body[-1], (ast.Return, ast.Continue))
            ]
        return self._left

    def before(self, name: str, number: int) -> list[tuple[int, list[ast.Name]]]:
        """The statements above one that bind a name."""
        every = self.bound.get(name, [])
        return every[: bisect_left(every, number, key=lambda each: each[0])]


@once
def _blocks(_: Module, above: ast.AST) -> dict[ast.AST, tuple[Block, int]]:
    """By statement, the block of a node in which it stands, and its number there."""
    found: dict[ast.AST, tuple[Block, int]] = {}
    for name in _BLOCKS:
        statements = getattr(above, name, None)
        if isinstance(statements, list):
            block = Block(statements)
            found.update((statement, (block, number)) for number, statement in enumerate(statements))
    return found


def block_of(module: Module, statement: ast.AST) -> tuple[Block, int] | None:
    """The block in which a statement stands, and its number there; None for what is no statement of one."""
    above = module.parents.get(statement) if isinstance(statement, ast.stmt) else None
    return _blocks(module, above).get(statement) if above is not None else None


def is_in(module: Module, statement: ast.AST, statements: list[ast.stmt]) -> bool:
    """Whether a statement is one of those of a block."""
    place = block_of(module, statement)
    return place is not None and place[0].statements is statements


def blocks_around(module: Module, node: ast.AST) -> Iterator[tuple[Block, int]]:
    """The blocks around a node in its function, the innermost first, and the number of the statement that holds it."""
    below: ast.AST | None = node
    while below is not None:
        place = block_of(module, below)
        if place is not None:
            yield place
        below = module.parents.get(below)
        if isinstance(below, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return
