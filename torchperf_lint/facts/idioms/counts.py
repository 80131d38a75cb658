"""Tensors that are made only to be counted, or to say where something is written.

    distinct = torch.unique(target)          the values themselves are never looked at:
    few = len(distinct) < 2                  they are counted, and
    if few: loss = 0 * loss                  the count chooses between two tensors

Knows which functions of torch those are; whether they wait is for `effects`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_DISTINCT: Final = frozenset(("unique", "unique_consecutive"))


@dataclass(frozen=True, slots=True)
class Choice:
    """An `if` that gives one tensor a new value, or leaves it."""

    name: ast.Name
    value: ast.expr
    operator: ast.operator | None
    """Of `loss *= 0`."""


def carried(module: Module, node: ast.expr) -> ast.expr:
    """Where a value is used: the expression itself, or the one read of the name that it is bound to."""
    match module.parents.get(node):
        case ast.Assign(targets=[ast.Name() as name], value=value) if value is node:
            reads = definitions.reads_after(module, name)
            if len(reads) == 1 and definitions.reaching(module, reads[0]) is name:
                return carried(module, reads[0])
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


def _operation(
    analysis: Analysis, module: Module, call: ast.Call, known: frozenset[str]
) -> tuple[str, ast.expr, list[ast.expr]] | None:
    """The operation of torch that a call is, its tensor, and its other arguments by place."""
    function = call.func
    if isinstance(function, ast.Attribute) and analysis.value(function.value, module).kind == "tensor":
        return (function.attr, function.value, call.args) if function.attr in known else None
    head, _, last = (names.dotted(module.function_of(call), function) or "").rpartition(".")
    if head == "torch" and last in known and call.args:
        return last, call.args[0], call.args[1:]
    return None


def condition(analysis: Analysis, module: Module, call: ast.Call) -> ast.expr | None:
    """What a call turns into indices, one tensor of them for each dimension."""
    found = _operation(analysis, module, call, frozenset(("nonzero", "where")))
    if found is None or found[2]:
        return None
    name, tensor, _ = found
    match call.keywords:
        case [ast.keyword(arg="as_tuple", value=ast.Constant(value=True))] if name == "nonzero":
            return tensor
        case [] if name == "where":
            return tensor
    return None


def listed(analysis: Analysis, module: Module, call: ast.Call) -> ast.expr | None:
    """What a call lists the indices of, one row for each element: `nonzero`, `argwhere`."""
    found = _operation(analysis, module, call, frozenset(("nonzero", "argwhere")))
    return found[1] if found is not None and not found[2] and not call.keywords else None


def distinct(analysis: Analysis, module: Module, call: ast.Call) -> tuple[ast.expr, bool] | None:
    """The tensor whose distinct values a call gives and nothing else, and whether equal ones need not be neighbours."""
    found = _operation(analysis, module, call, _DISTINCT)
    if found is None or found[2] or any(keyword.arg != "sorted" for keyword in call.keywords):
        return None
    return found[1], found[0] == "unique"


def choice(analysis: Analysis, module: Module, node: ast.If) -> Choice | None:
    """What an `if` does that only gives a tensor a value, made from what it was."""
    match node:
        case ast.If(body=[ast.Assign(targets=[ast.Name() as name], value=value)], orelse=[]):
            read = any(isinstance(each, ast.Name) and each.id == name.id for each in ast.walk(value))
            is_tensor = analysis.value(value, module).kind == "tensor"
            return Choice(name, value, None) if read and is_tensor else None
        case ast.If(body=[ast.AugAssign(target=ast.Name() as name, op=op, value=value)], orelse=[]):
            return Choice(name, value, op) if analysis.value(name, module).kind == "tensor" else None
    return None
