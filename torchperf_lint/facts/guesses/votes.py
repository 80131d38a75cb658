"""What the uses of a name say of what it holds: `x.unsqueeze(0)` is said of tensors alone.

Only uses that a binding reaches count (`index/reached_uses.py`). Each use is a vote, a
short word; `uses` decides. Knows syntax and `knowledge`, nothing of values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, Literal

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.guesses import call_forms, chains, comparisons, passing
from torchperf_lint.facts.index import reached_uses
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, place_of
from torchperf_lint.facts.knowledge import moves, pass_through

Vote = Literal[
    "tensor", "array", "module", "moved", "placed", "optimizer", "mapping", "object", "called",
    "iterated", "unpacked", "flag", "number", "string", "tested",
]  # fmt: skip
"""tensor: only tensors have or take it. array: tensors and arrays do. moved: `.to(...)`, `.cuda()`. placed: it has a
`.device`. mapping: indexed by a string, `.items()`. object: an attribute that tensors lack. flag: a condition by itself.
tested: `isinstance(x, ...)`, so it may be one of several things."""

Cast = tuple[tuple[int, int], Vote, ast.AST, ast.Name]
"""Where the use is, what it says, the node to show for it, and the read of the name."""

_OF_CONTAINERS: Final = frozenset(name for kind in (dict, list, tuple, set, str) for name in dir(kind))
_MAPPING: Final = frozenset(("items", "keys", "get", "setdefault"))
ARRAY: Final = frozenset(
    "shape dtype ndim reshape squeeze mean sum max min std any all argmax flatten clip astype".split()
)


def of(function: Function, name: str, binding: ast.AST) -> list[Cast]:
    """The votes of the uses that a binding reaches."""
    return _of(function.module, (function, name, binding))


@once
def _of(_: Module, asked: tuple[Function, str, ast.AST]) -> list[Cast]:
    function, name, binding = asked
    known = all_of(function, name)
    if not known:
        return known
    return reached_uses.of(
        function, name, binding, known, lambda store: call_forms.is_same_moved(function, store, name)
    )


def _place(cast: Cast) -> tuple[int, int]:
    return cast[0]


def everywhere(function: Function, name: str) -> frozenset[Vote]:
    """What all uses of a name say, whatever it is bound to there."""
    return _everywhere(function.module, (function, name))


@once
def _everywhere(_: Module, asked: tuple[Function, str]) -> frozenset[Vote]:
    return frozenset([vote for _, vote, _, _ in all_of(*asked)])


def all_of(function: Function, name: str) -> list[Cast]:
    """The votes of all uses of a name."""
    return _all_of(function.module, (function, name))


@once
def _all_of(_: Module, asked: tuple[Function, str]) -> list[Cast]:
    return sorted(_all(*asked), key=_place)


def _all(function: Function, name: str) -> list[Cast]:
    """The votes of all reads of a name, also of those in inner functions, which see it too."""
    found: list[Cast] = []
    for load in function.scope.loads.get(name, ()):
        parent = function.module.parents.get(load)
        if parent is None:
            continue
        vote = _vote(function, load, parent)
        if vote in ("array", None) and chains.ends_as_tensor(function.module, parent):
            vote = "tensor"
        if vote is not None:
            found.append((place_of(load), vote, parent, load))
        found += [(place_of(load), said, use, load) for said, use in _kept(function, load)]
        moved = _moved_later(function, load)
        if moved is not None and vote != "moved":
            found.append((place_of(load), "moved", moved, load))
    for inner in function.inner:
        if name in inner.reads and (name not in inner.scope.stores or name in inner.scope.outer):
            found += _all(inner, name)
    return found


def _kept(function: Function, load: ast.Name) -> Iterator[tuple[Vote, ast.AST]]:
    """What the methods of a class say of what its constructor keeps: `self.model = model.to(device)`."""
    owner, at = function.owner, function.module.parents.get(load)
    if owner is None or function.name != "__init__":
        return
    below: ast.AST = load
    while isinstance(at, ast.Call | ast.Attribute):
        held = at.func if isinstance(at, ast.Call) else at.value
        if (
            held is not below
            or last_name(at.func if isinstance(at, ast.Call) else at) not in pass_through.MODULE_METHODS
        ):
            return  # Ex) self.net = Net().to(device): the device is not what is kept
        below, at = at, function.module.parents.get(at)
    match at:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=receiver), attr=attr)]) if (
            receiver == function.positional[0]
        ):
            stores = [each for method in owner.methods.values() for each in method.sets if each.attr == attr]
        case _:
            return
    if len(stores) != 1:
        return
    for node in function.module.attributes.get(attr, ()):
        method = function.module.function_of(node).method
        if method is None or method.owner is not owner or method.is_static or not method.positional:
            continue
        if isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name):
            above = function.module.parents.get(node)
            said = _vote(method, node, above) if node.value.id == method.positional[0] and above is not None else None
            if said is not None and above is not None:
                yield said, above


def _moved_later(function: Function, load: ast.Name) -> ast.AST | None:
    """Whether a part or a conversion of what is read goes to a device: `batch[0].float().to(device)`."""
    at: ast.AST = load
    for _ in range(6):
        parent = function.module.parents.get(at)
        match parent:
            case ast.Attribute(attr="to" | "cuda"):
                call = function.module.parents.get(parent)
                return call if isinstance(call, ast.Call) and call.func is parent and at is not load else None
            case ast.Attribute(attr=attr) if knowledge.method(attr) is not None:
                call = function.module.parents.get(parent)
                if not isinstance(call, ast.Call) or call.func is not parent:
                    return None  # Ex) torch.from_numpy(matrix.indices).cuda(): what is moved is another thing
                at = call
            case ast.Subscript(value=value) if value is at:
                at = parent
            case _:
                return None
    return None


def _vote(function: Function, load: ast.expr, parent: ast.AST) -> Vote | None:
    above = function.module.parents.get(parent)
    match parent:
        case ast.Attribute():
            return "tensor" if _is_gradient(parent, above) else _attribute(parent, above)
        case ast.Subscript(value=value) if value is load and _is_unpacked(function, parent):
            return "unpacked"  # `height, width = sizes[-1]`, `x[:, : lengths[i]]`
        case ast.Subscript(value=value) if value is load and _is_of_layers(function, parent):
            return "module"
        case ast.Subscript(value=value, slice=index) if value is load:
            return _subscript(index)
        case ast.Call(func=callee) if callee is load:
            return "called"
        case ast.Call():
            return passing.argument(function, parent, load)
        case ast.keyword(arg="device" | "dtype"):
            return "object"  # whatever is called: it takes a device, or a dtype
        case ast.keyword(arg=str(arg)) if isinstance(above, ast.Call):
            return passing.keyword(function, above, arg)
        case ast.For(iter=iterated) | ast.comprehension(iter=iterated) if iterated is load:
            return "iterated"
        case ast.Assign(value=value, targets=[ast.Tuple() | ast.List()]) if value is load:
            return "unpacked"
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if test is load:
            return "flag"
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return "flag"
        case ast.FormattedValue():
            return "string" if _is_of_words(function, above) else None
        case ast.Slice():
            return "number"
        case ast.BinOp() | ast.UnaryOp() if isinstance(above, ast.Slice):
            return "number"
        case ast.BinOp() if _is_part_of_number(function, parent):
            return "number"  # torch.arange(n - 1), math.log(scale / depth + 1)
        case ast.UnaryOp(op=ast.Invert()) | ast.BinOp(op=ast.MatMult()):
            return "array"
        case ast.Compare():
            return comparisons.vote(parent, load, isinstance(above, (ast.If, ast.IfExp)) and above.test is parent)
    return None


def _is_gradient(grad: ast.Attribute, above: ast.AST | None) -> bool:
    """Whether something is used as the gradient that a tensor has: `p.grad is not None`, `p.grad.data`, `p.grad = None`."""
    match above:
        case _ if grad.attr != "grad":
            return False
        case ast.Compare(ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.Attribute(attr=attr):
            return attr == "data" or attr in knowledge.tensor_only()
    return isinstance(grad.ctx, (ast.Store, ast.Del))


def _is_of_words(function: Function, text: ast.AST | None) -> bool:
    """Whether a text is the name of an attribute, or a pattern of axes: nobody puts a tensor into `getattr(self, f"{kind}_layer")`, or
    into `rearrange(x, f"{given} -> {wanted}")`."""
    match function.module.parents.get(text) if text is not None else None:
        case ast.Call(func=ast.Name(id="getattr" | "hasattr" | "setattr"), args=[_, name, *_]):
            return name is text
        case ast.Call(func=func, args=args) if last_name(func) in _WITH_PATTERN:
            return any(each is text for each in args)
    return False


_WITH_PATTERN: Final = frozenset(("rearrange", "reduce", "repeat", "einsum"))


def _is_part_of_number(function: Function, node: ast.AST) -> bool:
    """Whether a value is reckoned with to give a call a number."""
    above = function.module.parents.get(node)
    while isinstance(above, ast.BinOp):
        node, above = above, function.module.parents.get(above)
    return isinstance(above, ast.Call) and passing.argument(function, above, node) == "number"


def _is_bound(function: Function, node: ast.AST) -> bool:
    """Whether a value, or what is added to it, bounds a slice."""
    above = function.module.parents.get(node)
    while isinstance(above, ast.BinOp):
        node, above = above, function.module.parents.get(above)
    return isinstance(above, ast.Slice)


_OF_LAYERS: Final = frozenset(("in_channels", "out_channels", "in_features", "out_features", "num_features"))


def _is_of_layers(function: Function, node: ast.AST) -> bool:
    """Whether a part of something has what only layers have: `x[0][-1].in_channels`."""
    above = function.module.parents.get(node)
    while isinstance(above, ast.Subscript) and above.value is node:
        node, above = above, function.module.parents.get(above)
    return isinstance(above, ast.Attribute) and above.attr in _OF_LAYERS


def _is_unpacked(function: Function, node: ast.AST) -> bool:
    """Whether a statement takes a value apart into several names, or the value bounds a slice."""
    match function.module.parents.get(node):
        case ast.Assign(value=value, targets=[ast.Tuple() | ast.List()]):
            return value is node
    return _is_bound(function, node)


def _attribute(node: ast.Attribute, above: ast.AST | None) -> Vote | None:
    attr, call = node.attr, above if isinstance(above, ast.Call) and above.func is node else None
    called = call is not None
    if call is not None and call_forms.has_axis(call, attr, ARRAY):
        return "tensor"
    if attr in knowledge.tensor_only() or (attr == "size" and called) or attr == "backward":
        return "tensor"
    if attr in knowledge.module_only() or (attr in ("train", "eval", "parameters") and called):
        return "module"
    if attr in moves.OF_BOTH and called:
        return "moved"
    if attr in ("zero_grad", "param_groups"):
        return "optimizer"
    if attr in _MAPPING and called:
        return "mapping"
    if attr in ARRAY:
        return "array"
    if attr == "device" and not called:
        return "placed"
    if knowledge.method(attr) is None and knowledge.attribute(attr) is None:
        return "object"
    return "array" if called and knowledge.method(attr) is not None and attr not in _OF_CONTAINERS else None


def _subscript(index: ast.expr) -> Vote | None:
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        return "mapping"
    if isinstance(index, ast.Tuple) and any(
        isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value in (None, ...))
        for part in index.elts
    ):
        return "array"
    return None
