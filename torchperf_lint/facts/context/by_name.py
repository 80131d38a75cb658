"""How often code runs where no more than a name suggests it: what rests on that is a hint, and its evidence says so.

for _, (batch, last) in wrap(source):        batches, by what the loop binds
    total += score(batch).item()
self.kept["conditioner"].add_statistics(g)   a method of the `Conditioner` that the file makes, by a name of its own
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context.frequency import SEEMS
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.guesses import function_names, value_names
from torchperf_lint.facts.index.module import Module
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
