"""Calls of compiled code that are given another size at each turn of a loop, where `dynamic=False` compiles for each.

run = torch.compile(net, dynamic=False)
for n in range(1, 64):
    y = run(x[:, :n])                     a slice whose end the loop moves
while len(tokens) < 64:
    tokens = torch.cat((tokens, run(tokens)), dim=1)
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import compiled, gates
from torchperf_lint.facts.index import blocks, inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import Loop, says

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_FEW = 2
"""So many sizes are compiled whatever is said: one for the first call, one that varies."""
_JOINING = ("torch.cat", "torch.concat", "torch.concatenate")


@dataclass(frozen=True, slots=True)
class Varied:
    """An argument whose size varies."""

    given: ast.expr
    compiles: ast.expr
    """The call that compiles what it is given to."""
    setting: ast.expr
    """What that call says of sizes."""
    dim: int | None
    """The dimension that varies, of a name; None where it is not known."""


def may_be(module: Module) -> bool:
    """Whether a file may compile for fixed sizes, by its words, and marks none that varies."""
    return "compile" in module.names and "dynamic" in module.keywords and "mark_dynamic" not in module.names


def varied(facts: Facts, node: ast.AST) -> Varied | None:
    """The argument of a call whose size varies from turn to turn; None where none is known to."""
    module = facts.module
    if not isinstance(node, ast.Call) or not may_be(module):
        return None
    loop = blocks.loop(module, node)
    made = compiled.made(module, node.func) if loop is not None else None
    setting = _setting(made)
    if loop is None or made is None or setting is None or gates.of(module, node) is not None:
        return None
    for given in node.args:
        if _is_cut_by(facts, given, loop):
            return Varied(given, made, setting, None)
        joined = _grown(module, given, loop)
        if joined is not None:
            return Varied(given, made, setting, _dim(joined))
    return None


def _setting(made: ast.expr | None) -> ast.expr | None:
    given = made.keywords if isinstance(made, ast.Call) else []
    setting = next((each.value for each in given if each.arg == "dynamic"), None)
    return setting if isinstance(setting, ast.Constant) and setting.value is False else None


# ---- `x[:, :n]`


def _is_cut_by(facts: Facts, node: ast.expr, loop: Loop) -> bool:
    """Whether a tensor is cut at one end by the number of a loop."""
    match node, loop:
        case ast.Subscript(value=held, slice=index), ast.For(target=ast.Name(id=name)) if _counts(facts.module, loop):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            value = facts.analysis.seen(held, facts.module.function_of(held))
            is_tensor = isinstance(index, ast.Tuple) or (value is not None and value.kind == "tensor")
            return is_tensor and any(_moves(each, name) for each in parts)
    return False


def _counts(module: Module, loop: ast.For) -> bool:
    """Whether a loop counts, more than a few times where it says how often, with a name that nothing else sets."""
    match loop:
        case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=bounds)):
            if len(module.function_of(loop).scope.stores.get(name, ())) != 1:
                return False
            numbers = [each.value for each in bounds if isinstance(each, ast.Constant) and isinstance(each.value, int)]
            return len(numbers) < len(bounds) or len(range(*numbers)) > _FEW
    return False


def _moves(part: ast.expr, name: str) -> bool:
    """`:n` and `n + 1:` of a slice, but not `n:n + 8`, which is as long each time."""
    if not isinstance(part, ast.Slice) or part.step is not None:
        return False
    return _follows(part.lower, name) != _follows(part.upper, name) and _is_plain(part.lower) and _is_plain(part.upper)


def _follows(bound: ast.expr | None, name: str) -> bool:
    return bound is not None and says(bound, name)


def _is_plain(bound: ast.expr | None) -> bool:
    """Whether a bound is a number or a name, or one more or less: `n % 8` comes back to where it was."""
    match bound:
        case None | ast.Constant() | ast.Name():
            return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            return _is_plain(left) and _is_plain(right)
    return False


# ---- `x = torch.cat((x, y), dim=1)`


def _grown(module: Module, node: ast.expr, loop: Loop) -> ast.Call | None:
    """The call that makes a tensor longer at each turn of a loop, where that is all that the loop does to it."""
    if not isinstance(node, ast.Name):
        return None
    stores = module.function_of(node).scope.stores.get(node.id, ())
    match [module.parents.get(each) for each in stores if inside.is_inside(module, each, loop)]:
        case [
            ast.Assign(
                targets=[ast.Name()], value=ast.Call(func=func, args=[ast.Tuple() | ast.List() as parts, *_]) as call
            )
        ]:
            is_itself = any(isinstance(each, ast.Name) and each.id == node.id for each in parts.elts)
            is_joined = names.dotted(module.function_of(call), func) in _JOINING
            is_each_turn = blocks.loop(module, call) is loop and gates.of(module, call) is None
            return call if is_itself and is_joined and is_each_turn else None
    return None


def _dim(call: ast.Call) -> int | None:
    """The dimension in which tensors are joined, where it is said from the front."""
    match [*call.args[1:], *(each.value for each in call.keywords if each.arg in ("dim", "axis"))]:
        case []:
            return 0
        case [ast.Constant(value=int(dim))]:
            return dim
    return None
