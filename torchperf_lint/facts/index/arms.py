"""The arms of `if`, `try` and `match`: of two of them, one run goes through one.

    if first:            # the arms of one `if`: its body, those of each `elif`, the `else`; the tests are none of them,
        x = 1            # but whoever stands in a body was not asked the next
    elif second:
        x = 2            the two bindings exclude each other, and this is no read of the first:  use(x)

Knows syntax alone.
"""

from __future__ import annotations

import ast
from typing import Any

from torchperf_lint.facts.index.module import Climb, Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import end_of

Place = tuple[int, int]


class Arm:
    """One arm of a statement."""

    __slots__ = ("after", "branch", "end", "is_test", "outer")

    def __init__(self, branch: ast.AST, outer: Arm | None, end: Place, *, is_test: bool) -> None:
        self.branch = branch
        """The statement that chooses; of `if` and `elif` the first."""
        self.outer = outer
        """The arm that the statement stands in."""
        self.end = end
        handlers = getattr(branch, "handlers", None)
        self.after = end_of(handlers[-1] if handlers else branch)
        """Where all arms of the statement end."""
        self.is_test = is_test


def around(arm: Arm | None) -> list[Arm]:
    """An arm and those that it stands in, the innermost first."""
    found = []
    while arm is not None:
        found.append(arm)
        arm = arm.outer
    return found


def arm_of_binding(module: Module, node: ast.AST) -> Arm | None:
    """The innermost arm that a binding stands in; what a test binds holds in all arms behind it."""
    arm = arm_of(module, node)
    while arm is not None and arm.is_test:
        arm = arm.outer
    return arm


def arm_of(module: Module, node: ast.AST) -> Arm | None:
    """The innermost arm that a node stands in; a test stands in one by itself."""
    known = _memo(module, "arms")
    if node in known:
        arm: Arm | None = known[node]
        return arm
    found: Arm | None = module.climbed(known, node, lambda above, below: _arm(module, above, below), top=None)
    return found


def _memo(module: Module, what: str) -> dict[ast.AST, Any]:
    """What is known of nodes that somebody has asked about."""
    known: dict[ast.AST, Any] = module.answers.setdefault((arm_of, what), {})
    return known


def _arm(module: Module, above: ast.AST, below: ast.AST) -> Arm | Climb:
    if isinstance(above, ast.If):
        return _of_if(module, above, below)
    if isinstance(above, ast.Try) or above.__class__.__name__ == "TryStar":
        if isinstance(below, ast.ExceptHandler):
            return _made(module, (above, below, "handler"))
        return _made(module, (above, above, "body")) if _is_in(above, below, "body") else Climb.ON
    if isinstance(above, ast.match_case) and _is_in(above, below, "body"):
        return _made(module, (module.parents[above], above, "body"))
    return Climb.ON


def _of_if(module: Module, above: ast.If, below: ast.AST) -> Arm | Climb:
    if _is_in(above, below, "body"):
        return _made(module, (_first(module, above), above, "body"))
    if _is_in(above, below, "orelse"):
        return Climb.ON if _is_elif(above, below) else _made(module, (_first(module, above), above, "orelse"))
    return _made(module, (_first(module, above), above, "test"))


def _is_in(above: ast.AST, below: ast.AST, part: str) -> bool:
    block: list[ast.stmt] = getattr(above, part)
    if not block or not isinstance(below, ast.stmt):
        return False
    return block[0].lineno <= below.lineno and end_of(below) <= end_of(block[-1])


def _is_elif(above: ast.If, below: ast.AST) -> bool:
    return isinstance(below, ast.If) and len(above.orelse) == 1 and above.orelse[0] is below


def _first(module: Module, node: ast.If) -> ast.AST:
    """The `if` of an `elif`."""

    def ask(above: ast.AST, below: ast.AST) -> ast.AST | Climb:
        return Climb.ON if isinstance(above, ast.If) and _is_elif(above, below) else below

    first: ast.AST = module.climbed(_memo(module, "chains"), node, ask, top=node)
    return first


@once
def _made(module: Module, of: tuple[ast.AST, ast.AST, str]) -> Arm:
    branch, node, part = of
    block = getattr(node, "body" if part == "handler" else part)
    end = end_of(block[-1] if isinstance(block, list) else block)
    return Arm(branch, arm_of(module, branch), end, is_test=part == "test")
