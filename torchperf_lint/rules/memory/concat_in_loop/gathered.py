"""Attributes that a method joins to themselves at each call, and that others read when all is gathered.

    def update(self, scores):
        self.scores = torch.cat([self.scores, scores])

Only where the class starts anew in a method of its own, and nobody cuts what was gathered. Knows syntax alone.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_LOOKING: Final = frozenset(("to", "type_as"))


def is_gathered(facts: Facts, call: ast.AST) -> bool:
    """Whether a call joins an attribute to itself in a method that gathers, and does nothing else with it."""
    module = facts.module
    statement, method = module.parents.get(call), module.function_of(call).method
    if not isinstance(call, ast.Call) or method is None or method.owner is None or not method.positional:
        return False
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=own)) as bound], value=value) if value is call:
            pass
        case _:
            return False
    listed = call.args[0].elts if call.args and isinstance(call.args[0], (ast.List, ast.Tuple)) else []
    if own != method.positional[0] or not listed or ast.unparse(listed[0]) != ast.unparse(bound):
        return False
    if not function_names.gathers(method.name) or blocks.loop(module, call) is not None:
        return False
    return _starts_anew(method.owner, bound.attr) and not _is_read(facts, method, statement, bound.attr)


def _starts_anew(owner: Class, attribute: str) -> bool:
    """Whether a method of a class sets an attribute anew, and none cuts it."""
    return attribute in _set_anew(owner.module, owner) and attribute not in _cut(owner.module, owner)


@once
def _set_anew(_: Module, owner: Class) -> frozenset[str]:
    """The attributes that methods set which start anew."""
    return frozenset(
        each.attr
        for method in owner.methods.values()
        if function_names.starts_anew(method.name)
        for each in method.sets
    )


@once
def _cut(_: Module, owner: Class) -> frozenset[str]:
    """The attributes of which a method keeps a part: `self.scores = self.scores[-100:]`."""
    found = set[str]()
    for method in owner.methods.values():
        for each in walk(method.node):
            match each:
                case ast.Assign(
                    targets=[ast.Attribute(attr=kept)], value=ast.Subscript(value=ast.Attribute(attr=name))
                ) if kept == name:
                    found.add(name)
    return frozenset(found)


@once
def _reads(_: Module, method: Function) -> dict[str, list[ast.Attribute]]:
    """Where a method reads attributes, by their names."""
    found: dict[str, list[ast.Attribute]] = {}
    for each in walk(method.node):
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Load):
            found.setdefault(each.attr, []).append(each)
    return found


def _is_read(facts: Facts, method: Function, statement: ast.stmt, attribute: str) -> bool:
    """Whether a method reads what it gathers, but for what it is made of: `scores.to(self.scores)`."""
    within = {id(each) for each in walk(statement)}
    for each in _reads(facts.module, method).get(attribute, ()):
        if id(each) in within:
            continue
        match facts.module.parents.get(each):
            case ast.Call(func=ast.Attribute(attr=name)) if name in _LOOKING:
                continue
            case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
                continue
        return True
    return False
