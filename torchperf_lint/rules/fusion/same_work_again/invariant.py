"""An operation of torch that each turn of a loop works out anew of what no turn changes.

    for head in self.heads:
        out.append(head(x, mask.float().softmax(-1)))           the same at each turn: before the loop it is worked out once

Knows syntax, and what works out a tensor and does nothing else.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import COMPREHENSIONS, LOOPS, last_name, walk
from torchperf_lint.rules.fusion.same_work_again import unchanged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

_AT_TIMES: Final = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.Try, ast.Assert, ast.Return, ast.Raise, ast.Match)
_TRAINING: Final = frozenset(("backward", "grad", "step", "train"))
"""A graph that is kept over a backward pass is gone behind it, and weights are others behind a step."""


def candidates(module: Module) -> Iterator[ast.AST]:
    """Calls in loops that read nothing which the loop binds."""
    for calls in module.calls.values():
        for call in calls:
            is_one = isinstance(call.func, ast.Attribute) and unchanged.may_be_worth_keeping(module, call)
            if is_one and _loop(module, call) is not None:
                yield call


def is_invariant(facts: Facts, call: ast.AST) -> bool:
    """Whether a call, and no larger one around it, gives the same at each turn of the loop around it."""
    return unchanged.is_largest(facts, call, _is_the_same)


def _is_the_same(facts: Facts, call: ast.Call) -> bool:
    return (
        _loop(facts.module, call) is not None
        and not unchanged.reads_changing(facts.module, call)
        and not unchanged.is_written(facts.module, call)
        and unchanged.is_worth_keeping(facts, call)
    )


def _loop(module: Module, call: ast.Call) -> ast.AST | None:
    """The loop around a call that comes to it at each turn, or at none, and binds and changes nothing that the call reads."""
    loop, tests = _around(module, call)
    if loop is None:
        return None
    changed = _changed(module, loop)
    read = unchanged.read(call)
    if changed is None or not read or not changed.isdisjoint(read):
        return None
    return loop if all(_is_settled(module, test, changed) for test in tests) else None


def _is_settled(module: Module, test: ast.expr, changed: frozenset[str]) -> bool:
    """Whether a condition says the same at each turn: `if self.adaptive and self.supports is not None`."""
    return (
        not any(isinstance(each, (ast.Call, ast.NamedExpr, ast.Await)) for each in walk(test))
        and changed.isdisjoint(unchanged.read(test))
        and not unchanged.reads_changing(module, test)
    )


def _around(module: Module, call: ast.Call) -> tuple[ast.AST | None, list[ast.expr]]:
    """The innermost loop around a call, and the conditions in it without which its turns do not come to the call."""
    below: ast.AST = call
    tests: list[ast.expr] = []
    for above in module.ancestors(call):
        if isinstance(above, LOOPS):
            return above if blocks.loop(module, below) is above else None, tests
        if isinstance(above, COMPREHENSIONS):
            return None if isinstance(below, ast.comprehension) or _has_condition(above) else above, tests
        if isinstance(above, (*_AT_TIMES, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            break
        if isinstance(above, ast.If):
            if below is above.test:
                break
            tests.append(above.test)
        below = above
    return None, tests


def _has_condition(above: ast.AST) -> bool:
    return any(isinstance(each, ast.comprehension) and bool(each.ifs) for each in ast.iter_child_nodes(above))


@once
def _changed(_: Module, loop: ast.AST) -> frozenset[str] | None:
    """The names of what a loop binds or may change; None where it trains."""
    found: set[str] = set()
    for node in walk(loop):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.Call) and last_name(node.func) in _TRAINING:
            return None
        elif (name := unchanged.added_to(node)) is not None:
            found.add(name)
        if isinstance(node, (ast.expr, ast.stmt)) and unchanged.may_change(node):
            found |= {each.id for each in walk(node) if isinstance(each, ast.Name)}
    return frozenset(found)
