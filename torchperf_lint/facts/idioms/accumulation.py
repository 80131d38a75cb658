"""Steps that add up the gradients of several batches before the optimizer takes one: where the boundary is.

    for i, (x, y) in enumerate(loader):
        loss = model(x, y) / 4
        loss.backward()
        if (i + 1) % 4 == 0:            the boundary: only in each fourth turn do the gradients matter
            optimizer.step()
            optimizer.zero_grad()

Knows syntax alone.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import LOOPS, Loop, last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


@dataclass(frozen=True, slots=True)
class Accumulation:
    """A loop that accumulates gradients."""

    loop: Loop
    backward: ast.stmt
    """The statement of the loop's body that takes the backward pass."""
    boundary: ast.If
    """Behind its condition the optimizer steps."""
    step: ast.Call


def of(analysis: Analysis, module: Module, backward: ast.Call) -> Accumulation | None:
    """How the gradients of a backward pass are accumulated; None where each turn steps, or nothing shows when one does."""
    loop = blocks.loop(module, backward)
    if loop is None:
        return None
    statement = _statement_of(module, backward, loop)
    if statement is None:
        return None
    later = loop.body[loop.body.index(statement) + 1 :]
    steps = {each: found for each in loop.body if (found := _step(analysis, module, each)) is not None}
    if len(steps) != 1:
        return None
    (boundary, step) = next(iter(steps.items()))
    if not isinstance(boundary, ast.If) or boundary not in later or not _counts_turns(boundary.test):
        return None
    if any(_step(analysis, module, each) is not None for each in boundary.orelse):
        return None
    return Accumulation(loop, statement, boundary, step)


def _statement_of(module: Module, node: ast.AST, loop: Loop) -> ast.stmt | None:
    """The statement of a loop's own body that a node is in, where nothing but a `with` lies between."""
    at = module.statement(node)
    while module.parents.get(at) is not loop:
        above = module.parents.get(at)
        if not isinstance(above, (ast.With, ast.AsyncWith)):
            return None
        at = above
    return at if at in loop.body else None


def _step(analysis: Analysis, module: Module, statement: ast.stmt) -> ast.Call | None:
    """The step of an optimizer below a statement."""
    for node in walk(statement, into_scopes=False):
        if isinstance(node, LOOPS):
            return None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and last_name(node.func) == "step":
            kind = analysis.value(node.func.value, module).kind
            if kind in ("optimizer", "scaler") or (kind == "unknown" and _is_called_so(node.func.value)):
                return node
    return None


def _is_called_so(held: ast.expr) -> bool:
    """Whether something is called an optimizer, or a scaler of gradients."""
    name = (last_name(held) or "").lower()
    return "optim" in name or name in ("opt", "scaler", "grad_scaler")


def _counts_turns(test: ast.expr) -> bool:
    """`(i + 1) % k == 0`, alone or beside another condition: `... or i + 1 == len(loader)`."""
    match test:
        case ast.BoolOp(values=values):
            return any(_counts_turns(each) for each in values)
        case ast.Compare(left=ast.BinOp(op=ast.Mod()), ops=[ast.Eq()]):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=ast.BinOp(op=ast.Mod())):
            return True
    return False
