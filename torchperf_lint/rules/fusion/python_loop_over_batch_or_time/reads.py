"""Loops over a tensor whose turns wait for the GPU: a condition asks an element, a row becomes a list.

    for i in range(x.shape[0]): if x[i] > 0: ...                        an element decides
    for row, label in zip(x, labels): if label == 1: ...                the same, by its name
    [x for x, keep in zip(xs, mask) if keep]                            in a comprehension
    for i in range(mask.shape[0]): ids[i][mask[i]].tolist()             a row is selected and read
    [row[keep].tolist() for row, keep in zip(ids, mask)]                the same in a comprehension

Knows syntax, what is a tensor, and where the host waits.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import blocks, names
from torchperf_lint.facts.index.walk import end_of, last_name, place_of, says, walk
from torchperf_lint.facts.sync.host_wait import Wait
from torchperf_lint.rules.fusion.python_loop_over_batch_or_time import counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

_AS_IT_IS: Final = frozenset(("item", "tolist", "numpy", "cpu", "detach", "int", "float", "bool", "long"))
"""What reads a row, and makes no other of it."""


def decide(facts: Facts, loop: ast.For) -> bool:
    """Whether a condition in a loop over a tensor reads an element of it, for which the host waits each time."""
    over = side_by_side(loop.iter)
    if not counts.runs_over_size(facts, loop.iter) and not (
        len(over) == 1 and counts.is_tensor(facts, over[0]) and _is_flat(facts, over[0])
    ):
        return False
    return any(_waits_here(facts, loop, node) and not _leaves(node) for node in _tests(loop))


def are_read(facts: Facts, loop: ast.For) -> bool:
    """Whether each turn of a loop over a tensor, or over several, reads its row, for which the host waits."""
    over = [each for each in side_by_side(loop.iter) if counts.is_tensor(facts, each)]
    if not counts.runs_over_size(facts, loop.iter) and not over:
        return False
    if any(isinstance(each, (ast.Break, ast.Return)) for each in walk(loop, into_scopes=False)):
        return False
    calls = (each for each in walk(loop, into_scopes=False) if isinstance(each, ast.Call))
    return any(
        _waits_here(facts, loop, node) and not _is_check(facts, node) and _reads_row(facts, loop, loop.target, node)
        for node in (*_tests(loop), *calls)
    )


def are_worked_out_and_read(facts: Facts, made: ast.ListComp | ast.GeneratorExp) -> bool:
    """Whether a comprehension over tensors selects from the row of each turn, or works something out of it, and the host waits for
    that; elements that are read as they are, another rule reads at once."""
    turns = made.generators[0]
    if len(made.generators) != 1 or not any(counts.is_tensor(facts, each) for each in side_by_side(turns.iter)):
        return False
    return any(
        isinstance(node, ast.Call)
        and facts.may_wait_at(node)
        and facts.wait_at(node).known
        and _reads_row(facts, made, turns.target, node)
        and _is_made(facts.wait_at(node).value)
        for node in walk(made.elt, into_scopes=False)
    )


def _is_made(wait: object) -> bool:
    """Whether what the host waits for is more than an element, or a row, as it is there."""
    operand = wait.operand if isinstance(wait, Wait) else None
    while isinstance(operand, ast.Call) and last_name(operand.func) in _AS_IT_IS:
        operand = operand.func.value if isinstance(operand.func, ast.Attribute) else next(iter(operand.args), None)
    return isinstance(operand, ast.Call) or (
        isinstance(operand, ast.Subscript) and not isinstance(operand.slice, (ast.Constant, ast.UnaryOp))
    )


def _is_check(facts: Facts, node: ast.AST) -> bool:
    """Whether a wait is of a condition that ends the loop, as a check of what is given does."""
    statement = facts.module.statement(node)
    return isinstance(statement, (ast.If, ast.While)) and _leaves(statement)


def are_picked(facts: Facts, made: ast.ListComp | ast.GeneratorExp) -> bool:
    """Whether a comprehension over tensors asks each element whether to take it."""
    turns = made.generators[0]
    if len(made.generators) != 1 or not turns.ifs:
        return False
    if not any(counts.is_tensor(facts, each) for each in side_by_side(turns.iter)):
        return False
    items = _names_of(turns.target)
    return any(
        facts.analysis.value(test, facts.module).kind == "tensor" and any(says(test, item) for item in items)
        for test in turns.ifs
    )


def _tests(loop: ast.For) -> Iterator[ast.If | ast.While]:
    """The conditions that hang on what a loop goes through."""
    items = _names_of(loop.target)
    for node in walk(loop, into_scopes=False):
        if isinstance(node, (ast.If, ast.While)) and any(says(node.test, item) for item in items):
            yield node


def _reads_row(facts: Facts, loop: ast.AST, target: ast.expr, node: ast.AST) -> bool:
    """Whether the host waits for a number that is worked out, by torch alone, of the row of the turn and of what is there
    before the loop: that could be worked out for all rows."""
    wait = facts.wait_at(node).value
    if (
        not isinstance(wait, Wait)
        or wait.form not in ("read", "truth", "scalar")
        or not isinstance(wait.operand, ast.expr)
    ):
        return False
    if isinstance(node, ast.Call) and last_name(node.func) == "cpu":
        return False  # a row that goes to the host as a whole, as plots want it
    items, module = _names_of(target), facts.module
    if not any(says(wait.operand, item) for item in items):
        return False
    for each in walk(wait.operand):
        match each:
            case ast.Name(id=name) if name not in items and _is_bound_in(facts, loop, name):
                return False
            case ast.Call(func=ast.Name(id="int" | "float" | "bool" | "len")):
                continue
            case ast.Call(func=func):
                dotted = names.dotted(module.function_of(each), func) or ""
                is_method = (
                    isinstance(func, ast.Attribute) and facts.analysis.value(func.value, module).kind == "tensor"
                )
                if not dotted.startswith("torch.") and not is_method:
                    return False
    return True


def _is_bound_in(facts: Facts, loop: ast.AST, name: str) -> bool:
    stores = facts.module.function_of(loop).scope.stores.get(name, ())
    return any(place_of(loop) <= place_of(store) < end_of(loop) for store in stores)


def _waits_here(facts: Facts, loop: ast.For, node: ast.AST) -> bool:
    """Whether the host waits at a node, and the loop is the innermost around it."""
    return facts.wait_at(node).known and blocks.loop(facts.module, node) is loop and not facts.gated_at(node)


def side_by_side(iterated: ast.expr) -> list[ast.expr]:
    """What a loop goes through side by side."""
    match iterated:
        case ast.Call(func=ast.Name(id="enumerate"), args=[over, *_]):
            return side_by_side(over)
        case ast.Call(func=ast.Name(id="zip"), args=over):
            return over
        case ast.Name() | ast.Attribute():
            return [iterated]
    return []


def _is_flat(facts: Facts, tensor: ast.expr) -> bool:
    """Whether a tensor is known to have one dimension, or two; where nobody knows, its items may be large."""
    return facts.analysis.value(tensor, facts.module).rank in (1, 2)


def _leaves(node: ast.AST) -> bool:
    """Whether a condition ends the loop: then later turns hang on it."""
    return any(isinstance(each, (ast.Break, ast.Return, ast.Raise)) for each in walk(node))


def _names_of(target: ast.AST) -> set[str]:
    return {each.id for each in walk(target) if isinstance(each, ast.Name)}
