"""Collectives whose result nobody needs but a log."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import process_groups
from torchperf_lint.facts.index import blocks, definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import end_of, last_name, place_of, walk
from torchperf_lint.facts.knowledge import clocks

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_HARMLESS: Final = frozenset(("logged", "accumulated"))
_NEAR: Final = 2
"""Statements above and below, in which a clock that is read shows that the collective is there for it."""


def is_barrier(facts: Facts, call: ast.AST) -> bool:
    assert isinstance(call, ast.Call)
    return process_groups.collective(facts.module, call) == "barrier"


def is_for_nothing_else(facts: Facts, call: ast.AST) -> bool:
    """Whether a collective is a barrier, or what comes out of it is logged, and nothing else is done with it."""
    assert isinstance(call, ast.Call)
    name = process_groups.collective(facts.module, call)
    if name is None or process_groups.is_on_host(facts.module, call):
        return False
    return name == "barrier" or _is_only_logged(facts, call)


def is_timed(facts: Facts, call: ast.AST) -> bool:
    """Whether a clock is read beside a collective, or the file measures."""
    module = facts.module
    statement = module.statement(call)
    block = blocks.block(module, statement)
    at = block.index(statement)
    near = block[max(0, at - _NEAR) : at + _NEAR + 1]
    return any(_reads_clock(module, node) for each in near for node in walk(each))


def _reads_clock(module: Module, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    return clocks.is_read(names.dotted(module.function_of(node), node.func), last_name(node.func))


def _is_only_logged(facts: Facts, call: ast.Call) -> bool:
    reduced = call.args[0] if call.args else None
    if not isinstance(reduced, ast.Name) or not isinstance(facts.module.parents.get(call), ast.Expr):
        return False
    uses = [use for read in _reads_behind(facts.module, call, reduced) for use in facts.uses_in_project_at(read)]
    return "logged" in uses and _HARMLESS.issuperset(uses)


def _reads_behind(module: Module, call: ast.Call, reduced: ast.Name) -> Iterator[ast.Name]:
    """The reads of a tensor behind the collective that changed it, also behind `loss /= world_size`."""
    function, end = module.function_of(call), end_of(call)
    loop = blocks.loop(module, call)
    binding = definitions.reaching(module, reduced)
    stores = [binding] if isinstance(binding, ast.Name) else []
    for store in function.scope.stores.get(reduced.id, ()):
        above = module.parents.get(store)
        if isinstance(above, ast.AugAssign) and place_of(store) >= end and isinstance(store, ast.Name):
            stores.append(store)
    if not stores:  # nobody knows where else it goes
        yield from (each for each in function.scope.loads.get(reduced.id, ()) if place_of(each) >= end)
        return
    before = {id(each) for each in walk(loop)} if loop is not None else set()
    for store in stores:
        for read in definitions.reads_after(module, store):
            is_later_turn = loop is not None and id(read) in before and id(store) not in before
            if place_of(read) >= end or is_later_turn:
                yield read
