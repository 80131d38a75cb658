"""Whether all that may call a function is known: who is unknown may pass anything.

steps.py     def note(loss): ...
train.py     note(loss)                      a call, and it is seen of what
table.py     HOOKS = {"note": steps.note}    handed on: nobody knows who calls it
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import callers_elsewhere, constructions
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Function

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_OPEN: Final = ("unknown", "instance", "module", "super", "object", "function", "class")
"""Kinds of things that may have a method of the project, as far as nobody knows their class."""


def is_closed(analysis: Analysis, function: Function) -> bool:
    """Whether all that may call a function is known: each file that may is read, and says its name in calls alone of which
    it is seen what they call. What is made callable by its class is handed on without a name."""
    neighbours = analysis.around()
    if neighbours is None or not may_be_closed(analysis, function):
        return False
    if not neighbours.can_read_all(analysis, *callers_elsewhere.said(function)):
        return False
    try:
        return _is_only_called(analysis, function) and all(
            _is_only_called(each, function)
            for each in callers_elsewhere.others(analysis, function, neighbours)
            if each.module is not function.module
        )
    except GaveUpError:
        return False


def may_be_closed(analysis: Analysis, function: Function) -> bool:
    """Whether the index names all files that may call a function; none is read for that."""
    neighbours = analysis.around()
    if neighbours is None or function.name == "__call__":
        return False
    return neighbours.names_all(analysis, *callers_elsewhere.said(function))


def calls(analysis: Analysis, function: Function) -> list[callers_elsewhere.Site] | None:
    """The calls of a function in other files, tests aside; None where not all of them are known."""
    if function.name == "__init__" and function.owner is not None:
        return constructions.elsewhere(analysis, function.owner)
    return list(callers_elsewhere.calls(analysis, function)) if is_closed(analysis, function) else None


def _is_only_called(other: Analysis, function: Function) -> bool:
    """Whether a file says the name of a function in calls alone, each of which is seen to call that, or something else."""
    module = other.module
    for node in reads(module, callers_elsewhere.names_of(other, function)):
        call = module.parents.get(node)
        if not isinstance(call, ast.Call) or call.func is not node or not _is_known(other, call, function):
            return False
    return True


def reads(module: Module, spelled: list[str]) -> Iterator[ast.expr]:
    """Where a file reads names, or attributes of these names."""
    for name in spelled:
        yield from names.loads(module, None).get(name, ())
        yield from (node for node in module.attributes.get(name, ()) if isinstance(node.ctx, ast.Load))


def _is_known(other: Analysis, call: ast.Call, function: Function) -> bool:
    """Whether it is seen what a call calls: a function of the project, or something of another kind."""
    if other.module is function.module and any(call is each for each in other.sites(function)):
        return True
    if callers_elsewhere.target(other, call, function) is not None:
        return True
    holder = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    found = other.value(holder, other.module)
    return found.kind not in _OPEN or (found.kind == "module" and isinstance(found.ref, str))
