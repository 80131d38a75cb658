"""What a program can switch: code that runs only under a condition.

A debugging aid behind a flag is what it should be. Knows syntax and names, and who calls a function; nothing of values.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

DEEP: Final = 3
"""How many callers are followed."""


def conditional(analysis: Analysis, module: Module, node: ast.AST, depth: int = DEEP) -> bool:
    """Whether a node runs only if some condition holds: around it, or around each call of its function in sight."""
    below = node
    function = module.function_of(node)
    for above in module.ancestors(node):
        if above is function.node:
            break
        if isinstance(above, (ast.If, ast.IfExp)) and below is not above.test and not _is_usual(module, above.test):
            return True
        if isinstance(above, (ast.ExceptHandler, ast.match_case, ast.BoolOp)):
            return True
        below = above
    sites = analysis.sites(function) if depth and not function.is_module else []
    return bool(sites) and all(conditional(analysis, module, site, depth - 1) for site in sites)


def _is_usual(module: Module, test: ast.expr) -> bool:
    """A condition that holds wherever it matters: the guard of a script, or that there is a GPU."""
    match test:
        case ast.Compare(left=ast.Name(id="__name__")):
            return True
        case ast.Call(func=func):
            return names.dotted(module.function_of(test), func) == "torch.cuda.is_available"
    return False
