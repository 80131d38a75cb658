"""Attributes that hold one constant, whoever makes the thing.

def __init__(self): self.use_compiled = False        nothing else in sight sets it
def forward(self, x):
    if self.use_compiled: ...                        so this does not run, unless somebody sets it from outside
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import unused
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_BY_TEXT: Final = ("setattr", "vars", "__setattr__")
"""Calls that may set any attribute."""


def of(analysis: Analysis, owner: Class, name: str) -> list[object]:
    """The constant that an attribute of a class holds, in a list; empty where it may hold anything else. A number may be a count."""
    sites = classes.sites(owner).get(name, ())
    live = sites[:1] if len(sites) > 1 and _are_run_by_nobody(analysis, sites[1:]) else sites
    match [(function, owner.module.parents.get(node)) for function, node in live]:
        case [(function, ast.Assign(value=ast.Constant(value=bool() | str() | None as value)))]:
            is_first = function is owner.within or function.name == "__init__"
            return [value] if is_first and _is_set_nowhere_else(analysis, owner, name) else []
    return []


def _are_run_by_nobody(analysis: Analysis, sites: list[classes.Site]) -> bool:
    """Whether nothing in the project calls the methods that set an attribute anew: `net.set_threshold(0.5)` is for its users."""
    return all(
        function.name != "__init__" and unused.nobody_runs(analysis, function.module, node) is function.node
        for function, node in sites
    )


def _is_set_nowhere_else(analysis: Analysis, owner: Class, name: str) -> bool:
    """Whether neither its bases, nor what has them, nor anybody who has a thing of the class sets an attribute."""
    line = list(analysis.ancestry(owner))
    if any(_may_set_any(each.module) or (each is not owner and name in classes.sites(each)) for each in line):
        return False
    heirs = (each for each in owner.module.classes.values() if each is not owner and name in classes.sites(each))
    if any(owner in analysis.ancestry(each) for each in heirs) or is_set_from_outside(owner.module, name):
        return False
    neighbours = analysis.around()
    return neighbours is None or not (value_names.is_constant(name) or neighbours.given(analysis, name) is None)


def _may_set_any(module: Module) -> bool:
    """Whether a file sets attributes by texts."""
    return "__dict__" in module.attributes or any(each in module.calls for each in _BY_TEXT)


def is_set_from_outside(module: Module, name: str) -> bool:
    """Whether anything but a method sets an attribute of its own object: `net.exact = True`."""
    for node in module.attributes.get(name, ()):
        if isinstance(node.ctx, ast.Load):
            continue
        method = module.function_of(node).method
        if method is None or not isinstance(node.value, ast.Name) or method.positional[:1] != (node.value.id,):
            return True
    return False
