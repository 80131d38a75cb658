"""Choices between two values: what `torch.where` could choose, because nothing else depends on the condition.

    a if cond else b
    if cond: x = a                 otherwise x stays
    if cond: x = a / else: x = b

Both sides are worked out in `where`, so they must be made by operations of torch alone.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


@dataclass(frozen=True, slots=True)
class Choice:
    """Two values, and the name that is bound to one of them."""

    test: ast.expr
    then: ast.expr
    other: ast.expr | None
    """None where the name stays as it is."""
    name: ast.expr | None
    """None where the choice is an expression."""


def of(analysis: Analysis, module: Module, node: ast.If | ast.IfExp) -> Choice | None:
    """The choice that a condition makes, if it makes nothing else."""
    match node:
        case ast.IfExp(test=test, body=then, orelse=other):
            found = Choice(test, then, other, None)
        case ast.If(test=test, body=[ast.Assign(targets=[ast.Name() as name], value=then)], orelse=[]):
            found = Choice(test, then, None, name)
        case ast.If(
            test=test,
            body=[ast.Assign(targets=[ast.Name(id=same) as name], value=then)],
            orelse=[ast.Assign(targets=[ast.Name(id=again)], value=other)],
        ) if same == again:
            found = Choice(test, then, other, name)
        case _:
            return None
    sides = [side for side in (found.then, found.other) if side is not None]
    above = module.parents.get(node)
    is_elif = isinstance(above, ast.If) and node in above.orelse
    if is_elif or not all(_is_of_torch(analysis, module, side) for side in sides):
        return None
    return found if found.other is not None or _stays_a_tensor(analysis, module, node, found.name) else None


def _stays_a_tensor(analysis: Analysis, module: Module, node: ast.AST, name: ast.expr | None) -> bool:
    """Whether a name that an `if` leaves as it is holds a tensor for all that is known, and may nowhere be None."""
    assert isinstance(name, ast.Name)
    function = module.function_of(node)
    bound = definitions.reaching(module, name)
    held = [analysis.value(load, module) for load in function.scope.loads.get(name.id, ())]
    if isinstance(bound, ast.arg):
        held.append(analysis.parameter(function, name.id))
    elif isinstance(bound, ast.Name):
        held.append(analysis.value(bound, module))
    return not any(each.none or each.kind == "none" for each in held)


def _is_of_torch(analysis: Analysis, module: Module, node: ast.expr) -> bool:
    """Whether only operations of torch make a value, none that changes what it works on."""
    for call in walk(node):
        if not isinstance(call, ast.Call):
            continue
        name = names.dotted(module.function_of(call), call.func) or ""
        is_method = isinstance(call.func, ast.Attribute) and analysis.value(call.func.value, module).kind == "tensor"
        changes = isinstance(call.func, ast.Attribute) and call.func.attr.endswith("_")
        if changes or not (is_method or name.startswith("torch.")):
            return False
    return True


def asking(module: Module, node: ast.AST) -> ast.AST:
    """What asks for the truth of an expression: the `if`, `while` or `assert` of whose condition it is a part, or itself."""
    at = node
    while True:
        above = module.parents.get(at)
        match above:
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                at = above
            case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test) | ast.IfExp(test=test) if test is at:
                return above
            case _:
                return node


def leaves(node: ast.AST) -> bool:
    """`if done.all(): break`: the work that is saved may be worth a wait; what is done before it leaves is done once."""
    match node:
        case ast.If(body=[*_, ast.Break() | ast.Return()], orelse=[]):
            return True
    return False
