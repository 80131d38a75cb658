"""What Dynamo makes tensors of: tensors, arrays of NumPy, and the numbers that are taken out of those."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index import names
from torchperf_lint.facts.knowledge import graph_breaks as known
from torchperf_lint.facts.knowledge.graph_breaks import Kind

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_DEEP = 4
"""So many steps from a number back to its array."""
_WHOLE = frozenset(("int64", "int32", "int16", "int8", "uint8", "integral"))


@dataclass(frozen=True, slots=True)
class Break:
    """What ends the graph at a node."""

    kind: Kind
    shown: ast.AST
    """What is underlined."""
    value: Value | None
    """The tensor that is asked; None where there is none."""


def tensor(facts: Facts, node: ast.expr) -> Value | None:
    """What an expression is, where that is a tensor for certain or likely."""
    value = facts.analysis.seen(node, facts.module.function_of(node))
    is_one = value is not None and value.kind == "tensor" and not value.none and value.alternatives is None
    return value if is_one else None


def whole(facts: Facts, node: ast.expr) -> Value | None:
    """The same of one whole number in a tensor, which torch reads where it wants an index or a size; not of a constant."""
    value = tensor(facts, node)
    if value is None or value.dtype not in _WHOLE or _is_constant(facts, node):
        return None
    return value if value.rank == 0 else None


def must_be_tensor(facts: Facts, node: ast.expr) -> bool:
    """Whether nothing speaks against a tensor, where torch takes nothing else."""
    value = facts.analysis.seen(node, facts.module.function_of(node))
    return value is None or value.kind in ("tensor", "unknown")


def _is_constant(facts: Facts, node: ast.expr) -> bool:
    """`torch.tensor(0)`, or a name for it: Dynamo knows its number."""
    made = _assigned(facts, node) or node
    return _function(facts, made) in ("torch.tensor", "torch.as_tensor")


def _assigned(facts: Facts, node: ast.expr) -> ast.expr | None:
    """What a name is bound to, once."""
    match [facts.module.parents.get(each) for each in _stores(facts, node)]:
        case [ast.Assign(targets=[ast.Name()], value=value)]:
            return value
    return None


def looped(facts: Facts, node: ast.expr) -> ast.expr | None:
    """What a name runs over, that a loop or a comprehension binds and nothing else."""
    match [facts.module.parents.get(each) for each in _stores(facts, node)]:
        case [(ast.For() | ast.comprehension()) as loop]:
            return loop.iter if isinstance(loop.target, ast.Name) else None
    return None


def _stores(facts: Facts, node: ast.expr) -> list[ast.AST]:
    function = facts.module.function_of(node)
    home = names.scope_of(function, node.id) if isinstance(node, ast.Name) else None
    return home.scope.stores.get(node.id, []) if home is function and isinstance(node, ast.Name) else []


def array(facts: Facts, node: ast.expr, deep: int = _DEEP) -> bool:
    """Whether an expression is an array of NumPy, or a number out of one: Dynamo makes tensors of both.

    `np.prod(x.shape)`, `np.array([2, 3])[0]`; but not `np.sqrt(n)`, which it works out.
    """
    if not deep:
        return False
    match node:
        case ast.Subscript(value=held):
            return array(facts, held, deep - 1)
        case ast.Call(func=ast.Attribute(value=held, attr="numpy"), args=[]):
            return tensor(facts, held) is not None
        case ast.Call(func=ast.Attribute(value=held, attr=name)) if name in known.ARRAY_METHODS and (
            array(facts, held, deep - 1) or (name == "astype" and _function(facts, held) in known.OF_ARRAYS)
        ):
            return True
        case ast.Call(args=args):
            called = _function(facts, node)
            return called in known.ARRAYS or (
                called in known.OF_ARRAYS and bool(args) and array(facts, args[0], deep - 1)
            )
        case ast.BinOp(left=left, right=right):
            return array(facts, left, deep - 1) or array(facts, right, deep - 1)
        case ast.Name():
            given = looped(facts, node)
            if given is not None:
                return array(facts, given, deep - 1)
            assigned = _assigned(facts, node)
            return assigned is not None and array(facts, assigned, deep - 1)
    return False


def number(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression is one number out of an array that has one dimension."""
    match node:
        case ast.Subscript(
            value=held, slice=ast.Constant(value=int()) | ast.UnaryOp(operand=ast.Constant(value=int()))
        ):
            return _is_flat(facts, held)
        case ast.Name():
            given = looped(facts, node)
            if given is not None:
                return _is_flat(facts, given)
            assigned = _assigned(facts, node)
            return assigned is not None and not isinstance(assigned, ast.Name) and number(facts, assigned)
    return False


def _is_flat(facts: Facts, node: ast.expr) -> bool:
    """Whether an array is seen to have one dimension."""
    match _assigned(facts, node) or node:
        case ast.Call(args=[ast.List(elts=items) | ast.Tuple(elts=items), *_]) as made:
            is_nested = any(isinstance(each, (ast.List, ast.Tuple, ast.Starred, ast.ListComp)) for each in items)
            return not is_nested and _function(facts, made) in ("numpy.array", "numpy.asarray")
        case made:
            return _function(facts, made) in ("numpy.arange", "numpy.linspace")


def _function(facts: Facts, node: ast.expr) -> str | None:
    return names.dotted(facts.module.function_of(node), node.func) if isinstance(node, ast.Call) else None
