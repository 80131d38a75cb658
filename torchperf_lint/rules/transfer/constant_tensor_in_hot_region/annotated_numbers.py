"""Whether something that is annotated as a number is used, made or passed as a list: annotations are seldom checked.

def __init__(self, strides: int = (8, 16)):       a default that is none
    self.strides = strides
...
    for stride in self.strides:                   a use that is none
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import callers, classes, instances

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_TAKING_SEVERAL: Final = frozenset(
    ("len", "enumerate", "zip", "list", "tuple", "sorted", "sum", "max", "min", "iter", "map")
)
_TAKING_LISTS: Final = frozenset(("zip", "map", "enumerate"))
"""Of those, what takes several lists; the others are given one, or numbers."""
_SEVERAL: Final = frozenset(("list", "tuple", "dict", "set", "ndarray", "string"))


def is_disputed(analysis: Analysis, module: Module, node: ast.expr) -> bool:
    """Whether anything in sight takes a name or an attribute for something that holds several."""
    match node:
        case ast.Name(id=name):
            home = names.scope_of(module.function_of(node), name)
            return home is not None and _name_is_disputed(analysis, home, name)
        case ast.Attribute(value=ast.Name(id=this), attr=attr):
            if any(_takes_several(module, each) for each in module.attributes.get(attr, ())):
                return True
            method = module.function_of(node).method
            if method is None or method.owner is None or method.positional[:1] != (this,):
                return False
            values = [definitions.unpacked(module, site) for _, site in classes.sites(method.owner).get(attr, ())]
            return any(isinstance(each, ast.Name) and is_disputed(analysis, module, each) for each in values)
    return False


def _name_is_disputed(analysis: Analysis, function: Function, name: str) -> bool:
    module = function.module
    loads = [*function.scope.loads.get(name, ()), *(n for f in function.inner for n in f.scope.loads.get(name, ()))]
    if any(_takes_several(module, load) for load in loads):
        return True
    calls = list(analysis.sites(function))
    calls += instances.calls(function.owner) if function.name == "forward" and function.owner is not None else ()
    given = [callers.argument(function, call, name) for call in calls[: callers.MANY]]
    given.append(_default(function, name))
    return any(each is not None and analysis.value(each, module).kind in _SEVERAL for each in given)


def _default(function: Function, name: str) -> ast.expr | None:
    """What a parameter is if nobody passes anything."""
    arguments = getattr(function.node, "args", None)
    if not isinstance(arguments, ast.arguments):
        return None
    places = [*arguments.posonlyargs, *arguments.args]
    last = dict(zip(reversed(places), reversed(arguments.defaults), strict=False))
    by_name = dict(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
    return next((value for each, value in (*last.items(), *by_name.items()) if each.arg == name), None)


def _takes_several(module: Module, read: ast.AST) -> bool:
    """Whether a read is that of something which holds several: it is indexed, gone through, unpacked or counted."""
    match module.parents.get(read):
        case ast.Subscript(value=held) | ast.For(iter=held) | ast.comprehension(iter=held) | ast.Starred(value=held):
            return held is read
        case ast.Call(func=ast.Name(id=name), args=args) if any(each is read for each in args):
            return name in _TAKING_SEVERAL and (len(args) == 1 or name in _TAKING_LISTS)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[held]):
            return held is read
    return False
