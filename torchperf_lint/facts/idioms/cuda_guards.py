"""Guards that ask whether there is a GPU: `if torch.cuda.is_available():`."""

from __future__ import annotations

import ast

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.names import dotted


def whole(module: Module, statement: ast.stmt) -> ast.stmt:
    """What to take away with a statement: the `if torch.cuda.is_available():` that holds nothing else."""
    around = module.parents.get(statement)
    match around:
        case ast.If(test=ast.Call(func=func), body=[_], orelse=[]):
            above = module.parents.get(around)
            is_branch = isinstance(above, ast.If) and around in above.orelse
            if dotted(module.function_of(around), func) == "torch.cuda.is_available" and not is_branch:
                return around
    return statement
