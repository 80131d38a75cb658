"""Which of Python's own functions wait when they meet a tensor: `float`, `max`, `any`, `print`, `str`."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import NOTHING, Fact
from torchperf_lint.facts.domain.join import any_item
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.knowledge import python_functions

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene, Wait


def call(scene: Scene, node: ast.Call, name: str) -> Fact[Wait]:
    """Python's own functions on tensors."""
    if name in python_functions.TEXTS:
        return text(scene, node)
    if not node.args:
        return NOTHING
    value = scene.look(node.args[0])
    if name in python_functions.NUMBERS:
        read = value if value.kind == "tensor" else scene.look(node.args[-1])
        if read.kind == "tensor" and scene.cuda(read):
            return scene.claim("read", "copies the value to the host", node.args[0], read)
        return NOTHING
    if name in python_functions.ORDER:
        return _extreme(scene, node, value)
    if name in python_functions.TRUTH:
        item = _item(value)
        if item.kind == "tensor" and scene.cuda(item):
            return scene.claim("truth", "reads the truth of each item back", node.args[0], item)
    return NOTHING


def _extreme(scene: Scene, node: ast.Call, first: Value) -> Fact[Wait]:
    """`max(a, b)`, `sorted(ts)`: each comparison is read back."""
    if len(node.args) == 1:
        item = _item(first)
        if item.kind == "tuple" and isinstance(item.items, tuple) and item.items:
            item = item.items[0]
        values = [item]
    else:
        values = [scene.look(argument) for argument in node.args]
    for value in values:
        if value.kind == "tensor" and scene.cuda(value):
            return scene.claim("truth", "reads each comparison back", node.args[0], value)
    return NOTHING


def _item(value: Value) -> Value:
    """What is looked at one by one: an item of a sequence of Python; of a tensor, a row, which is where the tensor is."""
    return any_item(value) if value.kind in ("list", "tuple", "iterator") else value


def text(scene: Scene, node: ast.Call) -> Fact[Wait]:
    from torchperf_lint.facts.sync import host_wait

    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        found = host_wait.formatted(scene, argument)
        if found.known:
            return found
    return _fields(scene, node)


def _fields(scene: Scene, node: ast.Call) -> Fact[Wait]:
    """`"{top1.avg:.3f}".format(top1=top1)`: the text names what is read of an object."""
    match node.func:
        case ast.Attribute(value=ast.Constant(value=str(text)), attr="format"):
            given = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
            given |= {str(index): argument for index, argument in enumerate(node.args)}
            for name, attribute in _FIELD.findall(text):
                holder = scene.look(given[name]) if name in given else None
                held = holder.items.get(attribute) if holder is not None and isinstance(holder.items, dict) else None
                if held is not None and held.kind == "tensor" and scene.cuda(held):
                    return scene.claim("format", "its text needs the values on the host", given[name], held)
    return NOTHING


_FIELD: Final = re.compile(r"\{(\w+)\.(\w+)[:!}]")
