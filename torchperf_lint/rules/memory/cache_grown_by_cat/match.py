"""Caches of keys and values that are joined with what a new token adds. Knows names alone."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.guesses import cache_names
from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def is_grown(facts: Facts, call: ast.AST) -> bool:
    """Whether a call joins what a cache holds with new keys or values, as its first part and along one dimension."""
    match call:
        case ast.Call(args=[ast.List(elts=[old, new]) | ast.Tuple(elts=[old, new]), *_]):
            pass
        case _:
            return False
    if names.dotted(facts.module.function_of(call), call.func) != "torch.cat":
        return False
    held, added = _names(old), _names(new)
    is_past = any(map(cache_names.is_past, held)) and any(map(cache_names.is_of_keys, held))
    if not is_past or not any(map(cache_names.is_of_keys, added)) or any(map(cache_names.is_past, added)):
        return False
    around = facts.module.function_of(call).node
    return not any(map(cache_names.is_of_chunks, _names(around)))


def has_pair(facts: Facts, call: ast.AST) -> bool:
    """Whether the statement above does the same to the keys that one does to the values: the two are one cache."""
    place = inside.block_of(facts.module, facts.module.statement(call))
    if place is None or place[1] == 0:
        return False
    above = place[0].statements[place[1] - 1]
    return any(is_grown(facts, each) for each in inside.calls(facts.module, above))


def _names(node: ast.AST) -> list[str]:
    """All names and texts in a node."""
    found = [each.id for each in walk(node) if isinstance(each, ast.Name)]
    found += [each.attr for each in walk(node) if isinstance(each, ast.Attribute)]
    return found + [each.value for each in walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
