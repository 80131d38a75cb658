"""Loops of Python over the elements of a tensor, each of whose turns asks the GPU for very little.

    torch.stack([self.scale(x[i]) for i in range(x.shape[0])])      the same for every item, and then put together
    for i in range(x.shape[0]): if x[i] > 0: ...                    an element is read at each turn
    for t in range(n): mask[t, t + size:] = True                    rows are written by a rule
    for i, n in enumerate(lengths): mask[i, :n] = True              a part of each row is written
    for i in range(n): last[i] = x[i, places[i]]                    what indices say is taken place by place
    for i in range(n): scratch[i] = tokens.popleft()                elements are written from Python
    for t in range(n): h, c = self.cell(x[t], (h, c))               a cell runs where the whole network could
    for k in range(n): means[k] = x[labels == k].mean(0)            rows are selected group by group
    for t, p in zip(labels, guesses): matrix[t, p] += 1             pairs are counted one by one
    return iter(torch.randperm(n))                                  a sampler hands out a tensor element by element
    for t in range(n): y[t] = f(a[t] * 2 + b[t])                    slices are worked on that are there before the loop
    [x[i * n : (i + 1) * n] for i in range(k)]                      parts of one length are cut
    for c in range(n): loss += (x[:, c] - y[:, c]).abs().mean()     turns hang on no other turn

Each form is a function of its own. Knows syntax, what is a tensor, and where the host waits.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import comment_words as comment_words
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.walk import last_name, says, walk
from torchperf_lint.rules.fusion.python_loop_over_batch_or_time import (
    apart,
    counts,
    cuts,
    groups,
    reads,
    rows,
    samplers,
    slices,
    tallies,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

Sort = Literal[
    "stacked",
    "read",
    "rows",
    "filled",
    "cells",
    "groups",
    "slices",
    "handed",
    "picked",
    "turns",
    "counted",
    "lengths",
    "gathered",
    "apart",
    "cut",
]
_CELLS: Final = ("torch.nn.LSTMCell", "torch.nn.GRUCell", "torch.nn.RNNCell")
_GIVING: Final = ("pop", "popleft", "next", "get", "int", "float", "ord")
"""What gives numbers of Python."""


def sort_of(facts: Facts, node: ast.AST) -> Sort | None:
    """What a loop, a comprehension or an iterator does at each turn; None where that is nothing of the kind."""
    if isinstance(node, ast.Call):
        return "handed" if samplers.hands_out_tensor(facts, node) else None
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        if isinstance(node, ast.ListComp) and _is_stacked(facts, node):
            return "stacked"
        if isinstance(node, ast.ListComp) and cuts.are_cut(facts, node):
            return "cut"
        if reads.are_picked(facts, node):
            return "picked"
        return "turns" if reads.are_worked_out_and_read(facts, node) else None
    if not isinstance(node, ast.For) or node.orelse or counts.is_short(facts, node.iter):
        return None
    if tallies.are_counted(facts, node):
        return "counted"
    if rows.are_gathered(facts, node):
        return "gathered"
    if reads.decide(facts, node):
        return "read"
    if _writes_rows(facts, node):
        return "rows"
    if rows.are_of_lengths(facts, node):
        return "lengths"
    if _fills(facts, node):
        return "filled"
    if groups.are_reduced(facts, node):
        return "groups"
    if _runs_cell(facts, node):
        return "cells"
    if reads.are_read(facts, node):
        return "turns"
    if apart.are_apart(facts, node):
        return "apart"
    return "slices" if slices.are_worked_out(facts, node) else None


def candidates(module: Module) -> Iterator[ast.AST]:
    """Loops, comprehensions, and iterators that are made by name."""
    for kind in (ast.For, ast.ListComp, ast.GeneratorExp):
        yield from module.by_type.get(kind, ())
    yield from module.calls.get("iter", ())
    yield from module.calls.get("BatchSampler", ())


def may_be_one(facts: Facts, node: ast.AST) -> bool:
    return sort_of(facts, node) is not None


def _value(facts: Facts, node: ast.AST) -> Value:
    return facts.analysis.value(node, facts.module)


# ---- the same for every item


def _is_stacked(facts: Facts, node: ast.ListComp) -> bool:
    """Whether a list is made of what is done to each item of a tensor, and put together again."""
    above = facts.module.parents.get(node)
    if not isinstance(above, ast.Call) or above.args[:1] != [node] or len(node.generators) != 1:
        return False
    if names.dotted(facts.module.function_of(above), above.func) != "torch.stack":
        return False
    turns = node.generators[0]
    if (
        turns.ifs
        or not isinstance(turns.target, ast.Name)
        or not any(isinstance(each, ast.Call | ast.BinOp) for each in walk(node.elt))
    ):
        return False
    item = turns.target.id
    if counts.is_tensor(facts, turns.iter) and _value(facts, turns.iter).sure is Sure.PROVEN:
        return says(node.elt, item)  # of a parameter nobody knows: `for mask in masks` is most often a list
    count = counts.counted(turns.iter)
    if count is None or counts.is_short(facts, turns.iter) or not counts.is_size(facts, count):
        return False
    uses = [each for each in walk(node.elt) if isinstance(each, ast.Name) and each.id == item]
    held = [facts.module.parents.get(each) for each in uses]
    return (
        bool(uses)
        and all(isinstance(each, ast.Subscript) and each.slice is use for each, use in zip(held, uses, strict=True))
        and any(isinstance(each, ast.Subscript) and counts.is_tensor(facts, each.value) for each in held)
    )


# ---- elements and rows are written


def _writes_rows(facts: Facts, loop: ast.For) -> bool:
    """Whether a loop does nothing but write a number into slices of a tensor, as places that are counted tell."""
    count = counts.counted(loop.iter)
    if count is None or not isinstance(loop.target, ast.Name) or not counts.is_size(facts, count):
        return False
    written = 0
    for statement in loop.body:
        match statement:
            case ast.AugAssign(target=ast.Subscript(value=tensor, slice=ast.Name(id=at)), value=value):
                is_by_rule = says(value, at) and not any(
                    isinstance(each, (ast.Subscript, ast.Call)) for each in walk(value)
                )
                if at != loop.target.id or not is_by_rule or _value(facts, tensor).kind != "tensor":
                    return False
                written += 1
            case ast.Assign(targets=[ast.Name()], value=value) if _value(facts, value).kind == "number":
                continue
            case ast.Assign(
                targets=[ast.Subscript(value=tensor, slice=ast.Tuple(elts=[ast.Name(id=at), *rest]))], value=value
            ):
                sliced = any(isinstance(each, ast.Slice) and (each.lower or each.upper) for each in rest)
                if at != loop.target.id or not sliced or not counts.is_tensor(facts, tensor):
                    return False
                if _value(facts, value).kind != "number":
                    return False
                written += 1
            case ast.Expr(value=ast.Constant()):
                continue
            case _:
                return False
    return written > 0


def _fills(facts: Facts, loop: ast.For) -> bool:
    """Whether a loop does nothing but write numbers of Python into a tensor, one by one."""
    match loop:
        case ast.For(
            target=ast.Name(id=item),
            body=[ast.Assign(targets=[ast.Subscript(value=tensor, slice=ast.Name(id=at))], value=value)],
        ):
            pass
        case _:
            return False
    count = counts.counted(loop.iter)
    if at != item or count is None or _is_number_of_dimensions(count) or _value(facts, tensor).kind != "tensor":
        return False
    if not isinstance(value, ast.Call) or last_name(value.func) not in _GIVING:
        return _value(facts, value).kind == "number" and not isinstance(value, ast.Constant)
    return _value(facts, value).kind in ("unknown", "number")


def _is_number_of_dimensions(count: ast.expr) -> bool:
    """Whether a count is that of the dimensions of a tensor, of which there are a few: `len(x.shape)`, `x.dim()`."""
    match count:
        case ast.Call(
            func=ast.Name(id="len"), args=[ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size"))]
        ):
            return True
    return isinstance(count, ast.Call | ast.Attribute) and last_name(count) in ("dim", "ndim")


# ---- cells


def _runs_cell(facts: Facts, loop: ast.For) -> bool:
    """Whether a recurrent cell is fed an input that is there before the loop, turn by turn."""
    if any(isinstance(each, (ast.If, ast.While, ast.For)) for part in loop.body for each in walk(part)):
        return False
    calls = [each for part in loop.body for each in walk(part, into_scopes=False) if isinstance(each, ast.Call)]
    others = [each for each in calls if last_name(each.func) not in ("append", "unsqueeze", "squeeze", "select")]
    if len(others) > 1:  # one may be the cell; what the others are need not be worked out
        return False
    cells = [each for each in calls if each.args and _is_cell(facts, each.func)]
    if len(cells) != 1 or others not in ([], cells):
        return False
    bound = {
        each.id
        for part in loop.body
        for each in walk(part)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    items = {each.id for each in walk(loop.target) if isinstance(each, ast.Name)}
    fed = {each.id for each in walk(cells[0].args[0]) if isinstance(each, ast.Name)}
    return bool(fed & items) and not fed & (bound - items)


def _is_cell(facts: Facts, func: ast.expr) -> bool:
    value = _value(facts, func)
    return value.kind == "module" and value.ref in _CELLS
