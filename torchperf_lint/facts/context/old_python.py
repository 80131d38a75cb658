"""Functions that no Python in use can run: they say what Python 2 had.

for start in range(0, len(rows) / size):        a float is no number of turns: raises an error
for turn in xrange(3):                          unless the file defines it
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function

_BUILTINS: Final = frozenset("xrange raw_input unichr".split())
_CHOICES: Final = (ast.If, ast.IfExp, ast.Try, ast.BoolOp)
"""What may keep a function from saying it in a new Python."""


def is_one(module: Module, node: ast.AST) -> bool:
    """Whether a node stands in a function that only Python 2 runs."""
    function = module.function_of(node)
    return not function.is_module and _is_of_two(module, function)


@once
def _is_of_two(module: Module, function: Function) -> bool:
    calls = inside.calls(module, function.node)
    return any(_raises(function, each) and not _may_be_skipped(module, function, each) for each in calls)


def _raises(function: Function, call: ast.Call) -> bool:
    match call:
        case ast.Call(func=ast.Name(id="range"), args=args):
            halves = (isinstance(each, ast.BinOp) and isinstance(each.op, ast.Div) for each in args)
            return any(halves) and names.scope_of(function, "range") is None
        case ast.Call(func=ast.Name(id=name)):
            return name in _BUILTINS and names.scope_of(function, name) is None and not function.module.stars
    return False


def _may_be_skipped(module: Module, function: Function, call: ast.Call) -> bool:
    for above in module.ancestors(call):
        if above is function.node:
            return False
        if isinstance(above, _CHOICES):
            return True
    return False
