"""Whether a tensor is a part of what a function is given, of which it moves other parts to a device, and not this one.

def loss(self, samples):
    image = buffer_to(samples.observation, device=self.device)
    valid = as_mask(samples.done)            stays where the samples are: on the host
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions, inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.facts.knowledge import moves

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene

_FAR: Final = 4
"""So many assignments are followed back."""

Part = tuple[str, str]
"""A part of what a function is given: its name, and that of the attribute."""


def stays(scene: Scene, operand: ast.AST) -> bool:
    """Whether a tensor of unknown place, which a wait is about, is made of such a part alone."""
    here = scene.module.function_of(operand)
    moved = _moved(scene.module, here)
    if not moved or not isinstance(operand, ast.expr) or scene.look(operand).device is not None:
        return False
    parts = _parts(scene.module, (operand, _FAR))
    if not parts or not parts.isdisjoint(moved) or not {name for name, _ in parts} <= {name for name, _ in moved}:
        return False
    if any(name not in here.parameters for name, _ in parts):
        return False  # it was made of what a function around this one is given
    given = (scene.analysis.parameter(here, name) for name, _ in parts)
    return all(each.kind not in ("tensor", "tensor_tree", "module") for each in given)


@once
def _moved(module: Module, here: Function) -> frozenset[Part]:
    """The parts of its parameters that a function moves to a device."""
    calls = inside.calls(module, here.node)
    return frozenset(part for call in calls if _is_move(module, call) for part in _parts(module, (call, _FAR)))


def _is_move(module: Module, call: ast.Call) -> bool:
    """Whether a call moves something: `x.cuda()`, or a function of the program that is told the device."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in moves.TO_GPU:
        return True
    is_told = bool(call.args) and any(keyword.arg == "device" for keyword in call.keywords)
    return is_told and not (names.dotted(module.function_of(call), call.func) or "").startswith("torch.")


@once
def _parts(module: Module, asked: tuple[ast.AST, int]) -> frozenset[Part]:
    """The parts of parameters that an expression is made of, and what made the names in it, so many assignments back."""
    node, far = asked
    parameters = module.function_of(node).parameters
    parts, makers = set[Part](), set[ast.AST]()
    for each in walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in parameters and name not in (
                "self",
                "cls",
            ):
                parts.add((name, attr))
            case ast.Name(ctx=ast.Load()) if far and each.id not in parameters:
                made = definitions.definition(module, each)
                makers.update(() if made is None else (made,))
    return frozenset(parts).union(*(_parts(module, (made, far - 1)) for made in makers))
