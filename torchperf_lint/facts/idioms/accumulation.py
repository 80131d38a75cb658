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

from torchperf_lint.facts.guesses import condition_names, value_names
from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import LOOPS, Loop, last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


@dataclass(frozen=True, slots=True)
class Accumulation:
    """A loop that accumulates gradients."""

    loop: Loop
    backward: ast.stmt
    """The statement that takes the backward pass."""
    test: ast.expr
    """Holds where the optimizer steps."""
    boundary: ast.stmt
    """What asks that: an `if`, or the backward pass itself."""


def is_pass(call: ast.Call) -> bool:
    """Whether a call is a backward pass, or is told whether to step: `loss_scaler(loss, optimizer, update_grad=...)`."""
    return last_name(call.func) == "backward" or _told(call) is not None


def _told(call: ast.Call) -> ast.expr | None:
    """Where it holds, what a call takes a backward pass with steps."""
    return next((each.value for each in call.keywords if condition_names.tells_to_step(each.arg or "")), None)


def of(analysis: Analysis, module: Module, backward: ast.Call) -> Accumulation | None:
    """How the gradients of a backward pass are accumulated; None where each turn steps, or nothing shows when one does."""
    loop = blocks.loop(module, backward)
    if loop is None or not is_pass(backward):
        return None
    statement, test = module.statement(backward), _told(backward)
    if test is not None:
        return Accumulation(loop, statement, test, statement) if _counts_turns(test) else None
    if not _has_boundary(module, loop):
        return None
    at = statement
    while isinstance(above := module.parents.get(at), (ast.With, ast.AsyncWith)):
        at = above
    block = blocks.block(module, at)
    boundary = _boundary(analysis, module, block[block.index(at) + 1 :])
    if boundary is None or _steps_elsewhere(analysis, module, loop, boundary):
        return None
    return Accumulation(loop, statement, boundary.test, boundary)


@once
def _has_boundary(_: Module, loop: Loop) -> bool:
    """Whether anything in a loop counts turns: asked first, of what may be a thousand backward passes in one loop."""
    return any(isinstance(node, ast.If) and _counts_turns(node.test) for node in walk(loop, into_scopes=False))


def _boundary(analysis: Analysis, module: Module, later: list[ast.stmt]) -> ast.If | None:
    """The `if` behind a backward pass in which the optimizer steps in some of the turns."""
    steps = [each for each in later if _step(analysis, module, each) is not None]
    if len(steps) != 1 or not isinstance(steps[0], ast.If) or not _counts_turns(steps[0].test):
        return None
    return None if any(_step(analysis, module, each) for each in steps[0].orelse) else steps[0]


def _steps_elsewhere(analysis: Analysis, module: Module, loop: Loop, boundary: ast.If) -> bool:
    """Whether a statement of a loop steps that neither is the boundary nor holds it."""
    around = {boundary, *module.ancestors(boundary)}
    return any(each not in around and _step(analysis, module, each) is not None for each in loop.body)


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
    return value_names.is_optimizer(last_name(held))


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
