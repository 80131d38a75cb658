"""The larger, or the smaller, of a tensor and one that is filled with a number for it.

torch.max(x, torch.zeros_like(x))                        x.clamp(min=0)
torch.min(limit * torch.ones_like(x), x)                 x.clamp(max=limit)
torch.max(high - low, torch.zeros_like(high))            (high - low).clamp(min=0)
torch.maximum(places, torch.tensor(0))                   places.clamp(min=0)

What is filled must not be the larger of the two: else it makes the result as large as itself.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import names
from torchperf_lint.facts.knowledge import pointwise
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_FILLED: Final = {"torch.zeros_like": "0", "torch.ones_like": "1"}
_BOUNDS: Final = {"max": "min", "maximum": "min", "min": "max", "minimum": "max"}
"""What the larger of two is at least, and the smaller at most, in the words of `clamp`."""
_KEEPING: Final = frozenset(("detach", "to", "cuda", "float"))
"""Methods behind which a filled tensor is one."""
_DEEP: Final = 8


def bounded(facts: Facts, node: ast.AST) -> Form | None:
    """The larger, or the smaller, of a tensor and one that was filled with a number for it."""
    found = operation.of(facts.module, node)
    if found is None or found.name not in _BOUNDS or len(found.rest) != 1 or found.named:
        return None
    for tensor, other in ((found.tensor, found.rest[0]), (found.rest[0], found.tensor)):
        number = _filled(facts, other, tensor)
        if number is not None:
            said = "a tensor is filled with a number to be compared: `clamp` compares with the number"
            cure = f"{operation.operand(tensor)}.clamp({_BOUNDS[found.name]}={number})"
            return Form(found.call, said, cure, tensor, needs_many=True)
    return None


def _filled(facts: Facts, node: ast.expr, beside: ast.expr) -> str | None:
    """The number that a tensor, no larger than another, is filled with, as text."""
    made = _without_moves(operation.made(facts, node))
    if isinstance(made, ast.BinOp) and isinstance(made.op, ast.Mult):
        for ones, number in ((made.left, made.right), (made.right, made.left)):
            if _filled(facts, ones, beside) == "1" and _is_number(facts, number):
                return ast.unparse(number)
        return None
    if not isinstance(made, ast.Call) or not made.args:
        return None
    name = names.dotted(facts.module.function_of(made), made.func) or ""
    if name == "torch.tensor":
        return _text(facts, made.args[0]) if all(each.arg == "device" for each in made.keywords) else None
    if made.keywords or not is_part(facts, made.args[0], beside):
        return None
    if name == "torch.full_like":
        return _text(facts, made.args[1]) if len(made.args) == 2 else None
    return _FILLED.get(name) if len(made.args) == 1 else None


def _without_moves(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING:
        if isinstance(node.func.value, ast.Name):
            break  # the tensor itself, or `torch`
        node = node.func.value
    return node


def _text(facts: Facts, number: ast.expr) -> str | None:
    return ast.unparse(number) if _is_number(facts, number) else None


def _is_number(facts: Facts, node: ast.expr) -> bool:
    return facts.analysis.value(node, facts.module).kind == "number"


def is_part(facts: Facts, like: ast.expr, whole: ast.expr, deep: int = _DEEP) -> bool:
    """Whether one tensor is another, or one of those that it is worked out of element by element: then it is no larger."""
    if operation.same(like, whole):
        return True
    match whole:
        case _ if not deep:
            return False
        case ast.BinOp(left=left, right=right, op=op) if not isinstance(op, ast.MatMult):
            return any(is_part(facts, like, each, deep - 1) for each in (left, right))
        case ast.UnaryOp(operand=operand):
            return is_part(facts, like, operand, deep - 1)
        case ast.Call():
            found = operation.of(facts.module, whole)
            is_each = found is not None and (
                found.name in pointwise.NAMES or (found.name in _BOUNDS and bool(found.rest))
            )
            return found is not None and is_each and is_part(facts, like, found.tensor, deep - 1)
    return False
