"""Whether all that make a thing have a device of it on the host.

class Encoder(nn.Module):
    def __init__(self, device, loss_device): self.loss_device = loss_device
Encoder(device, torch.device("cpu"))          the only one: what goes to `self.loss_device` stays on the host
loss = encoder.loss(batch)                    made of that, it is on the host too, in whichever file
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import constructions
from torchperf_lint.facts.context.callers_elsewhere import Site
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.domain.value import CPU
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import may_hide
from torchperf_lint.facts.interpret import callers, classes, devices

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def is_on_host(analysis: Analysis, node: ast.expr | None) -> bool:
    """Whether an attribute is a device that a constructor is given, and is given the CPU wherever a thing of the class is made."""
    match node:
        case ast.Attribute(value=ast.Name(id=receiver), attr=attr):
            method = analysis.module.function_of(node).method
            if method is None or method.owner is None or method.positional[:1] != (receiver,):
                return False
            maker, name = method.owner.methods.get("__init__"), _taken(analysis, method, attr)
            if maker is None or name is None:
                return False
            made = constructions.everywhere(analysis, method.owner)
            return bool(made) and all(_gives_host(each, maker, name) for each in made or ())
    return False


def is_moved_to_host(analysis: Analysis, moves: tuple[Evidence, ...]) -> bool:
    """Whether one of the places that show where a tensor is moves it to such a device."""
    return any(_moves_to_host(analysis, each) for each in moves)


def _moves_to_host(analysis: Analysis, move: Evidence) -> bool:
    home: Analysis | None = analysis
    if move.path not in (None, analysis.module.path):
        neighbours = analysis.around()
        home = neighbours.read_at(move.path) if neighbours is not None else None
    match move.node:
        case ast.Call(func=ast.Attribute(attr="to"), args=[device, *_]) if home is not None:
            return move.node in home.module.parents and is_on_host(home, device)
    return False


def _taken(analysis: Analysis, method: Function, attr: str) -> str | None:
    """The parameter that an attribute is taken over from, if that is all that binds it."""
    assert method.owner is not None
    match [analysis.module.parents.get(store) for _, store in classes.sites(method.owner).get(attr, ())]:
        case [ast.Assign(value=ast.Name(id=name)) as statement]:
            maker = analysis.module.function_of(statement)
            is_parameter = maker.name == "__init__" and name in maker.parameters
            return name if is_parameter and len(maker.scope.stores.get(name, ())) == 1 else None
    return None


def _gives_host(site: Site, maker: Function, name: str) -> bool:
    other, call = site
    given = None if may_hide(call) else callers.bound(maker, call).get(name)
    try:
        return given is not None and devices.of(other.value(given, other.module))[0] == CPU
    except GaveUpError:
        return False
