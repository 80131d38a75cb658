"""Branches for tensors that are not on CUDA: those of the CPU, of MPS, of whatever else a program asks for by name.

    compact = x.device.type == "cpu"
    if compact: x = x[keep]            a selection that no GPU is waited for
    if x.is_cuda: return fast(x)
    return x[x > 0]                    nor here, where CUDA does not come

That one tensor is elsewhere says it of those beside it, for what is computed together is in one place. Knows syntax and
names, nothing of values.
"""

from __future__ import annotations

import ast

from torchperf_lint.facts.domain.value import CPU, CUDA, OTHER
from torchperf_lint.facts.guesses import call_names, value_names
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import ClosedNode, in_orelse, last_name, place_of
from torchperf_lint.facts.interpret import devices
from torchperf_lint.facts.knowledge import device_names


def from_cuda(module: Module, node: ast.AST) -> bool:
    """Whether a node stands, within its function, where CUDA does not come."""
    function, below = module.function_of(node), node
    for above in module.ancestors(node):
        if any(_denies(function, test, truth) for test, truth in _passed(above, below)):
            return True
        place = inside.block_of(module, below)
        if place is not None and _left_at(module, place[0]) < place[1]:
            return True
        if isinstance(above, ClosedNode):
            break
        below = above
    return False


def _passed(above: ast.AST, below: ast.AST) -> list[tuple[ast.expr, bool]]:
    """The conditions on the way from one node to the next below it, and how they came out."""
    match above:
        case ast.If(test=test) if below is not test:
            return [(test, not in_orelse(below, above))]
        case ast.IfExp(test=test) if below is not test:
            return [(test, below is above.body)]
        case ast.BoolOp(op=op, values=values):
            return [(each, isinstance(op, ast.And)) for each in values[: values.index(below)]]  # type: ignore[arg-type]
    return []


@once
def _left_at(module: Module, block: inside.Block) -> int:
    """The number of the first statement of a block that leaves it where something is on CUDA; one more than all if none does."""
    for number, each in enumerate(block.statements):
        if (
            isinstance(each, ast.If)
            and not each.orelse
            and isinstance(each.body[-1], (ast.Return, ast.Raise, ast.Continue))
            and _denies(module.function_of(each), each.test, truth=False)
        ):
            return number
    return len(block.statements)


def _denies(function: Function, test: ast.expr, truth: bool) -> bool:
    """Whether nothing is on CUDA where a test comes out as `truth`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _denies(function, operand, not truth)
        case ast.BoolOp(op=op, values=values):
            each = [_denies(function, value, truth) for value in values]
            return any(each) if isinstance(op, ast.And) is truth else all(each)
        case ast.Compare(left=place, ops=[ast.Eq() | ast.NotEq() as op], comparators=[ast.Constant(value=str(name))]):
            wanted = (CPU, OTHER) if isinstance(op, ast.Eq) is truth else (CUDA,)
            # `mode == "cpu"` says it as well as `device == "cpu"`
            return (_is_device(place) or name == "cpu") and devices.named(name) in wanted
        case ast.Attribute(attr="is_cuda"):
            return not truth
        case ast.Attribute(attr=attr):
            return truth and attr in device_names.NOT_CUDA
        case ast.Call(func=func, args=[]):
            return not truth and dotted(function, func) == "torch.cuda.is_available"
        case ast.Name():
            meant = _meant(function, test)
            return meant is not None and _denies(function, meant, truth)
    return False


def _is_device(node: ast.expr) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "type") or value_names.is_device(last_name(node))


def _meant(function: Function, name: ast.Name) -> ast.expr | None:
    """The condition that a name stands for, where it is bound once and what it is about is not moved since."""
    stores = function.scope.stores.get(name.id, [])
    above = function.module.parents.get(stores[0]) if len(stores) == 1 else None
    if not isinstance(above, ast.Assign) or above.targets != stores or place_of(above) >= place_of(name):
        return None
    if not isinstance(above.value, (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Attribute, ast.Call)):
        return None
    subjects = [each.id for each in ast.walk(above.value) if isinstance(each, ast.Name)]
    later = [store for subject in subjects for store in function.scope.stores.get(subject, ()) if
             place_of(above) < place_of(store) < place_of(name)]  # fmt: skip
    return None if any(_is_move(function.module, store) for store in later) else above.value


def _is_move(module: Module, store: ast.AST) -> bool:
    """Whether what a name is bound to may be on another device than before."""
    statement = module.statement(store) if not isinstance(store, ast.arg) else store
    return any(
        isinstance(each, ast.Call) and call_names.moves_to_device(last_name(each.func)) for each in ast.walk(statement)
    )
