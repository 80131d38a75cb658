"""A wait right before another one that stays: whoever mends the first alone waits as long at the second.

    for x, y in loader:
        x = x.to(device)                the host waits here in any case, until all of the turn before is done
        ...
        optimizer.step()
        total += loss.item()            and so hardly for this

The statements behind a wait are followed to the end of its block, then those behind the `if` or `with` around it, then those
at the head of the loop. What the host has to do in between counts, for it could be done while the GPU works: of a loader
that is not known to have workers nothing is said. Knows the waits of expressions, loaders, and how statements follow each other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import gates
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.idioms import datasets, loaders
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import LOOPS, last_name, walk
from torchperf_lint.facts.sync import just_waited

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

MOST: Final = 10
"""So many statements are looked at, from a wait downwards."""


def after(
    analysis: Analysis, module: Module, node: ast.AST, target: tuple[int, ...], mended: Set[ast.AST]
) -> Evidence | None:
    """The wait right behind one, to which control surely comes and which is none of those that are to be mended as well: when all
    these are, the host waits there."""
    statement = module.statement(node)
    if just_waited.asked(statement) is None or not just_waited.is_light(
        analysis, module, statement, target, apart=node
    ):
        return None
    for below in _downwards(analysis, module, statement, target):
        part = just_waited.asked(below)
        if part is None or isinstance(below, ast.Return):
            return None
        parts = [below, *walk(part, into_scopes=False)]
        found = just_waited.wait_in(analysis, module, parts, target)
        if found is not None and mended.isdisjoint(parts):
            if not just_waited.is_light(analysis, module, getattr(found, "test", found), target):
                return None
            return Evidence(found, "the host waits here in any case, and little is queued in between", module.path)
        if not just_waited.is_light(analysis, module, part if _is_passed(module, below) else below, target):
            return None
    return None


def _is_passed(module: Module, statement: ast.stmt) -> bool:
    """Whether control passes an `if` by as a rule: `if step % 100 == 0`."""
    return isinstance(statement, ast.If) and not statement.orelse and gates.of(module, statement.body[0]) is not None


def _downwards(analysis: Analysis, module: Module, statement: ast.stmt, target: tuple[int, ...]) -> Iterator[ast.stmt]:
    """The statements that run right behind one, the next first, and once those at the head of the loop around them."""
    at: ast.AST | None = statement
    left = MOST
    while isinstance(at, ast.stmt):
        place = inside.block_of(module, at)
        if place is None:
            return
        behind = place[0].statements[place[1] + 1 :][:left]
        yield from behind
        left -= len(behind)
        at = module.parents.get(at)
        if isinstance(at, LOOPS):
            if at.body is place[0].statements and _goes_on_at_once(analysis, module, at, target):
                yield from at.body[:left]
            return
        if not isinstance(at, (ast.If, ast.With)):
            return


def _goes_on_at_once(analysis: Analysis, module: Module, loop: ast.AST, target: tuple[int, ...]) -> bool:
    """Whether the next turn of a loop begins as soon as the last is over: its loader does not make the batch first."""
    if not isinstance(loop, ast.For):
        return False
    made, _ = loaders.of(analysis, module, loop.iter)
    if made is None or made.kind != "loader":
        is_counted = any(last_name(each.func) == "range" for each in walk(loop.iter) if isinstance(each, ast.Call))
        return is_counted and just_waited.is_light(analysis, module, loop.iter, target)
    workers = datasets.setting(made, "num_workers")
    return workers is not None and workers.const != 0
