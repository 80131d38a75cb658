"""What a program can switch: code that runs only under a condition, and code that stands between two reads of a clock.

A debugging aid behind a flag is what it should be, and whoever measures time knows what it costs. Knows syntax and
names, and who calls a function; nothing of values.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module, last_name, walk
from torchperf_lint.facts.interpret import callers

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

DEEP: Final = 3
"""How many callers are followed."""

_CLOCKS: Final = frozenset(("time", "perf_counter", "perf_counter_ns", "monotonic", "process_time", "elapsed_time"))


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
    sites = callers.sites(analysis, function) if depth and not function.is_module else []
    return bool(sites) and all(conditional(analysis, module, site, depth - 1) for site in sites)


def _is_usual(module: Module, test: ast.expr) -> bool:
    """A condition that holds wherever it matters: the guard of a script, or that there is a GPU."""
    match test:
        case ast.Compare(left=ast.Name(id="__name__")):
            return True
        case ast.Call(func=func):
            return names.dotted(module.function_of(test), func) == "torch.cuda.is_available"
    return False


def timed(module: Module, node: ast.AST) -> bool:
    """Whether a clock is read both before and behind a node, in its block or in one around it within the function."""
    below = node
    for above in module.ancestors(node):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(above, name, None)
            if isinstance(block, list) and below in block:
                index = block.index(below)
                if _reads_clock(block[:index]) and _reads_clock(block[index + 1 :]):
                    return True
        if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return False
        below = above
    return False


def _reads_clock(statements: list[ast.stmt]) -> bool:
    return any(
        isinstance(inner, ast.Call) and last_name(inner.func) in _CLOCKS
        for statement in statements
        for inner in walk(statement, into_scopes=False)
    )
