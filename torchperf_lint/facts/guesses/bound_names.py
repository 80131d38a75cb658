"""What a name holds that is bound to something out of sight: its uses, and what is bound with it, say more.

for x, y in source():              nothing is known of what comes
    y = y.to(device)               so it was on the host,
    x.unsqueeze(0)                 and is a tensor
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import ANY, CPU, Value
from torchperf_lint.facts.guesses import from_uses, remade, votes
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import may_hide, place_of
from torchperf_lint.facts.interpret import callers, comparisons, transfers

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run


def named(run: Run, target: ast.Name, value: Value) -> Value:
    """What a name holds after it is bound to a value of which little is known: its uses say more."""
    if value.kind == "unknown":
        return _unknown(run, target, value)
    if value.kind == "tensor_tree" and value.items is None:
        return _tensor_tree(run, target, value)
    return value


def _unknown(run: Run, target: ast.Name, value: Value) -> Value:
    used = from_uses.by_use(run.function, target.id, target)
    if used.kind == "unknown":
        votes_cast = {vote for _, vote, *_ in votes.of(run.function, target.id, target)}
        if votes_cast & from_uses.OTHERS:
            return value
        is_tensor = value.device is not None and "array" in votes_cast  # it was moved, which an array cannot be
        if is_tensor:
            return value.but(kind="tensor")
        return remade.tensor(run, target, value) or value
    device, where = value.device, value.where
    if device is None and used.kind in ("tensor", "tensor_tree") and _is_loop_target(run, target):
        move = next((found for part in _siblings(run, target) if (found := _move(run, part)) is not None), None)
        if move is not None:
            device, where = CPU, run.why(move, "an item of the loop, moved to the device here")
    if device is None and used.kind == "tensor" and (made := _made_of_numbers(run, target)) is not None:
        device, where = CPU, run.why(made, "made of numbers of the host, without a device")
    is_mask = used.kind == "tensor" and comparisons.is_mask(run.module, _assigned(run, target))
    return used.but(device=device, where=where, none=value.none, dtype="bool" if is_mask else used.dtype)


def _assigned(run: Run, target: ast.Name) -> ast.expr | None:
    """What a plain assignment binds to a name."""
    above = run.module.parents.get(target)
    return above.value if isinstance(above, ast.Assign) and above.targets == [target] else None


def _made_of_numbers(run: Run, target: ast.Name) -> ast.Call | None:
    """The call of a function out of sight that makes a tensor of nothing but numbers: it is told of no device."""
    above = run.module.parents.get(target)
    match above:
        case ast.Assign(value=ast.Call(func=ast.Name() as func, args=args, keywords=keywords) as call) if args:
            given = [run.look(each) for each in (*args, *(keyword.value for keyword in keywords))]
            is_hidden = any(keyword.arg in (None, "device") for keyword in keywords)
            if run.look(func).kind == "symbol" and not is_hidden and all(_is_of_host(each) for each in given):
                return call
    return None


def _is_of_host(value: Value) -> bool:
    """Whether a value is a number, numbers, or a word about them."""
    if value.kind in ("list", "tuple", "iterator"):
        parts = value.items if isinstance(value.items, tuple) else (value.elem,) if value.elem is not None else ()
        return bool(parts) and all(_is_of_host(part) for part in parts)
    return value.kind in ("number", "size", "dtype") or value.ref in ("builtins.int", "builtins.float", "builtins.bool")


def _siblings(run: Run, target: ast.Name) -> list[ast.Name]:
    """A name, and those that are bound with it: of `for x, y in loader` both come out of one place."""
    around = run.module.parents.get(target)
    others = around.elts if isinstance(around, (ast.Tuple, ast.List)) else []
    return [target, *(each for each in others if isinstance(each, ast.Name) and each is not target)]


def _move(run: Run, target: ast.Name) -> ast.AST | None:
    """Where what a name holds is moved to the program's device, be it in a function of the file that is handed it."""
    found = _moved_as(run, run.function, target.id, target)
    if found is not None or not _is_loop_target(run, target):
        return found
    for load in definitions.reads_after(run.module, target):
        call = run.module.parents.get(load)
        callee = _callee(run, call) if isinstance(call, ast.Call) and not may_hide(call) else None
        if callee is None or not isinstance(call, ast.Call):
            continue
        for name, node in callers.bound(callee, call).items():
            if node is load and name in callee.parameters:
                found = found or _moved_as(run, callee, name, callee.parameters[name])
    return found


def _moved_as(run: Run, function: Function, name: str, binding: ast.AST) -> ast.AST | None:
    cast = votes.of(function, name, binding)
    return next((node for _, vote, node, _ in cast if vote == "moved" and _is_placed(run, node)), None)


def _callee(run: Run, call: ast.Call) -> Function | None:
    """The function of the file that a call names, or the method of the class around it."""
    match call.func:
        case ast.Name(id=name):
            home = names.scope_of(run.function, name)
            stores = home.scope.stores[name] if home is not None else []
            return run.module.functions.get(stores[0]) if len(stores) == 1 else None
        case ast.Attribute(value=ast.Name(id=receiver), attr=attr):
            method = run.function.method
            if method is not None and method.owner is not None and method.positional[:1] == (receiver,):
                return method.owner.methods.get(attr)
    return None


def _is_placed(run: Run, node: ast.AST) -> bool:
    """Whether a move is to the program's device; `.to(other.device)` often moves nothing."""
    call = node if isinstance(node, ast.Call) else run.module.parents.get(node)
    match call:
        case ast.Call(func=ast.Attribute(attr="cpu")) | ast.Call(args=[ast.Constant(value="cpu"), *_]):
            return False  # it comes from the GPU, if anything
        case ast.Call(args=[first, *_]):
            return transfers.is_own_device(first)
    return True


def _is_loop_target(run: Run, target: ast.Name) -> bool:
    """Whether a `for` binds the name: what a loop moves to the device at each turn was not there."""
    node: ast.AST = target
    parent = run.module.parents.get(node)
    while isinstance(parent, (ast.Tuple, ast.List)):
        node, parent = parent, run.module.parents.get(parent)
    if isinstance(parent, ast.Assign):
        return _is_part_of_item(run, parent.value) or _is_next(parent.value)
    return isinstance(parent, (ast.For, ast.AsyncFor, ast.comprehension)) and parent.target is node


def _is_next(node: ast.expr) -> bool:
    """`next(batches)`, which is what a `for` asks of a loader as well; `batches.next()` in old code."""
    match node:
        case ast.Call(func=ast.Name(id="next")) | ast.Call(func=ast.Attribute(attr="next"), args=[], keywords=[]):
            return True
    return False


def _is_part_of_item(run: Run, node: ast.expr) -> bool:
    """`batch["image"]`, or `batch["image"], batch["mask"]`, of the item of a loop; also in `batch = batch["image"]`."""
    if isinstance(node, ast.Tuple) and node.elts:
        return all(_is_part_of_item(run, element) for element in node.elts)
    if not isinstance(node, (ast.Subscript, ast.Attribute)) or not isinstance(node.value, ast.Name):
        return False
    stores = run.function.scope.stores.get(node.value.id, [])
    binding = stores[0] if len(stores) == 1 else definitions.reaching(run.module, node.value)
    if not isinstance(binding, ast.Name) or place_of(binding) > place_of(node):
        return False
    return _is_loop_target(run, binding)


def _tensor_tree(run: Run, target: ast.Name, value: Value) -> Value:
    """A model's output, or a part of a batch: one tensor, unless it is used as a structure."""
    votes_cast = {vote for _, vote, *_ in votes.of(run.function, target.id, target)}
    if votes_cast & {"mapping", "object", "unpacked", "iterated"}:
        return value
    if "called" in votes_cast or "string" in votes_cast:
        return ANY
    if value.ref == "output" or votes_cast & {"tensor", "array", "moved"}:
        return value.but(kind="tensor", ref=None)
    return value
