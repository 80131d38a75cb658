"""Attributes that a method joins to themselves at each call, and that others read when all is gathered.

    def update(self, scores):
        self.scores = torch.cat([self.scores, scores])

Only where the class starts anew in a method of its own, and nobody cuts what was gathered. Knows syntax alone.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.scopes import Class, Function

_GATHERING: Final = re.compile(r"^_?(update|add|append|extend|store|push|collect|accumulate|record|gather)(_|$)")
_STARTING: Final = re.compile(r"^_?(reset|clear|flush|empty)(_|$)")
"""What a method is called that starts anew: gathered is from one such call to the next, an epoch as a rule."""
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
    if not _GATHERING.match(method.name) or blocks.loop(module, call) is not None:
        return False
    return _starts_anew(method.owner, bound.attr) and not _is_read(facts, method, statement, bound.attr)


def _starts_anew(owner: Class, attribute: str) -> bool:
    """Whether a method of a class sets an attribute anew, and none cuts it."""
    named = [(method.name, each) for method in owner.methods.values() for each in method.sets if each.attr == attribute]
    cut = any(_cuts(method, attribute) for method in owner.methods.values())
    return not cut and any(_STARTING.match(name) for name, _ in named)


def _cuts(method: Function, attribute: str) -> bool:
    """Whether a method keeps a part of what was gathered: `self.scores = self.scores[-100:]`."""
    return any(
        isinstance(each, ast.Assign)
        and isinstance(each.value, ast.Subscript)
        and isinstance(each.value.value, ast.Attribute)
        and each.value.value.attr == attribute
        and any(isinstance(target, ast.Attribute) and target.attr == attribute for target in each.targets)
        for each in walk(method.node)
    )


def _is_read(facts: Facts, method: Function, statement: ast.stmt, attribute: str) -> bool:
    """Whether a method reads what it gathers, but for what it is made of: `scores.to(self.scores)`."""
    within = {id(each) for each in walk(statement)}
    for each in walk(method.node):
        if not isinstance(each, ast.Attribute) or each.attr != attribute or id(each) in within:
            continue
        if not isinstance(each.ctx, ast.Load):
            continue
        match facts.module.parents.get(each):
            case ast.Call(func=ast.Attribute(attr=name)) if name in _LOOKING:
                continue
            case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
                continue
        return True
    return False
