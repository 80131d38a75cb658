"""What stands in a node: in a loop, in a function. Each is walked once, however many of its lines ask.

Knows syntax alone.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final

from torchperf_lint.facts.index.module import Module, walk
from torchperf_lint.facts.index.once import once

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
class Block:
    """Statements that run one after the other, and where they bind names."""

    statements: list[ast.stmt]
    bound: dict[str, list[tuple[int, list[ast.Name]]]] = field(default_factory=dict)
    """By name, the statements that bind it, by their number, and where."""

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
            for number, statement in enumerate(statements):
                found[statement] = (block, number)
                for node in walk(statement, into_scopes=False):
                    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                        places = block.bound.setdefault(node.id, [])
                        if not places or places[-1][0] != number:
                            places.append((number, []))
                        places[-1][1].append(node)
    return found


def block_of(module: Module, statement: ast.AST) -> tuple[Block, int] | None:
    """The block in which a statement stands, and its number there; None for what is no statement of one."""
    above = module.parents.get(statement)
    return _blocks(module, above).get(statement) if above is not None else None
