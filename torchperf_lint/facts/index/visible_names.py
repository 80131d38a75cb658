"""Which of some names a place can read: its parameters and locals, names of the file, attributes of its object.

Knows names and classes, nothing of values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.names import scope_of
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def readable(analysis: Analysis, module: Module, node: ast.AST, wanted: Iterable[str]) -> list[str]:
    """How a place can write those of some names that it can read: `num_classes`, `self.num_classes`."""
    function = module.function_of(node)
    found = [name for name in wanted if _is_bound(function, name, node)]
    method = function.method
    if method is not None and method.owner is not None and method.positional and not method.is_static:
        receiver = method.positional[0]
        kept = {name for owner in analysis.ancestry(method.owner) for name in classes.sites(owner)}
        found += [f"{receiver}.{name}" for name in wanted if name in kept]
    return found


def _is_bound(function: Function, name: str, node: ast.AST) -> bool:
    home = scope_of(function, name)
    if home is None:
        return False
    first = home.scope.stores[name][0]
    return (
        home is not function or isinstance(first, ast.arg) or getattr(first, "lineno", 0) < getattr(node, "lineno", 0)
    )
