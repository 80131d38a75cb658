"""Whether code runs at every step of a training: a loop over a loader may as well evaluate, and what is carried on the GPU
may be carried from epoch to epoch.

    for x in loader: ...; loss.backward()           it trains
    for x in loader: scaler(loss, optimizer); ...; optimizer.zero_grad()        and so does this
    for x in loader: total += count(model(x))       nothing shows that
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import callers_elsewhere, gates, loops
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.domain.fact import Fact
from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import LOOPS, Loop, last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def in_step(analysis: Analysis, module: Module, node: ast.AST, frequency: Fact[Frequency]) -> bool:
    """Whether a node, of which it is known how often it runs, is part of a training step."""
    function = module.function_of(node)
    if not function.is_module and loops.step(analysis, module, function.node, within_loops=False) is not None:
        return True
    shown = [each.node for each in frequency.because if each.path in (None, module.path)]
    if any(_trains(analysis, module, each) for each in shown if isinstance(each, LOOPS)):
        return True
    for site in callers_elsewhere.candidates(analysis, function):
        other, call = site
        loop = blocks.loop(other.module, call)
        if loop is None or gates.of(other.module, call) is not None or not _trains(other, other.module, loop):
            continue
        if callers_elsewhere.is_one(analysis, site, function):
            return True
    return False


def _trains(analysis: Analysis, module: Module, loop: Loop) -> bool:
    """Whether each turn of a loop is a step of a training, and not one of many steps in loops of its own."""
    if loops.holds_steps(analysis, module, loop):
        return False
    if loops.step(analysis, module, loop, within_loops=False) is not None:
        return True
    inner = (each for statement in loop.body for each in walk(statement, into_scopes=False))
    return any(
        isinstance(each, ast.Call) and last_name(each.func) == "zero_grad" and blocks.loop(module, each) is loop
        for each in inner
    )
