"""Whether anything may go through the graph of a backward pass once more.

    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward(retain_graph=True)        all that the graph is made of is made in this turn, and nothing follows

Nothing that lives from turn to turn may be part of the graph: tensors of before the loop, names that the turn before has
bound, what a module keeps of its last call.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import blocks, inside, reached_uses
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import Loop, place_of
from torchperf_lint.facts.interpret import classes
from torchperf_lint.facts.knowledge import lightning

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

_PASSES: Final = (*lightning.BACKWARD, "grad", "jacobian", "hessian", "vjp", "jvp", "hvp", "vhp", "functional_call")
"""What goes through a graph."""
_WITHOUT_GRAPH: Final = frozenset(
    ("optimizer", "loader", "dataset", "sampler", "scaler", "scheduler", "number", "string", "none", "device", "dtype", "symbol",
     "generator", "metric", "size", "function", "class", "stream", "event")
)  # fmt: skip
"""Kinds of what the graph of an earlier turn cannot hang on."""


def keeps_graph(_: Facts, call: ast.AST) -> bool:
    """Whether a call is a backward pass that is told to keep its graph, and not for a gradient of gradients."""
    assert isinstance(call, ast.Call)
    told = {each.arg: each.value for each in call.keywords}
    kept = told.get("retain_graph")
    return isinstance(kept, ast.Constant) and kept.value is True and "create_graph" not in told


def is_last_use(facts: Facts, call: ast.AST) -> bool:
    """Whether nothing can go through the graph behind this backward pass."""
    module, loop = facts.module, blocks.loop(facts.module, call)
    if loop is None or not keeps_graph(facts, call) or _passes(module) != 1:
        return False
    return all(_is_of_turn(facts.analysis, module, loop, name) for name in inside.names(module, loop))


def _passes(module: Module) -> int:
    """How many calls of a file go through a graph."""
    return sum(len(module.calls.get(name, ())) for name in _PASSES)


def _is_of_turn(analysis: Analysis, module: Module, loop: Loop, name: str) -> bool:
    """Whether what a name means in a loop is made in the same turn, or has no graph."""
    head = loop.iter if isinstance(loop, (ast.For, ast.AsyncFor)) else loop.test
    nodes = [each for each in inside.names(module, loop)[name] if not inside.is_inside(module, each, head)]
    bound = [each for each in nodes if not isinstance(each.ctx, ast.Load)]
    read = [each for each in nodes if isinstance(each.ctx, ast.Load)]
    if not read:
        return True
    given = [each for each in bound if _is_given(module, loop, each)]
    if not all(_has_no_graph(analysis, module, each) for each in given):
        return False  # what the loop goes through has a graph, for all that is known
    if bound:
        first = min(bound, key=place_of)
        since = reached_uses.bound_at(module, first)
        if all(since <= place_of(each) for each in read) and _is_always_bound(module, loop, first):
            return True
    return all(_has_no_graph(analysis, module, each) for each in read)


def _is_given(module: Module, loop: Loop, store: ast.Name) -> bool:
    return isinstance(loop, (ast.For, ast.AsyncFor)) and inside.is_inside(module, store, loop.target)


def _is_always_bound(module: Module, loop: Loop, store: ast.Name) -> bool:
    """Whether each turn of a loop binds a name before it goes on: in its head, or in a statement of its own block."""
    at: ast.AST = store
    while (above := module.parents.get(at)) is not None and above is not loop:
        if not isinstance(above, (ast.Assign, ast.AnnAssign, ast.Tuple, ast.List, ast.With, ast.withitem, ast.Starred)):
            return False
        at = above
    return above is loop and not isinstance(store.ctx, ast.Del)


def _has_no_graph(analysis: Analysis, module: Module, read: ast.Name) -> bool:
    """Whether what a name holds cannot be part of a graph that was made before this turn."""
    value = analysis.value(read, module)
    if value.kind == "module":
        return not isinstance(value.ref, Class) or not _keeps_what_it_computed(analysis, value.ref)
    if value.kind in ("tensor", "tensor_tree"):
        return value.grad is False or value.ref == "batch"
    return value.kind in _WITHOUT_GRAPH


def _keeps_what_it_computed(analysis: Analysis, owner: Class) -> bool:
    """Whether a module puts something into an attribute when it is called, such as the state of its last call."""
    forward = classes.find_method(analysis, owner, "forward")
    if forward is None or forward.owner is None:
        return True
    methods = {each for each in forward.owner.methods.values() if each.name != "__init__"}
    return any(each.sets and not methods.isdisjoint(each.around()) for each in forward.module.functions.values())
