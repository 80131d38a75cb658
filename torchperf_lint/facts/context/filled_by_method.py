"""Branches in which a method of the object makes what is missing, and keeps it: they run once.

    @property
    def index(self): return self._index
    def _begin(self, t): self._index = self.find(t)
    def step(self, t):
        if self.index is None: self._begin(t)       before the first step alone
        if not self.ready: self._prepare(t)         the same, where nothing sets `self.ready` back

Knows syntax and names, nothing of values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchperf_lint.facts.context import latches, rare_branches
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function


def is_one(module: Module, node: ast.If) -> bool:
    """Whether what an `if` runs calls a method that sets what is asked."""
    method = module.function_of(node).method
    owner = method.owner if method is not None else None
    if method is None or owner is None or not method.positional:
        return False
    called = (each.value.func for each in node.body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call))
    setters = [owner.methods[each.attr] for each in _own(method, called) if each.attr in owner.methods]
    asked = (each for each in rare_branches.missing(node.test) if not _is_flag(module, each))
    missing = {_kept_in(owner, each.attr) for each in _own(method, asked)}
    return any(_sets(each, missing) or latches.is_set_in(module, node, each.body) for each in setters)


def _is_flag(module: Module, asked: ast.expr) -> bool:
    """`not self.ready`, which may be set back: that is for `latches`."""
    return isinstance(module.parents.get(asked), ast.UnaryOp)


def _own(method: Function, nodes: Iterator[ast.expr]) -> Iterator[ast.Attribute]:
    """Those of some expressions that are attributes of the object of a method."""
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=name)) if name == method.positional[0]:
                yield node


def _kept_in(owner: Class, name: str) -> str:
    """The attribute that a property gives as it is; of what is none, its own name."""
    method = owner.methods.get(name)
    match method.body[-1] if method is not None and method.is_property else None:
        case ast.Return(value=ast.Attribute(value=ast.Name(), attr=kept)):
            return kept
    return name


def _sets(method: Function, names: set[str]) -> bool:
    """Whether a method sets one of some attributes to anything but None."""
    for store in method.sets:
        match method.module.parents.get(store):
            case ast.Assign(value=ast.Constant(value=None)):
                continue
        if store.attr in names:
            return True
    return False
