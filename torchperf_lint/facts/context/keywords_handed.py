"""What a call passes by keywords that it does not show, `**settings`, as far as its function tells.

settings = {"size": size, "decay": 0.9}
if affine: settings = dict(**settings, affine=True)
Book(**settings)                                    passes `size`, and no `threshold`
class Net(nn.Module):
    def __init__(self, depth, **rest):
        self.book = Book(**rest)                    passes what those pass who make a `Net`
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import option_calls
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Function

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_DEEP: Final = 3
"""So many functions hand their keywords on."""


def argument(module: Module, call: ast.Call, name: str) -> ast.expr | None:
    """What a dictionary of the function that calls passes under a name."""
    found = [given for each in _mapped(call) for given in _given(module.function_of(call), each, name) or ()]
    return found[0] if len(found) == 1 else None


def may_pass(analysis: Analysis, call: ast.Call, name: str, deep: int = _DEEP) -> bool:
    """Whether a call may pass something by a name that it does not show."""
    module = analysis.module
    if any(isinstance(each, ast.Starred) for each in call.args):
        return True
    return any(_may_have(analysis, module.function_of(call), each, name, deep) for each in _mapped(call))


def _may_have(analysis: Analysis, function: Function, mapped: ast.expr, name: str, deep: int) -> bool:
    """Whether a dictionary that a function hands on may have a name: its own `**rest` has what its callers give it beside the rest."""
    rest = function.arguments.kwarg if function.arguments is not None else None
    if not isinstance(mapped, ast.Name) or rest is None or rest.arg != mapped.id:
        return _given(function, mapped, name) != []
    if not deep or not _is_only_handed_on(function, rest.arg, stores=1):
        return True
    if name in function.parameters:
        return False
    calls = option_calls.seen(analysis, function)
    return not calls or any(
        any(each.arg == name for each in call.keywords) or may_pass(other, call, name, deep - 1)
        for other, call in calls
    )


def _mapped(call: ast.Call) -> list[ast.expr]:
    return [each.value for each in call.keywords if each.arg is None]


def _given(function: Function, mapped: ast.expr, name: str) -> list[ast.expr] | None:
    """What a dictionary that a function writes out has under a name, in a list; None where that is not seen."""
    if not isinstance(mapped, ast.Name):
        return None
    stores = function.scope.stores.get(mapped.id, ())
    if not stores or not _is_only_handed_on(function, mapped.id, stores=len(stores)):
        return None
    found: list[ast.expr] = []
    for store in stores:
        items = _items(function.module.parents.get(store), mapped.id)
        if items is None:
            return None
        found += (value for key, value in items if key == name)
    return found


def _items(bound: ast.AST | None, own: str) -> list[tuple[str, ast.expr]] | None:
    """The keys and values that an assignment puts into a dictionary, beside what it had; None where that is not seen."""
    match bound:
        case ast.Assign(targets=[ast.Name()], value=ast.Dict(keys=keys, values=values)):
            named = [each.value for each in keys if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            return list(zip(named, values, strict=True)) if len(named) == len(keys) else None
        case ast.Assign(targets=[ast.Name()], value=ast.Call(func=ast.Name(id="dict"), args=[], keywords=given)):
            more = [each.value for each in given if each.arg is None]
            is_own = all(isinstance(each, ast.Name) and each.id == own for each in more)
            return [(each.arg, each.value) for each in given if each.arg is not None] if is_own else None
    return None


def _is_only_handed_on(function: Function, name: str, *, stores: int) -> bool:
    """Whether a function binds a dictionary so many times, and reads it for nothing but to hand it on, or for one of its items."""
    above = [function.module.parents.get(each) for each in function.scope.loads.get(name, ())]
    is_read = all(
        (isinstance(each, ast.keyword) and each.arg is None)
        or (isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load))
        for each in above
    )
    is_inner = any(name in inner.reads for inner in function.inner)
    return is_read and not is_inner and len(function.scope.stores.get(name, ())) == stores
