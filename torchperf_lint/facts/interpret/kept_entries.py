"""What a class puts into a dictionary that it, or a class that it derives from, keeps.

class Transform(nn.Module):
    def __init__(self): self.drawn = {}
class Gain(Transform):
    def draw(self, x): self.drawn["gain"] = torch.rand(8, device=x.device)
    def forward(self, x): return x * self.drawn["gain"]      a tensor, where `x` is
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import join
from torchperf_lint.facts.domain.value import BOTTOM, NO, Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret.containers import FEW

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

Entry = tuple[Function, str, ast.Subscript]
"""Where something is put in: the function, the key, what is assigned to."""


def with_entries(analysis: Analysis, owner: Class, name: str, found: Value | None) -> Value | None:
    """What an attribute holds, of which all is known but what the methods of its class put in."""
    entries = _entries(owner.module, owner.module.tree).get((owner, name))
    if entries is None:
        return found
    if found is None:
        above = (analysis.own_attribute(each, name) for each in analysis.ancestry(owner)[1:])
        found = next((each for each in above if each is not None), None)
    if found is None or found.kind != "dict":
        return found
    items: dict[Any, Value] = dict(found.items) if isinstance(found.items, dict) else {}
    for function, key, site in entries[:FEW]:
        value = analysis.seen(site, function)
        if value is BOTTOM:
            return BOTTOM
        if value is not None and (key in items or len(items) < FEW):
            value = value.but(const=NO)
            items[key] = join(items[key], value) if key in items else value
    return found.but(items=items, elem=found.elem, sure=Sure.LIKELY)  # others may put in something else


@once
def _entries(module: Module, _: ast.Module) -> dict[tuple[Class, str], list[Entry]]:
    """By class and attribute, what the methods of a file put in under a name: `self.drawn["gain"] = ...`."""
    found: dict[tuple[Class, str], list[Entry]] = {}
    for node in module.by_type.get(ast.Subscript, ()):
        match node:
            case ast.Subscript(
                ctx=ast.Store(),
                value=ast.Attribute(value=ast.Name(id=receiver), attr=attr),
                slice=ast.Constant(value=str(key)),
            ):
                function = module.function_of(node)
                owner = function.owner
                is_own = owner is not None and bool(function.positional) and function.positional[0] == receiver
                parent = module.parents.get(node)
                if is_own and owner is not None and isinstance(parent, ast.Assign):
                    found.setdefault((owner, attr), []).append((function, key, node))
    return found
