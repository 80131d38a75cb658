"""Files of text that a dataset makes numbers of each time it is asked for an item."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import item_names
from torchperf_lint.facts.idioms import item_work
from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_PARSING: Final = ("numpy.loadtxt", "numpy.genfromtxt", "pandas.read_csv", "pandas.read_table")
_ASKING: Final = (ast.In, ast.NotIn, ast.Is, ast.IsNot)


def is_per_item(facts: Facts, call: ast.AST) -> bool:
    """Whether a call reads a file of text for one item of a dataset, and nothing keeps what it gives."""
    assert isinstance(call, ast.Call)
    module = facts.module
    function = module.function_of(call)
    if names.dotted(function, call.func) not in _PARSING:
        return False
    owner = function.owner
    if not isinstance(owner, Class) or facts.analysis.kind(owner) != "dataset":
        return False
    methods = _for_items(module, owner)
    return function in methods and not _is_kept(module, call) and not _has_words(module, methods)


def _has_words(module: Module, methods: list[Function]) -> bool:
    """Whether what makes an item makes numbers of words."""
    calls = (each for method in methods for each in inside.calls(module, method.node))
    return any(item_names.makes_tokens(last_name(each.func)) for each in calls)


def is_beside_more(facts: Facts, call: ast.AST) -> bool:
    """Whether the item is made of an image or a recording as well."""
    owner = facts.module.function_of(call).owner
    methods = _for_items(facts.module, owner) if isinstance(owner, Class) else []
    return any(_decodes(each) for method in methods for each in inside.calls(facts.module, method.node))


def is_used_elsewhere(facts: Facts, call: ast.AST) -> bool:
    """Whether another file uses the dataset, on whatever device that may work."""
    owner, neighbours = facts.module.function_of(call).owner, facts.analysis.around()
    return isinstance(owner, Class) and neighbours is not None and neighbours.is_used(facts.analysis, owner.name, None)


def _for_items(module: Module, owner: Class) -> list[Function]:
    """The methods of a dataset that make an item."""
    getter = owner.methods.get("__getitem__")
    return item_work.methods(module, getter) if getter is not None else []


def _is_kept(module: Module, call: ast.Call) -> bool:
    """Whether it is read where it was not before (`if index not in self.cache`), or what it gives is kept."""
    for each in module.ancestors(call):
        match each:
            case ast.If(test=test) if any(isinstance(part, _ASKING) for part in ast.walk(test)):
                return True
            case ast.Assign(targets=targets) if any(isinstance(to, (ast.Subscript, ast.Attribute)) for to in targets):
                return True
            case ast.FunctionDef(decorator_list=decorators):
                return bool(decorators)
    return False


def _decodes(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(value=ast.Name(id=reader), attr="open" | "load" | "read" | "input") if item_names.has_media(
            reader
        ):
            return True
    return item_names.decodes(last_name(call.func))
