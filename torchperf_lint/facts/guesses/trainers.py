"""Classes that derive from a trainer out of sight, which calls `compute_loss(self, model, inputs)` at every step.

Knows them by the name of their base: `transformers.Trainer` and its kin have both the model and the batch on the device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import Evidence, Sure
from torchperf_lint.facts.domain.value import MAYBE, Value
from torchperf_lint.facts.guesses import base_names, function_names
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_GIVEN: Final = slice(1, 3)
"""Where the model and the batch stand among the parameters."""


def is_one(analysis: Analysis, owner: Class) -> bool:
    """Whether a class derives from a trainer that the program does not show."""
    return base_names.is_trainer(classes.unseen_bases(analysis, owner))


def given(analysis: Analysis, function: Function, name: str) -> Value | None:
    """The model or the batch that a trainer hands to the method which computes its loss; None for all else."""
    if (
        function.owner is None
        or not function_names.is_loss_method(function.name)
        or name not in function.positional[_GIVEN]
    ):
        return None
    if not is_one(analysis, function.owner):
        return None
    where = Evidence(function.parameters[name], "placed by the trainer", function.module.path)
    if name == function.positional[1]:
        return Value("module", Sure.LIKELY, device=MAYBE, where=where)
    return Value("tensor_tree", Sure.LIKELY, ref="batch", device=MAYBE, why=where, where=where)
