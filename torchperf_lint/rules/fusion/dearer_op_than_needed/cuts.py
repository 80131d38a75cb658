"""What is put in order whole and bound to names, of which nobody reads more than the beginning.

scores, order = x.sort(descending=True)
best, places = scores[:, :k], order[:, :k]
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation, parts
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form, Operation

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_SAID = "all elements are put in order, and only the first are read: `topk` looks for those alone"


def sorted_and_cut(facts: Facts, node: ast.AST) -> Form | None:
    """A sort whose results have names that are read only to take so many of the first elements."""
    found = operation.of(facts.module, node)
    if found is None or "stable" in found.named or not operation.is_last(facts, found.given("dim", 0)):
        return None
    bound = _bound(facts.module, found)
    function = facts.module.function_of(found.call)
    if not bound or any(each.id in function.inner_reads or each.id in function.scope.outer for each in bound):
        return None
    reads = [read for each in bound for read in definitions.reads_after(facts.module, each)]
    rank = facts.analysis.value(found.tensor, facts.module).rank
    counts = [_count(facts.module, read, rank) for read in reads]
    if not counts or None in counts or len(set(counts)) > 1:
        return None
    return Form(found.call, _SAID, None, found.tensor)


def _bound(module: Module, found: Operation) -> list[ast.Name]:
    """The names that the results of a sort are bound to."""
    at: ast.AST = found.call
    above = module.parents.get(at)
    match above:
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name() as first, ast.Name() as second])]) if found.name == "sort":
            return [first, second]
        case ast.Subscript(slice=ast.Constant(value=0 | 1)) | ast.Attribute(attr="values" | "indices") if (
            found.name == "sort"
        ):
            at, above = above, module.parents.get(above)
        case _ if found.name == "sort":
            return []
    match above:
        case ast.Assign(targets=[ast.Name() as name], value=value) if value is at:
            return [name]
    return []


def _count(module: Module, read: ast.Name, rank: int | None) -> str | None:
    """How many of the first elements along the last dimension a read takes, as text; None where it may take others."""
    above = module.parents.get(read)
    if not isinstance(above, ast.Subscript) or above.value is not read or not isinstance(above.ctx, ast.Load):
        return None
    count = parts.first_of(above.slice)
    if count is None or parts.is_negative(count) or (rank != 1 and not isinstance(above.slice, ast.Tuple)):
        return None  # of more dimensions, `[:k]` takes rows
    return ast.unparse(count)
