"""What a loop runs over: so many turns as a tensor has items, or a tensor itself. Knows syntax, and what is a tensor."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

FEW: Final = 8
"""So many turns cost too little to speak of."""
_SIZES: Final = ("shape", "size", "len", "numel")


def is_tensor(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression is a tensor that is not on the CPU for certain."""
    value = facts.analysis.value(node, facts.module)
    return value.kind == "tensor" and value.maybe_cuda


def runs_over_size(facts: Facts, iterated: ast.expr) -> bool:
    """Whether a loop has as many turns as a tensor has items."""
    count = counted(iterated)
    return count is not None and is_size(facts, count)


def counted(iterated: ast.expr) -> ast.expr | None:
    """The count that a loop runs to: `n` of `range(n)`, `range(1, n)`."""
    match iterated:
        case ast.Call(func=ast.Name(id="range"), args=[count] | [_, count]):
            return count
        case ast.Call(func=ast.Name(id="tqdm" | "trange"), args=[inner, *_]):
            return counted(inner)
    return None


def is_short(facts: Facts, iterated: ast.expr) -> bool:
    count = counted(iterated)
    known = facts.analysis.value(count, facts.module).const if count is not None else None
    return isinstance(known, int) and known <= FEW


def is_size(facts: Facts, count: ast.expr) -> bool:
    """Whether a count is a size of a tensor, also by way of a name: `n = x.shape[0]`, `b, n = x.size()`."""
    for node in walk(count):
        if isinstance(node, ast.Attribute) and node.attr in _SIZES:
            return True
        if isinstance(node, ast.Call) and last_name(node.func) in _SIZES and not _is_of_own_list(facts, node):
            return True
        if isinstance(node, ast.Name):
            store = definitions.last_above(facts.module.function_of(node), node)
            statement = facts.module.statement(store) if store is not None else None
            if isinstance(statement, ast.Assign) and any(
                (isinstance(each, ast.Attribute) and each.attr == "shape")
                or (isinstance(each, ast.Call) and last_name(each.func) in _SIZES)
                for each in walk(statement.value)
            ):
                return True
    return False


def _is_of_own_list(facts: Facts, call: ast.Call) -> bool:
    """`len(self.sources)` of what is no tensor for all that is known: a few of something that the object is made for."""
    match call:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(value=ast.Name(id="self")) as held]):
            return not is_tensor(facts, held)
    return False
