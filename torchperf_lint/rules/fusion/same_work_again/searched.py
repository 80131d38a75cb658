"""Selections by a mask that has selected before: each searches it anew for what is set, and the host waits for the number.

    boxes, scores = boxes[keep], scores[keep]        index = keep.nonzero(as_tuple=True)[0]; boxes[index], scores[index]

Knows what a mask is, and where the host waits.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import blocks, inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts


def candidates(module: Module) -> Iterator[ast.Subscript]:
    """Of the selections by one name in a function, the second: what it is about, it says for all that follow."""
    for alike in _by_name(module, module.tree).values():
        yield from alike[1:2]


@once
def _by_name(module: Module, _: ast.Module) -> dict[tuple[Function, str], list[ast.Subscript]]:
    """The subscripts that are read and whose index is a plain name, by function and name, in the order of the source."""
    found: dict[tuple[Function, str], list[ast.Subscript]] = {}
    for each in sorted(module.by_type.get(ast.Subscript, ()), key=place_of):
        if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Name) and isinstance(each.ctx, ast.Load):
            found.setdefault((module.function_of(each), each.slice.id), []).append(each)
    return found


def is_searched_again(facts: Facts, node: ast.AST) -> bool:
    """Whether the mask of a selection selected just before, from another tensor, and the host waited for it then, too."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Name):
        return False
    module, mask = facts.module, node.slice
    function = module.function_of(node)
    alike = _by_name(module, module.tree).get((function, mask.id), [])
    if node not in alike[1:2] or not _runs_before(module, first := alike[0], node):
        return False
    if not (facts.may_wait_at(first) and facts.may_wait_at(node)):
        return False
    stores = function.scope.stores.get(mask.id, ())
    if any(place_of(first) <= place_of(each) < place_of(node) for each in stores):
        return False
    if facts.analysis.value(mask, module).dtype != "bool":
        return False
    return all(_waits(facts, each) for each in (first, node))


def _runs_before(module: Module, first: ast.Subscript, second: ast.Subscript) -> bool:
    """Whether control comes to one selection by way of another: their statements stand in one block, and in one loop."""
    one, other = (inside.block_of(module, module.statement(each)) for each in (first, second))
    same_block = one is not None and other is not None and one[0] is other[0]
    return same_block and blocks.loop(module, first) is blocks.loop(module, second)


def _waits(facts: Facts, node: ast.Subscript) -> bool:
    found = facts.wait_at(node)
    return found.known and found.value.form == "shape"
