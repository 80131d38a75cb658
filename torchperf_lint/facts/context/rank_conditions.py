"""Conditions about ranks: on which process code runs, and whether there are several at all.

    if dist.get_rank() == 0:                    one process of all
    if int(os.environ["LOCAL_RANK"]) == 0:      one of each machine
    if args.local_rank != -1:                   all of them, where there are several
    if rank >= 0:                               the same

Knows syntax and names, nothing of values.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.guesses import condition_names
from torchperf_lint.facts.index.walk import last_name, walk

_ENVIRONMENT: Final = frozenset(("environ", "getenv"))


def asks_whether_distributed(test: ast.Compare) -> bool:
    """Whether a comparison holds on every process of a run of several: `rank != -1`, `local_rank > -1`, `rank >= 0`."""
    if len(test.ops) != 1 or not _is_rank(test.left):
        return False
    match test.ops[0], test.comparators[0]:
        case ast.NotEq() | ast.Gt(), ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
            return True
        case ast.GtE(), ast.Constant(value=0):
            return True
    return False


def names_one(test: ast.Compare) -> bool:
    """Whether a comparison asks the environment which process this is."""
    return any(
        isinstance(each, ast.Constant) and isinstance(each.value, str) and condition_names.is_rank(each.value)
        for each in walk(test.left)
    ) and any(
        isinstance(each, ast.Attribute | ast.Name) and last_name(each) in _ENVIRONMENT for each in walk(test.left)
    )


def _is_rank(node: ast.expr) -> bool:
    """`rank`, `args.local_rank`, `get_rank()`."""
    return condition_names.is_rank(last_name(node.func if isinstance(node, ast.Call) else node))
