"""Where an object got its settings: the call that made it, if nobody else uses the object.

    self.loss = nn.CrossEntropyLoss()        made here
    self.loss(logits, labels)                and used once, so the settings are this use's alone

Knows names and the attributes of classes, nothing of losses.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import place_of, walk
from torchperf_lint.facts.interpret import classes

_MOVING: Final = frozenset(("to", "cuda"))


def of(module: Module, used: ast.expr) -> ast.Call | None:
    """The call of torch that made an object, through moves; None if that is not known, or the object is used elsewhere."""
    value: ast.expr | None = None
    match used:
        case ast.Name(id=name):
            stores = [each for function in module.functions.values() for each in function.scope.stores.get(name, ())]
            uses = sum(isinstance(node, ast.Name) and node.id == name for node in walk(module.tree))
            if len(stores) == 1 and uses == 2:
                value = definitions.value_of(module, stores[0])
        case ast.Attribute(value=ast.Name(), attr=attr):
            owner = module.function_of(used).owner
            uses = sum(isinstance(node, ast.Attribute) and node.attr == attr for node in walk(module.tree))
            sites = classes.sites(owner).get(attr, []) if owner is not None else []
            if len(sites) == 1 and uses == 2 and sites[0][0].name == "__init__":
                value = getattr(module.parents.get(sites[0][1]), "value", None)
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _MOVING:
        value = value.func.value
    if not isinstance(value, ast.Call):
        return None
    return value if (names.dotted(module.function_of(value), value.func) or "").startswith("torch.") else None


def can_be_said(module: Module, node: ast.expr, place: ast.AST) -> bool:
    """Whether an expression stands for the same in the constructor of its class: a constant, or what is set above."""
    if module.function_of(node) is module.function_of(place):
        return True
    match node:
        case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Name(id=name):
            homes = [names.scope_of(module.function_of(each), name) for each in (node, place)]
            if homes[0] is None or homes[0] is not homes[1] or len(homes[0].scope.stores[name]) > 1:
                return False
            return homes[0] is not module.function_of(place) or place_of(homes[0].scope.stores[name][0]) < place_of(
                place
            )
        case ast.Attribute(value=ast.Name(id="self"), attr=attr):
            owner = module.function_of(node).owner
            sites = classes.sites(owner).get(attr, []) if owner is not None else []
            return (
                len(sites) == 1 and sites[0][0] is module.function_of(place) and place_of(sites[0][1]) < place_of(place)
            )
    return False
