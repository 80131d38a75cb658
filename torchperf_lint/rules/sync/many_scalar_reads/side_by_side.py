"""Reads that stand side by side: `return {"loss": loss.item(), "kl": kl.item()}`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.rules.sync.many_scalar_reads.match import Comprehension

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_SMALL = (ast.Tuple, ast.List, ast.Dict, ast.Call)


def beside(facts: Facts, call: ast.AST) -> tuple[ast.expr, list[ast.Call]] | None:
    """The outermost tuple, list, dict or call in which a call is an item, and the calls that run along with it."""
    found: ast.expr | None = None
    module = facts.module
    for above in module.ancestors(call):
        if isinstance(above, (ast.stmt, ast.Lambda, Comprehension)):
            break
        is_index = isinstance(module.parents.get(above), ast.Subscript) and isinstance(above, ast.Tuple)
        if isinstance(above, _SMALL) and not is_index:
            found = above
    return (found, [each for each in _calls(found) if each is not found]) if found is not None else None


def _calls(node: ast.AST) -> list[ast.Call]:
    """The calls of an expression in the order of the source, but for those that run later, or several times."""
    below = [] if isinstance(node, (ast.Lambda, Comprehension)) else list(ast.iter_child_nodes(node))
    found = [call for child in below for call in _calls(child)]
    return [node, *found] if isinstance(node, ast.Call) else found
