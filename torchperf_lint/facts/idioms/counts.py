"""Tensors that are made only to be counted, or to say where something is written.

    distinct = torch.unique(target)          the values themselves are never looked at:
    few = len(distinct) < 2                  they are counted, and
    if few: loss = 0 * loss                  the count chooses between two tensors

Knows which functions of torch those are; whether they wait is for `effects`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module

if TYPE_CHECKING:
    pass


def only_read(module: Module, node: ast.expr) -> ast.expr:
    """Where a value is used: the expression itself, or the one read of the name that it is bound to."""
    match module.parents.get(node):
        case ast.Assign(targets=[ast.Name() as name], value=value) if value is node:
            reads = definitions.reads_after(module, name)
            if len(reads) == 1 and definitions.reaching(module, reads[0]) is name:
                return only_read(module, reads[0])
    return node


def count(module: Module, node: ast.expr) -> tuple[ast.expr | None, bool]:
    """The expression that counts what another one holds, and whether it counts all elements rather than rows."""
    above = module.parents.get(node)
    match above:
        case ast.Call(func=func, args=[counted], keywords=[]) if counted is node:
            name = names.dotted(module.function_of(node), func) or getattr(func, "id", "")
            return (above, name == "torch.numel") if name in ("len", "torch.numel") else (None, False)
        case ast.Attribute(attr="numel" | "nelement"):
            call = module.parents.get(above)
            return (call, True) if isinstance(call, ast.Call) else (None, False)
        case ast.Attribute(attr="size"):
            match module.parents.get(above):
                case ast.Call(args=[ast.Constant(value=0)], keywords=[]) as call:
                    return call, False
        case ast.Attribute(attr="shape"):
            match module.parents.get(above):
                case ast.Subscript(slice=ast.Constant(value=0)) as item:
                    return item, False
    return None, False
