"""Indexes that end the graph: masks, tensors where Python or torch wants a number, numbers of arrays."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.rules.compile.graph_break_in_compiled_code.operands import Break, array, number, tensor, whole

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def at(facts: Facts, node: ast.Subscript, *, takes: bool) -> Break | None:
    """`x[mask]` takes as many elements as the mask selects, and `x[:n]` as many as a tensor says; `x[mask] = 0` takes none."""
    held = facts.analysis.seen(node.value, facts.module.function_of(node))
    kinds = {each.kind for each in held.alternatives or (held,)} if held is not None else {"unknown"}
    index = node.slice
    if kinds <= {"list", "tuple"}:
        return _of_python(facts, node, index)
    if not kinds <= {"tensor", "unknown"}:
        return None
    is_tensor = tensor(facts, node.value) is not None
    for part in index.elts if isinstance(index, ast.Tuple) else [index]:
        found = _bound(facts, node, part) if isinstance(part, ast.Slice) else _part(facts, node, part, takes=takes)
        if found is not None and (is_tensor or found.kind == "size" or found.value is None):
            return found
    return None


def _of_python(facts: Facts, node: ast.Subscript, index: ast.expr) -> Break | None:
    """`layers[n]` of a list, where a tensor or an array says which."""
    value = tensor(facts, index)
    if value is not None and value.dtype != "bool":
        return Break("read", node, value)
    return Break("read", node, None) if array(facts, index) else None


def _bound(facts: Facts, node: ast.Subscript, part: ast.Slice) -> Break | None:
    bounds = [each for each in (part.lower, part.upper, part.step) if each is not None]
    value = next((found for each in bounds if (found := tensor(facts, each)) is not None), None)
    if value is not None or any(array(facts, each) for each in bounds):
        return Break("read", node, value)
    return None


def _part(facts: Facts, node: ast.Subscript, part: ast.expr, *, takes: bool) -> Break | None:
    found = tensor(facts, part)
    if takes and found is not None and found.dtype == "bool" and found.rank != 0:
        return Break("size", node, found)
    one = whole(facts, part)
    return Break("read", node, one) if one is not None or number(facts, part) else None
