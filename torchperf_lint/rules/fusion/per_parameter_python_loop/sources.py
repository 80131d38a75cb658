"""What a loop goes through: the parameters of a module, or their gradients. Knows syntax and names alone."""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name, walk

_GIVING: Final = frozenset(("parameters", "named_parameters", "buffers", "named_buffers"))
SAME: Final = frozenset(("data", "detach", "grad", "float", "view_as", "to", "type_as"))
"""What gives a parameter, its gradient, or the values of either."""


def are_parameters(module: Module, loop: ast.For) -> bool:
    """Whether the items of a loop are parameters: of a module, or of a list that is called so."""
    iterated: ast.expr = loop.iter
    parts = _parts(iterated)
    if any(isinstance(each, ast.Attribute) and each.attr in _flattened(module, module.tree) for each in parts):
        return False
    return (
        any(_gives_parameters(module, each) for each in parts)
        or are_gradients(module, iterated)
        or _uses_gradients(loop)
    )


def are_gradients(module: Module, iterated: ast.expr) -> bool:
    """Whether the items of a loop are gradients that a list was made of: `[p.grad.detach() for p in parameters]`."""
    made = [definitions.definition(module, each) if isinstance(each, ast.Name) else each for each in _parts(iterated)]
    return all(isinstance(each, ast.ListComp) and _is_gradient(each.elt) for each in made)


def _is_gradient(node: ast.expr) -> bool:
    """`p.grad`, `p.grad.detach()`, `p.grad.data`."""
    return bool(root(node)) and any(isinstance(each, ast.Attribute) and each.attr == "grad" for each in walk(node))


def _parts(iterated: ast.expr) -> list[ast.expr]:
    match iterated:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_parts(left), *_parts(right)]
        case ast.Call(func=ast.Name(id="zip" | "enumerate" | "list" | "tuple" | "filter"), args=args):
            return [part for each in args for part in _parts(each)]
    return [iterated]


def _gives_parameters(module: Module, iterated: ast.expr) -> bool:
    match iterated:
        case ast.Call(func=ast.Attribute(attr=name)) if name in _GIVING:
            return True
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=ast.Attribute(attr="state_dict")), attr="values" | "items")
        ):
            return True
        case ast.Attribute(attr=name) if value_names.is_of_parameters(name):
            return True
        case ast.Name(id=name):
            made = definitions.definition(module, iterated)
            is_list = made is not None and any(_gives_parameters(module, each) for each in _inner(made))
            return is_list or (made is None and value_names.is_of_parameters(name))
    return False


@once
def _flattened(module: Module, _: ast.Module) -> frozenset[str]:
    """The attributes that hold what a function of the file flattens: some large tensors, each of many parameters."""
    makers = {module.function_of(call).name for call in module.calls.get("_flatten_dense_tensors", ())}
    return frozenset(
        target.attr
        for each in module.by_type.get(ast.Assign, ())
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call) and last_name(each.value.func) in makers
        for target in each.targets
        if isinstance(target, ast.Attribute)
    )


def _inner(made: ast.expr) -> list[ast.expr]:
    """What a list is made of: `list(model.parameters())`, `[p for p in model.parameters() if ...]`."""
    match made:
        case ast.ListComp(generators=[each]):
            return _parts(each.iter)
    return [part for part in _parts(made) if not isinstance(part, ast.Name)]


def _uses_gradients(loop: ast.For) -> bool:
    """Whether the first thing done with an item is to look at its `.grad`, which nothing but a parameter has."""
    items = {node.id for node in walk(loop.target) if isinstance(node, ast.Name)}
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == "grad"
        and isinstance(node.value, ast.Name)
        and node.value.id in items
        for node in walk(loop)
    )


def root(node: ast.expr) -> str:
    """The name that an expression gives the values of: `p` of `p.grad.data`; empty where there is none."""
    at = node
    while True:
        match at:
            case ast.Name(id=name):
                return name
            case ast.Attribute(value=inner, attr=attr) if attr in SAME:
                at = inner
            case ast.Call(func=ast.Attribute(attr=attr) as func) if attr in SAME:
                at = func
            case _:
                return ""
