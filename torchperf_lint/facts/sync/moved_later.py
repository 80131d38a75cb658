"""Whether the code moves to a device, further on, what it reads here: then it does not take it to be there yet.

    if self.weight.min() < 0: raise ValueError(...)     a weight of the host, it seems
    loss = loss * self.weight.to(loss.device)

Knows the values of expressions and where they stand.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import CPU
from torchperf_lint.facts.index.module import place_of, walk
from torchperf_lint.facts.interpret import transfers
from torchperf_lint.facts.interpret.narrowing import path_of
from torchperf_lint.facts.knowledge import moves

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene


def later(scene: Scene, operand: ast.AST) -> bool:
    """Whether a tensor of unknown place, which a wait is about, is moved to a device behind it in its function."""
    module = scene.module
    calls = [
        call
        for name in sorted(moves.TO_GPU)
        for call in module.calls.get(name, ())
        if place_of(call) > place_of(operand)
    ]
    if not calls:
        return False
    read = {path for each in walk(operand) if isinstance(each, ast.expr) and (path := _path(scene, each)) is not None}
    here = module.function_of(operand)
    return any(_moves(scene, call, read) for call in calls if module.function_of(call) is here)


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
    return path if value.kind == "tensor" and value.device is None else None


def _moves(scene: Scene, call: ast.Call, read: set[str]) -> bool:
    """Whether a call moves one of some names to a device; `mask.to(x)` of a local is about the dtype as often."""
    if not isinstance(call.func, ast.Attribute):
        return False
    moved = _base(call.func.value)
    is_kept = isinstance(moved, ast.Attribute)
    if _name(moved) not in read or not (is_kept or moved is call.func.value):
        return False
    if call.func.attr == "type_as":
        return is_kept
    wish = transfers.request(call.func.attr, scene.args(call))
    return wish.has_device and wish.device != CPU and not wish.vague and (is_kept or not wish.to_tensor)


def _base(node: ast.expr) -> ast.expr:
    """What is moved, without what is made of it on the way: `self.weight` of `self.weight.expand(3, -1)`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return node
