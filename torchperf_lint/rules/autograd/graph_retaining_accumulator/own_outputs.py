"""Outputs of a `torch.autograd.Function` that its `ctx` holds as an attribute: a circle, which stays until Python looks for such.

    def forward(ctx, x):
        y = x.exp()
        ctx.y = y                 the node holds what it gave, which holds the node
        return y                  `ctx.save_for_backward(y)` knows of that, and holds it otherwise

Knows syntax, and what is a tensor.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, parts, walk
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_FUNCTION: Final = "torch.autograd.Function"
_WITHOUT_NODE: Final = "mark_non_differentiable"


def may_be_kept(node: ast.AST) -> bool:
    """Whether an assignment puts what a name holds on something."""
    match node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name())], value=ast.Name()):
            return True
    return False


def kept(facts: Facts, node: ast.AST) -> ast.Return | None:
    """The statement that returns what an assignment puts on the `ctx` of the `forward` that it stands in."""
    match node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=ctx))], value=ast.Name() as held):
            pass
        case _:
            return None
    module, function = facts.module, facts.module.function_of(node)
    if function.name != "forward" or function.owner is None or function.positional[:1] != (ctx,):
        return None
    if _FUNCTION not in classes.unseen_bases(facts.analysis, function.owner):
        return None
    if facts.analysis.value(held, module).kind not in ("tensor", "unknown") or _has_no_node(module, function):
        return None
    binding = definitions.reaching(module, held)
    if not isinstance(binding, ast.Name):
        return None  # an input, or bound on several ways
    whole = {binding, *_unpacked_from(module, binding)}
    for statement in walk(function.node, into_scopes=False):
        if isinstance(statement, ast.Return) and statement.value is not None:
            for part in parts(statement.value):
                if isinstance(part, ast.Name) and definitions.reaching(module, part) in whole:
                    return statement
    return None


def _unpacked_from(module: Module, binding: ast.Name) -> list[ast.AST]:
    """The binding of the name that another takes a part of: `y` of `time, y = all`."""
    match module.statement(binding):
        case ast.Assign(targets=[ast.Tuple()], value=ast.Name() as of):
            found = definitions.reaching(module, of)
            return [found] if found is not None else []
    return []


@once
def _has_no_node(_: Module, function: Function) -> bool:
    """Whether a `forward` says of some output that no gradient comes through."""
    return any(isinstance(each, ast.Call) and last_name(each.func) == _WITHOUT_NODE for each in walk(function.node))
