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
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.context import modes
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.idioms import backward_passes, loss_terms, outlived
from torchperf_lint.facts.index import blocks, inside
from torchperf_lint.facts.index.module import Function, Module, last_name, walk
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.knowledge import lightning

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_AGAIN: Final = frozenset(("retain_graph", "create_graph"))
"""Arguments that say that the graph is needed once more."""
_BOUNDED: Final = ("deque",)
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


def kept(analysis: Analysis, module: Module, statement: ast.AST) -> Fact[Kept]:
    """What a statement keeps of the graph of its step."""
    keeper, values = _takes_in(statement)
    if keeper is not None and (elsewhere := _elsewhere(analysis, module, statement, keeper, values)).known:
        return elsewhere
    if module.calls.keys().isdisjoint(lightning.BACKWARD):
        return Fact(UNKNOWN)
    loop = _step_loop(module, statement, keeper) if keeper is not None else None
    if keeper is None or loop is None or modes.no_grad(analysis, module, statement).value is True:
        return Fact(UNKNOWN)
    passes = backward_passes.of(module, loop)
    if any(keyword.arg in _AGAIN for call in passes for keyword in call.keywords):
        return Fact(UNKNOWN)
    through = backward_passes.gone_through(module, loop)
    if ast.unparse(_base(keeper)) in through or not _outlives(module, keeper, loop, statement):
        return Fact(UNKNOWN)
    for value in values:
        found = analysis.value(value, module)
        has_graph = (
            _has_graph(analysis, module, value, loop, statement)
            if found.kind == "tensor"
            else found.kind == "unknown" and _is_term(analysis, module, value, loop, statement)
        )
        if has_graph:
            only_read = isinstance(keeper, ast.Name) and _is_only_read(module, keeper, statement)
            freed = Evidence(passes[0], "the backward pass of the step is done with the graph", module.path)
            return Fact(Kept(value, ast.unparse(keeper), only_read), found.sure, (freed,))
    return Fact(UNKNOWN)


def _is_term(analysis: Analysis, module: Module, value: ast.expr, loop: ast.AST, statement: ast.AST) -> bool:
    """Whether a value of which nothing else is known is a term of the loss, and so a tensor with a graph."""
    if ast.unparse(value) not in loss_terms.of_loop(analysis, (module, loop)):
        return False
    first, name = backward_passes.of(module, loop)[0], ast.unparse(_base(value))
    is_anew = backward_passes.is_bound_between(module, name, first, statement)
    return not is_anew and not loss_terms.may_be_number(analysis, module, value)


def _elsewhere(
    analysis: Analysis, module: Module, statement: ast.AST, keeper: ast.expr, values: list[ast.expr]
) -> Fact[Kept]:
    """The same where the backward pass is not in the loop: in a function that it calls, or nowhere."""
    loop = blocks.loop(module, statement)
    if loop is None or modes.no_grad(analysis, module, statement).value is True:
        return Fact(UNKNOWN)
    for value in values:
        done = outlived.by_call(analysis, module, value)
        found: Fact[Any] = (
            Fact(done, Sure.LIKELY, (done,))
            if done is not None
            else outlived.by_evaluation(analysis, module, statement, value)
        )
        if not found.known:
            continue
        if ast.unparse(keeper) in backward_passes.starts_of_file(module, None) or not _outlives(
            module, keeper, loop, statement
        ):
            break
        only_read = done is not None and isinstance(keeper, ast.Name) and _is_only_read(module, keeper, statement)
        return Fact(Kept(value, ast.unparse(keeper), only_read), found.sure, found.because)
    return Fact(UNKNOWN)


def _has_graph(analysis: Analysis, module: Module, value: ast.expr, loop: ast.AST, statement: ast.AST) -> bool:
    """Whether a value has a graph, all of it one that the backward passes of a loop go through."""
    attached, through = [], backward_passes.gone_through(module, loop)
    for part in _uncut(analysis, module, value):
        found = analysis.value(part, module)
        if isinstance(part, ast.Call) and not _is_of_torch(analysis, module, part):
            return False
        if isinstance(part, (ast.Name, ast.Attribute)) and found.kind in ("tensor", "nest"):
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
        return analysis.value(call.func.value, module).kind in ("tensor", "nest", "size", "symbol", "number")
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


def _takes_in(statement: ast.AST) -> tuple[ast.expr | None, list[ast.expr]]:
    """What a statement adds to, and the expressions that it may add."""
    match statement:
        # Ex) total += loss
        case ast.AugAssign(op=ast.Add() | ast.Sub(), target=target, value=value):
            return target, [value]
        # Ex) total = total + loss, mean = 0.9 * mean + 0.1 * loss
        case ast.Assign(targets=[ast.Name() as target], value=ast.BinOp() as value):
            parts = [part for part in ast.walk(value) if isinstance(part, ast.Name)]
            if any(part.id == target.id for part in parts):
                return target, [part for part in parts if part.id != target.id]
        # Ex) losses.append(loss)
        case ast.Call(func=ast.Attribute(value=keeper, attr="append"), args=[value], keywords=[]):
            return keeper, [value]
    return None, []


def _base(node: ast.expr) -> ast.expr:
    """What is indexed, or the expression itself: `totals` of `totals["l1"]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _root(node: ast.expr) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _step_loop(module: Module, node: ast.AST, keeper: ast.expr) -> ast.AST | None:
    """The innermost loop around a node that does the backward pass; for what an object keeps, the method that is a step."""
    loop = blocks.loop(module, node)
    function = module.function_of(node)
    if loop is None and function.owner is not None and function.positional[:1] == (_root(keeper),):
        return function.node if backward_passes.of(module, function.node) else None
    while loop is not None:
        if backward_passes.of(module, loop):
            return loop
        loop = blocks.loop(module, loop)
    return None


def _outlives(module: Module, keeper: ast.expr, loop: ast.AST, statement: ast.AST) -> bool:
    """Whether what is added to is made before the loop, and neither made anew nor emptied in it."""
    function, root, text = module.function_of(loop), _root(keeper), ast.unparse(keeper)
    stores = function.scope.stores.get(root or "", [])
    others = (store for store in stores if not inside.is_inside(module, store, statement))
    if root is None or any(inside.is_inside(module, store, loop) for store in others):
        return False
    is_made = not stores or any(not inside.is_inside(module, store, statement) for store in stores)
    if not is_made or _is_bounded(module, (function, root, isinstance(keeper, ast.Attribute))):
        return False
    return not _is_emptied(module, loop, text, statement)


def _is_emptied(module: Module, loop: ast.AST, text: str, statement: ast.AST) -> bool:
    """Whether a loop binds what begins so, or takes something out of it, other than in a statement."""
    bound, emptied = _emptied(module, loop)
    if any(text[:end] in emptied for end in range(1, len(text) + 1)):
        return True
    for at in range(bisect_left(bound, text, key=lambda each: each[0]), len(bound)):
        begins, node = bound[at]
        if not begins.startswith(text):
            break
        if node is not statement:
            return True
    return False


@once
def _emptied(_: Module, loop: ast.AST) -> tuple[list[tuple[str, ast.AST]], set[str]]:
    """What a loop binds or deletes, in the order of its text and with the statement; and what it takes something out of."""
    bound: list[tuple[str, ast.AST]] = []
    emptied: set[str] = set()
    for node in walk(loop, into_scopes=False):
        match node:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                bound += [(ast.unparse(target), node) for target in targets]
            case ast.Call(func=ast.Attribute(value=receiver, attr="clear" | "pop" | "popleft")):
                emptied.add(ast.unparse(receiver))
    return sorted(bound, key=lambda each: each[0]), emptied


@once
def _is_bounded(module: Module, place: tuple[Function, str, bool]) -> bool:
    """`deque(maxlen=100)` lets go of what it held first: what a name of a function, or an attribute of it, may be."""
    function, name, is_attribute = place
    if is_attribute:
        return not module.names.isdisjoint(_BOUNDED)
    stores = function.scope.stores.get(name, ())
    made = [module.statement(store) for store in stores if not isinstance(store, (ast.arg, ast.stmt))]
    return any(isinstance(n, ast.Call) and last_name(n.func) in _BOUNDED for each in made for n in ast.walk(each))


def _is_only_read(module: Module, keeper: ast.Name, statement: ast.AST) -> bool:
    """Whether nothing but numbers is read from a total: the reads end in `.item()`, `float(...)` or a format."""
    function = module.function_of(statement)
    if keeper.id in function.scope.outer or keeper.id in function.inner_reads:
        return False
    reads = function.scope.loads.get(keeper.id, ())
    return not function.is_module and all(
        _ends_as_number(module, read) or inside.is_inside(module, read, statement) for read in reads
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
