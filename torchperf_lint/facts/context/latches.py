"""Latches: conditions that hold once, for what they guard ends them, and nothing holds them open again.

    if self.first:                        once, where `self.first` is set to True in `__init__` alone
        self.table = torch.tensor(...)
        self.first = False

    if self.inited:
        return
    self.table.copy_(means(x))            once, where the flag is set in what follows; it may be a buffer
    self.inited.fill_(True)

    if self.inited.item() == 0:           the same of a number that is 0 or 1
        self.table.copy_(means(x))
        self.inited.fill_(1)

    first = True
    for batch in loader:
        if first: ...; first = False      once each time that the loop is run

Knows syntax and names, nothing of values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import LOOPS, ClosedNode


def is_one(module: Module, node: ast.If, branch: list[ast.stmt]) -> bool:
    """Whether a branch of an `if` runs once, as it sets the flag that is asked so that it does not run again."""
    return _runs_once(module, node.test, set_in(branch), wanted=branch is node.body)


def is_set_in(module: Module, node: ast.If, statements: list[ast.stmt]) -> bool:
    """Whether the body of an `if` runs once, as statements that it calls set the flag that is asked."""
    return _runs_once(module, node.test, set_in(statements), wanted=True)


def ends_in(module: Module, node: ast.If, told: dict[str, set[bool]]) -> bool:
    """Whether what follows an `if` that leaves runs once, as it sets the flag that is asked: `if self.inited: return`."""
    return _runs_once(module, node.test, told, wanted=False)


def set_in(statements: list[ast.stmt]) -> dict[str, set[bool]]:
    """The flags that statements set, whatever happens before, and to what."""
    found: dict[str, set[bool]] = {}
    for statement in statements:
        match statement:
            case ast.Assign(targets=[target], value=value):
                pass
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=target, attr="copy_" | "fill_"), args=[value])):
                target = target.value if isinstance(target, ast.Attribute) and target.attr == "data" else target
            case _:
                continue
        told = _told(value)
        if told is not None:
            found.setdefault(ast.unparse(target), set()).add(told)
    return found


def _runs_once(module: Module, test: ast.expr, told: dict[str, set[bool]], *, wanted: bool) -> bool:
    return bool(told) and any(
        (not opened) in told.get(ast.unparse(flag), ()) and not _is_opened_again(module, flag, opened=opened)
        for flag, opened in _flags(test, wanted=wanted)
    )


def _flags(test: ast.expr, *, wanted: bool) -> Iterator[tuple[ast.Name | ast.Attribute, bool]]:
    """The flags of a condition that comes out as wanted, each with what it holds then."""
    match test:
        case ast.Name() | ast.Attribute():
            yield test, wanted
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _flags(operand, wanted=not wanted)
        case ast.Call(func=ast.Attribute(value=read, attr="item"), args=[]):
            yield from _flags(read, wanted=wanted)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]) if (
            told := _told(right)
        ) is not None:
            yield from _flags(left, wanted=told is wanted)
        case ast.Compare(left=left, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
            yield from _flags(left, wanted=wanted)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is wanted:
            for value in values:
                yield from _flags(value, wanted=wanted)


def _told(value: ast.expr) -> bool | None:
    """What a flag is set to, where that is written out: `True`, `1`, `torch.tensor(True)`, `torch.Tensor([True])`."""
    match value:
        case ast.Constant(value=(0 | 1) as given):
            return bool(given)
        case ast.Call(func=ast.Attribute(attr="tensor" | "Tensor" | "BoolTensor" | "as_tensor"), args=[inner, *_]):
            return _told(inner)
        case ast.List(elts=[inner]):
            return _told(inner)
    return None


def _is_opened_again(module: Module, flag: ast.Name | ast.Attribute, *, opened: bool) -> bool:
    """Whether a flag may hold the first value again later."""
    match flag:
        case ast.Attribute(attr=name):
            return any(
                _may_hold(module, each, value=opened)
                for each in module.attributes[name]
                if module.function_of(each).name != "__init__"
            )
        case ast.Name():
            return _is_bound_again(module, flag, opened=opened)


def _is_bound_again(module: Module, flag: ast.Name, *, opened: bool) -> bool:
    """Whether a name may hold the first value again in the loop that asks it, or later, where it outlives its function."""
    function = module.function_of(flag)
    home = names.scope_of(function, flag.id)
    every = (each for each in module.functions.values() if each is home or flag.id in each.scope.outer)
    stores = (store for each in every for store in each.scope.stores.get(flag.id, ()))
    opening = [each for each in stores if not _holds(module, each, value=not opened)]
    if home is function:
        around = next((each for each in module.ancestors(flag) if isinstance(each, (*LOOPS, *ClosedNode))), None)
        return not isinstance(around, LOOPS) or any(inside.is_inside(module, each, around) for each in opening)
    return any(not module.function_of(each).is_module for each in opening)


def _may_hold(module: Module, flag: ast.Attribute, *, value: bool) -> bool:
    """Whether a place that says an attribute may give it a value: a store of anything else than the other, or `flag.fill_(0)`."""
    if not isinstance(flag.ctx, ast.Load):
        return not _holds(module, flag, value=not value)
    match module.parents.get(flag):
        case ast.Attribute(attr="zero_"):
            return not value
        case ast.Attribute(attr="copy_" | "fill_") as method:
            call = module.parents.get(method)
            return not (isinstance(call, ast.Call) and call.args and _told(call.args[0]) is (not value))
    return False


def _holds(module: Module, store: ast.AST, *, value: bool) -> bool:
    """Whether something is set to a value that is written out."""
    match module.parents.get(store):
        case ast.Assign(targets=[_], value=given):
            return _told(given) is value
    return False
