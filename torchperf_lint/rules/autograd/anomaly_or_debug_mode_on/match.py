"""What switches a debugging aid on, and whether somebody measures what it costs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.idioms import environment_variables
from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.facts.knowledge import clocks

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def may_switch_on(_: Facts, node: ast.AST) -> bool:
    """Whether a node sets a variable of the environment, or is a call that has nothing to do with dicts."""
    return environment_variables.is_set_by(node) or environment_variables.is_other_call(node)


def is_timed(facts: Facts, node: ast.AST) -> bool:
    """Whether a clock is read both before and behind a node, in its block or in one around it within the function."""
    if facts.module.spelled(clocks.NAMES).isdisjoint(facts.module.calls):
        return False
    for block, number in inside.blocks_around(facts.module, node):
        read = _readings(facts.module, block)
        if read and read[0] < number < read[-1]:
            return True
    return False


@once
def _readings(module: Module, block: inside.Block) -> list[int]:
    """The statements of a block that read a clock, by their number."""
    return [
        number
        for number, statement in enumerate(block.statements)
        if any(
            isinstance(inner, ast.Call)
            and clocks.is_read(names.dotted(module.function_of(inner), inner.func), last_name(inner.func))
            for inner in walk(statement, into_scopes=False)
        )
    ]
