"""Loops whose turns hang on no other turn, and work by torch alone on the slice, or the number, of the turn.

    for c in range(n): total += (x[:, c] - y[:, c]).square().mean()      (x - y).square().mean((0, 2)).sum()
    for c in range(n): hits[c] = ((guess == c) & (label == c)).sum()     (guess == label) counted by class
    for k in range(n): kernel[:, k] = torch.exp(-(d - at[k]) ** 2)       torch.exp(-(d[:, None] - at) ** 2)

Knows syntax, and what is a tensor.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.walk import end_of, last_name, place_of, says, walk
from torchperf_lint.facts.knowledge import light_operations, pointwise
from torchperf_lint.rules.fusion.python_loop_over_batch_or_time import counts

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_OPERATIONS: Final = (
    pointwise.NAMES
    | light_operations.VIEWS
    | light_operations.PASSES
    | {"prod", "var", "std", "norm", "softmax", "log_softmax", "logsumexp", "cumsum", "outer", "ger", "dot", "matmul", "bmm"}
    | {"mse_loss", "l1_loss", "smooth_l1_loss", "binary_cross_entropy", "cosine_similarity", "pairwise_distance", "t"}
)  # fmt: skip
"""What gives for many slices at once what it gives for each."""
_JOINING: Final = frozenset(("stack", "cat", "concat"))


def are_apart(facts: Facts, loop: ast.For) -> bool:
    """Whether each turn works on its own slice, by operations of torch alone, for a place, a list or a sum of its own."""
    if not isinstance(loop.target, ast.Name) or counts.counted(loop.iter) is None or _looks_back(loop.iter):
        return False
    parts = [_part(statement, loop.target.id) for statement in loop.body if not _is_text(statement)]
    found = [each for each in parts if each is not None]
    if len(found) < len(parts) or not _are_closed(facts, loop, found):
        return False
    sinks = [each for each in found if each.sink is not None]
    if not sinks or not all(counts.is_tensor(facts, each.value) and _is_kept(facts, loop, each) for each in sinks):
        return False
    values = [each.value for each in found]
    return all(_is_of_torch(facts, each) for each in values) and _are_cut(facts, values, loop.target.id)


@dataclass(frozen=True, slots=True)
class _Part:
    """A statement of a turn."""

    value: ast.expr
    bound: list[ast.Name]
    """The names that it binds for the turn."""
    sink: str | None
    """What is put together of what all turns give: a tensor with a place for each, a list, a sum."""
    is_list: bool = False
    is_sum: bool = False


def _part(statement: ast.stmt, turn: str) -> _Part | None:
    match statement:
        case ast.Assign(targets=[ast.Name() as name], value=value):
            return _Part(value, [name], None)
        case ast.Assign(targets=[ast.Tuple(elts=elements)], value=ast.Tuple() as value):
            bound = [each for each in elements if isinstance(each, ast.Name)]
            return _Part(value, bound, None) if len(bound) == len(elements) else None
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=sink), slice=at)], value=value) if says(at, turn):
            return _Part(value, [], sink)
        case ast.AugAssign(target=ast.Name(id=sink), op=ast.Add(), value=value):
            return _Part(value, [], sink, is_sum=True)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=sink), attr="append"), args=[value])):
            return _Part(value, [], sink, is_list=True)
    return None


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _looks_back(iterated: ast.expr) -> bool:
    """Whether a loop begins later than at the first: that has something else before it."""
    return isinstance(iterated, ast.Call) and len(iterated.args) > 1 and ast.unparse(iterated.args[0]) != "0"


def _are_closed(facts: Facts, loop: ast.For, parts: list[_Part]) -> bool:
    """Whether nothing goes from one turn to the next, or out of the loop, but what is put together."""
    targets = [name for each in parts for name in each.bound]
    sinks, bound = {each.sink for each in parts}, set[str]()
    of_turn = {each.id for each in targets}
    for part in parts:
        read = {each.id for each in walk(part.value) if isinstance(each, ast.Name)}
        if read & sinks or read & (of_turn - bound):
            return False
        bound |= {each.id for each in part.bound}
    if of_turn & sinks:
        return False
    reads = (read for each in targets for read in definitions.reads_after(facts.module, each))
    return not any(place_of(read) >= end_of(loop) for read in reads)


def _is_kept(facts: Facts, loop: ast.For, part: _Part) -> bool:
    """Whether one tensor is made of what all turns give: a list that is joined after the loop, and used for nothing else;
    a sum of numbers, as that of large tensors takes less memory turn by turn."""
    if part.is_sum:
        return facts.analysis.value(part.value, facts.module).rank == 0
    if not part.is_list:
        return True
    loads = facts.module.function_of(loop).scope.loads.get(part.sink or "", ())
    above = [facts.module.parents.get(each) for each in loads if place_of(each) >= end_of(loop)]
    return bool(above) and all(isinstance(each, ast.Call) and last_name(each.func) in _JOINING for each in above)


def _is_of_torch(facts: Facts, value: ast.expr) -> bool:
    """Whether all that an expression calls gives for many slices at once what it gives for each, and nothing waits."""
    for node in walk(value):
        if isinstance(node, (ast.IfExp, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.Starred)):
            return False
        if isinstance(node, ast.Call) and not _is_operation(facts, node):
            return False
        if isinstance(node, ast.Subscript) and facts.wait_at(node).known:
            return False  # Ex) x[labels == c], of another size each time
    return True


def _is_operation(facts: Facts, call: ast.Call) -> bool:
    if last_name(call.func) not in _OPERATIONS or facts.wait_at(call).known:
        return False
    if (names.dotted(facts.module.function_of(call), call.func) or "").startswith("torch."):
        return True
    return isinstance(call.func, ast.Attribute) and counts.is_tensor(facts, call.func.value)


def _are_cut(facts: Facts, values: list[ast.expr], turn: str) -> bool:
    """Whether the turn says nothing but which slice of a tensor is meant, or what a tensor is compared with, and more is done."""
    cuts = 0
    for node in (each for value in values for each in walk(value)):
        if isinstance(node, ast.Name) and node.id == turn:
            if not _is_cut(facts, node):
                return False
            cuts += 1
    return cuts > 0 and any(isinstance(each, (ast.BinOp, ast.Call)) for value in values for each in walk(value))


def _is_cut(facts: Facts, turn: ast.Name) -> bool:
    parents = facts.module.parents
    above = parents.get(turn)
    if isinstance(above, ast.Tuple):
        above = parents.get(above)
    match above:
        case ast.Subscript(value=tensor):
            return counts.is_tensor(facts, tensor)
        case ast.Compare(left=left, comparators=[right]):
            return counts.is_tensor(facts, left if right is turn else right)
    return False
