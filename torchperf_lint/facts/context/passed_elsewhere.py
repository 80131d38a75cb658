"""What calls in other files pass to a function, each by itself: what all of them tell is for `arguments_elsewhere`."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import (
    callers_elsewhere,
    eager_code,
    file_traits,
    how_often,
    in_tests,
    loader_workers,
)
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.domain.value import ANY, CPU, NONE, PINNED, Value
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import may_hide
from torchperf_lint.facts.interpret import callers

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

TENSORS: Final = ("tensor", "tensor_tree")


@dataclass(frozen=True, slots=True)
class Passed:
    """What one call passes for a parameter."""

    value: Value
    at: Evidence
    """The call."""
    is_on_host: bool
    site: callers_elsewhere.Site

    @property
    def is_hot(self) -> bool:
        """Whether it runs for every batch or more often: what passes something once does not tell what is passed there."""
        other, call = self.site
        try:
            return bool(how_often.of(other, other.module, call, frozenset()).value)
        except GaveUpError:
            return False


@once
def calls(analysis: Analysis, function: Function) -> list[callers_elsewhere.Site]:
    """The calls of a function in other files that run where there may be a GPU."""
    found: list[callers_elsewhere.Site] = []
    for site in callers_elsewhere.candidates(analysis, function):
        other, call = site
        module = other.module
        if eager_code.is_never_run(module, call) or in_tests.is_test(module.function_of(call)):
            continue
        if not file_traits.may_use_gpu(other, module) or file_traits.is_trial(module, [call]):
            continue
        if callers_elsewhere.is_one(analysis, site, function):
            found.append(site)
    return found


def passed(analysis: Analysis, site: callers_elsewhere.Site, function: Function, name: str) -> Passed:
    """What a call passes for a parameter: by the file that it stands in, and if that does not say it, by its callers."""
    other, call = site
    neighbours = analysis.around()
    caller = other.module.function_of(call)
    try:
        value = _value(analysis, other, call, function, name)
        if neighbours is not None and analysis.away > 1 and value.kind == "unknown":
            value = _value(analysis, neighbours.as_called(other, analysis.away - 1), call, function, name)
        is_loading = value.device is None and value.kind in TENSORS and loader_workers.runs_on_host(other, caller)
    except GaveUpError:
        value, is_loading = ANY, False
    place = f"`{other.module.path}:{call.lineno}` passes it"
    at = Evidence(call, place, other.module.path)
    return Passed(value, at, is_loading or value.device in (CPU, PINNED), site)


def _value(analysis: Analysis, seen: Analysis, call: ast.Call, function: Function, name: str) -> Value:
    called = seen.value(call.func, seen.module)
    if may_hide(call) or _is_unbound(seen, call, function):
        return ANY
    if function.owner is not None and callers_elsewhere.is_handed(analysis, (seen, call), function):
        return ANY  # a method, perhaps with its instance
    node = callers.bound(function, call).get(name)
    if node is not None:
        return seen.value(node, seen.module)
    if isinstance(called.items, dict) and name in called.items:
        held: Value = called.items[name]  # a `partial` keeps it
        return held
    if name not in function.defaults:
        return ANY
    default = analysis.default(function, name)
    return NONE if default.kind == "none" else default


def _is_unbound(seen: Analysis, call: ast.Call, function: Function) -> bool:
    """Whether a method is called on its class, which is handed the instance too."""
    if function.owner is None or function.is_static or not isinstance(call.func, ast.Attribute):
        return False
    holder = seen.value(call.func.value, seen.module)
    return isinstance(holder.ref, Class) and holder.kind == "class"
