"""What keeps the graph of a step alive beyond it: totals and lists that take in a loss without detaching it.

    total = 0.0                     bound before the loop
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()             the backward pass has freed what the graph saved, ...
        total += loss               ... and its nodes stay, of every step so far

Only what the backward pass of the same loop goes through counts: a second backward pass through it would raise, so the
value can be meant for nothing but its number. Whether there is a tensor at all, `infer` says.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.context import modes
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.index import blocks, inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.knowledge import lightning
from torchperf_lint.rules.autograd.graph_retaining_accumulator import (
    backward_passes,
    keepers,
    loss_terms,
    outlived,
    own_outputs,
)

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

_AGAIN: Final = frozenset(("retain_graph", "create_graph"))
"""Arguments that say that the graph is needed once more."""
_READERS: Final = frozenset(("float", "int", "round", "len"))


@dataclass(frozen=True, slots=True)
class Kept:
    """A value that something which outlives the step takes in with its graph."""

    added: ast.expr
    """The part that has the graph."""
    keeper: str
    """What holds it, as it is written."""
    only_read: bool
    """Whether nothing but numbers is read from the keeper."""


@dataclass(frozen=True, slots=True)
class _Adding:
    """A statement that adds something to what may outlive the step."""

    statement: ast.AST
    keeper: ast.expr
    values: tuple[ast.expr, ...]


def additions(module: Module) -> Iterator[ast.AST]:
    """What adds something to something in a loop, or in a method, which may be a step."""
    calls, kinds = module.calls.get("append", ()), (ast.AugAssign, ast.Assign)
    for node in chain(calls, *(module.by_type.get(kind, ()) for kind in kinds)):
        is_adding = _adding(node) is not None
        is_in_step = is_adding and (blocks.loop(module, node) is not None or module.function_of(node).owner is not None)
        if is_in_step or (own_outputs.may_be_kept(node) and module.function_of(node).name == "forward"):
            yield node


def may_keep(facts: Facts, node: ast.AST) -> bool:
    """Whether a statement keeps the graph of a step."""
    return kept(facts, node).known or output_on_ctx(facts, node).known


def output_on_ctx(facts: Facts, node: ast.AST) -> Fact[ast.Return]:
    """The statement that returns what an assignment puts on the `ctx` of a `torch.autograd.Function`."""
    found = own_outputs.kept(facts, node)
    if found is None:
        return Fact(UNKNOWN)
    return Fact(found, Sure.LIKELY, (Evidence(found, "an output, of whose graph `ctx` is a part", facts.module.path),))


def kept(facts: Facts, statement: ast.AST) -> Fact[Kept]:
    """What a statement keeps of the graph of its step, though the backward pass is done with it."""
    adding = _adding(statement)
    if adding is None:
        return Fact(UNKNOWN)
    elsewhere = _kept_elsewhere(facts.analysis, facts.module, adding)
    return elsewhere if elsewhere.known else _kept_in_loop(facts.analysis, facts.module, adding)


def _kept_in_loop(analysis: Analysis, module: Module, adding: _Adding) -> Fact[Kept]:
    """What is kept of a graph that the backward pass of the same loop has gone through."""
    loop = _done_loop(analysis, module, adding)
    keeps = (value for value in adding.values if loop is not None and _keeps(analysis, module, value, loop, adding))
    value = next(keeps, None)
    if loop is None or value is None:
        return Fact(UNKNOWN)
    freed = Evidence(
        backward_passes.of(module, loop)[0], "the backward pass of the step is done with the graph", module.path
    )
    found = Kept(value, ast.unparse(adding.keeper), _is_only_read(module, adding))
    return Fact(found, analysis.value(value, module).sure, (freed,))


def _may_have_graph(analysis: Analysis, module: Module, value: ast.expr) -> bool:
    """Whether a value is not known to have none: a number has none, and neither has what was detached."""
    found = analysis.value(value, module)
    return found.kind == "unknown" or (found.kind == "tensor" and found.grad is not False)


def _done_loop(analysis: Analysis, module: Module, adding: _Adding) -> ast.AST | None:
    """The loop whose backward passes are done with the graphs of a turn, and which the keeper outlives."""
    if module.calls.keys().isdisjoint(lightning.BACKWARD):
        return None
    loop = _step_loop(module, adding.statement, adding.keeper)
    if loop is None or not any(_may_have_graph(analysis, module, value) for value in adding.values):
        return None
    if modes.no_grad(analysis, module, adding.statement).value is True:
        return None
    if any(keyword.arg in _AGAIN for call in backward_passes.of(module, loop) for keyword in call.keywords):
        return None
    is_part = ast.unparse(_base(adding.keeper)) in backward_passes.gone_through(module, loop)
    return None if is_part or not keepers.outlives(module, adding.keeper, adding.statement, loop) else loop


def _keeps(analysis: Analysis, module: Module, value: ast.expr, loop: ast.AST, adding: _Adding) -> bool:
    """Whether a value has a graph that the backward passes of a loop have gone through."""
    kind = analysis.value(value, module).kind
    if kind == "tensor":
        return _has_graph(analysis, module, value, loop, adding.statement)
    return kind == "unknown" and _is_term(analysis, module, value, loop, adding.statement)


def _is_term(analysis: Analysis, module: Module, value: ast.expr, loop: ast.AST, statement: ast.AST) -> bool:
    """Whether a value of which nothing else is known is a term of the loss, and so a tensor with a graph."""
    if ast.unparse(value) not in loss_terms.of_loop(analysis, (module, loop)):
        return False
    first, name = backward_passes.of(module, loop)[0], ast.unparse(_base(value))
    is_anew = backward_passes.is_bound_between(module, name, first, statement)
    return not is_anew and not loss_terms.may_be_number(analysis, module, value)


def _kept_elsewhere(analysis: Analysis, module: Module, adding: _Adding) -> Fact[Kept]:
    """The same where the backward pass is not in the loop: in a function that it calls, or nowhere."""
    loop = blocks.loop(module, adding.statement)
    if loop is None or modes.no_grad(analysis, module, adding.statement).value is True:
        return Fact(UNKNOWN)
    for value in adding.values:
        done = outlived.by_call(analysis, module, value)
        found: Fact[Any] = (
            Fact(done, Sure.LIKELY, (done,))
            if done is not None
            else outlived.by_evaluation(analysis, module, adding.statement, value)
        )
        if found.known:
            text = ast.unparse(adding.keeper)
            if text in backward_passes.starts_of_file(module, None) or not keepers.outlives(
                module, adding.keeper, adding.statement, loop
            ):
                break
            only_read = done is not None and _is_only_read(module, adding)
            return Fact(Kept(value, text, only_read), found.sure, found.because)
    return Fact(UNKNOWN)


def _has_graph(analysis: Analysis, module: Module, value: ast.expr, loop: ast.AST, statement: ast.AST) -> bool:
    """Whether a value has a graph, all of it one that the backward passes of a loop go through."""
    attached, through = [], backward_passes.gone_through(module, loop)
    for part in _uncut(analysis, module, value):
        found = analysis.value(part, module)
        if isinstance(part, ast.Call) and not _is_of_torch(analysis, module, part):
            return False
        if isinstance(part, (ast.Name, ast.Attribute)) and found.kind in ("tensor", "tensor_tree"):
            text = ast.unparse(part)
            if found.grad or (found.grad is None and backward_passes.is_loss(module, text, loop, statement)):
                attached.append(text)
    return bool(attached) and all(text in through for text in attached) and not _is_cut(analysis, module, value)


def _uncut(analysis: Analysis, module: Module, value: ast.expr) -> Iterator[ast.AST]:
    """The parts of a value that may bring a graph into it: not what `.item()`, `float(...)` or `.detach()` are given."""
    stack: list[ast.AST] = [value]
    while stack:
        part = stack.pop()
        found = analysis.value(part, module)
        if found.grad is not False and found.kind != "number":
            yield part
            stack.extend(ast.iter_child_nodes(part))


def _is_of_torch(analysis: Analysis, module: Module, call: ast.Call) -> bool:
    """Whether a call is one of a tensor's method, or of a function of torch or Python: no model runs in it."""
    if isinstance(call.func, ast.Attribute):
        return analysis.value(call.func.value, module).kind in ("tensor", "tensor_tree", "size", "symbol", "number")
    return analysis.value(call.func, module).kind == "symbol"


def _is_cut(analysis: Analysis, module: Module, value: ast.expr) -> bool:
    """Whether a name is only what `.detach()` or `.item()` around it is called on."""
    at = module.parents.get(value)
    while isinstance(at, (ast.Attribute, ast.Call)):
        found = analysis.value(at, module)
        if isinstance(at, ast.Call) and (found.grad is False or found.kind == "number"):
            return True
        at = module.parents.get(at)
    return False


def _adding(statement: ast.AST) -> _Adding | None:
    """What a statement adds to, and the expressions that it may add."""
    match statement:
        # Ex) total += loss
        case ast.AugAssign(op=ast.Add() | ast.Sub(), target=target, value=value):
            return _Adding(statement, target, (value,))
        # Ex) total = total + loss, mean = 0.9 * mean + 0.1 * loss
        case ast.Assign(targets=[ast.Name() as target], value=ast.BinOp() as value):
            parts = [part for part in ast.walk(value) if isinstance(part, ast.Name)]
            if any(part.id == target.id for part in parts):
                return _Adding(statement, target, tuple(part for part in parts if part.id != target.id))
        # Ex) losses.append(loss)
        case ast.Call(func=ast.Attribute(value=keeper, attr="append"), args=[value], keywords=[]):
            return _Adding(statement, keeper, (value,))
    return None


def _base(node: ast.expr) -> ast.expr:
    """What is indexed, or the expression itself: `totals` of `totals["l1"]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _step_loop(module: Module, node: ast.AST, keeper: ast.expr) -> ast.AST | None:
    """The innermost loop around a node that does the backward pass; for what an object keeps, the method that is a step."""
    loop = blocks.loop(module, node)
    function = module.function_of(node)
    if loop is None and function.owner is not None and function.positional[:1] == (keepers.root_of(keeper),):
        return function.node if backward_passes.of(module, function.node) else None
    while loop is not None:
        if backward_passes.of(module, loop):
            return loop
        loop = blocks.loop(module, loop)
    return None


def _is_only_read(module: Module, adding: _Adding) -> bool:
    """Whether nothing but numbers is read from a total: the reads end in `.item()`, `float(...)` or a format."""
    keeper, function = adding.keeper, module.function_of(adding.statement)
    if not isinstance(keeper, ast.Name) or keeper.id in function.scope.outer or keeper.id in function.inner_reads:
        return False
    reads = function.scope.loads.get(keeper.id, ())
    return not function.is_module and all(
        _ends_as_number(module, read) or inside.is_inside(module, read, adding.statement) for read in reads
    )


def _ends_as_number(module: Module, read: ast.AST) -> bool:
    at = read
    while True:
        above = module.parents.get(at)
        match above:
            case ast.BinOp():
                at = above
            case ast.Attribute(attr="item"):
                return True
            case ast.Call(func=ast.Name(id=name)) if name in _READERS:
                return True
            case ast.FormattedValue(format_spec=ast.JoinedStr()):
                return True
            case _:
                return False
