"""Linear layers of which one would do: two in a row with nothing between, and two on one input that a gate brings together."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.guesses import file_words
from torchperf_lint.facts.idioms import operations, sizes
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.walk import may_hide

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

_LINEAR: Final = "torch.nn.Linear"


def may_fold(facts: Facts, call: ast.AST) -> bool:
    return next_layer(facts, call) is not None or gated(facts, call) is not None


def next_layer(facts: Facts, call: ast.AST) -> ast.Call | None:
    """The linear layer right behind another in a sequence, where both are one: the width between them is no bottleneck."""
    module = facts.module
    if not isinstance(call, ast.Call) or not _is_linear(module, call):
        return None
    if file_traits.suggests(module, file_words.means_two_layers):
        return None
    match module.parents.get(call):
        case ast.Call(func=func, args=line) if names.dotted(module.function_of(call), func) == "torch.nn.Sequential":
            at = next(number for number, each in enumerate(line) if each is call)
            behind = line[at + 1] if at + 1 < len(line) else None
        case _:
            return None
    if not isinstance(behind, ast.Call) or not _is_linear(module, behind):
        return None
    widths = [_width(facts, call, 0), _width(facts, call, 1), _width(facts, behind, 1)]
    first, between, last = widths
    if first is None or between is None or last is None or between < min(first, last):
        return None
    return behind


def _is_linear(module: Module, call: ast.Call) -> bool:
    return names.dotted(module.function_of(call), call.func) == _LINEAR and not may_hide(call)


def _width(facts: Facts, call: ast.Call, place: int) -> int | None:
    name = ("in_features", "out_features")[place]
    given = next((each.value for each in call.keywords if each.arg == name), None)
    given = given or (call.args[place] if place < len(call.args) else None)
    found = sizes.size(facts.analysis, facts.module, given) if given is not None else None
    return found.value if found is not None and found.known else None


def gated(facts: Facts, call: ast.AST) -> ast.expr | None:
    """The product of two linear layers of one input, of which one goes through a sigmoid, if a call is that sigmoid."""
    module = facts.module
    inner = _squashed(facts, call)
    if inner is None or not isinstance(call, ast.Call):
        return None
    node: ast.expr = call
    match module.parents.get(call):
        case ast.Assign(targets=[ast.Name() as bound]) if definitions.is_read_only_once(module, bound):
            node = definitions.reads_after(module, bound)[0]
    match module.parents.get(node):
        case ast.BinOp(left=left, op=ast.Mult(), right=right) as whole:
            other = right if left is node else left
        case ast.Call() as whole:
            product = operations.of(module, whole)
            if product is None or product.name != "mul" or len(product.rest) != 1:
                return None
            other = product.rest[0] if product.tensor is node else product.tensor
        case _:
            return None
    if isinstance(other, ast.Name):
        other = definitions.definition(module, other) or other
    return whole if _is_pair(facts, inner, other) else None


def _squashed(facts: Facts, call: ast.AST) -> ast.expr | None:
    """What a sigmoid is taken of, by a function or by a layer."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=_) as func, args=[of], keywords=[]):
            if facts.analysis.value(func, facts.module).ref == "torch.nn.Sigmoid":
                return of
    found = operations.of(facts.module, call)
    return found.tensor if found is not None and found.name == "sigmoid" and not found.rest else None


def _is_pair(facts: Facts, one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions are calls of two linear layers of the same object with one and the same input."""
    match one, other:
        case (
            ast.Call(func=ast.Attribute() as first, args=[ast.Name() as x], keywords=[]),
            ast.Call(func=ast.Attribute() as second, args=[ast.Name() as y], keywords=[]),
        ) if x.id == y.id and first.attr != second.attr:
            pass
        case _:
            return False
    if set(definitions.may_reach(facts.module, x)) != set(definitions.may_reach(facts.module, y)):
        return False
    held = [facts.analysis.value(each, facts.module) for each in (first, second)]
    return all(each.kind == "module" and each.ref == _LINEAR for each in held)
