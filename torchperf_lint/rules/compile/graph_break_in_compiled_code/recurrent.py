"""Layers that are recurrent whichever of several they are.

self.rnn = nn.LSTM(8, 8)
self.rnn = nn.GRU(8, 8) if fast else nn.LSTM(8, 8)              in each of the places that make it
self.rnn = {"gru": nn.GRU, "lstm": nn.LSTM}[kind](8, 8)         of a class out of a table, by a name, from a function
self.rnn = getattr(nn, rnn_type)(8, 8)                          of a name that says so
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import compiled_calls
from torchperf_lint.facts.guesses import model_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.facts.interpret import classes
from torchperf_lint.facts.knowledge import graph_breaks as known
from torchperf_lint.rules.compile.graph_break_in_compiled_code import operands

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

_DEEP: Final = 4
"""So many names and functions are followed from a layer back to its class."""


def is_one(facts: Facts, node: ast.expr) -> bool:
    """Whether what is called is a recurrent layer, whichever way the program goes."""
    value = facts.analysis.value(node, facts.module)
    if value.kind == "module" and value.ref in known.RNNS:
        return True
    if value.kind not in ("unknown", "module", "object"):
        return False
    made = list(_items(facts, _listed(facts, node)) or _made(facts, node))
    return bool(made) and all(_is_layer(facts.analysis, module, each, _DEEP) for module, each in made)


def _listed(facts: Facts, node: ast.expr) -> ast.expr | None:
    """What something is an item of: `self.layers` of `self.layers[n]`, or of what runs over it."""
    match node:
        case ast.Subscript(value=held):
            return held
        case ast.Name():
            given = operands.looped(facts, node)
            return given if given is not None else _numbered(facts, node)
    return None


def _numbered(facts: Facts, node: ast.Name) -> ast.expr | None:
    """The same of `for n, layer in enumerate(self.layers)`."""
    match [facts.module.parents.get(each) for each in facts.module.function_of(node).scope.stores.get(node.id, ())]:
        case [ast.Tuple(elts=[_, ast.Name(id=name)]) as target] if name == node.id:
            match facts.module.parents.get(target):
                case ast.For(iter=ast.Call(func=ast.Name(id="enumerate"), args=[held])):
                    return held
    return None


def _items(facts: Facts, held: ast.expr | None) -> list[tuple[Module, ast.expr | None]]:
    """All that a list of layers gets, where that is by `append` alone; none where it is not seen."""
    if held is None:
        return []
    match [each for _, each in _made(facts, held)]:
        case [ast.Call(func=func, args=[] | [ast.List(elts=[])])] if last_name(func) == "ModuleList":
            pass
        case [ast.List(elts=[])]:
            pass
        case _:
            return []
    found: list[tuple[Module, ast.expr | None]] = []
    for call in facts.module.calls.get("append", ()):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=attr)), args=[given]) if attr == last_name(held):
                found.append((facts.module, given))
    return found


def _made(facts: Facts, node: ast.expr) -> Iterator[tuple[Module, ast.expr | None]]:
    """All that an attribute of `self` is bound to; None for what is no plain assignment."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return
    method = facts.module.function_of(node).method
    if method is None or method.owner is None or method.positional[:1] != (node.value.id,):
        return
    for owner in facts.analysis.ancestry(method.owner):
        for function, site in classes.sites(owner).get(node.attr, ()):
            bound = function.module.parents.get(site)
            made = bound.value if isinstance(bound, ast.Assign) else None
            if not _is_itself(made, node.attr):
                yield function.module, made


def _is_itself(made: ast.expr | None, attr: str) -> bool:
    """`self.rnn = self.rnn.cuda()`."""
    match made:
        case ast.Call(
            func=ast.Attribute(value=ast.Attribute(attr=name), attr="cuda" | "cpu" | "to" | "float" | "half" | "double")
        ):
            return name == attr
    return False


def _is_layer(analysis: Analysis, module: Module, node: ast.expr | None, deep: int) -> bool:
    match node:
        case ast.Call(func=func):
            return _is_class(analysis, module, func, deep)
        case ast.IfExp(body=one, orelse=other):
            return all(_is_layer(analysis, module, each, deep) for each in (one, other))
    return False


def _is_class(analysis: Analysis, module: Module, node: ast.expr | None, deep: int) -> bool:
    """Whether an expression is the class of a recurrent layer."""
    if node is None or not deep:
        return False
    function = module.function_of(node)
    if names.dotted(function, node) in known.RNNS:
        return True
    match node:
        case ast.IfExp(body=one, orelse=other):
            return all(_is_class(analysis, module, each, deep - 1) for each in (one, other))
        case ast.Subscript(value=table) | ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_]):
            return _is_table(analysis, module, table, deep - 1)
        case ast.Call(func=ast.Name(id="getattr"), args=[home, kind, *_]):
            return names.dotted(function, home) == "torch.nn" and model_names.is_recurrent(_named(kind))
        case ast.Call():
            given = [
                each
                for called, _ in compiled_calls.by(analysis, function, function.owner, node)
                for each in _given(called)
            ]
            return bool(given) and all(_is_class(analysis, home, each, deep - 1) for home, each in given)
        case ast.Name():
            bound = _bound(module, function, node)
            return bool(bound) and all(_is_class(analysis, module, each, deep - 1) for each in bound)
    return False


def _is_table(analysis: Analysis, module: Module, node: ast.expr, deep: int) -> bool:
    if isinstance(node, ast.Dict):
        return bool(node.values) and all(_is_class(analysis, module, each, deep) for each in node.values)
    bound = _bound(module, module.function_of(node), node) if isinstance(node, ast.Name) and deep else []
    return len(bound) == 1 and bound[0] is not None and _is_table(analysis, module, bound[0], deep - 1)


def _named(node: ast.expr) -> str:
    """What chooses is called: `rnn_type`, `args.rnn`, `rnn_type.upper()`, `"LSTM"`."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Call(func=ast.Attribute(value=held, attr="upper"), args=[]):
            return _named(held)
    return last_name(node)


def _given(function: Function) -> list[tuple[Module, ast.expr | None]]:
    """All that a function returns."""
    returns = (
        each
        for statement in function.body
        for each in walk(statement, into_scopes=False)
        if isinstance(each, ast.Return)
    )
    return [(function.module, each.value) for each in returns]


def _bound(module: Module, function: Function, node: ast.Name) -> list[ast.expr | None]:
    """All that a name is bound to; None for what is no plain assignment."""
    home = names.scope_of(function, node.id)
    stores = home.scope.stores.get(node.id, ()) if home is not None else ()
    bound = (module.parents.get(each) for each in stores)
    return [each.value if isinstance(each, ast.Assign) else None for each in bound]
