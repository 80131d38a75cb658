"""What is put in order whole, of which nobody reads more than the beginning, the end, or one element.

scores, order = x.sort(descending=True)
best, places = scores[:, :k], order[:, :k]
threshold = x.sort(dim=-1).values[..., k]
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.unread import is_never_read
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


def sorted_for_one(facts: Facts, node: ast.AST) -> Form | None:
    """A sort along the last of several dimensions, of whose values one of each row is read, or so many of the last.

    Of a long row alone `kthvalue` takes longer than a sort.
    """
    found = operation.of(facts.module, node)
    if found is None or "stable" in found.named or not operation.is_last(facts, found.given("dim", 0)):
        return None
    reads = _reads_of_values(facts, found)
    rank = facts.analysis.value(found.tensor, facts.module).rank
    if not reads or rank == 1 or any(each is None for each in reads):
        return None
    taken = {_taken(facts, each, rank) for each in reads if each is not None}
    if len(taken) != 1 or (which := taken.pop()) is None:
        return None
    said = {
        "one": "all elements are put in order, and one of each row is read: `kthvalue` looks for that one",
        "end": "all elements are put in order, and nobody reads more than the last: `topk` looks for those alone",
    }[which[0]]
    return Form(found.call, said, None, found.tensor)


def _reads_of_values(facts: Facts, found: Operation) -> list[ast.AST | None]:
    """Where the values of a sort are read, directly or by a name; None for whoever may read the places too."""
    above = facts.module.parents.get(found.call)
    match above:
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name() as first, ast.Name() as second])]):
            if not is_never_read(facts.module, second) or not _is_local(facts.module, first):
                return [None]
            return [facts.module.parents.get(each) for each in definitions.reads_after(facts.module, first)]
        case ast.Subscript(slice=ast.Constant(value=0)) | ast.Attribute(attr="values"):
            match facts.module.parents.get(above):
                case ast.Assign(targets=[ast.Name() as name], value=value) if value is above:
                    if not _is_local(facts.module, name):
                        return [None]
                    return [facts.module.parents.get(each) for each in definitions.reads_after(facts.module, name)]
                case ast.Subscript(value=value) as read if value is above:
                    return [read]
    return [None]


def _is_local(module: Module, name: ast.Name) -> bool:
    function = module.function_of(name)
    return not function.is_module and name.id not in function.inner_reads and name.id not in function.scope.outer


def _taken(facts: Facts, read: ast.AST, rank: int | None) -> tuple[str, str] | None:
    """What a read takes of each row: one element, or the last so many."""
    match read:
        case ast.Subscript(slice=ast.Tuple(elts=[*before, last]), ctx=ast.Load()) if before:
            pass
        case _:
            return None
    if not all(map(operation.is_whole, before)):
        return None
    is_any_rank = any(isinstance(each, ast.Constant) for each in before)
    if not is_any_rank and rank is not None and len(before) + 1 != rank:
        return None
    match last:
        case ast.Slice(lower=ast.UnaryOp(op=ast.USub()) as lower, upper=None, step=None):
            return "end", ast.unparse(lower)
        case ast.Slice():
            return None
    value = facts.analysis.value(last, facts.module)
    is_number = value.kind == "number" and value.dtype != "float"
    is_named = value.kind == "unknown" and isinstance(last, (ast.Name, ast.Attribute))
    return ("one", ast.unparse(last)) if is_number or is_named else None


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
