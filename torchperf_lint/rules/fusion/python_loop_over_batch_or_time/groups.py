"""Loops that select the rows of one group at each turn, and make one of them: the mean of each class.

    for k in range(n):
        means[k] = x[labels == k].mean(0)

Knows syntax, and where the host waits.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import blocks, definitions, names
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_REDUCING: Final = frozenset(("mean", "sum", "max", "min", "amax", "amin", "std", "var", "median", "logsumexp"))
_FEW: Final = 8
"""Who does more in a turn than so many statements works with a group, and does not only reduce it."""


def are_reduced(facts: Facts, loop: ast.For) -> bool:
    """Whether each turn of a loop selects the rows of one group, for which the host waits, and makes one of them."""
    if not isinstance(loop.target, ast.Name) or not _is_numbered(loop.iter):
        return False
    body = list(walk(loop, into_scopes=False))
    if sum(isinstance(each, ast.stmt) for each in body) > _FEW:
        return False  # more is done with a group than to reduce it
    for node in body:
        if isinstance(node, ast.Subscript) and _is_reduced(facts, node) and _is_group(facts, node, loop.target.id):
            is_here = blocks.loop(facts.module, node) is loop  # the innermost loop is spoken of
            if is_here and facts.wait_at(node).known and not facts.gated_at(node):
                return True
    return False


def _is_numbered(iterated: ast.expr) -> bool:
    """Whether a loop goes through whole numbers: `range(n)`, `torch.arange(n)`, `torch.unique(y)`, `y.unique()`."""
    return isinstance(iterated, ast.Call) and last_name(iterated.func) in ("range", "arange", "unique")


def _is_reduced(facts: Facts, rows: ast.Subscript) -> bool:
    """`rows.mean(0)`, `torch.mean(rows, 0)`."""
    above = facts.module.parents.get(rows)
    match above:
        case ast.Attribute(attr=attr) if attr in _REDUCING:
            return isinstance(facts.module.parents.get(above), ast.Call)
        case ast.Call(func=func, args=[given, *_]) if given is rows and last_name(func) in _REDUCING:
            return (names.dotted(facts.module.function_of(above), func) or "").startswith("torch.")
    return False


def _is_group(facts: Facts, rows: ast.Subscript, item: str) -> bool:
    """Whether rows are those where something is the number of the turn: `x[labels == k]`."""
    mask: ast.expr | None = rows.slice
    if isinstance(mask, ast.Name):
        mask = definitions.definition(facts.module, mask)
    match mask:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return any(isinstance(each, ast.Name) and each.id == item for each in (left, right))
    return False
