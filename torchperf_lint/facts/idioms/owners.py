"""Whether a name alone holds its tensor, so that nobody sees whether it is changed in place or bound anew.

    y = x * 2           new memory, and
    total = y.sum()     nothing that is made of it shares that memory:
    y[mask] = 0         may as well be `y = ...`

A parameter belongs to the caller too, an attribute to the object, a view to what it is a view of.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import LOOPS, end_of, place_of

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_ASKED: Final = frozenset(
    ("shape", "dtype", "device", "size", "dim", "ndim", "numel", "requires_grad", "grad_fn", "is_cuda")
)


def alone(analysis: Analysis, module: Module, read: ast.Name) -> bool:
    """Whether only a name holds the tensor that it is read for, up to the end of the statement and the loops around it."""
    between = _between(analysis, module, read)
    inside = {id(node) for node in ast.walk(module.statement(read))}
    return between is not None and all(id(load) in inside or not _is_shared(analysis, module, load) for load in between)


def unsaved(analysis: Analysis, module: Module, read: ast.Name) -> bool:
    """Whether, besides, nothing that has a gradient is made of the tensor, which autograd would keep for it as it was."""
    between = _between(analysis, module, read)
    if between is None or not alone(analysis, module, read):
        return False
    users = [module.parents.get(load) for load in between]
    return all(isinstance(user, ast.Subscript) or _has_no_graph(analysis, module, user) for user in users)


def _between(analysis: Analysis, module: Module, read: ast.Name) -> list[ast.Name] | None:
    """The reads of a new tensor from where it is made to the end of a statement and the loops around it."""
    binding = definitions.reaching(module, read)
    value = definitions.value_of(module, binding) if binding is not None else None
    if binding is None or value is None or not is_new(analysis, module, value):
        return None
    function = module.function_of(read)
    if module.function_of(binding) is not function or read.id in function.inner_reads:
        return None
    held = set(module.ancestors(binding))
    end: ast.AST = module.statement(read)
    for above in module.ancestors(read):
        if isinstance(above, LOOPS) and above not in held:
            end = above
    start, last = place_of(value), end_of(end)
    return [load for load in function.scope.loads.get(read.id, ()) if start <= place_of(load) < last]


def _has_no_graph(analysis: Analysis, module: Module, user: ast.AST | None) -> bool:
    """Whether what is made of a tensor is no part of an autograd graph."""
    call = module.parents.get(user) if isinstance(user, ast.Attribute) else None
    if isinstance(user, ast.Attribute) and user.attr in _ASKED:
        return True
    made = call if isinstance(call, ast.Call) and call.func is user else user
    return isinstance(made, ast.expr) and analysis.value(made, module).grad is False


def is_new(analysis: Analysis, module: Module, value: ast.expr) -> bool:
    """Whether an expression makes a tensor with memory of its own."""
    match value:
        case ast.BinOp() | ast.UnaryOp() | ast.Compare():
            return analysis.value(value, module).kind == "tensor"
        case ast.Call(func=func):
            if isinstance(func, ast.Attribute) and analysis.value(func.value, module).kind == "tensor":
                effect = knowledge.effect(func.attr, method=True)
            else:
                effect = knowledge.effect(names.dotted(module.function_of(value), func) or "", method=False)
            return effect is not None and effect.view is False and not effect.inplace
    return False


def _is_shared(analysis: Analysis, module: Module, load: ast.Name) -> bool:
    """Whether what is done with a read may leave a second holder of its memory."""
    parent = module.parents.get(load)
    match parent:
        case ast.BinOp() | ast.UnaryOp() | ast.Compare():
            return False
        case ast.Attribute(attr=attr):
            call = module.parents.get(parent)
            return attr not in _ASKED and not (
                isinstance(call, ast.Call) and call.func is parent and is_new(analysis, module, call)
            )
        case ast.Subscript(value=base, ctx=ast.Load()) if base is load:
            return analysis.value(parent.slice, module).kind != "tensor"
        case ast.Subscript(value=base) if base is load:
            return False
        case ast.Call():
            return not is_new(analysis, module, parent)
    return True
