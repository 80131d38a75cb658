"""Waits with no work for the GPU between them: only the first of them costs, for the others find the GPU idle.

    loss_sum += loss.item()         the host waits until all that was queued is done
    penalty_sum += penalty.item()   nothing was queued since: nothing to wait for
    scale = (x * y).sum().item()    this queues work of its own, and waits anew

Knows the values of expressions and how statements follow each other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import call_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name, place_of, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_PLAIN: Final = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)
_ASKING: Final = frozenset(("isfinite", "isnan", "isinf", "any", "all", "sum", "item", "bool", "abs", "max", "min"))
_NUMBERS: Final = frozenset(("number", "string", "none", "list", "tuple", "dict", "size"))


def runs(analysis: Analysis, module: Module, nodes: Iterable[ast.AST]) -> list[list[ast.AST]]:
    """Nodes that wait, those together that have no work for the GPU between them, in their order; alone ones left out."""
    found: list[list[ast.AST]] = []
    for node in sorted(nodes, key=place_of):
        if found and _idle_between(analysis, module, found[-1], node):
            found[-1].append(node)
        else:
            found.append([node])
    return [run for run in found if len(run) > 1]


def _idle_between(analysis: Analysis, module: Module, before: Sequence[ast.AST], node: ast.AST) -> bool:
    """Whether nothing is queued for the GPU between the last of some waits and a node: neither by the node itself."""
    if _in_one_test(module, before[-1], node):
        return True
    between = _between(module, before[-1], node)
    if between is None or not _is_path(node):
        return False
    waiting = {id(each) for each in (*before, node)}
    return all(_is_idle(analysis, module, statement, waiting) for statement in between)


def _in_one_test(module: Module, one: ast.AST, other: ast.AST) -> bool:
    """`if not isfinite(a) or not isfinite(b)`: what the second asks is a moment's work, and the first has waited for all else."""
    above = {each for each in module.ancestors(one) if isinstance(each, ast.BoolOp)}
    if above.isdisjoint(module.ancestors(other)):
        return False
    return not any(_takes_time(part) for part in walk(other))


def _takes_time(part: ast.AST) -> bool:
    """Whether a part of a condition does more than to ask."""
    if isinstance(part, ast.Call):
        return last_name(part.func) not in _ASKING
    return isinstance(part, ast.BinOp) and isinstance(part.op, ast.MatMult)


def _between(module: Module, one: ast.AST, other: ast.AST) -> list[ast.stmt] | None:
    """The statements of one block from that of a node to that of another; None where they are not in one."""
    first, last = module.statement(one), module.statement(other)
    if not isinstance(first, _PLAIN) or not isinstance(last, _PLAIN):
        return None
    above = module.parents.get(first)
    for block in (getattr(above, name, None) for name in ("body", "orelse", "finalbody")):
        if isinstance(block, list) and first in block and last in block:
            return list(block[block.index(first) : block.index(last) + 1])
    return None


def _is_path(node: ast.AST) -> bool:
    """Whether what a call reads or moves is there already: `loss.item()`, `batch["x"].cuda()`, `float(self.loss)`."""
    if not isinstance(node, ast.Call):
        return False
    held = node.func.value if isinstance(node.func, ast.Attribute) else node.args[0] if len(node.args) == 1 else node
    while isinstance(held, ast.Attribute) or (isinstance(held, ast.Subscript) and isinstance(held.slice, ast.Constant)):
        held = held.value
    return isinstance(held, ast.Name)


def _is_idle(analysis: Analysis, module: Module, statement: ast.stmt, waiting: set[int]) -> bool:
    """Whether a statement queues nothing for the GPU besides some nodes that wait."""
    if not isinstance(statement, _PLAIN):
        return False
    for node in walk(statement):
        if id(node) in waiting or not isinstance(node, (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript)):
            continue
        if isinstance(node, ast.Call):
            if not call_names.queues_nothing(last_name(node.func)):
                return False
        elif isinstance(node, ast.Subscript):
            if not isinstance(node.slice, ast.Constant):
                return False
        elif analysis.value(node, module).kind not in _NUMBERS:
            return False
    return not isinstance(statement, ast.AugAssign) or analysis.value(statement.value, module).kind in _NUMBERS
