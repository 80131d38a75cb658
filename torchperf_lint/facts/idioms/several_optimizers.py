"""Several optimizers side by side: who steps them has models whose steps are short, and a good part of those is theirs.
Those that read and write the weights several times, that is: SGD is one pass or two.

    self.opt_g = Adam(g.parameters())         two, stepped in turns
    self.opt_d = Adam(d.parameters())
    if args.adam: optimizer = Adam(weights)   one, of two that can be chosen
    else: optimizer = AdamW(weights)
"""

from __future__ import annotations

import ast
from itertools import combinations
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import arms, blocks
from torchperf_lint.facts.index.module import Module

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_NAMES: Final = ("Adam", "AdamW")


def are_made(analysis: Analysis, module: Module) -> bool:
    """Whether one run of a function makes several optimizers."""
    calls = [call for name in _NAMES for call in module.calls.get(name, ())]
    made = [call for call in calls if analysis.value(call, module).kind == "optimizer"]
    return any(_are_together(module, one, other) for one, other in combinations(made, 2))


def _are_together(module: Module, one: ast.AST, other: ast.AST) -> bool:
    """Whether a run of one function comes through both places as often: they stand in no two arms of one choice, and are kept apart."""
    if module.function_of(one) is not module.function_of(other) or blocks.loop(module, one) is not blocks.loop(
        module, other
    ):
        return False
    if _target(module, one) == _target(module, other):
        return False
    branches = {each.branch: each for each in arms.around(arms.arm_of(module, one))}
    others = arms.around(arms.arm_of(module, other))
    return all(branches.get(each.branch, each) is each for each in others)


def _target(module: Module, call: ast.AST) -> str:
    """What an optimizer is bound to."""
    statement = module.statement(call)
    return ast.unparse(statement.targets[0]) if isinstance(statement, ast.Assign) else ast.unparse(statement)
