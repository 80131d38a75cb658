"""Functions that are defined within another, where nothing says their name: they never run.

def main():
    def statistics(codes): ...        and `main` says no `statistics`
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function

_LOOKING_UP: Final = frozenset("locals vars eval exec".split())


def is_one(module: Module, node: ast.AST) -> bool:
    """Whether a node stands in such a function."""
    return any(_is_unread(module, each) for each in module.function_of(node).around() if each.is_inner)


@once
def _is_unread(module: Module, function: Function) -> bool:
    home = function.within
    if (
        home is None
        or function.owner is not None
        or not isinstance(function.node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ):
        return False
    if function.decorators or function.name in home.scope.outer:
        return False
    others = (each for each in home.inner if each is not function)
    is_read = function.name in home.scope.loads or any(function.name in each.reads for each in others)
    return not is_read and not _looks_up(module, module.tree)


@once
def _looks_up(module: Module, _: ast.Module) -> bool:
    """Whether a file calls what may take a function without its name: `locals()`."""
    return any(isinstance(each.func, ast.Name) for name in _LOOKING_UP for each in module.calls.get(name, ()))
