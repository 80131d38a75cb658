"""What can be written instead of what ends a graph, so that Dynamo goes on; `tests/test_graph_break_fixes.py` asks it.

a if x.sum() > 0 else b                torch.where(x.sum() > 0, a, b)
if x.sum() > 0: x = x * 2              x = torch.where(x.sum() > 0, x * 2, x)
assert not x.isnan().any()             assert x.isnan().any().logical_not()
if x.isnan().any(): raise ValueError   assert x.isnan().any().logical_not()
y * x.std().item()                     y * x.std().detach()
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index import definitions
from torchperf_lint.rules.compile.graph_break_in_compiled_code.operands import Break, tensor

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two tensors, by what a third says."""

    test: ast.expr
    """A bool."""
    chosen: ast.expr
    other: ast.expr
    target: ast.Name | None
    """What a statement binds to it; None for an expression."""


def choice(facts: Facts, node: ast.AST, found: Break) -> Choice | None:
    """What a branch chooses between, where both are tensors of one dtype, and `torch.where` can choose as well."""
    match node:
        case ast.IfExp(test=test, body=chosen, orelse=other):
            made = Choice(test, chosen, other, None)
        case ast.If(test=test, body=[ast.Assign(targets=[ast.Name() as target], value=chosen)], orelse=orelse):
            match orelse:
                case []:
                    made = Choice(test, chosen, target, target)
                case [ast.Assign(targets=[ast.Name(id=name)], value=other)] if name == target.id:
                    made = Choice(test, chosen, other, target)
                case _:
                    return None
        case _:
            return None
    if found.kind != "branch" or found.shown is not made.test or found.value is None or found.value.dtype != "bool":
        return None
    return made if _are_alike(tensor(facts, made.chosen), _before(facts, made)) else None


def _before(facts: Facts, made: Choice) -> Value | None:
    """What stands if the other side is taken: of a statement without `else`, what the name held before it."""
    if made.other is not made.target or not isinstance(made.other, ast.Name):
        return tensor(facts, made.other)
    name = made.other.id
    reads = (each for each in ast.walk(made.chosen) if isinstance(each, ast.Name) and each.id == name)
    read = next(reads, None)
    return tensor(facts, read) if read is not None else None  # `x = x * 2`: a name that is read there is bound before


def _are_alike(one: Value | None, other: Value | None) -> bool:
    """Whether two tensors are of one dtype and rank, as far as anybody knows: `torch.where` would make another of them."""
    if one is None or other is None:
        return False
    return one.dtype == other.dtype and one.rank == other.rank


def denied(node: ast.AST, found: Break) -> ast.expr | None:
    """The tensor of `assert not tensor`; a message that is made of tensors would end the graph too."""
    match node:
        case ast.Assert(test=ast.UnaryOp(op=ast.Not(), operand=operand), msg=None | ast.Constant()):
            return operand if operand is found.shown else None
    return None


@dataclass(frozen=True, slots=True)
class Raised:
    """An error that one tensor decides on."""

    test: ast.expr
    """A bool of no dimension."""
    message: ast.expr | None


def raised(node: ast.AST, found: Break) -> Raised | None:
    """`if tensor: raise ValueError("negative")`, of which the graph takes an assertion."""
    match node:
        case ast.If(test=test, body=[ast.Raise(exc=raised, cause=None)], orelse=[]) if test is found.shown:
            pass
        case _:
            return None
    if found.kind != "branch" or found.value is None or found.value.dtype != "bool" or found.value.rank != 0:
        return None
    match raised:
        case ast.Name() | ast.Call(args=[], keywords=[]):
            return Raised(test, None)
        case ast.Call(args=[ast.Constant(value=str()) as message], keywords=[]):
            return Raised(test, message)
    return None


def read(facts: Facts, found: Break) -> ast.expr | None:
    """The tensor of `tensor.item()` whose number meets only tensors, with which the tensor itself would do as well."""
    module = facts.module
    match found.shown:
        case ast.Call(func=ast.Attribute(value=held, attr="item"), args=[], keywords=[]) as call:
            pass
        case _:
            return None
    above = module.parents.get(call)
    if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name) and len(above.targets) == 1:
        target = above.targets[0]
        function = module.function_of(target)
        if function.is_module or any(target.id in inner.scope.loads for inner in function.inner):
            return None
        reads = definitions.reads_after(module, target)
        return held if reads and all(_meets_tensor(facts, each) for each in reads) else None
    return held if _meets_tensor(facts, call) else None


def _meets_tensor(facts: Facts, node: ast.expr) -> bool:
    """Whether a number is one side of a calculation whose other side is a floating-point tensor of a dimension or more."""
    match facts.module.parents.get(node):
        case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()):
            value = tensor(facts, right if left is node else left)
            return value is not None and value.rank != 0
    return False
