"""How often code runs where no more than a name suggests it: what rests on that is a hint, and its evidence says so.

for _, (batch, last) in wrap(source):        batches, by what the loop binds
    total += score(batch).item()
self.kept["conditioner"].add_statistics(g)   a method of the `Conditioner` that the file makes, by a name of its own
def expand(counts: Tensor): ...              of a package that nowhere calls it: for others, with the tensors of their steps
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import callers_elsewhere, file_traits, in_tests
from torchperf_lint.facts.context.frequency import SEEMS
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.guesses import function_names, value_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function

if TYPE_CHECKING:
    from torchperf_lint.facts.context.callers_elsewhere import Site
    from torchperf_lint.facts.interpret.analysis import Analysis


def goes_over_batches(analysis: Analysis, module: Module, loop: ast.For | ast.AsyncFor) -> Evidence | None:
    """The loop, if its items are called batches, and nothing shows what it goes through."""
    named = (each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name))
    if not any(map(value_names.is_batch, named)) or analysis.value(loop.iter, module).kind not in (
        "unknown",
        "iterator",
    ):
        return None
    return Evidence(loop, f"a loop over batches by the name of what it binds{SEEMS}", module.path)


def calls_one(site: Site, function: Function) -> Evidence | None:
    """A call, in another file, of what nobody knows, if it seems to be one of a method: the file makes a thing of its class, and
    the name is of its own."""
    other, call = site
    owner = function.owner
    if owner is None or not isinstance(call.func, ast.Attribute) or not function_names.is_of_its_own(function.name):
        return None
    if owner.name not in other.module.calls or other.value(call.func.value, other.module).kind != "unknown":
        return None
    said = f"`{function.name}` is a method of `{owner.name}`, of which this file makes one{SEEMS}"
    return Evidence(call, said, other.module.path)


def is_for_others(analysis: Analysis, function: Function) -> Evidence | None:
    """The function, if it is public and given tensors, as it says, and nothing in a project that others install calls it but tests."""
    if not _may_be(analysis, function) or analysis.sites(function):
        return None
    if next(callers_elsewhere.calls(analysis, function), None) is not None:
        return None
    said = f"`{function.name}` is given tensors by whoever calls it from outside: for every batch{SEEMS}"
    return Evidence(function.node, said, function.module.path)


@once
def has_any_for_others(analysis: Analysis, module: Module) -> bool:
    """Whether a file has functions of which nothing but their callers would show that they are not for others."""
    return any(_may_be(analysis, each) for each in module.functions.values())


@once
def _may_be(analysis: Analysis, function: Function) -> bool:
    if function.is_module or function.within is None or not function_names.may_be_for_others(function.qualname):
        return False
    if (function.owner is None and not function.within.is_module) or file_traits.is_script(function.module):
        return False
    neighbours = analysis.around()
    if neighbours is None or not neighbours.is_open(analysis):
        return False
    annotations = (each.annotation for each in function.parameters.values())
    is_given = any(each is not None and analysis.annotation(function, each).kind == "tensor" for each in annotations)
    return is_given and not in_tests.is_test(function)
