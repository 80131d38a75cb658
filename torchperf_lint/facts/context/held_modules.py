"""Where what a call makes is kept, and where it is run from there: `self.net = Net()`, `self.net(x)`. Knows syntax, and which class
is below which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import constructions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import LOOPS, last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_AS_IT_IS: Final = (ast.IfExp, ast.Dict, ast.List, ast.Tuple, ast.keyword, ast.Starred)


def makings(module: Module, read: ast.expr) -> list[ast.expr]:
    """What makes things of a class where it is read: a call of it, also by another name; else what it is handed to. None of an
    annotation, or of what only asks for it."""
    above = module.parents.get(read)
    while isinstance(above, (ast.Tuple, ast.List)):
        above = module.parents.get(above)
    match above:
        case ast.Call(func=func) if last_name(func) in constructions.ASKING:
            return []
        case ast.Call(func=func) if func is read:
            return [above]
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is read:
            return _calls(module, read, name)
    return [read] if isinstance(above, (ast.Call, ast.Assign, *_AS_IT_IS)) else []


def _calls(module: Module, node: ast.AST, name: str) -> list[ast.expr]:
    """The calls of a name in the function of a node."""
    above = (module.parents.get(each) for each in module.function_of(node).scope.loads.get(name, ()))
    return [
        each
        for each in above
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == name
    ]


def kept_as(module: Module, made: ast.expr) -> str | None:
    """The attribute of `self` that a statement binds, with all that it makes."""
    match module.statement(made):
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(), attr=attr)]):
            return attr
    return None


def runs(analysis: Analysis, holder: Class, attr: str) -> Iterator[ast.expr]:
    """Where the methods of a class run what `self` keeps under a name."""
    module = analysis.module
    for read in module.attributes.get(attr, ()):
        method = module.function_of(read).method
        if method is None or method.owner is None or method.name == "__init__" or not isinstance(read.ctx, ast.Load):
            continue
        is_own = method.owner is holder or holder in analysis.ancestry(method.owner)
        is_of_self = isinstance(read.value, ast.Name) and read.value.id == next(iter(method.positional), "")
        if is_own and is_of_self and _is_run(module, read):
            yield wrapped(module, read) or read


def _is_run(module: Module, read: ast.expr) -> bool:
    """Whether a thing is called where it is read, or taken to be: `self.net(x)`, `for block in self.blocks`, `net = self.net`."""
    above, below = module.parents.get(read), read
    while isinstance(above, (ast.Subscript, *_AS_IT_IS)) and below is not getattr(above, "slice", None):
        above, below = module.parents.get(above), above  # type: ignore[assignment]
    if wrapped(module, read) is not None:
        return True
    match above:
        case ast.Call(func=func, args=args):
            return func is below or (
                isinstance(func, ast.Name) and func.id in ("enumerate", "zip", "reversed") and below in args
            )
        case ast.Assign(value=value):
            return value is below
    return isinstance(above, (ast.comprehension, *LOOPS))


def wrapped(module: Module, read: ast.AST) -> ast.Call | None:
    """The call of what is made of a function or a thing, and called at once: `in_float32(self.head)(x)`."""
    wrapping = module.parents.get(read)
    called = module.parents.get(wrapping) if isinstance(wrapping, ast.Call) and read in wrapping.args else None
    return called if isinstance(called, ast.Call) and called.func is wrapping else None


def called(module: Module, made: ast.expr) -> list[ast.expr]:
    """Where a function calls what it makes itself: `net = Net(); net(x)`, `Net()(x)`."""
    again = module.parents.get(made)
    if isinstance(again, ast.Call) and again.func is made:
        return [again]
    match module.statement(made):
        case ast.Assign(targets=[ast.Name(id=name)]):
            return _calls(module, made, name)
    return []


def gives_back(function: Function) -> bool:
    """Whether a function gives something back, which may be what it has made."""
    returns = (each for each in walk(function.node, into_scopes=False) if isinstance(each, ast.Return))
    return any(each.value is not None for each in returns)
