"""An operation of torch that was asked the same further up, in the same words.

    loss = (scores.softmax(-1) * gains).sum()
    entropy = -(scores.softmax(-1) * scores.log_softmax(-1)).sum()        the softmax is worked out a second time

Knows syntax, and what works out a tensor and does nothing else.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from itertools import chain
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import blocks, inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import COMPREHENSIONS, last_name, place_of
from torchperf_lint.rules.fusion.same_work_again import unchanged

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from torchperf_lint.facts.facade import Facts

_AT_TIMES: Final = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.Assert, *COMPREHENSIONS)
"""What stands in one of these is not worked out each time, or more than once."""


def candidates(module: Module) -> Iterator[ast.AST]:
    """Calls in whose function another one above is written alike."""
    for name, calls in module.calls.items():
        if len(calls) > 1:
            yield from _firsts(module, name)


def is_alike(facts: Facts, call: ast.AST) -> bool:
    """Whether a call, and no larger one around it, gives what one above gave."""
    return unchanged.is_largest(facts, call, _is_again)


def _is_again(facts: Facts, call: ast.Call) -> bool:
    first = _firsts(facts.module, last_name(call.func)).get(call)
    return first is not None and _gives_the_same(facts, first, call)


@once
def _firsts(module: Module, name: str) -> dict[ast.Call, ast.Call]:
    """By call of a name, the nearest one above in the same words through which control has come."""
    within: dict[Function, list[ast.Call]] = {}
    for call in sorted(module.calls.get(name, ()), key=place_of):
        function = module.function_of(call)
        is_one = not function.is_module and unchanged.may_be_worth_keeping(module, call)
        if is_one and not _is_at_times(module, call):
            within.setdefault(function, []).append(call)
    found: dict[ast.Call, ast.Call] = {}
    for calls in chain.from_iterable(map(_in_the_same_words, within.values())):
        last: dict[inside.Block, ast.Call] = {}
        for call in calls:
            around = [block for block, _ in inside.blocks_around(module, call)]
            first = next((last[block] for block in around if block in last), None)
            if first is not None:
                found[call] = first
            if around and not isinstance(module.statement(call), ast.While):
                last[around[0]] = call
    return found


def _in_the_same_words(calls: list[ast.Call]) -> Iterator[list[ast.Call]]:
    """Those of some calls that are written alike; the whole of them is compared where they look alike."""
    for looking_alike in _grouped(calls, _look):
        yield from _grouped(looking_alike, ast.dump)


def _grouped(calls: list[ast.Call], key: Callable[[ast.Call], Hashable]) -> list[list[ast.Call]]:
    groups: dict[Hashable, list[ast.Call]] = {}
    for call in calls:
        groups.setdefault(key(call), []).append(call)
    return [each for each in groups.values() if len(each) > 1]


def _look(call: ast.Call) -> Hashable:
    """What a glance tells of a call: the names of what it reads, where these are plain."""
    parts = [*call.args, *(each.value for each in call.keywords)]
    if isinstance(call.func, ast.Attribute):
        parts.append(call.func.value)
    return tuple((each.__class__, last_name(each)) for each in parts)


def _is_at_times(module: Module, call: ast.Call) -> bool:
    """Whether a condition, or a loop of its own, stands around a call in its statement."""
    for above in module.ancestors(call):
        if isinstance(above, ast.stmt):
            return isinstance(above, ast.Assert)
        if isinstance(above, _AT_TIMES):
            return True
    return False


def _gives_the_same(facts: Facts, first: ast.Call, call: ast.Call) -> bool:
    module = facts.module
    function = module.function_of(call)
    if blocks.loop(module, first) is not blocks.loop(module, call) or _mode(module, first) is not _mode(module, call):
        return False
    start, end = place_of(first), place_of(call)
    if unchanged.acts_between(module, function, start, call) or unchanged.reads_changing(module, call):
        return False
    if any(_is_bound_between(module, function, name, start, end) for name in unchanged.read(call)):
        return False
    if unchanged.is_written(module, first) or unchanged.is_written(module, call):
        return False
    return unchanged.is_worth_keeping(facts, call)


def _mode(module: Module, call: ast.Call) -> ast.AST | None:
    """The nearest `with` around a call: autocast and `no_grad` change what it gives."""
    return next((each for each in module.ancestors(call) if isinstance(each, (ast.With, ast.AsyncWith))), None)


def _is_bound_between(
    module: Module, function: Function, name: str, start: tuple[int, int], end: tuple[int, int]
) -> bool:
    """Whether a name is bound anew behind one place and before the end of the statement of the other."""
    stores = _stores(module, (function, name))
    return bisect_right(stores, start) != bisect_left(stores, end)


@once
def _stores(_: Module, asked: tuple[Function, str]) -> list[tuple[int, int]]:
    function, name = asked
    return sorted(place_of(each) for each in function.scope.stores.get(name, ()))
