"""What compiled code calls of the program: what Dynamo looks into from there.

self.scale(x)                            of the class that is compiled, whichever class above it makes the call
super().forward(x)                       the next one above, for that class
spline = sharp if tight else smooth      each of them, where the name is called
checkpoint(self.block, x)                what torch calls for it
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import compiled_branches, gates
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

Target = tuple[Function, Class | None]
"""A function that is called, and the class of what it is called on."""
_RUNNERS: Final = frozenset(("torch.utils.checkpoint.checkpoint", "torch.vmap", "torch.func.vmap", "functools.partial"))
"""Functions whose first argument runs as compiled code does."""
_DIFFERENTIATED: Final = "torch.autograd.Function"
_DEEP: Final = 3
"""So many names are followed from one to the next."""


def of(analysis: Analysis, target: Target) -> Iterator[Target]:
    """The functions of the program that a compiled one calls, as far as that is seen."""
    function, owner = target
    module = function.module
    for statement in function.body:
        for node in walk(statement, into_scopes=False):
            if isinstance(node, ast.Call) and gates.of(module, node) is None:
                for called in by(analysis, function, owner, node):
                    if not called[0].is_generator and compiled_branches.may_be_taken(module, node):
                        yield called


def by(analysis: Analysis, function: Function, owner: Class | None, call: ast.Call) -> Iterator[Target]:
    """What a call of a function runs, which itself runs for a class."""
    if call.args and names.dotted(function, call.func) in _RUNNERS:
        yield from _on_itself(analysis, function, owner, call.args[0])
        yield from run_by(analysis, function.module, call.args[0])
        return
    found = [*_on_itself(analysis, function, owner, call.func), *_differentiated(analysis, function.module, call.func)]
    yield from found or run_by(analysis, function.module, call.func)


def _differentiated(analysis: Analysis, module: Module, node: ast.expr) -> Iterator[Target]:
    """What `Own.apply(x)` of a function with a backward pass of its own runs: both are compiled."""
    if not isinstance(node, ast.Attribute) or node.attr != "apply":
        return
    held = analysis.value(node.value, module)
    owner = (analysis.resolve(held.ref) or held).ref if held.kind == "symbol" else held.ref
    if isinstance(owner, Class) and _DIFFERENTIATED in classes.unseen_bases(analysis, owner):
        methods = (classes.find_method(analysis, owner, name) for name in ("forward", "backward"))
        yield from ((each, None) for each in methods if each is not None)


def run_by(analysis: Analysis, module: Module, node: ast.expr, deep: int = _DEEP) -> Iterator[Target]:
    """The functions of the program that calling an expression may run; of a module, its `forward`."""
    if isinstance(node, ast.Lambda):
        yield module.functions[node], None
        return
    if isinstance(node, ast.Attribute):
        found = list(_methods(analysis, module, node, deep))
        if found:
            yield from found
            return
    one = of_value(analysis, analysis.value(node, module))
    if one is not None:
        yield one
    elif deep:
        yield from _bound(analysis, module, node, deep - 1)


def _methods(analysis: Analysis, module: Module, node: ast.Attribute, deep: int) -> Iterator[Target]:
    """The methods that an attribute may be, by what it is an attribute of."""
    held = analysis.value(node.value, module)
    if held.kind == "super":
        return
    owners = [held.ref] if isinstance(held.ref, Class) else list(_instances(analysis, module, node.value, deep))
    for owner in owners:
        method = classes.find_method(analysis, owner, node.attr)
        if method is not None and not method.is_property:
            yield method, owner


def _instances(analysis: Analysis, module: Module, node: ast.expr, deep: int) -> Iterator[Class]:
    """The classes of which something may be an instance: those of a table in which its own is looked up."""
    match node:
        case ast.Name() if deep:
            for value in _assigned(module, node):
                yield from _instances(analysis, module, value, deep - 1)
        case ast.Call(func=ast.Subscript(value=table)):
            for each in _items(analysis, module, table):
                if each.kind == "class" and isinstance(each.ref, Class):
                    yield each.ref


def _items(analysis: Analysis, module: Module, table: ast.expr) -> Iterator[Value]:
    """What a table holds that the program writes down: `LAYERS = {"plain": Plain, "gated": Gated}`."""
    items = analysis.value(table, module).items
    for each in items.values() if isinstance(items, dict) else ():
        yield (analysis.resolve(each.ref) or each) if each.kind == "symbol" else each


def _bound(analysis: Analysis, module: Module, node: ast.expr, deep: int) -> Iterator[Target]:
    """The functions of a name that is bound to several, or of a table."""
    match node:
        case ast.IfExp(body=one, orelse=other):
            for each in (one, other):
                yield from run_by(analysis, module, each, deep)
        case ast.Subscript(value=table):
            found = (of_value(analysis, each) for each in _items(analysis, module, table))
            yield from (each for each in found if each is not None)
        case ast.Name():
            for value in _assigned(module, node):
                yield from run_by(analysis, module, value, deep)
        case ast.Call():
            for owner in _instances(analysis, module, node, deep):
                yield from _called_itself(analysis, owner)


def _assigned(module: Module, node: ast.Name) -> Iterator[ast.expr]:
    """What a name of a function is bound to by assignments."""
    home = names.scope_of(module.function_of(node), node.id)
    for store in home.scope.stores.get(node.id, ()) if home is not None and not home.is_module else ():
        match module.parents.get(store):
            case ast.Assign(targets=[target], value=value) if target is store:
                yield value


def _on_itself(analysis: Analysis, function: Function, owner: Class | None, node: ast.expr) -> Iterator[Target]:
    """What a method calls on `self` or by `super()`, of the class that it runs for: a class below its own may say otherwise."""
    if owner is None or function.owner is None or function.is_static:
        return
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if function.positional[:1] == (name,):
            yield from _of_class(analysis, owner, attr)
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=attr):
            line = analysis.ancestry(owner)
            above = line[line.index(function.owner) + 1 :] if function.owner in line else ()
            method = next((each.methods[attr] for each in above if attr in each.methods), None)
            if method is not None:
                yield method, owner


def _of_class(analysis: Analysis, owner: Class, attr: str) -> Iterator[Target]:
    """What `self.attr(...)` runs in methods of an instance of a class: its method, or what it keeps under that name."""
    method = classes.find_method(analysis, owner, attr)
    if method is not None:
        if not method.is_property:
            yield method, owner
        return
    kept = analysis.class_attribute(owner, attr)
    found = of_value(analysis, kept) if kept is not None else None
    if found is not None:
        yield found
        return
    for each in analysis.ancestry(owner):
        for function, site in classes.sites(each).get(attr, ()):
            match function.module.parents.get(site):
                case ast.Assign(targets=[_], value=ast.Attribute(value=ast.Name(id=name), attr=bound)) if (
                    function.positional[:1] == (name,)
                ):
                    own = classes.find_method(analysis, owner, bound)
                    if own is not None:
                        yield own, owner
                case ast.Assign(targets=[_], value=value):
                    yield from run_by(analysis, function.module, value, 1)


def of_value(analysis: Analysis, value: Value) -> Target | None:
    """What a call of a value runs."""
    if value.kind == "symbol":
        value = analysis.resolve(value.ref) or value  # another file of the program defines it
    if value.kind == "function" and isinstance(value.ref, Function):
        return value.ref, None
    if isinstance(value.ref, Class) and value.kind not in ("class", "super"):
        return next(_called_itself(analysis, value.ref), None)
    return None


def _called_itself(analysis: Analysis, owner: Class) -> Iterator[Target]:
    """What calling an instance of a class runs."""
    method = classes.find_method(analysis, owner, "forward" if analysis.kind(owner) == "module" else "__call__")
    if method is not None:
        yield method, owner
