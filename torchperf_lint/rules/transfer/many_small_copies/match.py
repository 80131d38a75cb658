"""Tensors that are copied part by part: arrays of NumPy in a list, results that go to the CPU one by one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts.index import blocks, definitions, inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, place_of
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

Sort = Literal["arrays", "parts"]

_MAKING: Final = (
    "torch.tensor",
    "torch.as_tensor",
    "torch.FloatTensor",
    "torch.LongTensor",
    "torch.Tensor",
    "torch.DoubleTensor",
    "torch.IntTensor",
)
_DEEP: Final = 3
"""So many names are followed."""
_JOINING: Final = ("cat", "stack", "concat", "concatenate", "vstack", "hstack")


def sort_of(facts: Facts, call: ast.AST) -> Sort | None:
    if not isinstance(call, ast.Call):
        return None
    if names.dotted(facts.module.function_of(call), call.func) in _MAKING:
        return "arrays" if _of_arrays(facts, call) else None
    return "parts" if _is_gathered(facts, call) else None


def may_be_many(facts: Facts, call: ast.AST) -> bool:
    return sort_of(facts, call) is not None


def _of_arrays(facts: Facts, call: ast.Call) -> bool:
    """Whether a tensor is made of a list of arrays, which torch goes through number by number."""
    match call.args:
        case [ast.ListComp(elt=elt), *_]:
            parts, value = [elt], facts.analysis.value(elt, facts.module)
        case [ast.List(elts=[first, _, *_]), *_]:
            if _is_of_one(facts.module, first, _DEEP):
                return False
            parts, value = [first], facts.analysis.value(first, facts.module)
        case [ast.Name() as listed, *_]:
            held = facts.analysis.value(listed, facts.module)
            if held.kind != "list" or held.elem is None:
                return False
            parts, value = _appended(facts.module, call, listed.id), held.elem
        case _:
            return False
    return value.kind == "ndarray" and value.rank != 0 and not any(map(_may_be_number, parts))


def _may_be_number(part: ast.expr) -> bool:
    """`table[i, j]`: one number of an array, as far as the index tells."""
    match part:
        case ast.Subscript(slice=ast.Tuple(elts=elts)):
            return not any(isinstance(each, ast.Slice) for each in elts)
    return False


def _is_of_one(module: Module, part: ast.expr, deep: int) -> bool:
    """`y[0] - border`, of which a list is written out: one number of an array, unless that has several dimensions."""
    match part:
        case ast.BinOp(left=left, right=right):
            return _is_of_one(module, left, deep) or _is_of_one(module, right, deep)
        case ast.IfExp(body=one, orelse=other):
            return _is_of_one(module, one, deep) or _is_of_one(module, other, deep)
        case ast.Subscript(slice=index):
            return not any(isinstance(each, ast.Slice) for each in ast.walk(index))
        case ast.Name() if deep:
            bound = definitions.definition(module, part)
            return bound is not None and _is_of_one(module, bound, deep - 1)
        case ast.Attribute(attr=attr) if deep:
            method = module.function_of(part).method
            sites = classes.sites(method.owner).get(attr, ()) if method is not None and method.owner is not None else ()
            kept = [definitions.value_of(function.module, site) for function, site in sites]
            return any(each is not None and _is_of_one(module, each, deep - 1) for each in kept)
    return False


def _appended(module: Module, call: ast.Call, listed: str) -> list[ast.expr]:
    """What a function appends to a list."""
    found: list[ast.expr] = []
    for each in inside.calls(module, module.function_of(call).node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[part]) if name == listed:
                found.append(part)
    return found


def _is_gathered(facts: Facts, call: ast.Call) -> bool:
    """Whether a result goes to the CPU to be appended to a list, whose parts are joined behind the loop."""
    match call:
        case ast.Call(func=ast.Attribute(attr="cpu", value=moved), args=[]):
            pass
        case _:
            return False
    above = facts.module.parents.get(call)
    match above:
        case ast.Call(func=ast.Attribute(attr="append", value=ast.Name(id=listed)), args=[given]) if given is call:
            pass
        case _:
            return False
    loop, value = blocks.loop(facts.module, call), facts.analysis.value(moved, facts.module)
    if loop is None or value.on_host or value.rank == 0 or value.kind not in ("tensor", "tensor_tree", "unknown"):
        return False
    return _joined(facts.module, facts.module.function_of(call)).get(listed, (0, 0)) > place_of(loop)


@once
def _joined(module: Module, function: Function) -> dict[str, tuple[int, int]]:
    """Where a function last joins the parts of each of its lists, by name."""
    found: dict[str, tuple[int, int]] = {}
    for call in inside.calls(module, function.node):
        if last_name(call.func) in _JOINING:
            for each in call.args:
                if isinstance(each, ast.Name):
                    found[each.id] = max(place_of(call), found.get(each.id, (0, 0)))
    return found
