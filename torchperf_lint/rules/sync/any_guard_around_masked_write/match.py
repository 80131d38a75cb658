"""Conditions that ask whether a mask selects anything: `mask.any()`, `mask.sum() > 0`, `len(mask.nonzero()) != 0`, ..."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import counts, owners
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

NAMES: Final = ("any", "sum", "count_nonzero", "max", "item", "bool", "nonzero", "argwhere")
_ANY: Final = frozenset(("any", "sum", "count_nonzero", "max"))


def guards(module: Module) -> Iterator[ast.AST]:
    """Each `if` around nothing but what looks like masked writes, and the calls of its condition."""
    spelled = module.spelled(frozenset(NAMES))
    for node in module.by_type.get(ast.If, ()):
        if isinstance(node, ast.If) and not node.orelse and all(map(_looks_like_write, node.body)):
            yield node
            for each in walk(node.test):
                if isinstance(each, ast.Call) and last_name(each.func) in spelled:
                    yield each


def _looks_like_write(statement: ast.stmt) -> bool:
    """`x[mask] = 0`, `x.masked_fill_(mask, 0)`, `x = x.masked_fill(mask, 0)`, `x = torch.where(mask, 0, x)`, by their words."""
    match statement:
        case ast.Assign(targets=[ast.Subscript()]) | ast.Assign(targets=[_], value=ast.Call(args=[_, _, _])):
            return True
        case ast.Assign(targets=[_], value=ast.Call(func=ast.Attribute(attr="masked_fill"))):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="masked_fill_"))):
            return True
    return False


def may_be_guard(facts: Facts, node: ast.AST) -> bool:
    """Whether a node is part of the condition of an `if` that asks whether a mask selects anything."""
    return asked_for_any(facts, node) is not None


def asked_for_any(facts: Facts, node: ast.AST) -> tuple[ast.If, ast.expr] | None:
    """The `if` whose condition a node is or is part of, and the mask of which it asks whether it selects anything."""
    guard = _guard(facts.module, node)
    mask = _asked(facts.analysis, facts.module, guard.test) if guard is not None else None
    return (guard, mask) if guard is not None and mask is not None else None


def is_unsaved(facts: Facts, name: ast.AST) -> bool:
    """Whether a name alone holds its tensor, and autograd keeps it for no gradient: a write in place harms nobody."""
    return isinstance(name, ast.Name) and owners.unsaved(facts.analysis, facts.module, name)


def _asked(analysis: Analysis, module: Module, test: ast.expr) -> ast.expr | None:
    """The mask of which a condition asks whether it selects anything."""
    match test:
        case ast.Name():
            binding = definitions.reaching(module, test)
            value = definitions.value_of(module, binding) if isinstance(binding, ast.Name) else None
            only = isinstance(binding, ast.Name) and len(definitions.reads_after(module, binding)) == 1
            return _asked(analysis, module, value) if only and value is not None else None
        case ast.Compare(left=left, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
            return _reduced(analysis, module, left) or _counted(analysis, module, left)
        case ast.Compare(left=left, ops=[ast.GtE()], comparators=[ast.Constant(value=1)]):
            return _reduced(analysis, module, left) or _counted(analysis, module, left)
        case ast.Call(func=ast.Attribute(value=inner, attr="item"), args=[]):
            return _asked(analysis, module, inner)
        case ast.Call(func=ast.Name(id="bool"), args=[inner]):
            return _asked(analysis, module, inner)
    return _reduced(analysis, module, test) or _counted(analysis, module, test)


def _guard(module: Module, node: ast.AST) -> ast.If | None:
    """The `if` that a node is, or whose condition it is part of."""
    below = node
    while isinstance(below, ast.expr):
        above = module.parents.get(below)
        if isinstance(above, ast.If):
            return above
        if above is None:
            return None
        below = above
    return below if isinstance(below, ast.If) else None


def _mask(analysis: Analysis, module: Module, node: ast.expr) -> ast.expr | None:
    value = analysis.value(node, module)
    return node if value.kind == "tensor" and value.dtype == "bool" else None


def _reduced(analysis: Analysis, module: Module, node: ast.expr) -> ast.expr | None:
    """The mask of `mask.any()`, `torch.any(mask)`, `mask.sum()`, `mask.sum().item()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="item"), args=[]):
            return _reduced(analysis, module, inner)
        case ast.Call(func=func, args=[inner], keywords=[]):
            head, _, last = (names.dotted(module.function_of(node), func) or "").rpartition(".")
            return _mask(analysis, module, inner) if head == "torch" and last in _ANY else None
        case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=[], keywords=[]) if attr in _ANY:
            return _mask(analysis, module, inner)
    return None


def _counted(analysis: Analysis, module: Module, node: ast.expr) -> ast.expr | None:
    """The mask of `len(mask.nonzero())`, `torch.nonzero(mask).numel()`."""
    match node:
        case (
            ast.Call(func=ast.Name(id="len"), args=[held])
            | ast.Call(func=ast.Attribute(value=held, attr="numel" | "size"))
        ):
            counted, _ = counts.count(module, held)
            if counted is not node:
                return None
            match held:
                case ast.Call(func=ast.Attribute(value=inner, attr="nonzero"), args=[], keywords=[]):
                    return _mask(analysis, module, inner)
                case ast.Call(func=func, args=[inner], keywords=[]):
                    called = names.dotted(module.function_of(node), func)
                    return _mask(analysis, module, inner) if called in ("torch.nonzero", "torch.argwhere") else None
    return None
