"""Whether the code moves to a device, further on, what it reads here: then it does not take it to be there yet.

    if self.weight.min() < 0: raise ValueError(...)     a weight of the host, it seems
    loss = loss * self.weight.to(loss.device)

Knows the values of expressions and where they stand.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import CPU
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import place_of, walk
from torchperf_lint.facts.interpret import transfers
from torchperf_lint.facts.interpret.narrowing import path_of
from torchperf_lint.facts.knowledge import moves

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene


def later(scene: Scene, operand: ast.AST) -> bool:
    """Whether a tensor of unknown place, which a wait is about, is moved to a device behind it in its function."""
    here = scene.module.function_of(operand)
    moves_of = _last_moves(scene, here)
    if not moves_of:
        return False
    paths = (_path(scene, each) for each in walk(operand) if isinstance(each, ast.expr))
    return any(path in moves_of and moves_of[path] > place_of(operand) for path in paths if path is not None)


def _last_moves(scene: Scene, here: Function) -> dict[str, tuple[int, int]]:
    """Where a function moves each name to a device for the last time; worked out once, for many waits ask."""
    answers, key = scene.analysis.answers, (_last_moves, here)
    if key not in answers:
        moves_of: dict[str, tuple[int, int]] = {}
        for call in calls_of(scene.module, here):
            name = _moved(scene, call)
            if name is not None:
                moves_of[name] = max(place_of(call), moves_of.get(name, (0, 0)))
        answers[key] = moves_of
    found: dict[str, tuple[int, int]] = answers[key]
    return found


def calls_of(module: Module, here: Function) -> list[ast.Call]:
    """The calls of a function that may move something to a device."""
    return _calls(module, module.body).get(here, [])


@once
def _calls(module: Module, _: Function) -> dict[Function, list[ast.Call]]:
    """The calls of a file that may move something to a device, by the function that they stand in."""
    found: dict[Function, list[ast.Call]] = {}
    for name in sorted(moves.TO_GPU):
        for call in module.calls.get(name, ()):
            found.setdefault(module.function_of(call), []).append(call)
    return found


def _name(node: ast.expr) -> str | None:
    """What a tensor is called: `x`, `self.x`, `batch["x"]`."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))):
            return f"{name}[{key}]"
    return path_of(node)


def _path(scene: Scene, node: ast.expr) -> str | None:
    """The name of a tensor of which nothing says where it is."""
    path = _name(node)
    if path is None:
        return None
    above = scene.module.parents.get(node)
    if isinstance(above, ast.Attribute) and above.attr in moves.TO_GPU:
        return None  # it is moved here already
    value = scene.look(node)
    return path if value.kind in ("tensor", "tensor_tree") and value.device is None else None


def _moved(scene: Scene, call: ast.Call) -> str | None:
    """The name that a call moves to a device, if it does; `mask.to(x)` of a local is about the dtype as often."""
    if not isinstance(call.func, ast.Attribute):
        return None
    moved = _base(call.func.value)
    is_kept = isinstance(moved, ast.Attribute)
    name = _name(moved)
    if name is None or not (is_kept or moved is call.func.value):
        return None
    if call.func.attr == "type_as":
        return name if is_kept else None
    wish = transfers.request(call.func.attr, scene.args(call))
    is_move = wish.has_device and wish.device != CPU and not wish.vague and (is_kept or not wish.to_tensor)
    return name if is_move else None


def _base(node: ast.expr) -> ast.expr:
    """What is moved, without what is made of it on the way: `self.weight` of `self.weight.expand(3, -1)`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return node
