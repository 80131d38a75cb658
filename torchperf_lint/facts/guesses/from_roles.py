"""What a parameter holds by the role of its method: tensors in `forward`, the batch in `training_step`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import Evidence, Sure
from torchperf_lint.facts.domain.value import ANY, INT, MAYBE, Value
from torchperf_lint.facts.guesses import function_names, value_names, votes
from torchperf_lint.facts.guesses.from_uses import OTHERS, TENSORS
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.interpret import callers

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

AS_A_RULE: Final = ": tensors, as a rule"
"""How evidence ends where the role of a parameter is all that speaks for a tensor."""


def by_role(analysis: Analysis, function: Function, name: str, default: Value | None) -> Value:
    """What the role of a function tells of its parameters."""
    if function_names.is_for_tokens(function.positional) and name in function.positional[:3]:
        return _of_token(function, name)
    if function.owner is None:
        return ANY
    kind = analysis.kind(function.owner)
    if kind == "module" and (function.name == "forward" or function_names.is_loss_method(function.name)):
        return _of_forward(analysis, function, name, default)
    if kind == "module" and function_names.is_step(function.name) and not function.is_static:
        return _of_step(function, name)
    if kind == "dataset" and function.name == "__getitem__":
        return Value("number", Sure.LIKELY)
    return ANY


def _of_forward(analysis: Analysis, function: Function, name: str, default: Value | None) -> Value:
    """A parameter of `forward`, or of a loss: a tensor, unless a use says otherwise."""
    uses = votes.everywhere(function, name)
    shows_tensor = bool(uses & TENSORS)
    if function.positional[:1] == ("ctx",) and not shows_tensor:
        return ANY  # a function of autograd takes its settings by position
    if uses == {"mapping"} and default is None:
        return callers.fed(analysis, function, name)  # of a table, callers tell
    against = OTHERS - {"unpacked"} if "array" in uses else OTHERS  # `q, k, v = x`, of what has a shape
    may_be_left_out = default is not None and (default.kind != "none" or not shows_tensor)
    if uses & against or may_be_left_out:
        return ANY
    if (function.name != "forward" or value_names.is_count(name)) and not shows_tensor:
        return ANY  # lists and dicts of targets as often as not, and no count is a tensor
    if not shows_tensor and _is_only_taken_apart(function, name):
        return ANY  # a list as well as a tensor: `weights[i] == 0`
    message = f"a parameter of `{function.name}`{'' if shows_tensor else AS_A_RULE}"
    why = Evidence(function.parameters[name], message, function.module.path)
    return Value("tensor", Sure.LIKELY, why=why)


def _is_only_taken_apart(function: Function, name: str) -> bool:
    """Whether all that a function does with a parameter is to ask for its length, and for its elements one by one."""
    parents = function.module.parents
    above = [(load, parents[load]) for load in function.scope.loads.get(name, ())]
    elements = [each for load, each in above if isinstance(each, ast.Subscript) and each.value is load]
    lengths = [each for _, each in above if isinstance(each, ast.Call) and last_name(each.func) == "len"]
    are_single = all(isinstance(each.slice, (ast.Name, ast.Constant)) for each in elements)
    return are_single and bool(lengths) and len(elements) + len(lengths) == len(above) > 1


def _of_token(function: Function, name: str) -> Value:
    """The tokens, or the scores of the next one, that a generation hands over: where its model is."""
    if votes.everywhere(function, name) & OTHERS:
        return ANY
    message = f"what a generation hands to `{function.name}`"
    why = Evidence(function.parameters[name], message, function.module.path)
    return Value("tensor", Sure.LIKELY, rank=2, device=MAYBE, why=why, where=why)


def _of_step(function: Function, name: str) -> Value:
    """The batch, or its number, that Lightning hands to the step of a module."""
    if value_names.is_index(name):
        return INT.but(sure=Sure.LIKELY)
    message = f"the batch of `{function.name}`, which Lightning has placed"
    why = Evidence(function.parameters[name], message, function.module.path)
    return Value("tensor_tree", Sure.LIKELY, ref="batch", device=MAYBE, why=why, where=why)
