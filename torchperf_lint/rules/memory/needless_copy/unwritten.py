"""Copies under a second name where neither name is written to: `before = state.clone()`, and `state` is bound anew.

    before = state.clone()
    state = step(state)                 another tensor: what `before` would be without the copy, it stays
    error = (state - before).abs().max()

Knows names, and what makes a tensor of its own.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import in_place_writes, owners
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Function

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_ARITHMETIC: Final = (ast.BinOp, ast.Compare, ast.UnaryOp)
_ABOUT: Final = frozenset(("shape", "dtype", "device", "ndim", "size", "dim", "numel", "clone"))
"""What is asked of a tensor, and `clone`: none of them gives another name for it."""
_SHOWING: Final = frozenset(
    f"torch.{name}"
    for name in (
        "transpose",
        "squeeze",
        "unsqueeze",
        "permute",
        "reshape",
        "flatten",
        "chunk",
        "split",
        "unbind",
        "narrow",
    )
)
"""Functions that give another name for a tensor, or a part."""


def is_needless(facts: Facts, call: ast.Call, of: ast.expr) -> bool:
    """Whether what a call copies, and the copy, have a name each, and nobody writes to either."""
    module = facts.module
    match module.parents.get(call):
        case ast.Assign(targets=[ast.Name() as bound]) if isinstance(of, ast.Name) and bound.id != of.id:
            pass
        case _:
            return False
    function = module.function_of(call)
    made = definitions.definition(module, of)
    if function.is_module or made is None or not owners.is_new(facts.analysis, module, made):
        return False
    return (
        _is_left(function, of.id)
        and _is_left(function, bound.id)
        and all(_is_operand(module, each) for each in function.scope.loads.get(bound.id, ()))
        and all(_is_read(facts, each) for each in function.scope.loads.get(of.id, ()))
    )


def _is_left(function: Function, name: str) -> bool:
    """Whether a function writes to nothing that a name holds, has no other function read it, and adds to it nowhere."""
    module, scope = function.module, function.scope
    if name in function.inner_reads or name in scope.outer or name in function.parameters:
        return False
    is_added_to = any(isinstance(module.parents.get(each), ast.AugAssign) for each in scope.stores.get(name, ()))
    return not is_added_to and not any(in_place_writes.writes(module, each) for each in scope.loads.get(name, ()))


def _is_operand(module: Module, node: ast.expr) -> bool:
    """Whether an expression, or a part of it, goes to arithmetic alone."""
    above = module.parents.get(node)
    if isinstance(above, ast.Subscript) and above.value is node:
        return _is_operand(module, above)
    return isinstance(above, _ARITHMETIC)


def _is_read(facts: Facts, node: ast.expr) -> bool:
    """The same, or what is given to a function of torch or to a method of another thing, or asked for its size. A layer of its own is
    none of these: it may work in place."""
    module = facts.module
    above = module.parents.get(node)
    if isinstance(above, ast.Attribute):
        return above.attr in _ABOUT
    if not isinstance(above, ast.Call):
        return _is_operand(module, node)
    function = module.function_of(node)
    dotted = names.dotted(function, above.func)
    if dotted is not None:
        return dotted.startswith("torch.") and not dotted.endswith("_") and dotted not in _SHOWING
    match above.func:
        case ast.Attribute(value=ast.Name(id=other)):
            method = function.method
            is_own = method is not None and method.positional[:1] == (other,)
            return not is_own and facts.analysis.value(above.func, module).kind != "module"
    return False
